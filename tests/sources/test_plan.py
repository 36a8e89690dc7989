"""The departments that are due: the sitemap in the bucket, whatever its other entries are (N3)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fakes import ENTRY, MemoryBucket, RecordingTelemetry

from uring.errors import ConfigInvalid, Misconfigured
from uring.functions.families import FAMILIES, folders_beside
from uring.notices.registration import ENTRIES, WHAT
from uring.notices.source import Source
from uring.sources.plan import EntriesPlan

KEY = "config/sitemap.json"
OTHER = "config/registries.json"


class World:
    """A bucket with a sitemap."""

    def __init__(self, *entries: Any, taken: Mapping[str, str] | None = None) -> None:
        self.objects = MemoryBucket()
        self.telemetry = RecordingTelemetry()
        self.edit(*entries)
        self.plan = EntriesPlan(
            self.objects,
            self.telemetry,
            config_key=KEY,
            model=Source,
            key=ENTRIES,
            what=WHAT,
            taken=taken or {},
            beside={OTHER: "regulations"},
            rhythm=lambda source: source.paced("uniform"),
        )

    def edit(self, *entries: Any) -> None:
        """An operator uploads the file with these entries."""
        self.objects.plant(KEY, json.dumps({"sources": entries}).encode())


def entry(source_id: str, **more: Any) -> dict[str, Any]:
    return {**ENTRY, "id": source_id, **more}


def test_what_the_worker_reads_is_the_same_entry() -> None:
    whole = entry("cs", interval_minutes=30)
    (planned,) = World(whole).plan()
    assert (planned.source, planned.interval_minutes) == ("cs", 30)
    assert Source.model_validate(planned.entry) == Source.model_validate(whole)
    assert (
        Source.model_validate(planned.entry).fingerprint == Source.model_validate(whole).fingerprint
    )


def test_a_bad_entry_is_reported_with_its_place_and_costs_no_other() -> None:
    world = World(entry("cs"), entry("ee", surprise=1), "nonsense", entry("cs"), entry("me"))
    assert [planned.source for planned in world.plan()] == ["cs", "me"]
    problems = world.telemetry.named("entry_refused")
    assert [problem["path"] for problem in problems] == [
        "sources[1].surprise",
        "sources[2]",
        "sources[3].id",
    ]
    assert all(problem["remedy"] for problem in problems)
    assert world.telemetry.counts["EntriesRefused"] == 3


def test_no_refused_entries_is_a_count_of_none() -> None:
    """A metric that is missing cannot bring its alarm back to OK."""
    world = World(entry("cs"))
    world.plan()
    assert not world.telemetry.counts


@pytest.mark.parametrize("folder", ["metar", "taf", "warning"])
def test_a_folder_of_another_family_is_no_department(folder: str) -> None:
    """Both would write data/metar/latest.json."""
    world = World(entry("cs"), entry(folder), taken=folders_beside("notices"))
    assert [planned.source for planned in world.plan()] == ["cs"]
    (problem,) = world.telemetry.named("entry_refused")
    assert (problem["path"], problem["remedy"]) == ("sources[1].id", "use another id")
    assert problem["reason"] == f"'{folder}' is a folder of the family weather in data/"


def test_every_folder_that_a_family_has_is_closed_to_the_others_alone() -> None:
    for registered in FAMILIES:
        beside = folders_beside(registered.name)
        assert registered.name not in beside.values()
        others = {other for other in FAMILIES if other is not registered}
        assert beside.keys() == {folder for other in others for folder in other.folders}


def test_a_missing_sitemap_names_its_key_and_how_to_upload_it() -> None:
    world = World()
    world.objects.remove(KEY)
    with pytest.raises(
        Misconfigured, match=rf"^{KEY} is not in the bucket; upload .*`uring config upload"
    ):
        world.plan()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"sources": {}}', b"\xff\xfe"])
def test_an_unreadable_sitemap_is_no_plan(body: bytes) -> None:
    world = World()
    world.objects.plant(KEY, body)
    with pytest.raises(ConfigInvalid):
        world.plan()


def test_a_sitemap_without_sources_is_no_error() -> None:
    assert World().plan() == []


def test_an_unchanged_file_is_read_once_and_its_problems_stay_reported() -> None:
    """Two seconds of CPU at ten thousand departments; the alarm looks at each tick."""
    world = World(entry("cs"), entry("ee", surprise=1))
    first = world.plan()
    assert world.plan() is first
    assert world.telemetry.counts["EntriesRefused"] == 2


def test_an_edited_file_counts_at_the_next_tick() -> None:
    world = World(entry("cs"))
    world.plan()
    world.edit(entry("cs", rhythm="sooner"), entry("ee"))
    assert [(each.source, each.rhythm is None) for each in world.plan()] == [
        ("cs", False),
        ("ee", True),
    ]


def test_a_folder_that_another_family_takes_is_closed_at_the_next_tick() -> None:
    world = World(entry("cs"), entry("ee"))
    world.plan()
    world.objects.plant(OTHER, json.dumps({"registries": [{"id": "ee"}]}).encode())
    assert [planned.source for planned in world.plan()] == ["cs"]


def test_a_rhythm_changes_when_a_source_is_asked_and_nothing_in_its_job() -> None:
    """A hint stays valid, and no state is read again for an edited rhythm."""
    world = World(entry("cs"))
    (before,) = world.plan()
    world.edit(entry("cs", rhythm={"otherwise": 20}))
    (after,) = world.plan()
    assert (before.rhythm, after.rhythm is None) == (None, False)
    assert after.entry == before.entry
