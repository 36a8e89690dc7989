"""The queue message of a job on a page. Group = page."""

import hashlib
import re
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from uring.contracts import Message
from uring.documents.names import JobId, Page, Source
from uring.language import Language

Operation = Literal["policies", "policy", "issues", "clear", "refresh"]
"""
policies   extract every attachment, remove the entries of missing ones
policy     extract one attachment, or translate it
issues     analyse the policies
clear      remove all items of the page; its attachments stay
refresh    an attachment was uploaded or removed; sent by uRing itself, no client waits for it
"""
MOST_PARTS: Final = 50

# The names of attachments that version 1 had.
_PLAIN: Final = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
# SQS's limit for the id of a message group.
_LONGEST_GROUP: Final = 128


class JobMessage(Message):
    """A command to do one job.

    Attributes:
        job: its id.
        operation: see `Operation`.
        source: the attachment, for ``policy`` and ``refresh``.
        language: to translate into; empty for the original.
        submitted_at: when the job was submitted.
        cause: distinguishes jobs with one id for the queue's deduplication: an object's version.
        version: 2 if the release before could not read the name of the attachment: there the
            message waits for this release.
        part: the number of the invocation that works on the job, from 0.
    """

    newest: ClassVar[int] = 2

    version: Literal[1, 2] = 1
    job: JobId
    page: Page
    operation: Operation
    source: Source | None = None
    language: Language | None = None
    submitted_at: AwareDatetime
    cause: str = Field(default="", max_length=200)
    part: int = Field(default=0, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _versioned(cls, values: Any) -> Any:
        if not isinstance(values, dict) or "version" in values:
            return values
        source = values.get("source")
        is_plain = not isinstance(source, str) or _PLAIN.fullmatch(source)
        return values if is_plain else {**values, "version": 2}

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.operation in ("policy", "refresh") and self.source is None:
            raise ValueError(f"source: {self.operation} needs one attachment; name it")
        return self

    @property
    def group(self) -> str:
        """The page: its jobs are done one at a time."""
        return self.page[:_LONGEST_GROUP]

    @property
    def name(self) -> str:
        """The deduplication id: within five minutes, a part of a job is one message."""
        said = f"{self.job}\n{self.cause}\n{self.part}"
        return hashlib.sha256(said.encode()).hexdigest()

    def next_part(self) -> Self:
        """Return the message that continues this job in another invocation."""
        return self.model_copy(update={"part": self.part + 1})
