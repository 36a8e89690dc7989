"""Lists that are no plain table or list: state in scripts, objects, markup in JSON, fragments."""

import json
import time
from datetime import date
from typing import Any

import pytest

from uring.errors import SuspectPage
from uring.notices.page import read_page
from uring.notices.source import Source
from uring_local.entries.notices import NOTICE_ENTRIES

URL = "https://pond.example.ac.kr/list.do"
ROWS = [("31", "갈대밭 산책로 보수", "2026-02-20"), ("30", "겨울 철새 사진전", "2026-02-11")]
OBJECTS = [{"no": int(no), "title": title, "at": day} for no, title, day in ROWS]
FIELDS: dict[str, Any] = {
    "id": "no",
    "title": "title",
    "date": "at",
    "link": {"template": "v?no={id}"},
}
LIST = json.dumps({"list": OBJECTS}, ensure_ascii=False)
BY_KEY = {str(row["no"]): {"title": row["title"], "at": row["at"]} for row in OBJECTS}
CELLS = '<td class="s"><a href="v?no={0}">{1}</a></td><td class="d">{2}</td>'
TRS = "".join(f"<tr>{CELLS.format(*row)}</tr>" for row in ROWS)
OF_HTML: dict[str, Any] = {
    "id": {"select": "a", "attribute": "href", "parameter": "no"},
    "title": "a",
    "date": ".d",
    "link": "a",
}


def entry(**keys: Any) -> Source:
    body = {"id": "pond", "name": "연못", "url": URL, "rows": "list", "fields": FIELDS} | keys
    return Source.model_validate(body)


def read(source: Source, text: str) -> list[tuple[str, str, str | None]]:
    page = read_page(source, text, source.url, date(2026, 3, 1))
    return [(item.id, item.title, item.date) for item in page.items]


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        f")]}}'\n{LIST}",
        f")]}}',\n{LIST}",
        f"while(1);{LIST}",
        f"for (;;);{LIST}",
        f"throw 1; <dont be evil>\n{LIST}",
        f"{{}}&&{LIST}",
        f"cb({LIST});",
        f"/**/ jQuery_1.cb[0] ( {LIST} ) ;\n",
        f"/**/typeof cb === 'function' && cb({LIST});",
        json.dumps(LIST),
    ],
)
def test_a_prefix_or_a_call_around_json_is_removed(text: str) -> None:
    assert read(entry(kind="json"), text) == ROWS


@pytest.mark.parametrize(
    "text", ["cb(1)", f"cb({LIST}", f"a({LIST}, 2)", "while(1);", "alert('x')"]
)
def test_other_scripts_are_not_json(text: str) -> None:
    with pytest.raises(SuspectPage, match="the answer begins"):
        read(entry(kind="json"), text)


@pytest.mark.parametrize(
    ("rows", "document"),
    [
        ("d", {"d": BY_KEY}),
        ("d.*", {"d": BY_KEY}),
        ("$", BY_KEY),
        ("d", {"d": json.dumps(BY_KEY)}),
        ("groups.*", {"groups": [BY_KEY]}),
    ],
)
def test_an_object_of_objects_is_a_list_with_keys(rows: str, document: Any) -> None:
    source = entry(kind="json", rows=rows, fields=FIELDS | {"id": "$key"})
    assert read(source, json.dumps(document)) == ROWS


def test_groups_give_their_key_to_their_rows() -> None:
    document = {"2026-02": [OBJECTS[0]], "2026-01": [OBJECTS[1]]}
    fields = FIELDS | {"date": {"select": "$key", "formats": ["%Y-%m"]}}
    fields = FIELDS | {"category": "$key"}
    source = entry(kind="json", rows="*", fields=fields)
    page = read_page(source, json.dumps(document), URL, date(2026, 3, 1))
    assert [(item.id, item.category) for item in page.items] == [
        ("31", "2026-02"),
        ("30", "2026-01"),
    ]


@pytest.mark.parametrize("document", [{"list": {"total": 3}}, {"list": {}}, {"list": "x"}, {}])
def test_an_object_of_other_values_is_not_a_list(document: Any) -> None:
    with pytest.raises(SuspectPage, match="no_rows"):
        read(entry(kind="json"), json.dumps(document))


NUXT = [["Reactive", 1], {"data": 2}, {"list": 3}, [4, 9], {"no": 5, "title": 6, "at": 7}]
NUXT += [31, ROWS[0][1], ["Date", ROWS[0][2]], None, {"no": 10, "title": 11, "at": 12}]
NUXT += [30, ROWS[1][1], ROWS[1][2]]


