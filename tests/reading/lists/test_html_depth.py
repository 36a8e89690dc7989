"""How deep and how wide a page may be: what its tree says, whatever its tags look like."""

import random
import time
from contextlib import suppress

import pytest

from uring.errors import SuspectPage
from uring.reading.lists.html_limits import parse

# Some 100,000 elements, deeper and deeper: a closing tag ends less than it seems to.
DEEP = (
    *("<div>", "<span>", "<ul><li>", "<b><div>", "<svg><g>", "<rt>", "<table><tr><td>"),
    *("<div></q>", "<q><div></q></div>", "<span><div></span></div>", "<q><button></q></button>"),
    *("<div><math><mi></div></mi></math>", "<div><object></div></object>", "<form><div></form>"),
    *("<div><frameset>", "<object></template></form><p></td><em>"),
)


def filled(unit: str) -> str:
    """As many as a page may have elements."""
    return unit * (99_000 // max(1, unit.count("<") - unit.count("</")))


@pytest.mark.parametrize("unit", DEEP)
def test_elements_in_each_other_are_refused_before_they_cost(unit: str) -> None:
    started = time.process_time()
    with pytest.raises(SuspectPage, match="elements nested deeper than 500"):
        parse(filled(unit))
    assert time.process_time() - started < 2


@pytest.mark.parametrize("unit", [*DEEP, "<template>", "<template><div>", "<TEMPLATE a=b><p>"])
@pytest.mark.parametrize("before", ["", "<select>", "<table><colgroup>", "<head>"])
def test_elements_in_templates_are_refused_before_they_cost(unit: str, before: str) -> None:
    """No search of the tree finds them."""
    started = time.process_time()
    with pytest.raises(SuspectPage, match=r"templates of thousands|nested deeper"):
        parse(before + "<template>" + filled(unit))
    assert time.process_time() - started < 2


TAGS = (
    *("<b>", "<i x=1>", "<a>", "</b>", "</i>", "</a>", "<div>", "</div>", "<p>", "</p>", "<table>"),
    *("<td>", "</table>", "글", "<button>", "<font>", "<nobr>", "<li>", "<select>", "<option>"),
    *(
        "<svg>",
        "<mi>",
        "<math>",
        "<object>",
        "<h1>",
        "<template>",
        "<frameset>",
        "<body>",
        "<form>",
    ),
    *("</form>", "<em>", "</em>", "<q>", "</q>", "<caption>", "<tr>", "</tr>", "</td>", "<col>"),
    *("</template>", "</select>", "</object>", "<foreignobject>", "<script>", "</script>", "<!--"),
)


def test_no_row_of_tags_takes_long() -> None:
    """Whatever is repeated until a page is full is read, or refused, in little time."""
    draw = random.Random(7)
    for _ in range(40):
        unit = "".join(draw.choice(TAGS) for _ in range(draw.randint(1, 6)))
        started = time.process_time()
        with suppress(SuspectPage):
            parse(filled(unit))
        assert time.process_time() - started < 3, unit


@pytest.mark.parametrize("name", ["span", "x"])
def test_the_innermost_element_counts(name: str) -> None:
    # The two around them are <html> and <body>.
    assert parse(f"<{name}>" * 497 + "<br>" * 1_600).css("br")
    with pytest.raises(SuspectPage, match="deeper than 500"):
        parse(f"<{name}>" * 498 + "<br>" * 1_600)


def test_long_pages_of_what_is_closed_are_read() -> None:
    """As many as a step of the parser takes are looked at each time."""
    rows = "<tr><td><div><p><span>글</td></tr>" * 4_000
    assert len(parse(f"<table>{rows}</table>" * 3).css("tr")) == 12_000


def test_more_elements_beside_each_other_than_a_list_has_are_refused() -> None:
    """`li ~ li` compares each with all before it."""
    full = "<ul>" + "<li>글" * 10_000 + "</ul>"
    assert len(parse(full * 2).css("li")) == 20_000
    with pytest.raises(SuspectPage, match="more than 10000 elements in one parent"):
        parse("<ul>" + "<li>글" * 10_001)
