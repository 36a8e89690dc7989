"""The raw files of a day's partition, each with its contents as the generator knows them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from types import MappingProxyType
from typing import Any, Final, Literal

from uring_local.sites.web.model import Web
from uring_local.sites.web.records import BAD, ghost, record

FIRST_DAY: Final = date(2026, 3, 2)
COUNTRY: Final = "sg"
CATEGORY: Final = "news"
LATER_CATEGORY: Final = "policy"
"""The category after the first day: the news are watched, and their domains must stay the same."""
_DOMAINS_PER_FILE: Final = 250
_FEWEST_FILES: Final = 5
# A later day's partition holds a quarter of the web, another quarter each day.
_PARTS: Final = 4
_REPEATED_SHARE: Final = 0.05
_ELSEWHERE_SHARE: Final = 0.03
_MARK: Final = b"\xef\xbb\xbf"

FileStatus = Literal["done", "partial", "failed"]
_NONE: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RawFile:
    """A raw file.

    Attributes:
        number: in its name, from 1.
        status: the status that a correct reader gives it.
        records: number of readable records, refused ones included.
        firsts: the index of the first record of each domain in the file.
        refused: number of records that cannot be used.
    """

    number: int
    body: bytes
    status: FileStatus = "done"
    records: int = 0
    firsts: Mapping[str, int] = field(default_factory=lambda: _NONE)
    refused: int = 0

    @property
    def duplicates(self) -> int:
        """The number of records about a domain that an earlier record of the file is about."""
        return self.records - self.refused - len(self.firsts)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The raw files of one day."""

    day: int
    files: Sequence[RawFile]

    @property
    def partition(self) -> str:
        """``country=sg/category=news/date=2026-03-02``."""
        return f"country={COUNTRY}/category={self.category}/date={self.date}"

    @property
    def name(self) -> str:
        """``sg/news/2026-03-02``."""
        return f"{COUNTRY}/{self.category}/{self.date}"

    @property
    def category(self) -> str:
        """The category of its day."""
        return _category(self.day)

    @property
    def date(self) -> str:
        """The date of its day, as ``2026-03-02``."""
        return _date(self.day)

    @property
    def objects(self) -> Mapping[str, bytes]:
        """The bodies by key, with a few other files that a reader of the folder must ignore."""
        folder = f"datasets/{self.partition}/"
        files = {self.path(file): file.body for file in self.files}
        others = {"raw_metadata.json": b'{"files": 0}', "raw_0001.json.bak": b"{", "notes.txt": b""}
        return {**files, **{folder + name: body for name, body in others.items()}}

    def path(self, file: RawFile) -> str:
        """Return the key of a file."""
        return f"datasets/{self.partition}/raw_{file.number:04}.json"

    @property
    def domains(self) -> dict[str, dict[str, int]]:
        """The domains of all files, by name: the key of each file, and the index of the record."""
        found: dict[str, dict[str, int]] = {}
        for file in self.files:
            for name, index in file.firsts.items():
                found.setdefault(name, {})[self.path(file)] = index
        return found


def dataset(web: Web, day: int) -> Dataset:
    """Return the dataset of a day: all domains on the first day, a quarter of them on later days.

    One file begins with a byte-order mark, one breaks off, and the last has no usable records.
    """
    random = Random(f"{web.seed}/dataset/{day}")
    numbers = [n for n in range(len(web)) if day == 1 or n % _PARTS == day % _PARTS]
    random.shuffle(numbers)
    count = max(_FEWEST_FILES, -(-len(numbers) // _DOMAINS_PER_FILE)) - 1
    shares = [numbers[at::count] for at in range(count)]
    files = [
        _file(web, day, at + 1, share, shares[at - 1], random) for at, share in enumerate(shares)
    ]
    return Dataset(day, [*files, _shapeless(count + 1)])


def _file(
    web: Web, day: int, number: int, own: Sequence[int], others: Sequence[int], random: Random
) -> RawFile:
    """Return a file about its own domains and about a few domains of another file."""
    repeated = random.sample(own, round(len(own) * _REPEATED_SHARE))
    elsewhere = random.sample(others, round(len(others) * _ELSEWHERE_SHARE))
    domains = [web.domain(each, day) for each in (*own, *repeated, *elsewhere)]
    rows: list[tuple[str, Any]] = [(each.domain, record(each, random)) for each in domains]
    rows += [("", bad) for bad in random.sample(BAD, min(len(BAD), 1 + len(own) // 12))]
    random.shuffle(rows)
    firsts: dict[str, int] = {}
    for index, (name, _) in enumerate(rows):
        if name:
            firsts.setdefault(name, index)
    records = [row for _, row in rows]
    body, status = _bytes(number, day, records)
    refused = sum(not name for name, _ in rows)
    return RawFile(number, body, status, len(rows), firsts, refused)


def _bytes(number: int, day: int, records: Sequence[Any]) -> tuple[bytes, FileStatus]:
    whole = _document(number, day, records)
    if number == 1:
        return _MARK + whole, "done"
    if number == 2:  # noqa: PLR2004 - the file that breaks off
        ghosts = [ghost(at) for at in range(3)]
        longer = _document(number, day, [*records, *ghosts])
        # Within the first record of a domain outside the web.
        return longer[: longer.index(b"ghost-0") + 4], "partial"
    return whole, "done"


def _document(number: int, day: int, records: Sequence[Any]) -> bytes:
    meta = {
        "dataset_id": f"{COUNTRY}-{_category(day)}-{_date(day)}-{number:04}",
        "country": COUNTRY.upper(),
        "category": _category(day),
        "discovered_at": f"{_date(day)}T01:30:00Z",
        "research_methods": ["google_search", "crtsh"],
        "queries": ["URL discovery batch"],
        "engine": {"name": "research-service", "version": "2.0.0"},
        "record_count": len(records),
    }
    indent = 2 if number % 2 else None
    return json.dumps({"meta": meta, "records": records}, indent=indent).encode()


def _category(day: int) -> str:
    return CATEGORY if day == 1 else LATER_CATEGORY


def _date(day: int) -> str:
    return (FIRST_DAY + timedelta(days=day - 1)).isoformat()


def _shapeless(number: int) -> RawFile:
    """Return a file with a list at its top, in which no record counts."""
    return RawFile(number, json.dumps([ghost(10), ghost(11)]).encode(), "failed")
