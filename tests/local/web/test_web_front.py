"""The front of a run: several stacks as one, the client, and what devices are pushed."""

import json
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
import urllib3

from uring_local import loopback
from uring_local.loopback import Answer, Request
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.template.template import load
from uring_local.web import events
from uring_local.web.behaviors import Distribution, read_distribution
from uring_local.web.configuration import LOCAL_PUSH
from uring_local.web.edges import BucketEdge
from uring_local.web.front import Front, Served
from uring_local.web.release import read_release
from uring_local.web.upload import put_release

ID = "c" + "0" * 21
OTHER = "d" + "0" * 21
FIRST = {
    "generated_at": "2026-01-01T00:00:00Z",
    "departments": [{"id": "cs", "topic": "cs"}],
    "weather": [],
    "families": {"departments": {"view": "notices"}},
}
SECOND = {
    "generated_at": "2026-01-02T00:00:00Z",
    "departments": [],
    "weather": [{"id": "metar", "topic": "metar"}],
    "families": {"weather": {"view": "weather"}},
    "of_the_next_release": 1,
}


class Pushes:
    """A stand-in for FCM with the messages of one stack; each device is of all its topics."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, deque[events.Message]] = defaultdict(deque)
        self._changed = threading.Condition()
        self.taken_back = threading.Event()

    def listen(self, device: str) -> "Listener":
        return Listener(self, device)

    def topics_of(self, device: str) -> Sequence[str]:  # noqa: ARG002 - of any device
        return ["cs"]

    def deliver(self, device: str, message: events.Message) -> None:
        with self._changed:
            self._waiting[device].append(message)
            self._changed.notify_all()

    def take(self, device: str, seconds: float) -> events.Message | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting[device], seconds)
            return self._waiting[device].popleft() if self._waiting[device] else None

    def put_back(self, device: str, message: events.Message) -> None:
        with self._changed:
            self._waiting[device].appendleft(message)
        self.taken_back.set()


@dataclass
class Listener:
    """The messages of one device."""

    pushes: Pushes
    device: str

    def take(self, seconds: float) -> events.Message | None:
        return self.pushes.take(self.device, seconds)

    def put_back(self, message: events.Message) -> None:
        self.pushes.put_back(self.device, message)


class Api:
    """A stack's HTTP API: takes the topics that it knows."""

    def __init__(self, *topics: str) -> None:
        self.topics = {*topics}
        self.asked: list[Any] = []

    def __call__(self, request: Request) -> Answer:
        try:
            document = json.loads(request.body)
        except ValueError:
            return Answer(400, b"{}")
        self.asked.append(document)
        named = {str(each) for name in ("subscribe", "unsubscribe") for each in document[name]}
        return Answer(204) if named and named <= self.topics else Answer(422, b'{"status": 422}')


@pytest.fixture(scope="module")
def distribution() -> Distribution:
    return read_distribution(load(TEMPLATE, PARAMETERS, "uring"))


@dataclass
class Run:
    """A front, and what is behind it: two stacks."""

    front: Front
    apis: list[Api]
    pushes: list[Pushes]
    s3: Any

    def ask(self, path: str, method: str = "GET", **given: Any) -> urllib3.BaseHTTPResponse:
        url = f"{self.front.url}{path.removeprefix('/')}"
        return urllib3.request(method, url, retries=False, timeout=20, **given)

    def put(self, bucket: str, key: str, document: Any) -> None:
        body = json.dumps(document).encode()
        self.s3.put_object(Bucket=bucket, Key=key, Body=body, ContentType="application/json")


@pytest.fixture
def run(s3: Any, client: Path, distribution: Distribution) -> Iterator[Run]:
    s3.create_bucket(Bucket="second")
    put_release(s3, "a-bucket", read_release(client, LOCAL_PUSH))
    apis, pushes = [Api("cs"), Api("metar", "RKSI")], [Pushes(), Pushes()]
    stacks = [
        Served(BucketEdge(s3, bucket, distribution), api, own)
        for bucket, api, own in zip(("a-bucket", "second"), apis, pushes, strict=True)
    ]
    with Front(stacks) as front:
        made = Run(front, apis, pushes, s3)
        made.put("a-bucket", "data/index.json", FIRST)
        made.put("second", "data/index.json", SECOND)
        made.put("second", "data/metar/latest.json", {"items": []})
        made.put("a-bucket", "config/sitemap.json", {})
        yield made
    assert front.failures == []


def test_the_client_is_served_by_the_distributions_rules(run: Run) -> None:
    page = run.ask("/")
    assert page.status == 200
    assert page.headers["Cache-Control"] == "no-cache"
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "require-trusted-types-for 'script'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    asset = page.data.decode().split('src="')[1].split('"')[0]
    script = run.ask(asset.removeprefix("."))
    assert script.status == 200
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert run.ask("/status/").data == run.ask("/status/index.html").data
    assert run.ask("/config.json").json() == LOCAL_PUSH
    # The worker's own requests obey the policy of its own response.
    assert "Content-Security-Policy" in run.ask("/sw.js").headers


