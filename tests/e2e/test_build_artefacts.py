"""What `make build` judges: weight, native libraries, and handlers that import on their own."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from uring_local.build import artefacts
from uring_local.project import StackFailed

ELF_X86_64 = b"\x7fELF" + bytes(14) + (62).to_bytes(2, "little")
ELF_ARM64 = b"\x7fELF" + bytes(14) + (183).to_bytes(2, "little")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A build in SAM's layout: one layer, a function and the notifier."""
    _write(tmp_path / "CoreLayer/python/uring/__init__.py", "WORD = 'layer'\n")
    _write(tmp_path / "NoticeOrchestrator/app.py", "import uring\nhandler = uring.WORD.format\n")
    _write(tmp_path / "Notifier/app.py", "import firebase_admin\ndef handler(): ...\n")
    _write(tmp_path / "Notifier/firebase_admin/__init__.py", "")
    _write(tmp_path / "template.yaml", "Resources: {}\n")
    return tmp_path


def test_handlers_import_from_what_was_built_and_the_runtime_alone(built: Path) -> None:
    """The layer's `uring` is imported, not the one of this environment; boto3 is the runtime's."""
    _write(
        built / "NoticeOrchestrator/app.py",
        "import boto3, botocore, urllib3, dateutil, uring\n"
        "assert uring.WORD == 'layer'\n"
        "handler = uring.WORD.format\n",
    )
    assert list(artefacts.import_failures(built)) == []


@pytest.mark.parametrize("package", ["pydantic", "aws_lambda_powertools", "uring_local", "rich"])
def test_a_package_that_only_this_environment_has_is_a_fault(built: Path, package: str) -> None:
    _write(built / "NoticeOrchestrator/app.py", f"import {package}\nhandler = print\n")
    (fault,) = artefacts.import_failures(built)
    assert fault.startswith("NoticeOrchestrator: cannot be imported")
    assert f"No module named '{package}'" in fault


def test_a_handler_that_cannot_be_called_is_a_fault(built: Path) -> None:
    _write(built / "NoticeOrchestrator/app.py", "handler = 7\n")
    (fault,) = artefacts.import_failures(built)
    assert "app.handler is not callable" in fault


def test_importing_leaves_the_artefacts_as_they_are(built: Path) -> None:
    """A .pyc would be shipped, and would make every deployment look new."""
    before = sorted(built.rglob("*"))
    assert list(artefacts.import_failures(built)) == []
    assert sorted(built.rglob("*")) == before


def test_a_library_for_the_other_architecture_is_a_fault(built: Path) -> None:
    for name, content in {"a.so": ELF_X86_64, "libb.so.3": ELF_ARM64, "c.so": b"no ELF"}.items():
        (built / "Notifier" / name).write_bytes(content)
    (fault,) = artefacts.libraries_of_others(built, "x86_64")
    assert "libb.so.3" in fault
    (fault,) = artefacts.libraries_of_others(built, "arm64")
    assert "a.so" in fault


def test_firebase_belongs_to_who_asks_fcm_alone(built: Path) -> None:
    assert list(artefacts.stray_firebase(built)) == []
    _write(built / "SubscriptionApi/app.py", "def handler(): ...\n")
    (api,) = artefacts.stray_firebase(built)
    assert "SubscriptionApi: lacks" in api
    _write(built / "SubscriptionApi/firebase_admin/__init__.py", "")
    _write(built / "CoreLayer/python/firebase_admin/__init__.py", "")
    (built / "Notifier/firebase_admin/__init__.py").unlink()
    layer, notifier = artefacts.stray_firebase(built)
    assert "CoreLayer: must not carry" in layer
    assert "Notifier: lacks" in notifier


def test_the_table_shows_megabytes_per_architecture(built: Path) -> None:
    (built / "Notifier/grpc.so").write_bytes(bytes(2_500_000))
    shown = io.StringIO()
    Console(file=shown).print(artefacts.weights({"x86_64": built, "arm64": built}))
    heading, *rows = shown.getvalue().splitlines()
    assert heading.split() == ["unzipped", "MB", "x86_64", "arm64"]
    assert [row.split() for row in rows] == [
        ["CoreLayer", "0.0", "0.0"],
        ["NoticeOrchestrator", "0.0", "0.0"],
        ["Notifier", "2.5", "2.5"],
    ]


def test_a_package_that_the_runtime_lacks_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StackFailed, match=r"boto3: not installed in .*; run `make setup`"):
        artefacts.packages(["boto3"], [str(tmp_path)])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
