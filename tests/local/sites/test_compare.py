"""What must be there beside what is: each judge's sentences come from one place."""

from collections.abc import Iterator, Mapping

from uring_local.sites.stage.compare import compared, differing, unmatched


def of_row(key: str, right: Mapping[str, int], shown: Mapping[str, int]) -> Iterator[str]:
    yield from differing(right, shown)
    if key == "odd":
        yield "is odd"


def test_what_is_as_it_should_be_has_no_fault() -> None:
    rows = {"a": {"n": 1}, "b": {"n": 2}}
    assert [*compared("row ", rows, {**rows, "a": {"n": 1, "more": 3}}, of_row)] == []


def test_missing_surplus_and_other_rows_are_named_in_this_order() -> None:
    right = {"a": {"n": 1}, "b": {"n": 2}, "odd": {}}
    shown: dict[str, dict[str, int]] = {"c": {}, "b": {"n": 3}, "odd": {}}
    assert [*compared("row ", right, shown, of_row)] == [
        "row a is missing",
        "row c is stored, and should not be",
        "row b: n is 3, not 2",
        "row odd: is odd",
    ]


def test_keys_are_named_in_the_order_of_their_side() -> None:
    assert [*unmatched("", ["z", "a"], ["y", "b"])] == [
        "z is missing",
        "a is missing",
        "y is stored, and should not be",
        "b is stored, and should not be",
    ]


def test_a_value_that_is_nowhere_is_none_and_a_long_one_is_cut() -> None:
    (fault,) = differing({"text": "x" * 500}, {})
    assert fault.startswith("text is None, not 'xxx")
    assert len(fault) < 160
