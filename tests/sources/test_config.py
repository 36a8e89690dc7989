"""A bad entry is named with its path, the reason and the remedy, and costs itself alone (N3)."""

import json
import time
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from uring.errors import ConfigInvalid
from uring.notices.source import Source
from uring.sources import config, document
from uring.sources.config import ENTRY_LIMIT
from uring.sources.document import SIZE_LIMIT
from uring.sources.problems.findings import ConfigProblem
from uring_local.entries.notices import NOTICE_ENTRIES

ENTRY = {
    "id": "tides",
    "name": "조석학과",
    "url": "https://tide.example.ac.kr/board/list.do?b=3",
    "rows": {"select": "table.list tbody tr", "drop": ["th"]},
    "fields": {
        "id": {"select": "a", "attribute": "href", "parameter": "no"},
        "title": {"select": "a", "drop": [".new"]},
        "date": {"select": "td.day", "formats": ["%Y-%m-%d"]},
        "category": {"select": "td.kind"},
        "link": "a",
    },
    "pinned": ["tr.top"],
}


def changed(path: str, value: object) -> dict:
    """The entry with one value set, or removed where the value is ``...``."""
    entry = deepcopy(ENTRY)
    place = entry
    *parents, last = path.split(".")
    for parent in parents:
        place = place.setdefault(parent, {})
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return entry


def load(*entries: object) -> tuple[tuple[Source, ...], tuple[ConfigProblem, ...]]:
    sitemap = NOTICE_ENTRIES.load(json.dumps({"sources": entries}).encode())
    return sitemap.sources, sitemap.problems


def test_a_good_entry_has_the_documented_defaults() -> None:
    (source,), problems = load(ENTRY)
    assert problems == ()
    assert source.topic == "tides"
    assert source.base_url == "https://tide.example.ac.kr"
    assert (source.interval_minutes, source.zone, source.encoding) == (10, "Asia/Seoul", "auto")
    assert (source.request.method, source.request.timeout_seconds) == ("GET", 20)
    assert (source.kind, source.require) == ("html", {})
    assert (source.changes.new, source.changes.pinned) == ("push", "record")
    assert source.link_parameters is None


