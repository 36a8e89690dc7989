"""A source's archive, read as its readers do."""

import re
from collections.abc import Iterable
from typing import Any, Final

from uring_local.sites.simulation import Published

_MONTH: Final = re.compile(r"[0-9]{6}\.jsonl")


def read_archive(published: Published, source: str, keys: Iterable[str]) -> list[dict[str, Any]]:
    """Return all lines, the oldest first.

    Args:
        published: see there.
        source: whose archive.
        keys: of all objects of the source.
    """
    folder = f"data/{source}/archive/"
    names = (key.removeprefix(folder) for key in keys if key.startswith(folder))
    months = sorted(name for name in names if _MONTH.fullmatch(name))
    return [line for month in months for line in _month(published, folder, month)]


def _month(published: Published, folder: str, name: str) -> list[dict[str, Any]]:
    """Return the lines of a month: those at its address, behind those of each file before."""
    files: list[list[dict[str, Any]]] = []
    while name:
        lines = published.lines(folder + name)
        files.append(lines)
        link = lines[0].pop("earlier", None) if lines else None
        name = link["file"] if link else ""
    return [line for lines in reversed(files) for line in lines]