@pytest.mark.parametrize(
    ("rows", "script"),
    [
        (
            {"select": "props.list", "script": "#__NEXT_DATA__"},
            f'<script id="__NEXT_DATA__" type="application/json">{{"props":{LIST}}}</script>',
        ),
        (
            {"select": "data.list", "script": "#__NUXT_DATA__"},
            f'<script id="__NUXT_DATA__" type="application/json">{json.dumps(NUXT)}</script>',
        ),
        (
            {"select": "list", "variable": "window.S"},
            f"<script>window.S = window.S || {{}}; S={{}};window.S={LIST};(function(){{}}())",
        ),
        ({"select": "list", "variable": "rows"}, f"<script>let rows = {LIST}, b = 2</script>"),
        ({"select": "$", "variable": "x.y"}, f"<script>x.y={json.dumps(OBJECTS)}</script>"),
        (
            {"select": "list", "variable": "window.S"},
            f"<script>window.S = JSON.parse('{LIST}')</script>",
        ),
        (
            {"select": "list", "variable": "S"},
            "<script>S = JSON.parse(" + json.dumps(LIST).replace("\\", "\\") + ")</script>",
        ),
        (
            {"select": "list", "variable": "S"},
            f'<script>S = {LIST[:-1]}, "a": undefined, "b": "undefined"}}</script>',
        ),
        (
            {"select": "props.list", "script": "#app", "attribute": "data-page"},
            '<div id=app data-page=\'{"props":' + LIST + "}'></div>",
        ),
    ],
)
def test_json_is_read_from_a_page(rows: dict[str, Any], script: str) -> None:
    html = f"<html><body><div></div>{script}<script>ga()</script></body></html>"
    assert read(entry(kind="json", rows=rows), html) == ROWS


@pytest.mark.parametrize(
    ("rows", "html", "reason"),
    [
        ({"select": "a", "script": "#x"}, "<p>", "nothing in the page matches '#x'"),
        ({"select": "a", "variable": "X"}, "<script>Y={}</script>", "assigns JSON to X"),
        ({"select": "a", "variable": "X"}, "<script>X=f({})</script>", "assigns JSON to X"),
        ({"select": "a", "variable": "X"}, "<script>X={a:[1]}</script>", "property name"),
        ({"select": "a", "script": "#x"}, "<script id=x>{</script>", "property name"),
    ],
)
def test_a_page_without_the_json_says_what_is_missing(
    rows: dict[str, Any], html: str, reason: str
) -> None:
    with pytest.raises(SuspectPage, match=reason):
        read(entry(kind="json", rows=rows), html)


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("html", {"html": TRS, "ok": 1}),
        ("data.html", {"data": {"html": f"<table><tbody>{TRS}</tbody></table>"}, "ok": 1}),
        ("parts", {"parts": TRS.split("\n"), "ok": 1}),
        ("parts.*.html", {"parts": [{"html": part} for part in TRS.split("\n")], "ok": 1}),
        ("d.html", {"d": json.dumps({"html": TRS}), "ok": 1}),
    ],
)
def test_rows_are_selected_in_the_markup_of_a_json_answer(path: str, document: Any) -> None:
    rows = {"select": "tr", "markup": path}
    source = entry(rows=rows, fields=OF_HTML, require={"ok": 1})
    assert read(source, json.dumps(document)) == ROWS
    with pytest.raises(SuspectPage, match="wrong_envelope"):
        read(source, json.dumps({**document, "ok": 0}))
    with pytest.raises(SuspectPage, match="no_rows"):
        read(source, '{"ok": 1}')


@pytest.mark.parametrize(
    "html",
    [
        TRS,
        f"<!-- rows -->\n{TRS}",
        f'<input type="hidden" value="2">{TRS}',
        f"<tbody>{TRS}</tbody>",
        TRS.replace("<tr>", "<TR>"),
    ],
)
def test_a_bare_fragment_of_table_rows_has_rows(html: str) -> None:
    assert read(entry(rows="tr", fields=OF_HTML), html) == ROWS


def test_a_page_that_was_readable_is_not_put_into_a_table() -> None:
    html = "".join(
        f'<div><a href="v?no={no}">{title}</a><tr><td><i class=d>{day}</i></td></tr></div>'
        for no, title, day in ROWS
    )
    assert read(entry(rows="body > div", fields=OF_HTML), html) == ROWS


