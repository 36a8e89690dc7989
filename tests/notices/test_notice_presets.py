"""A preset fills in what an entry does not say, and leaves no trace but that."""

import json
from copy import deepcopy
from typing import Any

import pytest

from uring.contracts import Job
from uring.notices.family import source_of
from uring.notices.presets import PRESETS
from uring.notices.source import Source
from uring.sources.config import ENTRY_LIMIT
from uring.sources.presets import expanded
from uring.sources.problems.findings import ConfigProblem
from uring_local.entries.notices import NOTICE_ENTRIES

HEAD = {"id": "tern", "name": "제비갈매기학과", "url": "https://tern.example.ac.kr/bbs/list.do?b=3"}
LINK = {"fields": {"link": {"template": "view.do?seq={id}"}}}


def least(preset: str) -> dict[str, Any]:
    """The shortest entry with this preset."""
    entry: dict[str, Any] = HEAD | {"preset": preset}
    return entry if "link" in PRESETS[preset]["fields"] else entry | LINK


def load(*entries: object) -> tuple[tuple[Source, ...], tuple[ConfigProblem, ...]]:
    sitemap = NOTICE_ENTRIES.load(json.dumps({"sources": entries}).encode())
    return sitemap.sources, sitemap.problems


@pytest.mark.parametrize("name", PRESETS)
def test_id_name_address_and_preset_are_an_entry(name: str) -> None:
    (source,), problems = load(least(name))
    assert problems == ()
    assert source.fields.date is not None


@pytest.mark.parametrize("name", PRESETS)
def test_an_entry_spelt_out_is_the_same_entry(name: str) -> None:
    """Nothing is read anew when a preset replaces the same rules, or they it."""
    entry = least(name)
    spelt = expanded(entry, PRESETS)
    del spelt["preset"]
    (short,), _ = load(entry)
    (long,), _ = load(spelt)
    assert short.fingerprint == long.fingerprint
    assert short.reading == long.reading


@pytest.mark.parametrize("name", PRESETS)
def test_a_job_carries_the_whole_entry(name: str) -> None:
    """What the orchestrator sends is what the worker reads, whatever presets it has."""
    (source,), _ = load(least(name) | {"link_parameters": None, "paging": None})
    sent = source.model_dump(mode="json", exclude_unset=True)
    assert "preset" not in sent
    assert len(json.dumps(sent)) < ENTRY_LIMIT // 4
    received = Source.model_validate(json.loads(json.dumps(sent)))
    assert received.fingerprint == source.fingerprint
    assert received.paging is None
    again = received.model_dump(mode="json", exclude_unset=True)
    assert again == sent
    job = Job(
        family="notices",
        source="tern",
        scheduled_at="2026-03-01T00:00:00Z",
        interval_minutes=10,
        entry=sent,
    )
    assert source_of(Job.parse(job.body())).fingerprint == source.fingerprint


def test_a_field_of_the_entry_replaces_the_presets_as_a_whole() -> None:
    entry = HEAD | {"preset": "mode_list", "fields": {"title": "td.mine", "category": None}}
    (source,), problems = load(entry)
    assert problems == ()
    assert (source.fields.title.select, source.fields.title.drop) == ("td.mine", ())
    assert source.fields.category is None
    assert source.fields.id.parameter == "articleNo"


def test_other_keys_of_the_entry_win_as_they_stand() -> None:
    entry = HEAD | {"preset": "k2web", "rows": "li.mine", "pinned": [], "paging": None}
    (source,), problems = load(entry)
    assert problems == ()
    assert (source.rows.select, source.rows.drop) == ("li.mine", ())
    assert source.pinned == ()
    assert source.paging is None


def test_expanding_changes_neither_entry_nor_preset_and_twice_is_once() -> None:
    entry = HEAD | {"preset": "gnuboard", "fields": {"date": "td.day"}}
    before = deepcopy((entry, PRESETS["gnuboard"]))
    once = expanded(entry, PRESETS)
    assert (entry, PRESETS["gnuboard"]) == before
    assert expanded(once, PRESETS) == once
    assert once["fields"]["date"] == "td.day"
    assert expanded(HEAD, PRESETS) == HEAD


@pytest.mark.parametrize(
    ("preset", "message", "remedy"),
    [
        ("k2wb", "'k2wb' is not a preset", 'write "k2web"'),
        ("GNUBOARD", "is not a preset", "choose one of: k2web,"),
        ("", "'' is not a preset", "choose one of"),
        ("x" * 2_000, "is not a preset", "choose one of"),
        (7, "7 is not a text", "double quotes"),
    ],
)
def test_an_unknown_preset_is_the_one_problem(preset: object, message: str, remedy: str) -> None:
    """Not also the rows and fields that it would have filled in."""
    sources, (problem,) = load(HEAD | {"preset": preset})
    assert sources == ()
    assert problem.path == "sources[0].preset"
    assert message in problem.message
    assert remedy in problem.remedy
    assert len(str(problem)) < 400


def test_what_a_preset_cannot_know_is_asked_for() -> None:
    _, (problem,) = load(HEAD | {"preset": "itsp"})
    assert str(problem) == "line 1: tern: fields.link: is missing; add it"


def test_the_limit_holds_for_what_jobs_carry() -> None:
    """An entry that fits alone, and no longer with its preset."""
    entry = least("gnuboard")
    form = {f"{number:02}": "v" * 750 for number in range(20)}
    entry["request"] = {"method": "POST", "form": form}
    form["last"] = "v" * (ENTRY_LIMIT - 100 - len(json.dumps(entry)))
    assert len(json.dumps(entry)) < ENTRY_LIMIT < len(json.dumps(expanded(entry, PRESETS)))
    sources, (problem,) = load(entry)
    assert sources == ()
    assert f"at most {ENTRY_LIMIT}" in problem.message


def test_a_refused_format_is_one_problem() -> None:
    """Not also a list that has become too short."""
    entry = HEAD | {"preset": "egov", "fields": {"date": {"select": "td", "formats": ["heute"]}}}
    _, (problem,) = load(entry)
    assert problem.path == "sources[0].fields.date.formats[0]"


def test_a_sitemap_may_name_its_schema() -> None:
    document = {"$schema": "sitemap.schema.json", "sources": [least("egov")]}
    sitemap = NOTICE_ENTRIES.load(json.dumps(document).encode())
    assert sitemap.problems == ()
    document["schema"] = document.pop("$schema")
    (problem,) = NOTICE_ENTRIES.load(json.dumps(document).encode()).problems
    assert problem.remedy == 'write "$schema"'