@pytest.mark.parametrize(
    ("key", "value", "path", "message", "remedy"),
    [
        ("id", "Tides!", "id", "is not an id", "a-z"),
        ("id", "tides\n", "id", "is not an id", "a-z"),
        ("id", 7, "id", "7 is not a text", "double quotes"),
        ("id", "t" * 65, "id", "is not an id", "1 to 64"),
        ("name", ..., "name", "is missing", "add it"),
        ("name", "  ", "name", "is empty", "write a text"),
        ("name", "tides\u202e", "name", "\\u202e, a control or bidirectional", "leave it out"),
        ("name", "ti\u200fdes", "name", "\\u200f, a control or bidirectional", "leave it out"),
        ("name", "ti\0des", "name", "\\x00, a control or bidirectional", "leave it out"),
        ("name", "ti\ndes", "name", "\\n, a control or bidirectional", "leave it out"),
        ("url", "ftp://tide.example.ac.kr/", "url", "neither http nor https", "https://"),
        ("url", "tide.example.ac.kr", "url", "neither http nor https", "https://"),
        ("url", "https://u:p@tide.example.ac.kr/", "url", "user name", "full address"),
        ("url", "https://tide.example.ac.kr/공지", "url", "non-ASCII letter", "percent-encoded"),
        ("url", "http://tide.example:99999/", "url", "port above 65535", "full address"),
        ("base_url", "", "base_url", "neither http nor https", "https://"),
        ("topic", "조석", "topic", "is not a topic", "a-z"),
        ("topic", "a b", "topic", "is not a topic", "a-z"),
        ("topic", "ok\n", "topic", "is not a topic", "a-z"),
        (
            "interval_minutes",
            15,
            "interval_minutes",
            "15 is not a valid interval",
            "multiple of 10",
        ),
        ("interval_minutes", 1450, "interval_minutes", "1450 is not a valid interval", "1440"),
        (
            "interval_minutes",
            True,
            "interval_minutes",
            "true is not a whole number",
            "whole number",
        ),
        ("zone", "Asia/Seul", "zone", "is not a time zone", "Asia/Seoul"),
        ("zone", "../../etc/passwd", "zone", "is not a time zone", "Asia/Seoul"),
        ("encoding", "hex", "encoding", "is not a known charset", "auto"),
        ("encoding", "euc_kr2", "encoding", "is not a known charset", "auto"),
        ("request.method", "PUT", "request.method", "\"PUT\" is not 'GET' or 'POST'", "choose"),
        ("request", {"form": {"a": "b"}}, "request", "sent with POST", '"method": "POST"'),
        (
            "request.timeout_seconds",
            26,
            "request.timeout_seconds",
            "26 is more than 25",
            "25 or less",
        ),
        ("request.timeout_seconds", "5", "request.timeout_seconds", "is not a number", "quotes"),
        ("request.headers", {"Host": "x"}, "request.headers.Host", "set by the fetcher", "remove"),
        *(
            ("request.headers", {name: "x"}, f"request.headers.{name}", "set by the fetcher", "rem")
            for name in ("Range", "If-Match", "Proxy-Authorization", "Content-Type")
        ),
        ("request.headers", {"X y": "x"}, "request.headers.X y", "is not a header name", "letters"),
        ("request.headers", {"X": "a\r\nY: b"}, "request.headers.X", "control", "plain ASCII"),
        ("rows", ..., "rows", "is missing", "add it"),
        ("rows.select", "tr[", "rows.select", "is not a CSS selector", "brackets"),
        ("rows", "tr:contains(a)", "rows.select", "is not a CSS selector", ":contains()"),
        ("rows", " ", "rows.select", "selects nothing", "table tbody tr"),
        ("rows", "a" * 301, "rows.select", "more than 300", "shorten"),
        ("rows.drop", ["th", "::"], "rows.drop[1]", "is not a CSS selector", "brackets"),
        ("rows.drop", "th", "rows.drop", '"th" is not a list', "[…]"),
        ("fields.title", ..., "fields.title", "is missing", "add it"),
        ("fields.title", 3, "fields.title", "3 is not an object", "{…}"),
        ("fields.id", {"parameter": "no", "select": "a"}, "fields.id", "address", "href"),
        ("fields.id", {"pattern": "x"}, "fields.id", "no selector", "select"),
        (
            "fields.id.attribute",
            "on click",
            "fields.id.attribute",
            "is not an attribute name",
            "letters",
        ),
        ("fields.id.pattern", "no=(", "fields.id.pattern", "missing )", "escape"),
        ("fields.id.pattern", r"(?<=no=)\d+", "fields.id.pattern", "look-around", "group"),
        (
            "fields.id.pattern",
            r"(['\"])(\d+)\1",
            "fields.id.pattern",
            "back reference",
            "repeat the group",
        ),
        ("fields.id.pattern", "\ud800", "fields.id.pattern", "half of a letter", "again"),
        ("fields.id.optional", True, "fields.id.optional", "unknown key", "remove it"),
        ("fields.id.drop", ["b"], "fields.id", "no effect", "remove drop"),
        ("fields.date.formats", ["%Y-%m"], "fields.date.formats[0]", "month and its day", "%d"),
        ("fields.date.formats", ["%Q"], "fields.date.formats[0]", "%Q is not supported", "%Y"),
        ("fields.date.formats", ["%m-%d-%Y-%y"], "fields.date.formats[0]", "together", "%y"),
        ("fields.date.formats", ["%d-%d-%m"], "fields.date.formats[0]", "twice", "keep one"),
        ("fields.date.formats", ["now"], "fields.date.formats[0]", "has no date", "%H:%M"),
        ("fields.date.formats", ["%Y-%m-%d", "%"], "fields.date.formats[1]", "not supported", "%Y"),
        ("fields.date.formats", [], "fields.date.formats", "is empty", "add one"),
        ("fields.date.format", "%d", "fields.date.format", "unknown key", 'write "formats"'),
        ("fields.category.optional", 1, "fields.category.optional", "neither", "true or false"),
        ("fields.link", {"template": "view.do"}, "fields.link", "{id}", "view.do?no={id}"),
        ("fields.link", {"template": "#/n/{id}"}, "fields.link", "fragment", "path or query"),
        ("fields.link", {"template": "v?{no}"}, "fields.link", "{id}", "view.do?no={id}"),
        ("fields.link", {"template": "v?{id"}, "fields.link", "{id}", "view.do?no={id}"),
        ("fields.link", {"template": "{{id}}={id}"}, "fields.link", "{id}", "%7B"),
        ("fields.link", {"template": "v?{id!r}"}, "fields.link", "{id}", "view.do?no={id}"),
        ("fields.link", {"template": "v?{value}"}, "fields.link", "no selector", "select"),
        ("fields.link", {"template": "{id}", "select": "a"}, "fields.link", "not use", "{value}"),
        *(
            ("fields.link", {"template": template}, "fields.link.template", message, "of a notice")
            for template, message in [
                ("javascript:{id}", "'javascript:1' is not an address"),
                ("mailto:{id}@tide.example.ac.kr", "is not an address"),
                ("http://tide.example:{id}x/", "has no valid host and port"),
                ("?b=3&page={id}", "leads back to the list"),
            ]
        ),
        ("fields.titel", "a", "fields.titel", "unknown key", 'write "title"'),
        ("rowz", "tr", "rowz", "unknown key", 'write "rows"'),
        ("zzz\x1b[2J", 1, "zzz\\x1b[2J", "unknown key", "known keys: id, name"),
        ("pinned", [{"select": "td", "empty": True, "text": "a"}], "pinned[0]", "several", "each"),
        (
            "pinned",
            [{"select": "i", "attribute": "alt"}],
            "pinned[0]",
            "no text to find",
            "contains",
        ),
        (
            "pinned",
            [{"select": "i", "not_integer": False}],
            "pinned[0].not_integer",
            "false is not true",
            "choose",
        ),
        ("pinned", ["tr.top", {"txt": "a"}], "pinned[1].select", "is missing", "add it"),
        ("link_parameters", [""], "link_parameters[0]", "is empty", "write a text"),
        (
            "changes",
            {"new": "shout"},
            "changes.new",
            "\"shout\" is not 'push' or 'record'",
            "choose",
        ),
    ],
)
def test_a_bad_value_is_reported_at_its_path_with_a_remedy(
    key: str, value: object, path: str, message: str, remedy: str
) -> None:
    other = changed("id", "other")
    sources, problems = load(changed(key, value), other)
    assert [source.id for source in sources] == ["other"]
    assert problems[0].path == f"sources[0].{path}"
    assert message in problems[0].message
    assert remedy in problems[0].remedy
    assert f": {path}: {problems[0].message}; {problems[0].remedy}" in str(problems[0])


