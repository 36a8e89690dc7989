"""The second way of work: a message for some two hundred domains of a raw file.

It has the domains themselves, not their places in the file: a file that was replaced meanwhile
changes nothing, as it changes nothing of a message that names one domain. A release without ranges
lets such a message wait, for its version is newer.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from uring.clock import Timestamp, timestamp
from uring.contracts import MAX_BODY_CHARACTERS, Message
from uring.seeds.messages import (
    DomainId,
    DomainMessage,
    DomainUrl,
    Epoch,
    PartitionInfo,
    digest,
)
from uring.seeds.pace import MOST_DOMAINS

# SQS bills a message by 64 KB, and a batch of ten has 250 KB; the rest is for the other keys.
_MOST_BYTES: Final = 24_000
# The keys of a domain, and its index.
_DOMAIN_BYTES: Final = 40


class RangeDomain(BaseModel):
    """A domain of a range; the attributes as in `DomainMessage`."""

    model_config = ConfigDict(frozen=True, extra="allow")

    domain_id: DomainId
    domain_url: DomainUrl
    record_index: int | None = Field(default=None, ge=0)


class RangeMessage(Message):
    """A job: collect these domains, in any order. Its group is its own: ranges run side by side.

    Attributes:
        source_file_path: of the raw file.
        first: the index of the first record, which names the range for good.
        part: the number of the invocation, from 0: the rest of a range is sent on.
        tries: of its domains before: silent domains of a range are tried again together.
        due_at: the time of that try, or of a turn at a crowded address; None for the first.
        domains: of that file, each with another id.
        force, epoch, lap: as in `DomainMessage`.
    """

    # The rest of a range is sent on, with the keys of another release.
    model_config = ConfigDict(frozen=True, extra="allow")
    newest: ClassVar[int] = 2

    version: Literal[2] = 2
    kind: Literal["range"] = "range"
    partition_info: PartitionInfo
    source_file_path: str = Field(min_length=1, max_length=1024)
    first: int = Field(ge=0)
    part: int = Field(default=0, ge=0)
    tries: int = Field(default=0, ge=0)
    due_at: Timestamp | None = None
    force: bool = False
    epoch: Epoch = "first"
    lap: int = Field(default=0, ge=0)
    domains: Annotated[tuple[RangeDomain, ...], Field(min_length=1, max_length=1_000)]

    @model_validator(mode="after")
    def _has_domains(self) -> Self:
        for _ in self.messages():
            pass
        return self

    @property
    def group(self) -> str:
        """The group: a range and its rest are under way one after the other.

        What waits is in another one: while it does, its group does.
        """
        return digest(self.source_file_path, str(self.first), self.due_at or "")

    @property
    def name(self) -> str:
        """The id for deduplication in five minutes: a rest is another message than its range."""
        indices = ",".join(str(each.record_index) for each in self.domains)
        number = (str(self.lap), str(self.part), str(self.tries))
        return digest(self.source_file_path, self.epoch, *number, indices)

    def messages(self) -> Iterator[DomainMessage]:
        """Yield a message for each domain, as the other way of work sends it."""
        for each in self.domains:
            authority, _, registrable_domain = each.domain_id.split(":", 2)
            yield DomainMessage.model_validate(
                {
                    "domain_id": each.domain_id,
                    "domain_url": each.domain_url,
                    "registrable_domain": registrable_domain,
                    "authority": authority,
                    "partition_info": self.partition_info,
                    "source_file_path": self.source_file_path,
                    "record_index": each.record_index,
                    "force": self.force,
                    "epoch": self.epoch,
                    "lap": self.lap,
                }
            )

    def rest(self, domain_ids: Iterable[str]) -> Self:
        """Return the message for the domains that are left."""
        return self.model_copy(update={"part": self.part + 1, "domains": self._of(domain_ids)})

    def next_try(self, domain_ids: Iterable[str], at: datetime) -> Self:
        """Return the message for domains that did not answer, to be tried again at a time."""
        return self.later(domain_ids, at).model_copy(update={"tries": self.tries + 1})

    def later(self, domain_ids: Iterable[str], at: datetime) -> Self:
        """Return the message for domains without a turn, to be asked at a time."""
        return self.rest(domain_ids).model_copy(update={"due_at": timestamp(at)})

    def _of(self, domain_ids: Iterable[str]) -> tuple[RangeDomain, ...]:
        wanted = frozenset(domain_ids)
        return tuple(each for each in self.domains if each.domain_id in wanted)


def parse_work(body: str) -> DomainMessage | RangeMessage:
    """Parse a message of the domain queue, whichever it is.

    Raises:
        NewerRelease, MalformedMessage: see `Message.parse`.
    """
    return RangeMessage.parse(body) if is_range(body) else DomainMessage.parse(body)


def ranges_of(messages: Sequence[DomainMessage]) -> list[RangeMessage]:
    """Return the ranges of a raw file's messages, in their order; all are of one file."""
    ranges: list[list[DomainMessage]] = []
    size = 0
    for message in messages:
        own = len(message.domain_id) + len(message.domain_url.encode()) + _DOMAIN_BYTES
        if not ranges or len(ranges[-1]) == MOST_DOMAINS or size + own > _MOST_BYTES:
            ranges.append([])
            size = 0
        ranges[-1].append(message)
        size += own
    return [_range(each) for each in ranges]


def _range(messages: Sequence[DomainMessage]) -> RangeMessage:
    first = messages[0]
    return RangeMessage(
        partition_info=first.partition_info,
        source_file_path=first.source_file_path or "",
        first=first.record_index or 0,
        force=first.force,
        epoch=first.epoch,
        lap=first.lap,
        domains=tuple(
            RangeDomain(
                domain_id=each.domain_id,
                domain_url=each.domain_url,
                record_index=each.record_index,
            )
            for each in messages
        ),
    )


def is_range(body: str) -> bool:
    """Return True if a message of the domain queue names a range; a malformed one does not."""
    if '"range"' not in body or len(body) > MAX_BODY_CHARACTERS:
        return False
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("kind") == "range"
