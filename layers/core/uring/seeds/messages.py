"""The messages of both queues and the API's request (specs/002, sections 5.1 and 15.2).

Keys are those of the specification. Later keys have defaults: a message without them is valid.
"""

import hashlib
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    field_validator,
    model_validator,
)

from uring.contracts import Message
from uring.errors import MalformedMessage
from uring.seeds.partition import CATEGORY, COUNTRY, DATE, Partition, RawFile, is_day

MOST_RECEIVES: Final = 3
"""Tries of a message before its worker gives up (S7); the queues leave room for crashes."""

_MOST_DOMAINS: Final = 1_000_000_000
# The limit of an SQS message group.
_LONGEST_GROUP: Final = 128

Country = Annotated[str, StringConstraints(pattern=rf"^{COUNTRY}$")]
Category = Annotated[str, StringConstraints(pattern=rf"^{CATEGORY}$")]
Day = Annotated[str, StringConstraints(pattern=rf"^{DATE}$")]
Epoch = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,64}$")]
Domain = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]+(\.[a-z0-9_-]+)+$", max_length=253)]
DomainId = Annotated[
    str,
    StringConstraints(pattern=r"^(gov|edu|org|com|other):[a-z]{2}:[a-z0-9._-]+$", max_length=270),
]

DomainUrl = Annotated[str, StringConstraints(min_length=1, max_length=4096)]


class PartitionInfo(BaseModel):
    """The partition of a message."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    country: Country
    category: Category
    date: Day

    @field_validator("date")
    @classmethod
    def _is_a_day(cls, text: str) -> str:
        if not is_day(text):
            raise ValueError("not a day of the calendar")
        return text

    @property
    def partition(self) -> Partition:
        """The partition as a `Partition`."""
        return Partition(self.country, self.category, self.date)

    @classmethod
    def of(cls, partition: Partition) -> Self:
        """Return the info of a partition."""
        return cls(country=partition.country, category=partition.category, date=partition.date)


class SeedMessage(Message):
    """A job: read one raw file (S2). Its group is the file.

    Attributes:
        file_path: the path of the raw file.
        partition_info: the partition in that path.
        force: read it even if it was read before.
        epoch: names the collection of the partition; a forced collection has a new name.
        etag: of the file when listed; empty if unknown.
        part: the number of the invocation within one reading, from 0.
        lap: how often the collection was sent again within its epoch; a higher one reads from the
            beginning.
        run: the orchestration that sent it; empty in messages of earlier releases.
        most: the domains that the run may send; 0 for any number.
    """

    # The rest of a file is sent on, with the keys of another release.
    model_config = ConfigDict(frozen=True, extra="allow")
    newest: ClassVar[int] = 1

    version: Literal[1] = 1
    file_path: str = Field(min_length=1, max_length=1024)
    partition_info: PartitionInfo
    force: bool = False
    epoch: Epoch = "first"
    etag: str = Field(default="", max_length=200)
    part: int = Field(default=0, ge=0)
    lap: int = Field(default=0, ge=0)
    run: Epoch | Literal[""] = ""
    most: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _is_of_its_partition(self) -> Self:
        raw = RawFile.at(self.file_path)
        if raw is None or raw.partition != self.partition_info.partition:
            raise ValueError("file_path is not a raw file of its partition_info")
        return self

    @property
    def raw(self) -> RawFile:
        """The raw file."""
        raw = RawFile.at(self.file_path)
        if raw is None:
            raise MalformedMessage("SeedMessage: file_path: not a raw file")
        return raw

    @property
    def group(self) -> str:
        """The group: one worker reads a file at a time."""
        return _group(f"{self.raw.partition.name}/{self.raw.number}")

    @property
    def name(self) -> str:
        """The id for deduplication in five minutes: one for each run and part of a collection."""
        parts = (self.file_path, self.epoch, self.etag, str(self.part), str(self.force))
        return digest(*parts, str(self.lap), self.run)

    def next_part(self) -> Self:
        """Return the message for the rest of the file."""
        return self.model_copy(update={"part": self.part + 1})


class DomainMessage(Message):
    """A job: collect one domain (S5). Its group is the registrable domain.

    Attributes:
        domain_id: ``gov:sg:mom.gov.sg``.
        domain_url: the record's ``raw_url``.
        source_file_path: of the raw file; for tracing, as ``record_index``.
        force: collect it even if it was collected before.
        epoch: as in `SeedMessage`.
        lap: as in `SeedMessage`.
    """

    newest: ClassVar[int] = 1

    version: Literal[1] = 1
    domain_id: DomainId
    domain_url: DomainUrl
    registrable_domain: Domain
    authority: Literal["gov", "edu", "org", "com", "other"]
    partition_info: PartitionInfo
    source_file_path: str | None = Field(default=None, max_length=1024)
    record_index: int | None = Field(default=None, ge=0)
    force: bool = False
    epoch: Epoch = "first"
    lap: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _is_of_its_id(self) -> Self:
        authority, _, domain = self.domain_id.split(":", 2)
        if authority != self.authority or domain != self.registrable_domain:
            raise ValueError("domain_id has another authority or registrable_domain")
        return self

    @property
    def group(self) -> str:
        """The group: one worker collects a domain at a time."""
        return _group(self.registrable_domain)

    @property
    def name(self) -> str:
        """The id for deduplication in five minutes: a resumed file repeats its messages."""
        parts = (self.partition_info.partition.name, self.domain_id, self.epoch)
        # What was dropped minutes ago is sent again under another name.
        lap = (str(self.lap),) if self.lap else ()
        return digest(*parts, self.source_file_path or "", *lap)


class OrchestrateRequest(BaseModel):
    """The body of ``POST /api/v1/seeds/orchestrate`` (S1): a filter; every key is optional.

    Attributes:
        most: the domains that the run may send; None for any number.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    country: Country | None = None
    category: Category | None = None
    date: Day | None = None
    force: StrictBool = False
    most: Annotated[int, Field(strict=True, ge=1, le=_MOST_DOMAINS)] | None = None

    @field_validator("country", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        # The Kelvin sign is a K in lower case, and not a letter of a code.
        return value.lower() if isinstance(value, str) and value.isascii() else value

    @field_validator("date")
    @classmethod
    def _is_a_day(cls, text: str | None) -> str | None:
        if text is not None and not is_day(text):
            raise ValueError("not a day of the calendar; write YYYY-MM-DD")
        return text

    @property
    def has_filter(self) -> bool:
        """True if a country, a category or a date is given."""
        return any((self.country, self.category, self.date))

    def takes(self, partition: Partition) -> bool:
        """Return True if the filter lets a partition pass."""
        return (
            self.country in (None, partition.country)
            and self.category in (None, partition.category)
            and self.date in (None, partition.date)
        )

    def names(self, partition: Partition) -> bool:
        """Return True if the filter has country, category and date of this partition."""
        return (self.country, self.category, self.date) == (
            partition.country,
            partition.category,
            partition.date,
        )


def digest(*parts: str) -> str:
    """Return the SHA-256 of texts, in hexadecimal."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _group(text: str) -> str:
    return text if len(text) <= _LONGEST_GROUP else digest(text)