def test_files_of_simulated_days_have_their_date(s3: Any, distribution: Distribution) -> None:
    """The client compares times with ``Date``; the index of several stacks has the real one."""
    s3.create_bucket(Bucket="played")
    days = datetime(2026, 3, 2, 0, 41, tzinfo=UTC)

    def served(bucket: str, *clock: Any) -> Served:
        return Served(BucketEdge(s3, bucket, distribution), Api("cs"), Pushes(), *clock)

    for bucket, key in (("played", "index.json"), ("played", "metar/latest.json")):
        s3.put_object(Bucket=bucket, Key=f"data/{key}", Body=b"{}")
    played = served("played", lambda: days)
    for stacks, dates in (
        ([played], {"index.json": True, "metar/latest.json": True}),
        ([served("a-bucket"), played], {"index.json": False, "metar/latest.json": True}),
    ):
        with Front(stacks) as front:
            for path, is_played in dates.items():
                answer = urllib3.request("GET", f"{front.url}data/{path}", retries=False)
                date = parsedate_to_datetime(answer.headers["Date"])
                assert (answer.status, date == days) == (200, is_played)


@pytest.mark.parametrize(
    "path",
    ["/missing.html", "/status", "/config/sitemap.json", "/data/cs/archive/190001.jsonl", "/api/x"],
)
def test_what_is_not_there_is_403_and_no_page(run: Run, path: str) -> None:
    answer = run.ask(path)
    assert (answer.status, answer.data) == (403, b"")


def test_data_is_open_to_other_origins_and_the_client_is_not(run: Run) -> None:
    origin = {"Origin": "https://reader.example"}
    answer = run.ask("/data/index.json", headers=origin)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in run.ask("/", headers=origin).headers
    assert "Content-Security-Policy" not in run.ask("/data/index.json").headers


def test_nothing_is_written_through_the_distribution(run: Run) -> None:
    assert run.ask("/index.html", "PUT", body=b"mine").status == 403
    assert run.ask("/data/index.json", "POST", body=b"mine").status == 403


def test_the_index_of_a_run_has_all_families(run: Run) -> None:
    answer = run.ask("/data/index.json")
    # The second stack's days may be simulated: its clock is then ahead of all real ones.
    assert answer.json() == {
        "generated_at": FIRST["generated_at"],
        "departments": [{"id": "cs", "topic": "cs"}],
        "weather": [{"id": "metar", "topic": "metar"}],
        "families": {"departments": {"view": "notices"}, "weather": {"view": "weather"}},
        "of_the_next_release": 1,
    }
    assert answer.headers["Content-Type"] == "application/json"


def test_what_a_reader_has_is_not_sent_again_until_it_changes(run: Run) -> None:
    for path in ("/", "/data/index.json", "/data/metar/latest.json"):
        etag = run.ask(path).headers["ETag"]
        again = run.ask(path, headers={"If-None-Match": f'"other", W/{etag}'})
        assert (again.status, again.data) == (304, b"")
        assert again.headers["ETag"] == etag
        assert run.front.answered[304, path] == 1
    etag = run.ask("/data/index.json").headers["ETag"]
    run.put("second", "data/index.json", SECOND | {"of_the_next_release": 2})
    assert run.ask("/data/index.json", headers={"If-None-Match": etag}).status == 200


def test_a_broken_index_takes_no_other_away(run: Run) -> None:
    run.s3.put_object(Bucket="a-bucket", Key="data/index.json", Body=b"{torn")
    assert run.ask("/data/index.json").json()["weather"] == SECOND["weather"]
    run.s3.delete_object(Bucket="a-bucket", Key="data/index.json")
    assert run.ask("/data/index.json").json()["weather"] == SECOND["weather"]
    run.s3.delete_object(Bucket="second", Key="data/index.json")
    assert run.ask("/data/index.json").status == 403


def subscribe(run: Run, **lists: Any) -> int:
    headers = {"Content-Type": "application/json"}
    body = json.dumps({"id": ID, "subscribe": [], "unsubscribe": [], **lists}).encode()
    return run.ask("/api/subscriptions", "POST", body=body, headers=headers).status


def test_topics_go_to_the_stack_that_pushes_them(run: Run) -> None:
    assert subscribe(run, subscribe=["cs", "metar"], unsubscribe=["RKSI"]) == 204
    first, second = ([{**each} for each in api.asked] for api in run.apis)
    assert {"id": ID, "subscribe": ["cs"], "unsubscribe": []} in first
    assert {"id": ID, "subscribe": ["metar"], "unsubscribe": []} in second
    # An airport is in no index.
    assert {"id": ID, "subscribe": [], "unsubscribe": ["RKSI"]} in second


