"""A page's depth is the same whether what closes at once is taken out before or not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.reading.lists import html_limits
from uring.reading.lists.html_index import RowIndex
from uring.reading.lists.html_limits import _NESTING, _is_deep, _Limits, _nests, parse

DEPTH = 6
names = st.sampled_from(["a", "an", "span", "div", "table", "caption", "li"])
nested = st.recursive(
    st.just(""),
    lambda inner: st.tuples(names, st.lists(inner, max_size=3)).map(
        lambda it: f"<{it[0]}>{''.join(it[1])}</{it[0]}>"
    ),
    max_leaves=24,
)
loose = names.map(lambda name: f"<{name}>") | names.map(lambda name: f"</{name}>")


@settings(max_examples=400, deadline=None)
@given(st.lists(nested | loose, max_size=12))
def test_it_is_deep_exactly_where_all_its_tags_say_so(parts: list[str]) -> None:
    html = "".join(parts).encode()
    tags = _NESTING.findall(html)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_limits, "_FEW_TAGS", 0)
        patch.setattr(html_limits, "_SCOPES_LIMIT", DEPTH - 1)
        expected = _nests(tags, DEPTH, DEPTH - 1)
        assert _is_deep(html, _Limits(1, DEPTH, 1, 1)) == expected


@pytest.mark.parametrize("name", ["span", "table"])
def test_the_innermost_elements_count(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_limits, "_FEW_TAGS", 0)
    deep = f"<{name}>" * 80 + f"</{name}>" * 80
    assert _is_deep(deep.encode(), _Limits(1, 79, 1, 1))
    assert not _is_deep(deep.encode(), _Limits(1, 80, 1, 1))


SELECTORS = ("b", ".x", "td > b", "b.x", "[class]", "b:not([class])", '[class="x', "a\\", "#i")


@given(st.lists(st.sampled_from(SELECTORS), min_size=1, max_size=4, unique=True))
def test_selectors_together_match_what_each_does(selectors: list[str]) -> None:
    """One that its end closes is searched alone: a comma after it would be a part of it."""
    row = "<tr><td><b class=x>1</b><b>2</b></td><td id=i class='x, b'>3</td></tr>"
    rows = parse(f"<table><tbody>{row * 3}</tbody></table>").css("tr")
    each = {node.mem_id for select in selectors for it in rows for node in it.css(select)}
    assert RowIndex(rows).matches(tuple(selectors)) == each