PAIRS = "".join(
    f'<dt><a href="v?no={no}">{title}</a></dt><dd>글</dd><dd class=d>{day}</dd>'
    for no, title, day in ROWS
)
TWO_ROWS = "".join(
    f'<tr class=t><td><a href="v?no={no}">{title}</a></td></tr>'
    f"<tr class=i><td class=d>{day}</td></tr>"
    for no, title, day in ROWS
)


@pytest.mark.parametrize("times", [1, 4])
@pytest.mark.parametrize(
    ("rows", "html"),
    [
        ({"select": "dl > dt", "next": "dd"}, f"<dl>{PAIRS}</dl>"),
        ({"select": "tr.t", "next": "tr.i"}, f"<table>{TWO_ROWS}</table>"),
        ({"select": "tr.t", "next": "tr"}, f"{TWO_ROWS}"),
        (
            {"select": "dt", "next": "dd"},
            "".join(f"<dl><dt>{part}</dl>" for part in PAIRS.split("<dt>")[1:]),
        ),
        (
            {"select": "h3", "next": "p", "drop": ["p.no"]},
            "".join(
                f'<h3><a href="v?no={no}">{title}</a></h3>\n<p class=d>{day}</p><hr>'
                for no, title, day in ROWS
            )
            + "<h3>끝</h3><p class=no>",
        ),
    ],
)
def test_siblings_after_a_row_belong_to_it(rows: dict[str, Any], html: str, times: int) -> None:
    """With a few rows each is searched alone, with many by an index."""
    assert read(entry(rows=rows, fields=OF_HTML), html * times) == ROWS


def test_a_row_has_no_date_of_the_next_row() -> None:
    html = f"<dl>{PAIRS.replace(ROWS[0][2], '', 1).replace('<dd class=d></dd>', '')}</dl>"
    source = entry(rows={"select": "dt", "next": "dd"}, fields=OF_HTML)
    page = read_page(source, html, URL, date(2026, 3, 1))
    assert [row.reason and row.reason[:20] for row in page.rows] == ["date: nothing matche", None]


@pytest.mark.parametrize(
    ("href", "link"),
    [
        ("#n31", f"{URL}#n31"),
        ("/app/#/notice/31", "https://pond.example.ac.kr/app/#/notice/31"),
        ("/app/?page=2#!/notice/31", "https://pond.example.ac.kr/app/#!/notice/31"),
        ("list.do#n31", f"{URL}#n31"),
        ("v?no=31#갈대", "https://pond.example.ac.kr/v?no=31#%EA%B0%88%EB%8C%80"),
        ("v?no=31#", "https://pond.example.ac.kr/v?no=31"),
    ],
)
def test_a_fragment_is_kept_where_the_entry_says_so(href: str, link: str) -> None:
    fields = {"id": "no", "title": "title", "link": {"select": "href", "fragment": True}}
    text = json.dumps({"list": [{"no": 31, "title": "갈대", "href": href}]})
    page = read_page(entry(kind="json", fields=fields), text, URL, date(2026, 3, 1))
    assert [item.link for item in page.items] == [link]
    fields["link"] = "href"
    shown = NOTICE_ENTRIES.read(entry(kind="json", fields=fields), text, URL, date(2026, 3, 1))
    (row,) = shown.rows
    if row.item is None:
        assert '"fragment": true' in (row.reason or "")
    else:
        assert row.item.link == link.partition("#")[0]


def test_a_template_may_have_a_fragment() -> None:
    source = entry(
        kind="json", fields=FIELDS | {"link": {"template": "#/n/{id}", "fragment": True}}
    )
    assert read_page(source, LIST, URL, date(2026, 3, 1)).items[0].link == f"{URL}#/n/31"
    refused = entry_problem(fields=FIELDS | {"link": {"template": "#/n/{id}"}}, kind="json")
    assert '"fragment": true' in refused


def test_an_id_of_several_parts_is_joined_without_doubt() -> None:
    fields = FIELDS | {"id": {"select": "a", "further": ["b", {"select": "c", "pattern": "."}]}}
    rows = [("1", "2/3", "x"), ("1/2", "3", "x"), ("1%2F2", "3", "x"), ("1", "2", "3x")]
    text = json.dumps(
        {"list": [{"a": a, "b": b, "c": c, "title": a + b, "at": "2026-02-01"} for a, b, c in rows]}
    )
    source = entry(kind="json", fields=fields)
    ids = [key for key, _, _ in read(source, text)]
    assert ids == ["1/2%2F3/x", "1%2F2/3/x", "1%252F2/3/x", "1/2/3"]
    text = text.replace('"b": "2"', '"b": ""')
    page = read_page(source, text, URL, date(2026, 3, 1))
    assert "id.further[0]: 'b' is empty; correct fields.id.further[0]" in (
        page.rows[3].reason or ""
    )


