"""A client of a few files, and a bucket for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

BUCKET = "a-bucket"
CLIENT = {
    "index.html": (
        '<!doctype html><link rel="stylesheet" href="./style.css">'
        '<link rel="manifest" href="./manifest.webmanifest">'
        '<script type="module" src="./app/main.js"></script>\n'
    ),
    "sw.js": (
        'import { fold } from "./uring.js";\n'
        'const ASSETS = ["./", "./index.html", "./uring.js", "./app/main.js", "./style.css"];\n'
        'const DATA = "./data/index.json";\n'
    ),
    "manifest.webmanifest": '{"start_url": "./", "icons": [{"src": "./icons/one.svg"}]}',
    "config.json": '{"push": null}\n',
    "status/index.html": (
        '<script type="module" src="./status.js"></script>'
        '<link rel="stylesheet" href="../style.css"><a href="../index.html">client</a>\n'
    ),
    "status/status.js": 'import { fold } from "../uring.js";\n',
    "app/main.js": 'import { fold } from "../uring.js";\n',
    "uring.js": "export const fold = () => new Map();\n",
    "style.css": "body { margin: 0 }\n",
    "icons/one.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "vendor/LICENSE": "made up\n",
}


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    for name, text in CLIENT.items():
        write(folder / name, text)
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        made = boto3.client("s3")
        made.create_bucket(Bucket=BUCKET)
        yield made
