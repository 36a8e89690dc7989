"""What a search of all rows finds in a row is what a search of that row finds."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from uring.reading.lists.html import HtmlNode, HtmlRow, html_rows
from uring.reading.lists.html_search import MOST_PARTS, Marks, RowIndex
from uring.reading.rules import RowRule

SELECTORS = (
    *("td", "td a", "td > a", "a", ".x", "tr", "tr.x", "tr.x td", "tr > td > a", "TD a", "td.X"),
    *(
        "td:first-child",
        "td:last-child a",
        "td:nth-child(2)",
        "td:nth-last-child(2)",
        "#i",
        "[href]",
    ),
    *("a[href*='no=']", 'a[href^="?"]', "a[href=x]", "td:not([class])", "td a:not(:has(b)), td b"),
    *(
        "tbody",
        "tbody td",
        "tbody > tr",
        "table td",
        ".list td",
        ".list",
        "table a, td b",
        "div tr",
    ),
    *(
        "td + td",
        "tr ~ tr td",
        "tr + tr",
        "td, tr + tr td",
        "td:has(+ td)",
        ":first-child",
        "*",
        "b",
    ),
    *("td,a", " td a ", "td a,\n b", "td:is(.x)", "a, tbody a", "td:not(tr td)", "div", "div a"),
)
PIECES = (
    *("<tr>", "<tr class=x>", "</tr>", "<td>", "<td class=x>", "<td class='x y' id=i>", "</td>"),
    *(
        "<a href='?no=1'>",
        "<a href=x>",
        "</a>",
        "<b>",
        "<b class=x>",
        "</b>",
        "글",
        "<div>",
        "</div>",
    ),
    *("<table class=list>", "<table>", "</table>", "<tbody class=x>", "<tbody>", "<thead>", "<p>"),
)
ROW_SELECTORS = ("tr", "table.list > tbody > tr", "tbody tr", "div", "td", "tr, div")


def parts_of(rows: list[LexborNode], select: str) -> list[list[int]]:
    return [[node.mem_id for node in row.css(select)[:MOST_PARTS]] for row in rows]


@given(
    st.lists(st.sampled_from(PIECES), min_size=5, max_size=60).map("".join),
    st.sampled_from(ROW_SELECTORS),
)
def test_a_row_has_the_parts_that_a_search_of_it_finds(inner: str, of_rows: str) -> None:
    tree = LexborHTMLParser(f"<table class=list><tr><td><a href=x>글</a></td></tr>{inner}</table>")
    rows = tree.css(of_rows)
    index = RowIndex(rows, Marks(tree))
    kind = HtmlRow if index.is_usable else HtmlNode
    for select in SELECTORS:
        wanted = parts_of(rows, select)
        parts = [kind(row, index) for row in rows]
        assert [[each.node.mem_id for each in row.every(select, 20)] for row in parts] == wanted
        first = [found and found.node.mem_id for found in (row.first(select) for row in parts)]
        assert first == [found[0] if found else None for found in wanted], select
        assert [row.shows(select) for row in parts] == [bool(found) for found in wanted]


INNER = "<table><tbody>" + "<tr class=r><td><b>안</b></td></tr>" * 3 + "</table>"


@pytest.mark.parametrize("css", ["r", "no"], ids=["in a row", "in what is no row"])
def test_what_is_in_a_row_inside_another_belongs_to_both(css: str) -> None:
    """Parts are counted once where a list stands in what is no row."""
    own = "<tr class=r><td><b>밖</b></td></tr>" * 3
    tree = LexborHTMLParser(f"<table>{own}<tr class={css}><td>{INNER}</td></tr></table>")
    rows = tree.css("tr.r")
    index = RowIndex(rows, Marks(tree))
    kind = HtmlRow if index.is_usable else HtmlNode
    found = [[part.node.mem_id for part in kind(row, index).every("b", 20)] for row in rows]
    assert found == parts_of(rows, "b")
    assert [len(each) for each in found] == ([1, 1, 1, 3] if css == "r" else [1, 1, 1]) + [1, 1, 1]


@given(st.lists(st.sampled_from(PIECES), min_size=5, max_size=60).map("".join))
def test_text_leaves_out_what_a_search_of_its_element_finds(inner: str) -> None:
    tree = LexborHTMLParser(f"<table><tr><td><a href=x>글</a></td></tr>{inner}</table>")
    rows = tree.css("tr")
    index = RowIndex(rows, Marks(tree))
    alone = RowIndex([], Marks(tree))
    for node in tree.css("td, a, b, div"):
        for drop in (("b",), (".x",), ("td .x",), ("tr b",), ("b", "a[href=x]"), ("td",), ("tr",)):
            seen = HtmlNode(node, index).text(drop)
            assert seen == HtmlNode(node, alone).text(drop), drop


@pytest.mark.parametrize(
    "unit",
    [
        "<tr><td>" + "<div>" * 40 + "<a>글</a>" * 9 + "</div>" * 40,
        "<tr><td>" + "<p><a>글</a>" * 30,
        "<tr>" + "<td><a>글</a>" * 40,
    ],
)
def test_rows_of_thousands_of_parts_are_searched_in_no_time(unit: str) -> None:
    started = time.process_time()
    listing = html_rows(RowRule(select="tr"), f"<table>{unit * 1_000}</table>", "http://a.example/")
    for row in listing.rows:
        assert len([*row.every("a", 20)]) <= MOST_PARTS
        row.first("td a")
    assert time.process_time() - started < 3


def test_a_list_of_rows_is_searched_once_for_a_selector() -> None:
    """What is found for one row is there for all of them."""
    html = "<table>" + "<tr><td><a href=x>글</a></td></tr>" * 50 + "</table>"
    tree = LexborHTMLParser(html)
    rows = tree.css("tr")
    index = RowIndex(rows, Marks(tree))
    for select in ("td a", "td", "a", "tr"):
        parts = index.parts(select)
        assert len(parts) == len(rows)
        assert index.parts(select) is parts


QUOTED = ("b", ".x", "td > b", "b.x", "[class]", "b:not([class])", '[class="x', "a\\", "#i")


@given(st.lists(st.sampled_from(QUOTED), min_size=1, max_size=4, unique=True))
def test_selectors_together_match_what_each_does(selectors: list[str]) -> None:
    """One that its end closes is searched alone: a comma after it would be a part of it."""
    row = "<tr><td><b class=x>1</b><b>2</b></td><td id=i class='x, b'>3</td></tr>"
    tree = LexborHTMLParser(f"<table><tbody>{row * 3}</tbody></table>")
    rows = tree.css("tr")
    each = {node.mem_id for select in selectors for it in rows for node in it.css(select)}
    assert RowIndex(rows, Marks(tree)).matches(tuple(selectors)) == each
