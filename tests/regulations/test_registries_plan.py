"""The list of registries: which are planned, and which entry is refused (R2, S-free)."""

import json
from typing import Any

import pytest
from fakes import MemoryBucket, RecordingTelemetry, VirtualClock
from fakes.registry import REGISTRY

from uring.regulations.registration import ENTRIES, WHAT
from uring.regulations.source import Registry
from uring.sources.config import load_entries
from uring.sources.plan import EntriesPlan


def plan(registries: Any, sitemap: bytes = b"{}") -> tuple[list[str], RecordingTelemetry]:
    objects, telemetry = MemoryBucket(VirtualClock()), RecordingTelemetry()
    for key, body in (
        ("config/registries.json", json.dumps({ENTRIES: registries}).encode()),
        ("config/sitemap.json", sitemap),
    ):
        objects.put(key, body, if_match=None, content_type="application/json")
    planned = EntriesPlan(
        objects,
        telemetry,
        config_key="config/registries.json",
        model=Registry,
        key=ENTRIES,
        what=WHAT,
        taken={"metar": "weather"},
        beside={"config/sitemap.json": "notices"},
    )()
    return [f"{each.source} {each.interval_minutes}" for each in planned], telemetry


def test_a_registry_is_planned_daily() -> None:
    assert plan([REGISTRY])[0] == ["rules 1440"]


@pytest.mark.parametrize(
    ("own", "owner"), [("cs", "notices"), ("metar", "weather")], ids=["department", "product"]
)
def test_a_registry_named_like_another_familys_source_is_refused(own: str, owner: str) -> None:
    """Both would write data/{id}/latest.json."""
    sitemap = json.dumps({"sources": [{"id": "cs"}, {"id": 3}, "x"]}).encode()
    planned, telemetry = plan([{**REGISTRY, "id": own}, REGISTRY], sitemap)
    assert planned == ["rules 1440"]
    (refused,) = telemetry.named("entry_refused")
    assert refused["reason"] == f"{own!r} is a folder of the family {owner} in data/"


@pytest.mark.parametrize("sitemap", [b"", b"[1]", b"[" * 100_000, b'{"sources": 1}'])
def test_a_sitemap_that_cannot_be_read_costs_no_registry(sitemap: bytes) -> None:
    assert plan([REGISTRY], sitemap)[0] == ["rules 1440"]


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"interval_minutes": 10}, "registries[0].interval_minutes", "10 is not 1440"),
        ({"formats": []}, "registries[0].formats", "is empty"),
        ({"formats": ["doc"]}, "registries[0].formats[0]", "is not"),
        ({"expect": {"gone_percent": 101}}, "registries[0].expect.gone_percent", "more than 100"),
        ({"preset": "egov"}, "registries[0].preset", "'egov' is not a preset"),
        ({"pinned": []}, "registries[0].pinned", "unknown key"),
        ({"url": "ftp://x"}, "registries[0].url", "ftp"),
        ({"fields": {"title": "a", "filno": "b"}}, "registries[0].fields.filno", "unknown key"),
    ],
)
def test_what_is_wrong_with_an_entry_is_named_with_its_place(
    change: dict[str, Any], place: str, message: str
) -> None:
    body = json.dumps({ENTRIES: [{**REGISTRY, **change}]}).encode()
    entries = load_entries(body, Registry, key=ENTRIES, what=WHAT, taken={})
    assert entries.sources == ()
    problem = next(each for each in entries.problems if each.path == place)
    assert message in problem.message
    assert problem.remedy
