"""How robots.txt is read."""

import pytest

from uring.fetch.robots import PRODUCT, _rules


@pytest.mark.parametrize(
    "line",
    ["", "   ", "# a comment", "no colon", "Allow: /" + "a" * 3_000],
    ids=["empty", "blank", "comment", "no colon", "too long"],
)
def test_a_line_that_says_nothing_ends_nothing(line: str) -> None:
    text = f"{line}\nUser-agent: *\n{line}\nDisallow: /inner\n"
    rules = _rules(text.encode())
    assert rules is not None
    assert not rules.can_fetch("http://site.test/inner/list.do", PRODUCT)
    assert rules.can_fetch("http://site.test/list.do", PRODUCT)
