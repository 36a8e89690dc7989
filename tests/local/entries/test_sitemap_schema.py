"""The published JSON Schema says what the loader says, as far as a schema can."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from uring.notices.presets import PRESETS
from uring.notices.source import Source
from uring_local.cli import main
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.entries.schema import schema_of
from uring_local.sites.campus import Campus

CONFIG = Path(__file__).parents[3] / "config"
SCHEMA = schema_of(NOTICE_ENTRIES)
VALIDATOR = Draft202012Validator(SCHEMA)

FULL: dict[str, Any] = {
    "id": "plover",
    "name": "물떼새학과",
    "college": "자연과학대학",
    "url": "https://plover.example.ac.kr/list.do",
    "base_url": "https://plover.example.ac.kr",
    "topic": "plover",
    "interval_minutes": 30,
    "zone": "Asia/Seoul",
    "encoding": "euc-kr",
    "request": {
        "method": "POST",
        "form": {"board": "3"},
        "headers": {"Referer": "https://plover.example.ac.kr/"},
        "timeout_seconds": 12.5,
        "honour_robots": False,
        "tls": {"extra_ca": None, "verify": True, "legacy": True},
    },
    "rows": {"select": "table tbody tr", "drop": ["th", "tr.blind"]},
    "fields": {
        "id": {"select": "a", "attribute": "href", "parameter": "no"},
        "title": {"select": "a", "drop": ["i"], "strip": ["[공지]"]},
        "date": {"select": "td.day", "formats": ["%Y-%m-%d"], "optional": True},
        "category": {"select": "td.kind", "pattern": "(.+)", "optional": True},
        "link": {"template": "view.do?no={id}"},
    },
    "pinned": ["tr.top", {"select": "td", "text": "공지"}, {"select": "td", "not_integer": True}],
    "link_parameters": ["no"],
    "changes": {"new": "push", "edited": "record", "returned": "ignore", "digest_over": 5},
    "expect": {"landmarks": ["공지사항"], "min_rows": 2, "same_titles": True},
    "paging": {"parameter": "page", "first": 0, "step": 10, "most": 3},
    "epoch": 2,
}
HEAD = {name: FULL[name] for name in ("id", "name", "url")}
LINK = {"link": {"template": "view.do?no={id}"}}
JSON = HEAD | {
    "kind": "json",
    "require": {"success": True, "code": 200, "error": None},
    "rows": "data.list",
    "fields": {"id": "id", "title": "title", "date": None, "link": LINK["link"]},
}
FEED = HEAD | {"kind": "rss", "fields": {"id": "guid", "title": "title", "link": "link"}}
SHORT = [HEAD | {"preset": name, "fields": LINK} for name in PRESETS]
ENTRIES = [FULL, JSON, FEED, *SHORT]


def takes(entry: object) -> bool:
    return VALIDATOR.is_valid({"sources": [entry]})


def refusals(entry: object) -> set[str]:
    """The types of what the loader finds wrong with an entry; ``refused`` is our own checks'."""
    try:
        Source.model_validate(entry)
    except ValidationError as error:
        details = error.errors()
        inner = {detail["loc"][:-1] for detail in details if detail["type"] == "refused"}
        # A list whose only part was refused is also called too short.
        return {
            detail["type"]
            for detail in details
            if detail["type"] != "too_short" or detail["loc"] not in inner
        }
    return set()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every key and index of an entry."""
    items = enumerate(value) if isinstance(value, list) else value.items()
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def test_it_is_a_schema_and_the_published_one() -> None:
    """After a change of the models: `uring config schema > config/sitemap.schema.json`."""
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads((CONFIG / "sitemap.schema.json").read_text("utf-8")) == SCHEMA


def test_the_command_prints_the_published_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "schema"]) == 0
    assert capsys.readouterr().out == (CONFIG / "sitemap.schema.json").read_text("utf-8")


def test_the_bundled_sitemap_names_it_and_is_valid() -> None:
    document = json.loads((CONFIG / "sitemap.json").read_text("utf-8"))
    assert document["$schema"] == "sitemap.schema.json"
    assert list(VALIDATOR.iter_errors(document)) == []
    assert NOTICE_ENTRIES.load((CONFIG / "sitemap.json").read_bytes()).problems == ()


def test_the_campus_is_valid() -> None:
    with Campus(1) as campus:
        assert list(VALIDATOR.iter_errors(campus.sitemap())) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.get("preset", "own"))
def test_good_entries_are_valid(entry: dict[str, Any]) -> None:
    assert refusals(entry) == set()
    assert takes(entry)


def test_a_preset_needs_no_rows_and_an_entry_without_one_does() -> None:
    assert takes(HEAD | {"preset": "k2web"})
    for entry in (HEAD, HEAD | {"preset": None}, HEAD | {"preset": "itsp"}, HEAD | {"rows": "tr"}):
        assert not takes(entry)
        assert "missing" in refusals(entry)


def test_each_key_is_explained() -> None:
    """What an editor shows beside a key."""
    properties = SCHEMA["$defs"]["Source"]["properties"]
    silent = [name for name, part in properties.items() if not part.get("description")]
    assert set(silent) <= {"fields", "request"}
    rule = SCHEMA["$defs"]["DateRule"]["anyOf"][1]["properties"]
    assert "strptime" in rule["formats"]["description"]
    assert all("description" in part for part in rule.values())


@given(data=st.data())
@settings(deadline=None, max_examples=400)
def test_schema_and_loader_agree_on_the_structure(data: st.DataObject) -> None:
    """One key taken away, one unknown, or a value of another type, anywhere in an entry.

    The schema refuses nothing that the loader takes, and takes nothing that the loader refuses for
    its structure. What only code can tell (a selector, a zone, a format) is the loader's alone.
    """
    entry = deepcopy(data.draw(st.sampled_from(ENTRIES)))
    *parents, last = data.draw(st.sampled_from(list(places(entry))))
    holder: Any = entry
    for key in parents:
        holder = holder[key]
    kind = data.draw(st.sampled_from(["take away", "unknown key", "other value"]))
    if kind == "take away":
        del holder[last]
    elif kind == "unknown key" and isinstance(holder, dict):
        holder["unheard"] = "of"
    else:
        values = [None, True, False, 0, -1, 7, 10**9, 0.5, "", "x", "push", [], {}, ["x"], {"a": 1}]
        holder[last] = data.draw(st.sampled_from(values))
    found = refusals(entry)
    if not takes(entry):
        assert found
    if found - {"refused"}:
        assert not takes(entry)


@pytest.mark.parametrize(
    "document",
    [{}, [], {"sources": {}}, {"sources": [], "source": []}, {"sources": ["k2web"]}],
)
def test_other_documents_are_refused(document: object) -> None:
    assert not VALIDATOR.is_valid(document)
