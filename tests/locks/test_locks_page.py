"""docs/locks.md: its examples run, in their order, and its figures are the code's."""

import re
from pathlib import Path

from fakes.tables import MemoryTable

from uring import locks
from uring.errors import UringError
from uring.locks.catalogue import MOST_ENTRIES
from uring.locks.paths import MOST_BYTES
from uring.tables import MOST_WRITES

PAGE = (Path(__file__).parents[2] / "docs" / "locks.md").read_text("utf-8")


def test_the_examples_run() -> None:
    table = MemoryTable()
    names = {"table": table}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "docs/locks.md", "exec"), names)  # noqa: S102 - our own page
    assert names["done"] is True
    assert names["english"] == "Staff rules"
    written = {key: item["fence"] for (_, key), item in table.items.items()}
    assert 0 < int(written["policy:staff"] or 0) < int(written["policy:staff:en"] or 0)


def test_every_error_is_explained() -> None:
    errors = {
        name
        for name in locks.__all__
        if isinstance(kind := getattr(locks, name), type) and issubclass(kind, UringError)
    }
    assert errors <= {*re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)}


def test_the_limits_are_those_of_the_code() -> None:
    limits = f"{MOST_ENTRIES} locks and waiters a root, {MOST_BYTES} bytes a path"
    assert f"{limits}, {MOST_WRITES - 1} parts a protected write" in PAGE
