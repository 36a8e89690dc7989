"""One watch of the configuration, ``config/watches.json``, and the entry of its jobs."""

import hashlib
import re
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from uring.contracts import Job
from uring.errors import MalformedMessage, NewerRelease
from uring.reading.rules import refusal
from uring.reading.text import shorten
from uring.seeds.partition import CATEGORY, COUNTRY
from uring.sources.entry import FileEntry, Title, Topic, digest

File = Literal["robots", "sitemap"]
Happening = Literal["appeared", "changed", "vanished", "listed", "unlisted"]
Compare = Literal["shape", "bytes"]
Kind = Literal[
    "robots_appeared",
    "robots_changed",
    "robots_vanished",
    "robots_listed",
    "robots_unlisted",
    "sitemap_appeared",
    "sitemap_changed",
    "sitemap_vanished",
    "sitemap_listed",
    "sitemap_unlisted",
]

DAY_MINUTES: Final = 1_440
MOST_DOMAINS: Final = 1_000
"""The most domains of a shard: they fit into a job, and into the time of its check."""
MOST_SHARDS: Final = 64
# The source's name, `{id}.64of64`, has at most 64 characters.
_LONGEST_ID: Final = 56
INTERVALS: Final = tuple(60 * hours for hours in range(1, 25) if 24 % hours == 0)
"""In minutes: parts of a day in whole hours, the period of the schedule."""
_PUSHED: Final[tuple[Kind, ...]] = (
    "robots_appeared",
    "robots_changed",
    "robots_vanished",
    "sitemap_appeared",
    "sitemap_changed",
    "sitemap_vanished",
)


def _check_country(text: str) -> str:
    if not re.fullmatch(COUNTRY, text):
        raise refusal(f"{shorten(text, 60)!r} is not a country", 'write two small letters: "sg"')
    return text


def _check_category(text: str) -> str:
    if not re.fullmatch(CATEGORY, text):
        raise refusal(
            f"{shorten(text, 60)!r} is not a category",
            "use 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit",
        )
    return text


def _check_interval(minutes: int) -> int:
    if minutes not in INTERVALS:
        raise refusal(
            f"{minutes} minutes do not divide a day into whole hours", "write 1440, 720, 360 or 60"
        )
    return minutes


class Watch(FileEntry):
    """One watch: the collected domains of a partition, asked at intervals.

    Attributes:
        name: for people.
        country: of the partition, two lower-case letters.
        category: of the partition.
        shards: the number of sources that share its domains, at most 1,000 each. A new number makes
            new sources, whose first check is silent.
        interval_minutes: between two checks of a domain.
        topic: of FCM; by default the id.
        push: the kinds of change that are pushed; the others are only archived.
        compare: for sitemaps: ``shape`` compares address, format and growth or loss by half of the
            URLs, ``bytes`` every change of the first 10 MB.
        epoch: raised by hand to take all as found, silently.
    """

    name: Title
    country: Annotated[str, AfterValidator(_check_country)]
    category: Annotated[str, AfterValidator(_check_category)]
    shards: Annotated[StrictInt, Field(ge=1, le=MOST_SHARDS)] = 1
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = DAY_MINUTES
    topic: Topic
    push: tuple[Kind, ...] = _PUSHED
    compare: Compare = "shape"
    epoch: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = 1

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("id"), str):
            return {"topic": data["id"]} | data
        return data

    @field_validator("id")
    @classmethod
    def _leaves_room(cls, name: str) -> str:
        if len(name) > _LONGEST_ID:
            raise refusal(f"{name!r} has {len(name)} characters", f"use at most {_LONGEST_ID}")
        return name

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of its shards, ``sg-news.1of4``; each begins with the id."""
        return tuple(f"{self.id}.{number}of{self.shards}" for number in range(1, self.shards + 1))

    def source_of(self, domain: str) -> str:
        """Return the shard of a domain: it stays the same while the number of shards does."""
        spread = int.from_bytes(hashlib.sha256(domain.encode()).digest()[:8], "big")
        return self.sources[spread % self.shards]


class ShardEntry(BaseModel):
    """The entry of a job: a watch, and the domains of the job's shard.

    Attributes:
        watch: as configured.
        domains: registrable domains, in order.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    watch: Watch
    domains: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=253)], ...],
        Field(max_length=MOST_DOMAINS),
    ]

    @classmethod
    def of(cls, job: Job) -> "ShardEntry":
        """Return a job's entry.

        Raises:
            MalformedMessage: it is malformed; the message names the field.
            NewerRelease: it has keys of a newer release, and is valid otherwise.
        """
        try:
            entry = cls.model_validate(job.entry)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            place = ".".join(str(part) for part in ("entry", *problems[0]["loc"]))
            if all(problem["type"] == "extra_forbidden" for problem in problems):
                raise NewerRelease(
                    f"Job: {place}: is unknown to this release; a newer release sent it: deploy "
                    "the newer release again"
                ) from error
            raise MalformedMessage(f"Job: {place}: {problems[0]['msg']}") from error
        if job.source not in entry.watch.sources:
            raise MalformedMessage(
                f"Job: entry.watch: has {entry.watch.shards} shards of {entry.watch.id!r}, the "
                f"job's source is {job.source!r}"
            )
        return entry

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change with any key of the watch, not with its domains."""
        return digest([self.watch.model_dump(mode="json")])

    @property
    def reading(self) -> str:
        """16 hex digits that change with the way of comparing."""
        return digest([READER_VERSION, self.watch.compare, self.watch.epoch])


READER_VERSION: Final = 2
"""Raised when the same answers compare differently: all is then taken as found, silently."""
