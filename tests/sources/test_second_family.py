"""Another family's entries: its own list, fields, presets and interval, the same rules."""

import json
from typing import Any

import pytest
from fakes import MemoryBucket, RecordingTelemetry
from fakes.tides import ENTRY, FIELDS, HEAD, KEY, WHAT, TideTable

from uring.contracts import Job
from uring.errors import ConfigInvalid, FetchFailed, MalformedMessage, Misconfigured
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.notices.source import Source
from uring.reading.extract import required
from uring.reading.lists.rows import RowNode
from uring.reading.rules import LinkRule, ValueRule
from uring.sources.config import Entries, entry_of, load_entries
from uring.sources.entry import keys_of
from uring.sources.plan import EntriesPlan
from uring.sources.requests import Requests
from uring.sources.rows import Links, Page, read_rows

FILE = "config/tides.json"


def load(*entries: object, taken: dict[str, str] | None = None) -> Entries[TideTable]:
    body = json.dumps({KEY: entries}).encode()
    return load_entries(body, TideTable, key=KEY, what=WHAT, taken=taken or {})


def job_of(entry: dict[str, Any]) -> Job:
    return Job(
        family="tides",
        source="mokpo",
        scheduled_at="2026-03-01T00:00:00Z",
        interval_minutes=1440,
        entry=entry,
    )


def test_an_entry_is_whole_by_the_familys_own_preset_and_interval() -> None:
    (table,) = load(ENTRY).sources
    assert (table.rows.select, table.expect.min_rows) == ("tr.tide", 2)
    assert table.interval_minutes == 1440
    assert (table.topic, table.base_url) == ("mokpo", "https://harbour.example.kr")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"preset": "k2web"}, "preset: 'k2web' is not a preset; choose one of: harbour"),
        ({"fields": {**FIELDS, "day": "td"}}, "fields.day: unknown key; remove it; known keys: "),
        ({"fields": {**FIELDS, "hour": "td["}}, "fields.hour.select: 'td[' is not a CSS selector"),
        ({"surge": []}, "surge: unknown key; remove it; known keys: id, name, url,"),
        ({"epoch": 0}, "epoch: 0 is less than 1; write 1 or more"),
    ],
)
def test_a_problem_stands_in_the_familys_own_list(keys: dict[str, Any], told: str) -> None:
    loaded = load({**ENTRY, **keys})
    assert loaded.sources == ()
    assert loaded.problems[0].path.startswith("tables[0].")
    assert str(loaded.problems[0]).startswith(f"line 1: mokpo: {told}")


def test_an_unreadable_whole_is_named_by_the_familys_words() -> None:
    with pytest.raises(
        ConfigInvalid, match=f'^{WHAT} is not an object with a list "tables"; write '
    ):
        load_entries(b'{"sources": []}', TideTable, key=KEY, what=WHAT, taken={})
    body = b'{"tables": [], "sources": []}'
    (problem,) = load_entries(body, TideTable, key=KEY, what=WHAT, taken={}).problems
    assert str(problem) == "line 1: sources: unknown key; remove it; known keys: tables, $schema"


def test_a_plan_reads_the_familys_own_file() -> None:
    objects, telemetry = MemoryBucket(), RecordingTelemetry()
    plan = EntriesPlan(
        objects,
        telemetry,
        config_key=FILE,
        model=TideTable,
        key=KEY,
        what=WHAT,
        taken={"busan": "ports"},
    )
    with pytest.raises(Misconfigured, match=f"^{FILE} is not in the bucket; upload {WHAT} there"):
        plan()
    body = json.dumps({KEY: [ENTRY, {**ENTRY, "id": "busan"}]}).encode()
    objects.plant(FILE, body)
    (planned,) = plan()
    assert (planned.source, planned.interval_minutes) == ("mokpo", 1440)
    assert telemetry.counts == {"EntriesRefused": 1}
    sent = entry_of(job_of(planned.entry), TideTable)
    assert sent.fingerprint == load(ENTRY).sources[0].fingerprint


def test_the_same_json_is_another_entry_to_another_family() -> None:
    """The cache of validated entries would else hand a board to a worker of tides."""
    entry = {
        **HEAD,
        "interval_minutes": 1440,
        "rows": "tr",
        "fields": {"id": "td", "title": "td", "link": "a"},
    }
    assert isinstance(entry_of(job_of(entry), Source), Source)
    with pytest.raises(MalformedMessage, match=f"correct the entry in {WHAT}, "):
        entry_of(job_of(entry), TideTable, what=WHAT)


def test_a_board_has_its_keys_in_their_documented_order_and_a_tide_in_that_of_its_fields() -> None:
    assert sorted(keys_of(Source)) == sorted(Source.model_fields)
    assert keys_of(TideTable) == tuple(TideTable.model_fields)


def test_the_fingerprint_knows_every_key_and_the_reading_those_that_decide_what_is_read() -> None:
    (table,) = load(ENTRY).sources
    (named,) = load({**ENTRY, "name": "목포"}).sources
    (raised,) = load({**ENTRY, "epoch": 2}).sources
    assert len({each.fingerprint for each in (table, named, raised)}) == 3
    assert table.reading == named.reading != raised.reading


def read(row: RowNode, links: Links) -> tuple[str, str]:
    return required(row, "hour", ValueRule(select="td")), links.resolve(
        required(row, "chart", LinkRule(select="a")), "chart"
    )


def rows(html: str, **keys: Any) -> Page[tuple[str, str]]:
    (table,) = load({**ENTRY, **keys}).sources
    return read_rows(table, html, table.url, read, lambda item: item[0])


def test_rows_are_read_by_the_family_and_skipped_with_the_name_of_its_field() -> None:
    row = '<tr class="tide"><td>{}<td><a href="{}">x</a>'
    page = rows(
        '<base href="/charts/"><table>'
        + row.format("03:10", "?page=3")
        + row.format("", "?page=4")
        + row.format("09:40", "mailto:harbour")
        + row.format("03:10", "?page=5")
        + "</table>"
    )
    # The parameter tells one chart from another, noise as it is elsewhere.
    assert page.items == (("03:10", "https://harbour.example.kr/charts/?page=3"),)
    assert [row.duplicate_of for row in page.rows] == [None, None, None, 1]
    assert page.skipped == 2
    assert [(row.reason or "").partition(": ")[0] for row in page.rows if row.reason] == [
        "hour",
        "chart",
    ]


def test_a_check_has_its_own_time_and_remedy_for_all_requests_together() -> None:
    class Slow:
        def fetch(self, request: Request) -> Response:
            taken.append(request.timeout_seconds)
            clock[0] += 9
            return Response(200, request.url, b"", None, None, None, 2)

    taken: list[float] = []
    clock = [0.0]
    requests = Requests(Slow(), lambda: clock[0], 15, "ask the harbour")
    for _ in range(2):
        requests.fetch(Request(url=HEAD["url"], timeout_seconds=10))
    with pytest.raises(FetchFailed, match="pages took 15 s in total; ask the harbour") as caught:
        requests.fetch(Request(url=HEAD["url"]))
    assert caught.value.reason == "timeout"
    assert (taken, requests.sent) == ([10, 6], 4)
