"""Conditions on entity tags, as RFC 9110 has them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.runtime.etags import is_match, is_none_match

HERE = '"v3"'


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('"v3"', True),
        ("*", True),
        (' "v2" , "v3"', True),
        (',, "v3",', True),
        ('"v2"', False),
        ('W/"v3"', False),
        ('W/"v3", "v3"', True),
        ('"v2,\t"', None),
        ('"v2","a,b"', False),
        ('"V3"', False),
    ],
)
def test_if_match_compares_strongly(condition: str, holds: bool | None) -> None:  # noqa: FBT001
    if holds is None:
        with pytest.raises(ValueError, match="neither"):
            is_match(condition, HERE)
    else:
        assert is_match(condition, HERE) is holds


@pytest.mark.parametrize(
    "condition",
    ["", ",", '"v2", x', "v3", '"v3', 'v3"', '"v3" "v3"', 'w/"v3"', '"v3"x', '*, "v3"', "\x00"],
)
def test_what_is_no_list_of_tags_is_refused_and_asks_for_the_whole(condition: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        is_match(condition, HERE)
    assert is_none_match(condition, HERE)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [('"v3"', False), ('W/"v3"', False), ("*", False), ('"v2", W/"v3"', False), ('"v2"', True)],
)
def test_if_none_match_compares_weakly(condition: str, holds: bool) -> None:  # noqa: FBT001
    assert is_none_match(condition, HERE) is holds


@given(st.text(alphabet='",W/* \tv3\x80'))
def test_every_text_is_judged(condition: str) -> None:
    assert is_none_match(condition, HERE) in (True, False)


def test_a_long_condition_takes_its_length() -> None:
    """No part of it is read twice."""
    for piece in ('W/"', " ", '"",', '",', "\t,"):
        began = time.process_time()
        is_none_match(piece * (100_000 // len(piece)) + "x", HERE)
        assert time.process_time() - began < 2