def test_another_further_part_is_another_board() -> None:
    one, other = (
        entry(kind="json", fields=FIELDS | {"id": {"select": "no", "further": [part]}})
        for part in ("a", "b")
    )
    assert len({one.board, other.board, entry(kind="json").board}) == 3


def test_parameters_of_further_parts_are_kept_in_links() -> None:
    part = {"select": "a", "attribute": "href", "parameter": "offset"}
    fields = OF_HTML | {"id": {**OF_HTML["id"], "further": [part]}}
    assert "offset" not in entry(rows="tr", fields=fields).volatile
    assert "offset" in entry(rows="tr", fields=OF_HTML).volatile


def entry_problem(**keys: Any) -> str:
    body = {"id": "pond", "name": "연못", "url": URL, "rows": "list", "fields": FIELDS} | keys
    problems = NOTICE_ENTRIES.load(json.dumps({"sources": [body]}).encode()).problems
    return "; ".join(map(str, problems))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"kind": "json", "rows": {"select": "a", "next": "b"}}, "rows.next: is allowed in html"),
        ({"kind": "json", "rows": {"select": "a", "markup": "b"}}, "markup: is allowed in html"),
        ({"rows": {"select": "tr", "script": "#x"}}, "rows.script: is allowed in json alone"),
        ({"kind": "rss", "rows": {"select": "item", "variable": "x"}}, "rows.variable: is allowed"),
        ({"kind": "json", "rows": {"select": "a", "script": "<"}}, "rows.script: '<' is not a CSS"),
        ({"kind": "json", "rows": {"select": "a", "attribute": "b"}}, "without an element"),
        ({"kind": "json", "rows": {"select": "a", "variable": "a b"}}, "rows.variable"),
        ({"rows": {"select": "tr", "markup": "a b"}, "fields": OF_HTML}, "'a b' is not a path"),
        ({"rows": {"select": "tr", "next": "<"}, "fields": OF_HTML}, "rows.next: '<' is not"),
        ({"kind": "json", "fields": FIELDS | {"title": "*"}}, "fields.title.select: '*' is not a"),
        (
            {"kind": "json", "fields": FIELDS | {"id": {"select": "a", "further": ["b c"]}}},
            "fields.id.further[0].select: 'b c' is not a path",
        ),
        ({"rows": "tr", "fields": OF_HTML, "require": {"a": 1}}, "require"),
    ],
)
def test_a_key_without_meaning_is_refused_at_its_place(keys: dict[str, Any], words: str) -> None:
    assert words in entry_problem(**keys)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (entry(kind="json"), "cb(" + "[" * 1_900_000),
        (entry(kind="json"), "a" * 1_900_000),
        (entry(kind="json"), "/*" * 900_000),
        (entry(kind="json", rows="*.*.*.*"), json.dumps([[[[1] * 40] * 40] * 40] * 10)),
        (
            entry(kind="json", rows={"select": "a", "variable": "x"}),
            "<script>" + "x=JSON.parse('" * 120_000,
        ),
        (
            entry(kind="json", rows={"select": "a", "variable": "x"}),
            "<script>" + "x= {" * 400_000,
        ),
        (
            entry(kind="json", rows={"select": "a", "script": "script"}),
            f"<script>{json.dumps([['Reactive', 1], [1] * 100_000, *[[2] * 3] * 99])}</script>",
        ),
        (
            entry(kind="json", rows={"select": "*.*.*.a", "script": "script"}),
            f"<script>{json.dumps([['Reactive', 1], [1] * 100_000])}</script>",
        ),
        (entry(rows={"select": "dt", "next": "dd"}, fields=OF_HTML), "<dt>" + "<dd>" * 9_000),
        (
            entry(rows={"select": "dt", "next": "dd"}, fields=OF_HTML),
            "<dt><dd>" * 9_000,
        ),
        (entry(rows="tr", fields=OF_HTML), "<tr>" * 90_000),
        (
            entry(rows={"select": "tr", "markup": "*"}, fields=OF_HTML),
            json.dumps(["<tr>" * 10] * 9_000),
        ),
    ],
)
def test_hostile_answers_take_little_time(source: Source, text: str) -> None:
    start = time.process_time()
    with pytest.raises(SuspectPage):
        read(source, text)
    assert time.process_time() - start < 4
