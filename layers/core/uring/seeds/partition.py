"""The layout of datasets and results in the bucket, Hive-style (specs/002, sections 3.2 and 4.3.2).

datasets/country=sg/category=news/date=2026-01-28/raw_0001.json
processing/country=sg/category=news/date=2026-01-28/mom.gov.sg/domain_metadata.json
processing/evidence/country=sg/category=news/date=2026-01-28/….warc.gz
"""

import re
from dataclasses import dataclass
from datetime import date as calendar_date
from typing import Final, Self

DATASETS: Final = "datasets/"
PROCESSING: Final = "processing/"
# Not beside the domains: a folder there is a domain.
EVIDENCE: Final = f"{PROCESSING}evidence/"
SUCCESS: Final = ".success"
REJECTED: Final = ".rejected"

COUNTRY: Final = r"[a-z]{2}"
CATEGORY: Final = r"[a-z0-9][a-z0-9_-]{0,63}"
DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PARTITION: Final = f"country=({COUNTRY})/category=({CATEGORY})/date=({DATE})"
_RAW: Final = re.compile(rf"{DATASETS}{_PARTITION}/raw_([0-9]{{4,6}})\.json")
_NAME: Final = re.compile(f"({COUNTRY})/({CATEGORY})/({DATE})")
_UNSAFE: Final = re.compile(r"[^a-z0-9.-]")


@dataclass(frozen=True, slots=True, order=True)
class Partition:
    """One dataset: a country in lower case, a category and a day."""

    country: str
    category: str
    date: str

    @classmethod
    def named(cls, name: str) -> Self | None:
        """Return the partition with this `name`; None for a malformed name."""
        found = _NAME.fullmatch(name)
        return cls(*found.groups()) if found and is_day(found[3]) else None

    @property
    def name(self) -> str:
        """The name, such as ``sg/news/2026-01-28``."""
        return f"{self.country}/{self.category}/{self.date}"

    @property
    def path(self) -> str:
        """The path, such as ``country=sg/category=news/date=2026-01-28``."""
        return f"country={self.country}/category={self.category}/date={self.date}"


@dataclass(frozen=True, slots=True, order=True)
class RawFile:
    """A raw file of a partition, by its number."""

    partition: Partition
    number: int

    @classmethod
    def at(cls, path: str) -> Self | None:
        """Return the raw file at this path; None for any other object."""
        found = _RAW.fullmatch(path)
        if found is None or not is_day(found[3]):
            return None
        raw = cls(Partition(found[1], found[2], found[3]), int(found[4]))
        # One file, one path: raw_00001.json is not another name of raw_0001.json.
        return raw if raw.path == path else None

    @property
    def path(self) -> str:
        """The path, such as ``datasets/country=sg/category=news/date=2026-01-28/raw_0001.json``."""
        part = self.partition
        return build_raw_dataset_path(part.country, part.category, part.date, self.number)


def is_misnamed(path: str) -> bool:
    """Return True if an object among the datasets is neither a raw file nor one beside a raw file.

    Nobody reads it: its name or its folder's misses the layout.
    """
    name = path.removesuffix(SUCCESS).removesuffix(REJECTED)
    return not path.endswith("/") and RawFile.at(name) is None


def is_day(text: str) -> bool:
    """Return True if ``YYYY-MM-DD`` is a day of the calendar."""
    try:
        calendar_date.fromisoformat(text)
    except ValueError:
        return False
    return True


def build_raw_dataset_path(country: str, category: str, date: str, chunk_index: int) -> str:
    """Return the path of a raw file; the country may be in any case."""
    partition = Partition(country.lower(), category, date)
    return f"{DATASETS}{partition.path}/raw_{chunk_index:04}.json"


def build_domain_result_path(partition: Partition, registrable_domain: str) -> str:
    """Return the folder of a domain's results, without a trailing slash."""
    return f"{PROCESSING}{partition.path}/{_UNSAFE.sub('_', registrable_domain)}"


def dataset_prefix(country: str | None, category: str | None, date: str | None) -> str:
    """Return the longest prefix that all raw files of a filter share."""
    prefix = DATASETS
    for name, value in (("country", country), ("category", category), ("date", date)):
        if value is None:
            return prefix
        prefix += f"{name}={value}/"
    return prefix