@pytest.mark.parametrize("entry", [None, 3, "tides", [], [ENTRY]])
def test_an_entry_that_is_no_object_is_reported(entry: object) -> None:
    sources, problems = load(entry, ENTRY)
    assert len(sources) == 1
    assert problems[0].path == "sources[0]"
    assert "{…}" in problems[0].remedy


def test_every_problem_of_an_entry_is_reported_at_once() -> None:
    entry = changed("rows", "tr[") | {"zone": "Mars", "interval_minutes": 3}
    _, problems = load(entry)
    assert {problem.path for problem in problems} == {
        "sources[0].rows.select",
        "sources[0].zone",
        "sources[0].interval_minutes",
    }


def test_the_second_of_two_equal_ids_is_refused() -> None:
    (source,), (problem,) = load(ENTRY, changed("name", "다른 조석학과"))
    assert source.name == "조석학과"
    assert problem.path == "sources[1].id"
    assert str(problem).startswith("line 1: tides: id: 'tides' is the id of another source")
    assert "already (line 1)" in problem.message


def test_an_id_is_free_when_its_first_owner_was_refused() -> None:
    (source,), problems = load(changed("zone", "Mars"), ENTRY)
    assert source.id == "tides"
    assert len(problems) == 1


def test_a_key_that_stands_twice_in_one_object_is_a_problem() -> None:
    text = json.dumps(ENTRY).replace('"id": "tides"', '"id": "tides", "id": "waves"', 1)
    nested = json.dumps(changed("id", "b")).replace('"link": "a"', '"link": "a", "link": "b"')
    sitemap = NOTICE_ENTRIES.load(f'{{"sources": [{text}, {nested}]}}'.encode())
    assert sitemap.sources == ()
    paths = [problem.path for problem in sitemap.problems]
    assert paths == ["sources[0].id", "sources[1].fields.link"]
    assert "twice" in sitemap.problems[0].message


