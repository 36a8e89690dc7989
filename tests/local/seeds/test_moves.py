"""Keys of the old layout of datasets, and their places in the new one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.seeds.partition import RawFile
from uring_local.seeds.moves import OLD, Object, plan, raw_file

GOOD = f"{OLD}country=sg/category=news/2026-01-28_0001.json"


def test_the_date_becomes_a_folder_and_the_number_the_name() -> None:
    raw = raw_file(GOOD)
    assert raw is not None
    assert raw.path == "datasets/country=sg/category=news/date=2026-01-28/raw_0001.json"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_0001", "_1"),
        ("_0001", "_00001"),
        ("_0001", ""),
        ("2026-01-28", "2026-02-30"),
        ("country=sg", "country=SG"),
        ("country=sg", "country=../.."),
        ("category=news", "category=ne ws"),
        ("category=news", "category="),
        (".json", ".json.success"),
        (".json", ".JSON"),
        (".json", ".json\n"),
        ("research/", "/research/"),
        ("_0001", "_\u0660\u0660\u0660\u0661"),
    ],
)
def test_any_other_key_stands_for_no_file(old: str, new: str) -> None:
    assert raw_file(GOOD.replace(old, new)) is None


def test_a_long_number_has_its_own_place() -> None:
    raw = raw_file(GOOD.replace("_0001", "_12345"))
    assert raw is not None
    assert raw.path.endswith("/raw_12345.json")


@given(st.sets(st.from_regex(r"country=[sS]g/category=a/2026-01-2[89]_0?0?0?[0-9]{1,5}\.json")))
def test_no_two_keys_have_one_place(ends: set[str]) -> None:
    """Else the second file would be lost, or a conflict for ever."""
    keys = {GOOD, *(OLD + end for end in ends)}
    places = [place for key in keys if (place := raw_file(key))]
    assert len({*places}) == len(places)
    assert all(RawFile.at(place.path) == place for place in places)


def test_a_plan_has_all_files_in_the_order_of_their_places() -> None:
    keys = [GOOD.replace("_0001", number) for number in ("_10000", "_0002", "_x")]
    old = [Object(key, '"a"', 1) for key in keys]
    there = Object("datasets/country=sg/category=news/date=2026-01-28/raw_0002.json", '"b"', 2)
    planned = plan(old, [there, Object("datasets/other", '"c"', 3)])
    assert [move.raw.number for move in planned.moves] == [2, 10000]
    assert [move.target for move in planned.moves] == [there, None]
    assert planned.passed_over == [keys[2]]
