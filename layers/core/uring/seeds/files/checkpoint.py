"""The progress in a raw file, one compare-and-swap object a file: all domains before it are sent.

    state/seed_files/sg/news/2026-01-28/raw_0001.json

It is written after the messages that it covers. Messages sent since are sent again; the queue
recognises them for five minutes, and the domain's ``.success`` for good.
"""

from collections.abc import Callable
from typing import Final, Literal, Self

from pydantic import Field, ValidationError

from uring.changes.register import JSON, new_token
from uring.changes.retry import Backoff
from uring.changes.state import SCHEMA, StatePart, schema_of
from uring.clock import Clock, Timestamp, timestamp
from uring.errors import (
    Contended,
    CorruptState,
    NewerRelease,
    PreconditionFailed,
    Unavailable,
    WriteConflict,
)
from uring.objects import Objects
from uring.seeds.partition import RawFile
from uring.tables import Item

FOLDER: Final = "state/seed_files/"


class Checkpoint(StatePart):
    """The state of one reading.

    Attributes:
        file_path: of the raw file.
        epoch: of the collection that reads it.
        etag: of the file; a file with another ETag is read from its beginning.
        lap: of the message that began it; a message with a higher one reads from the beginning.
        index: the next record; every record before it is sent, a duplicate or refused.
        domains: the number of messages sent.
        duplicates: the number of records whose domain occurred earlier in the file.
        refused: the number of invalid records.
        is_done: True once the end was reached.
        problem: why reading stopped before the file's end; empty if it did not.
        at: the time of the write; None in checkpoints of earlier releases.
        writer: a new token for every write.
    """

    schema_version: int = Field(default=SCHEMA, alias="schema", ge=1)
    file_path: str
    epoch: str
    etag: str
    lap: int = Field(default=0, ge=0)
    index: int = Field(default=0, ge=0)
    domains: int = Field(default=0, ge=0)
    duplicates: int = Field(default=0, ge=0)
    refused: int = Field(default=0, ge=0)
    is_done: bool = False
    problem: str = ""
    at: Timestamp | None = None
    writer: str = ""

    @property
    def status(self) -> Literal["reading", "done", "partial"]:
        """The status in one word, for people."""
        if not self.is_done:
            return "reading"
        return "partial" if self.problem else "done"

    @property
    def figures(self) -> Item:
        """The figures of the file, for the counters of its partition."""
        return {
            "status": self.status,
            "records": self.index,
            "domains": self.domains,
            "duplicates": self.duplicates,
            "refused": self.refused,
        }

    def moved(self, **changes: int | bool | str) -> Self:
        """Return a copy with these fields changed."""
        return self.model_copy(update=changes)


class CheckpointRegister:
    """Reads and conditionally writes checkpoints.

    Args:
        token: returns a new name for each write.
    """

    def __init__(
        self,
        objects: Objects,
        *,
        clock: Clock,
        backoff: Backoff,
        token: Callable[[], str] = new_token,
    ) -> None:
        self._objects = objects
        self._clock = clock
        self._backoff = backoff
        self._token = token

    def read(self, raw: RawFile) -> tuple[Checkpoint, str] | None:
        """Return the checkpoint of a file and its ETag; None if it has none.

        Raises:
            CorruptState: the object is not a checkpoint; delete it, and the file is read again.
            NewerRelease: a newer release wrote it.
        """
        key = checkpoint_key(raw)
        stored = self._objects.get(key)
        if stored is None:
            return None
        try:
            checkpoint = Checkpoint.model_validate_json(stored.body)
        except ValidationError as error:
            if schema_of(stored.body) > SCHEMA:
                raise NewerRelease(
                    f"{key}: written by a newer release; deploy the newer release again"
                ) from error
            problem = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, problem["loc"])) or "the object"
            raise CorruptState(
                f"{key}: {place}: {problem['msg']}; delete it: the file is then read again"
            ) from error
        if checkpoint.schema_version > SCHEMA:
            raise NewerRelease(f"{key}: written by a newer release; deploy the newer release again")
        return checkpoint, stored.etag

    def write(
        self, raw: RawFile, checkpoint: Checkpoint, etag: str | None
    ) -> tuple[Checkpoint, str]:
        """Write the checkpoint if it is unchanged since; return it as written, and its ETag.

        Raises:
            WriteConflict: another worker reads the file, or S3 gave no clear answer.
        """
        key = checkpoint_key(raw)
        written = checkpoint.moved(writer=self._token(), at=timestamp(self._clock()))
        body = written.model_dump_json(by_alias=True).encode()
        for _ in self._backoff.attempts():
            try:
                return written, self._objects.put(key, body, if_match=etag, content_type=JSON)
            except (PreconditionFailed, Contended, Unavailable):
                stored = self._objects.get(key)
                if stored is not None and stored.body == body:
                    return written, stored.etag
                if (stored.etag if stored else None) != etag:
                    raise WriteConflict(f"{key}: another worker reads this file") from None
        raise WriteConflict(
            f"{key}: no clear answer from S3; the next try continues from the checkpoint"
        )


def checkpoint_key(raw: RawFile) -> str:
    """Return the key of a file's checkpoint."""
    return f"{FOLDER}{raw.partition.name}/raw_{raw.number:04}.json"