@pytest.mark.parametrize(
    ("lists", "status"),
    [
        ({"subscribe": ["cs", "nobody"]}, 422),
        ({"subscribe": []}, 422),
        ({"subscribe": "cs"}, 422),
        ({"subscribe": [{}]}, 422),
    ],
)
def test_what_no_stack_takes_is_refused(run: Run, lists: Any, status: int) -> None:
    assert subscribe(run, **lists) == status


def test_a_request_that_is_no_json_is_the_first_stacks_to_judge(run: Run) -> None:
    assert run.ask("/api/subscriptions", "POST", body=b"{torn").status == 400


def events_of(run: Run, installation: str = ID) -> urllib3.BaseHTTPResponse:
    return run.ask(f"/push/events?id={installation}", preload_content=False)


def lines(stream: urllib3.BaseHTTPResponse, count: int) -> list[str]:
    found, ends = b"", time.monotonic() + 30
    while found.count(b"\n\n") < count:
        piece = stream.read(1)
        assert piece, f"ended after {found!r}"
        assert time.monotonic() < ends, f"no more than {found!r}"
        found += piece
    return found.decode().split("\n\n")[:count]


def message(number: int, title: str = "") -> events.Message:
    return {"data": {"title": title}, "from": "/topics/cs", "fcmMessageId": str(number)}


def sent(line: str) -> Any:
    return json.loads(line.removeprefix("data: "))


def test_a_device_is_sent_its_messages_of_all_stacks_and_nobody_elses(run: Run) -> None:
    mine, others = events_of(run), events_of(run, OTHER)
    assert mine.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    markup = message(1, "<b>장학\n\n금")
    run.pushes[0].deliver(ID, markup)
    assert lines(mine, 2)[0] == "retry: 2000"
    run.pushes[1].deliver(ID, message(2))
    run.pushes[1].deliver(OTHER, message(3))
    assert sent(lines(mine, 1)[0]) == message(2)
    assert sent(lines(others, 2)[1]) == message(3)


def test_a_line_break_in_a_title_ends_no_event(run: Run) -> None:
    stream = events_of(run)
    run.pushes[0].deliver(ID, message(1, "a\n\ndata: {}"))
    assert sent(lines(stream, 2)[1]) == message(1, "a\n\ndata: {}")


def test_what_came_while_nobody_listened_is_sent_to_who_comes(run: Run) -> None:
    run.pushes[0].deliver(ID, message(1))
    assert sent(lines(events_of(run), 2)[1]) == message(1)


def test_a_window_that_is_gone_takes_no_message_with_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is loaded anew: the stream of the old one has its end."""
    gone = threading.Event()
    monkeypatch.setattr(loopback.Connection, "has_left", lambda _: gone.is_set())
    left = events_of(run)
    lines(left, 1)
    gone.set()
    run.pushes[0].deliver(ID, message(1))
    assert left.read() == b""
    monkeypatch.undo()
    assert sent(lines(events_of(run), 2)[1]) == message(1)


def test_a_stream_ends_when_its_browser_leaves(run: Run) -> None:
    streams = [events_of(run) for _ in range(events.MOST_STREAMS)]
    for stream in streams:
        lines(stream, 1)
    refused = events_of(run)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    streams.pop().close()
    ends = time.monotonic() + 20
    while (again := events_of(run)).status != 200:
        assert time.monotonic() < ends
    assert lines(again, 1) == ["retry: 2000"]


def test_a_quiet_stream_is_kept_alive(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a browser that vanished without a word, only sending tells."""
    monkeypatch.setattr(events, "_ALIVE_SECONDS", 0.0)
    assert lines(events_of(run), 3)[1:] == [":", ":"]


def test_a_browser_that_reads_nothing_holds_up_nobody(run: Run) -> None:
    """Its message is on its way for ever, and waits again once the run ends."""
    slow = events_of(run)
    lines(slow, 1)
    run.pushes[0].deliver(ID, message(1, "x" * 30_000_000))
    run.pushes[1].deliver(OTHER, message(2))
    assert sent(lines(events_of(run, OTHER), 2)[1]) == message(2)
    run.front.stop()
    assert run.pushes[0].taken_back.wait(20)


@pytest.mark.parametrize("query", ["", "?id=", "?id=short", f"?id=a{'0' * 21}", f"?id={ID}0"])
def test_a_stream_is_a_devices(run: Run, query: str) -> None:
    assert run.ask(f"/push/events{query}").status == 400


def test_the_end_of_a_run_ends_its_streams(run: Run) -> None:
    stream = events_of(run)
    lines(stream, 1)
    run.front.stop()
    assert stream.read() == b""
