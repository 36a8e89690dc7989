"""From the old layout of datasets to the current one (S11).

research/datasets/country=sg/category=news/2026-01-28_0001.json
datasets/country=sg/category=news/date=2026-01-28/raw_0001.json
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from uring.seeds.partition import CATEGORY, COUNTRY, DATE, RawFile, build_raw_dataset_path

OLD: Final = "research/datasets/"

_FILE: Final = re.compile(
    rf"{OLD}country=({COUNTRY})/category=({CATEGORY})/({DATE})_([0-9]{{4,6}})\.json"
)


@dataclass(frozen=True, slots=True)
class Object:
    """An object of the bucket as it was listed.

    Args:
        key: in the bucket.
        etag: S3's, with its quotation marks; it identifies the bytes.
        size: in bytes.
    """

    key: str
    etag: str
    size: int


@dataclass(frozen=True, slots=True)
class Move:
    """A raw file of the old layout, and its place in the new one.

    Args:
        source: the object of the old layout.
        raw: the raw file, with its path in the new layout.
        target: the object at that path; None for a free path.
    """

    source: Object
    raw: RawFile
    target: Object | None


@dataclass(slots=True)
class MigrationPlan:
    """The work of a migration.

    Args:
        moves: in the order of the raw files.
        passed_over: keys of objects that are not raw files.
    """

    moves: list[Move] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)


def raw_file(key: str) -> RawFile | None:
    """Return the raw file of an old key; None for a key of any other object.

    Each raw file has one old key. A number with too many zeros gives None: two objects could not
    become one file.
    """
    found = _FILE.fullmatch(key)
    if found is None:
        return None
    country, category, date, number = found.groups()
    raw = RawFile.at(build_raw_dataset_path(country, category, date, int(number)))
    return raw if raw is not None and f"{raw.number:04}" == number else None


def old_prefix(country: str | None) -> str:
    """Return the prefix of all old keys, or of a country's; None means all."""
    return f"{OLD}country={country}/" if country else OLD


def plan(old: Iterable[Object], new: Iterable[Object]) -> MigrationPlan:
    """Return the moves of all objects of the old layout.

    Args:
        old: all objects below `old_prefix`.
        new: the objects of the new layout; unrelated ones do no harm.
    """
    there = {each.key: each for each in new}
    planned = MigrationPlan()
    for source in old:
        raw = raw_file(source.key)
        if raw is None:
            planned.passed_over.append(source.key)
        else:
            planned.moves.append(Move(source, raw, there.get(raw.path)))
    planned.moves.sort(key=lambda move: move.raw)
    return planned
