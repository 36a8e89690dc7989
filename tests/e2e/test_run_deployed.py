"""All families on the embedded stack: the real `sam build`, the real `sam deploy`, a client."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client_of_run import Client
from documented import FULL, arguments
from uring_command import BINARIES, ROOT, assert_all_is_well, environment, events, summaries


@contextmanager
def run(log: Path, *options: str) -> Iterator[tuple[Client, subprocess.Popen[bytes]]]:
    """A run once its client is served; it writes to a file, which is never full."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(BINARIES / "uring"), "run", *options], cwd=ROOT, env=environment(), stdout=out
        )
    try:
        ends = time.monotonic() + 600
        while not (found := re.search(r'"client": "([^"]+)"', log.read_text(encoding="utf-8"))):
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < ends, log.read_text("utf-8")
            time.sleep(0.2)
        yield Client(found[1]), process
    finally:
        process.kill()
        process.wait()


def test_the_deployed_application_pushes_every_change_and_serves_a_client(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    with run(log, *arguments(FULL)[1:], "--speed", "60") as (client, process):
        the_client_is_served_as_it_is_deployed(client)
        departments_can_be_subscribed_to(client)
        a_message_is_in_what_readers_get(client)
        assert process.wait(timeout=600) == 0, log.read_text("utf-8")[-2000:]
    out = log.read_text("utf-8")
    found = summaries(out)["notices"]
    assert_all_is_well(found)
    assert found["checked"] == 4 * found["outcomes"]["baseline"]
    # In the calm tick every job has a hint: the worker asks the sites, and nothing of AWS.
    (calm,) = [
        each
        for each in events(out)
        if each["event"] == "tick" and each["tick"] == 4 and each["family"] == "notices"
    ]
    assert "NoticeWorker" not in calm["aws_calls"]


def the_client_is_served_as_it_is_deployed(client: Client) -> None:
    """Through the stack's distribution: policy, cache headers, and a 403 for what is not there."""
    page = client.get("")
    assert page.status == 200
    assert page.headers["Cache-Control"] == "no-cache"
    assert "trusted-types" in page.headers["Content-Security-Policy"]
    asset = page.data.decode().split('type="module" src="./')[1].split('"')[0]
    script = client.get(asset)
    assert script.status == 200
    assert script.headers["Cache-Control"].endswith("immutable")
    assert client.get(asset, **{"If-None-Match": script.headers["ETag"]}).status == 304
    assert client.get("config.json").json()["push"] == {"events": "./push/events"}
    assert client.get("nothing").status == 403
    assert client.get("data/nobody/archive/190001.jsonl").status == 403


def departments_can_be_subscribed_to(client: Client) -> None:
    """The families of a run, a stack each, are one to its client."""
    index = client.published("index.json", "departments")
    topics = [each["topic"] for each in index["departments"]]
    # Every stack is asked for it, and some have no index yet.
    assert client.subscribe(["nobody"]) in (422, 503)
    assert client.subscribe(topics) == 204
    index = client.published("index.json", "departments", "registries", "weather")
    for name in ("departments", "registries", "weather"):
        client.published(index[name][0]["latest"])
    assert client.subscribe([topics[0], index["registries"][0]["topic"]]) == 204


def a_message_is_in_what_readers_get(client: Client) -> None:
    """What was pushed is published already."""
    message = client.message()
    data = message["data"]
    assert message["from"] == f"/topics/{data['dept']}"
    assert data["id"] in client.get(f"data/{data['dept']}/latest.json").data.decode()
