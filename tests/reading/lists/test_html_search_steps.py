"""What several steps find one after the other is what lexbor finds in one search."""

import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from uring.reading.lists.html import html_rows
from uring.reading.lists.html_search import Marks
from uring.reading.rules import RowRule

PIECES = (
    *("<tr>", "<tr class=x>", "</tr>", "<td>", "<td class=x id=i>", "</td>", "<a href='?no=1'>"),
    *("</a>", "글", "<div>", "<div class=x>", "</div>", "<table>", "<table class=x>", "</table>"),
)
COMPOUNDS = (
    "td",
    ".x",
    "*",
    "a[href*='?no']",
    "tr:not(.x td)",
    "td:nth-child(2n + 1)",
    "#i",
    "div",
)
signs = st.sampled_from([" ", "\n", ">", " > ", "~", " ~ ", "+", " + ", ", "])
selectors = st.lists(st.tuples(st.sampled_from(COMPOUNDS), signs), min_size=1, max_size=5).map(
    lambda parts: "".join(text for part in parts for text in part) + "td"
)


@given(st.lists(st.sampled_from(PIECES), min_size=5, max_size=60).map("".join), selectors)
def test_steps_find_what_one_search_finds(inner: str, select: str) -> None:
    html = f"<table class=x><tr><td><a href='?no=1'>글</a></td></tr>{inner}</table>"
    plain, marked = LexborHTMLParser(html), LexborHTMLParser(html)
    wanted = [node.text_content for node in plain.css(select)]
    marks = Marks(marked)
    for _ in range(2):
        found = marked.css(marks.short(select))
        assert [node.text_content for node in found] == wanted
    for there, here in zip(plain.css("tr"), marked.css("tr"), strict=True):
        within = here.css(marks.short(select))
        assert len(within) == len(there.css(select))


@pytest.mark.parametrize(
    ("select", "short"),
    [
        ("td a", "td a"),
        ("tr > td:nth-child(2) > a b", "tr > td:nth-child(2) > a b"),
        (".a .b c", "[uring-0] c"),
        ("  .a\n.b  c ", "[uring-0] c"),
        (".a .b > c ~ d, e", "[uring-0]~d, e"),
        ('.a [t="b c"] d e', "[uring-1] e"),
        (".a :not(b c, :is(d)) e", "[uring-0] e"),
        (r"#\31 23 .b\ c d", "[uring-0] d"),
        # Not plainly written: as it is.
        ('.a .b [t="c', '.a .b [t="c'),
        (".a .b c\\", ".a .b c\\"),
        (".a /* b */ c d", ".a /* b */ c d"),
        (".a .b c,", ".a .b c,"),
    ],
)
def test_a_selector_is_left_with_one_step(select: str, short: str) -> None:
    assert Marks(LexborHTMLParser("<p>")).short(select) == short


def test_what_two_selectors_begin_with_is_marked_once() -> None:
    marks = Marks(LexborHTMLParser("<p>"))
    assert marks.short(".a .b c") == "[uring-0] c"
    assert marks.short(".a .b d") == "[uring-0] d"


SHAPES = {
    "in each other": "<div class='r s t'>" * 120 + "<a>글</a>" * 1_500,
    "beside each other": "<div class='r s t'></div>" * 600 + "<a>글</a>" * 600,
}


@pytest.mark.parametrize("html", SHAPES.values(), ids=SHAPES)
def test_no_page_makes_a_search_take_long(html: str) -> None:
    """Tried one in the other, steps take the depth to the power of their number."""
    row, *_ = html_rows(RowRule(select="body"), html, "http://a.example/").rows
    started = time.process_time()
    for signs in product((" ", " ~ "), repeat=3):
        select = ".no{}.r{}.s{}a".format(*signs)
        assert row.first(select) is None
        assert time.process_time() - started < 4
        assert not row.shows(select)
        assert not [*row.every(select, 9)]
        assert row.text((select,))
        assert not html_rows(RowRule(select=select), html, "http://a.example/").rows
