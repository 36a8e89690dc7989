"""What an entry may say in each kind of list; what has no meaning there is refused at its place."""

import json

import pytest

from uring.notices.source import Source
from uring.sources.problems.findings import ConfigProblem
from uring_local.entries.notices import NOTICE_ENTRIES

FIELDS = {"id": "no", "title": "title", "link": "link"}
HEAD = {"id": "pond", "name": "연못학과", "url": "https://pond.example.ac.kr/list"}


def load(**keys: object) -> tuple[tuple[Source, ...], tuple[ConfigProblem, ...]]:
    entry = HEAD | {"rows": "item", "fields": FIELDS} | keys
    entry = {key: value for key, value in entry.items() if value is not ...}
    sitemap = NOTICE_ENTRIES.load(json.dumps({"sources": [entry]}).encode())
    return sitemap.sources, sitemap.problems


@pytest.mark.parametrize(("kind", "rows"), [("rss", "item"), ("atom", "entry")])
def test_feeds_need_no_rows(kind: str, rows: str) -> None:
    (source,), problems = load(kind=kind, rows=...)
    assert not problems
    assert source.rows.select == rows
    assert load(kind=kind, rows="news")[0][0].rows.select == "news"


@pytest.mark.parametrize(("kind", "reason"), [("json", "is missing"), ("html", "is missing")])
def test_the_others_do(kind: str, reason: str) -> None:
    _, (problem,) = load(kind=kind, rows=...)
    assert (problem.path, problem.message) == ("sources[0].rows", reason)


@pytest.mark.parametrize(
    ("kind", "select"),
    [
        ("json", "$"),
        ("json", "data.list"),
        ("json", "data.list, data.items"),
        ("json", "dc:title"),
        ("json", "0.제목-1"),
        ("rss", "channel.item"),
        ("atom", "entry, item"),
    ],
)
def test_a_way_is_names_with_dots_between(kind: str, select: str) -> None:
    assert load(kind=kind, rows=select)[1] == ()


@pytest.mark.parametrize(
    ("kind", "select"),
    [
        ("json", "data list"),
        ("json", "data."),
        ("json", "a,,b"),
        ("json", "$.data"),
        ("json", "data[0]"),
        ("json", "ul > li"),
        ("json", "li.row:not(.x)"),
        ("rss", "$"),
        ("rss", "dc:item"),
        ("atom", "feed/entry"),
    ],
)
def test_css_and_other_languages_of_ways_are_refused(kind: str, select: str) -> None:
    _, (problem,) = load(kind=kind, rows=select)
    assert problem.path == "sources[0].rows.select"
    assert "is not a path" in problem.message
    assert "write" in problem.remedy


@pytest.mark.parametrize(
    ("keys", "path", "message", "remedy"),
    [
        ({"rows": {"select": "item", "drop": ["th"]}}, "rows.drop", "outside html", "remove"),
        ({"pinned": ["x", "a b"]}, "pinned[1].select", "is not a path", "data.list"),
        (
            {"pinned": [{"select": "x", "attribute": "y", "text": "z"}]},
            "pinned[0].attribute",
            "is not allowed in json",
            "key",
        ),
        (
            {"fields": FIELDS | {"title": {"select": "t", "drop": ["b"]}}},
            "fields.title.drop",
            "outside html",
            "remove",
        ),
        (
            {"fields": FIELDS | {"link": {"select": "t", "attribute": "href"}}},
            "fields.link.attribute",
            "is not allowed in json",
            "key",
        ),
        ({"require": {"a b": 1}}, "require.a b", "is not a path", "result.code"),
        ({"require": {"a, b": 1}}, "require.a, b", "several paths", "one condition"),
        ({"require": {"a": [1]}}, "require.a", "is not a single value", "a number"),
        ({"require": {"a": {}}}, "require.a", "is not a single value", "null"),
    ],
)
def test_json_has_no_elements(keys: dict, path: str, message: str, remedy: str) -> None:
    _, problems = load(kind="json", **keys)
    assert all(problem.path.startswith(f"sources[0].{path}") for problem in problems)
    assert message in problems[0].message
    assert remedy in problems[0].remedy


def test_every_misfit_is_reported_at_once() -> None:
    title = {"select": "a b", "drop": ["b"]}
    _, problems = load(
        kind="rss",
        rows={"select": "tr td", "drop": ["th"]},
        fields=FIELDS | {"title": title},
        require={"success": True},
        pinned=["x[y]"],
    )
    assert {problem.path.removeprefix("sources[0].") for problem in problems} == {
        "require",
        "rows.select",
        "rows.drop",
        "fields.title.select",
        "fields.title.drop",
        "pinned[0].select",
    }


@pytest.mark.parametrize("kind", ["html", "rss", "atom"])
def test_conditions_are_of_json_alone(kind: str) -> None:
    _, (problem,) = load(kind=kind, require={"success": True})
    assert (problem.path, problem.message) == ("sources[0].require", f"is not allowed in {kind}")


@pytest.mark.parametrize(
    ("rule", "place", "message", "remedy"),
    [
        ({"select": "a", "segment": 1}, "", "reads an address", '"attribute": "href"'),
        ({"select": "a", "argument": 1}, "", "reads a call", '"attribute": "onclick"'),
        ({"attribute": "href", "segment": 0}, "", "no segment 0", "-1 for the last"),
        ({"attribute": "href", "segment": 21}, ".segment", "21 is more than 20", "20 or less"),
        ({"attribute": "onclick", "argument": 0}, ".argument", "0 is less than 1", "1 or more"),
        (
            {"attribute": "onclick", "argument": "2"},
            ".argument",
            "is not a whole number",
            "without quotes",
        ),
        ({"attribute": "href", "segment": 1, "parameter": "a"}, "", "several parts", "keep one"),
        ({"attribute": "href", "segment": 1, "argument": 1}, "", "several parts", "keep one"),
        ({"select": "a", "empty": [""]}, ".empty[0]", "is empty", "write a text"),
    ],
)
def test_parts_of_values_are_checked(rule: dict, place: str, message: str, remedy: str) -> None:
    _, (problem,) = load(fields=FIELDS | {"id": rule})
    assert problem.path == f"sources[0].fields.id{place}"
    assert message in problem.message
    assert remedy in problem.remedy


def test_a_link_reads_href_in_html_and_text_elsewhere() -> None:
    link = {"select": "a", "segment": -1, "template": "/v/{value}"}
    assert load(fields=FIELDS | {"link": link})[1] == ()
    assert load(kind="json", fields=FIELDS | {"id": {"select": "a", "parameter": "b"}})[1] == ()


def test_a_wrong_kind_is_one_problem() -> None:
    _, problems = load(kind="xml", require={"a": 1})
    assert [problem.path for problem in problems] == ["sources[0].kind"]
    assert "'atom'" in problems[0].message