def test_unknown_and_repeated_keys_beside_sources_are_problems_and_cost_nothing() -> None:
    text = f'{{"sources": [{json.dumps(ENTRY)}], "source": 1, "x": {{"a": 1, "a": 2}}}}'
    sitemap = NOTICE_ENTRIES.load(text.encode())
    assert len(sitemap.sources) == 1
    assert [problem.path for problem in sitemap.problems] == ["source", "x", "x.a"]
    assert sitemap.problems[0].remedy == 'write "sources"'


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "line 1, column 1"),
        (b'{"sources": [\n  {"id": "a",}\n]}', "line 2"),
        (b"[]", 'list "sources"'),
        (b"null", 'list "sources"'),
        (b'{"sources": {}}', 'list "sources"'),
        (b'{"departments": []}', 'list "sources"'),
        ("{\"sources\": ['공지']}".encode("cp949"), "UTF-8"),
        (b"[" * 500_000, "nested too deeply"),
        (b'{"sources": [' * 200_000, "nested too deeply"),
        (b'{"sources": [' + b"9" * 5000 + b"]}", "number too long"),
        (b" " * (SIZE_LIMIT + 1), "larger than"),
        (b'{"sources": [' + b" " * SIZE_LIMIT + b"]}", "larger than"),
        (b'{"departments": [' + b"{}, " * (SIZE_LIMIT // 4) + b"{}]}", "larger than"),
    ],
)
def test_an_unreadable_whole_is_refused_with_the_place_and_the_remedy(
    body: bytes, words: str
) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        NOTICE_ENTRIES.load(body)
    assert words in str(caught.value)
    assert ";" in str(caught.value)


def test_a_byte_order_mark_does_no_harm() -> None:
    assert NOTICE_ENTRIES.load(b"\xef\xbb\xbf" + b'{"sources": []}').sources == ()


def test_an_entry_survives_the_queue_unchanged() -> None:
    (source,), _ = load(ENTRY)
    sent = json.loads(json.dumps(source.model_dump(mode="json", exclude_unset=True)))
    received = Source.model_validate(sent)
    assert received == source
    assert received.fingerprint == source.fingerprint


def test_the_fingerprint_changes_with_the_entry_and_not_with_its_spelling() -> None:
    (source,), _ = load(ENTRY)
    reordered = dict(reversed(ENTRY.items())) | {"zone": "Asia/Seoul"}
    assert Source.model_validate(reordered).fingerprint == source.fingerprint
    others = [
        changed("fields.title", "b"),
        changed("pinned", []),
        changed("link_parameters", ["no"]),
        changed("fields.date.formats", ["%y-%m-%d"]),
    ]
    prints = {Source.model_validate(other).fingerprint for other in others}
    assert len(prints | {source.fingerprint}) == 5


def test_a_source_cannot_be_changed_after_it_was_read() -> None:
    (source,), _ = load(ENTRY)
    with pytest.raises(ValueError, match="frozen"):
        source.zone = "UTC"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([*ENTRY, *(f"fields.{name}" for name in ENTRY["fields"])]), json_values)
def test_any_value_anywhere_is_read_or_reported_and_never_raises(key: str, value: object) -> None:
    sources, problems = load(changed(key, value), changed("id", "waves"))
    assert "waves" in {source.id for source in sources}
    assert (len(sources) == 2) or problems
    assert all(problem.path.isprintable() and problem.remedy for problem in problems)


def test_an_entry_that_does_not_fit_into_its_jobs_is_refused_alone() -> None:
    """Ten jobs share one SendMessageBatch: one huge entry would cost nine others their check."""
    huge = {"id": "huge", "request": {"method": "POST", "form": {"q": "x" * ENTRY_LIMIT}}}
    sitemap = NOTICE_ENTRIES.load(json.dumps({"sources": [huge]}).encode())
    (problem,) = sitemap.problems
    assert problem.path == "sources[0]"
    assert str(ENTRY_LIMIT) in problem.message


