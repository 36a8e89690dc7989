"""Long tests begin first, and each worker has its share."""

from pathlib import Path

import order
import pytest
from order import LONG, longest_first

TESTS = Path(__file__).parents[1]
LONGEST = {"a.py": 9, "b.py::test_two": 7, "b.py": 4, "c.py": 3}
NAMES = [
    *("s.py::1", "s.py::2", "a.py::1", "b.py::test_one", "b.py::test_two[x]", "s.py::3"),
    *("c.py::1", "c.py::2", "b.py::test_two[y]", "s.py::4"),
]


@pytest.mark.parametrize("place", LONG)
def test_what_is_listed_is_there(place: str) -> None:
    file, _, name = place.partition("::")
    assert (TESTS / file).is_file()
    assert f"def {name}" in (TESTS / file).read_text(encoding="utf-8")


def test_each_worker_begins_with_its_share_of_what_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order, "LONG", LONGEST)
    assert longest_first(NAMES, NAMES, 2) == [
        *("a.py::1", "c.py::1", "c.py::2", "s.py::1", "s.py::2"),
        *("b.py::test_two[x]", "b.py::test_two[y]", "b.py::test_one", "s.py::3", "s.py::4"),
    ]


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("count", [0, 1, 5, 10])
def test_every_test_is_run_once(workers: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LONG", LONGEST)
    names = NAMES[:count]
    assert sorted(longest_first(names, names, workers)) == sorted(names)