@pytest.mark.parametrize(("limit", "surplus"), [(1, 2), (2, 1), (3, 0)])
def test_entries_beyond_the_most_are_refused_and_the_others_checked(
    limit: int, surplus: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One too many stopped every check."""
    monkeypatch.setattr(config, "SOURCE_LIMIT", limit)
    entries = [ENTRY | {"id": f"tides{number}"} for number in range(3)]
    sitemap = NOTICE_ENTRIES.load(json.dumps({"sources": entries}).encode())
    assert [source.id for source in sitemap.sources] == [f"tides{n}" for n in range(limit)]
    named = ", ".join(f"tides{number}" for number in range(limit, 3))
    message = f"{surplus} entries above the limit of {limit}: {named}"
    told = [(f"sources[{limit}]", message)]
    problems = [(problem.path, problem.message) for problem in sitemap.problems]
    assert problems == told * bool(surplus)


def test_of_many_too_many_the_first_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "SOURCE_LIMIT", 1)
    surplus: list[object] = [{"id": "a\nb"}, 7, {}, *({"id": f"t{n}"} for n in range(30))]
    (problem,) = NOTICE_ENTRIES.load(json.dumps({"sources": [ENTRY, *surplus]}).encode()).problems
    named = ["a\\nb", "None", "None", *(f"t{n}" for n in range(17))]
    assert problem.message.endswith(f" limit of 1: {', '.join(named)}, …")


@pytest.mark.parametrize("beyond", [0, 1, 2, 30, 200])
@pytest.mark.parametrize("separator", [",", " ,\r\n\t"])
def test_of_a_file_that_is_too_large_the_entries_that_fit_are_checked(
    beyond: int, separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All stood still because of the last one."""
    entries = [json.dumps(ENTRY | {"id": f"tides{number}"}) for number in range(6)]
    body = f'{{"$schema": "x", "sources" :\n[ {separator.join(entries)}]}}'.encode()
    fourth = body.index(entries[3].encode()) + len(entries[3])
    monkeypatch.setattr(document, "SIZE_LIMIT", fourth + beyond)
    sitemap = NOTICE_ENTRIES.load(body)
    assert [source.id for source in sitemap.sources] == [f"tides{n}" for n in range(4)]
    (problem,) = sitemap.problems
    assert (problem.path, problem.entry) == ("sources[3]", "tides3")
    assert "the rest was not read" in problem.message


def test_a_large_file_may_end_in_the_middle_of_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [ENTRY, {"name": "바다"}]
    body = json.dumps({"sources": entries}, ensure_ascii=False).encode()
    for cut in range(1, 7):
        monkeypatch.setattr(document, "SIZE_LIMIT", body.index("바다".encode()) + cut)
        assert len(NOTICE_ENTRIES.load(body).sources) == 1


def test_what_is_derived_is_not_asked_for() -> None:
    sitemap = NOTICE_ENTRIES.load(b'{"sources": [{"name": "x"}]}')
    paths = {problem.path for problem in sitemap.problems}
    assert paths == {"sources[0].id", "sources[0].url", "sources[0].rows", "sources[0].fields"}


@pytest.mark.parametrize(("key", "value"), [("id", "CSE!"), ("url", "ftp://tide.example.ac.kr/")])
def test_what_is_derived_from_a_bad_value_is_no_second_problem(key: str, value: str) -> None:
    _, problems = load(changed(key, value))
    assert [problem.path for problem in problems] == [f"sources[0].{key}"]


def test_a_key_that_comes_a_hundred_thousand_times_is_read_quickly() -> None:
    body = ",".join(f'"a{n}": 1' for n in range(100_000)) + ', "a1": 2'
    began = time.process_time()
    sitemap = NOTICE_ENTRIES.load(f'{{"sources": [], "x": {{{body}}}}}'.encode())
    assert time.process_time() - began < 5
    assert sitemap.problems


@pytest.mark.parametrize(("most", "is_taken"), [(1, True), (30, True), (31, False), (1000, False)])
def test_single_pushes_never_name_more_than_latest_json_shows(most: int, *, is_taken: bool) -> None:
    """The thirty-first would send its reader to an item that is not there."""
    entry = {**ENTRY, "changes": {"digest_over": most}}
    if is_taken:
        assert Source.model_validate(entry).changes.digest_over == most
        return
    with pytest.raises(ValidationError, match="less than or equal to 30"):
        Source.model_validate(entry)
