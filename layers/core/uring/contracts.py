"""Messages between processes: frozen, versioned, validated on receipt.

A job is imperative (`Job`), an event is past tense (`ChangePublished`). Both are JSON in the body
of an SQS FIFO message. Several releases may run at once: unknown keys are ignored, and a message of
a newer version waits for its release.
"""

import hashlib
import json
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from uring.errors import MalformedMessage, NewerRelease
from uring.segments import Segment

MAX_BODY_CHARACTERS: Final = 262_144
# SQS's limit for the id of a message group; FCM's topics may be longer.
_LONGEST_GROUP: Final = 128

PUSHED_WITHIN: Final = timedelta(days=7)
"""An older change is published and not pushed, wherever it has waited."""

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
SourceName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Topic = Annotated[Segment, StringConstraints(pattern=r"^[a-zA-Z0-9\-_.~%]{1,900}$")]
"""The name of a topic of FCM; it is a part of addresses there."""
Urgency = Literal["high", "normal"]

DAY_SECONDS: Final = 86_400
LONGEST_LIFETIME_SECONDS: Final = 28 * DAY_SECONDS


class Message(BaseModel):
    """A message: frozen, unknown keys ignored, read from JSON and written as JSON."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    newest: ClassVar[int]

    @classmethod
    def parse(cls, body: str) -> Self:
        """Read a message body.

        Raises:
            NewerRelease: the message is of a newer version.
            MalformedMessage: the body is malformed; the message names up to ten wrong fields, never
                their values.
        """
        if len(body) > MAX_BODY_CHARACTERS:
            raise MalformedMessage(
                f"{cls.__name__}: the body has {len(body)} characters, "
                f"at most {MAX_BODY_CHARACTERS} are read; send one job a message"
            )
        try:
            return cls.model_validate_json(body)
        except ValidationError as error:
            if (version := _version_of(body)) > cls.newest:
                raise NewerRelease(
                    f"{cls.__name__}: version {version}, this release reads {cls.newest}; a newer "
                    "release wrote it: deploy the newer release again"
                ) from error
            problems = "; ".join(
                f"{'.'.join(_named(part) for part in problem['loc']) or 'body'}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False)[:10]
            )
            raise MalformedMessage(
                f"{cls.__name__}: {problems}; something else writes to this queue"
            ) from error

    def body(self) -> str:
        """Return the JSON that `parse` reads."""
        # SQS refuses a body with one of these; a title with one would block its source for good.
        text = self.model_dump_json(exclude_none=False)
        return text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def _version_of(body: str) -> int:
    try:
        version = json.loads(body)["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    return version if isinstance(version, int) else 0


def _named(part: int | str) -> str:
    """Return a key, possibly the sender's own, in up to 60 ASCII characters for a log line."""
    return ascii(part).strip("'\"")[:60]


def _object_or_none(value: Any) -> Any:
    """Return None for anything but an object: a malformed hint must not refuse a job."""
    return value if isinstance(value, dict) else None


def _normal_or_high(value: Any) -> Urgency:
    """Return ``high`` for any other value: another release's word must not refuse a push."""
    return "normal" if value == "normal" else "high"


class Job(Message):
    """Check one source now (N2, W1). Group = source, deduplication id = `job_id`.

    Attributes:
        family: the family of the source.
        source: its name within the family.
        scheduled_at: time of the tick; a job older than the interval is dropped.
        interval_minutes: time between two checks of the source.
        entry: the whole entry of the configuration: an unchanged check needs no second S3 GET.
        hint: the state of the source when the job was made, see `uring.changes.hint`; None if it
            is unknown or malformed.
    """

    newest: ClassVar[int] = 2

    version: Literal[2] = 2
    family: Name
    source: SourceName
    scheduled_at: AwareDatetime
    interval_minutes: int = Field(ge=1, le=1440)
    entry: dict[str, Any] = Field(default_factory=dict)
    hint: Annotated[dict[str, Any] | None, BeforeValidator(_object_or_none)] = Field(
        default=None, exclude_if=lambda hint: hint is None
    )

    @property
    def job_id(self) -> str:
        """``{source}.{scheduled minute}``: a tick delivered twice makes the same jobs."""
        return f"{self.source}.{self.scheduled_at:%Y%m%dT%H%M}"

    @property
    def group(self) -> str:
        """The source: one check at a time."""
        return self.source


class ChangePublished(Message):
    """A change that readers can already see, to be pushed to subscribers (N9).

    Group = `group`, deduplication id = ``event_id``.

    Attributes:
        family: the family of the source; empty in a test push.
        source: its name within the family.
        topic: the topic in FCM.
        kind: the family's word for the change.
        id: the id of the changed record.
        revision: the revision of the record.
        digest_of: 0, or the number of changes in this digest: subscribers read all of them from
            ``latest.json``, and the record is the uppermost one (N18).
        detected_at: the time of the check.
        content: the family's own fields, as devices receive them.
        urgency: a ``high`` push wakes a sleeping phone, a ``normal`` one may wait. A message of an
            earlier release has none, and is ``high``.
        lifetime_seconds: how long FCM keeps the push for a device that is off.
    """

    newest: ClassVar[int] = 2

    version: Literal[2] = 2
    event_id: str = Field(pattern=r"^[0-9a-f]{40}$")
    family: Name | Literal[""] = ""
    source: SourceName
    topic: Topic
    kind: str = Field(min_length=1, max_length=32)
    id: str = Field(min_length=1, max_length=200)
    revision: int = Field(ge=1)
    digest_of: int = Field(default=0, ge=0)
    detected_at: str
    content: dict[str, str | None]
    urgency: Annotated[Urgency, BeforeValidator(_normal_or_high)] = "high"
    lifetime_seconds: int = Field(default=DAY_SECONDS, ge=0, le=LONGEST_LIFETIME_SECONDS)

    @property
    def ledger_key(self) -> str:
        """``source#record#revision`` (N10); a `#` in an id cannot make two keys equal."""
        return f"{self.source}#{self.id}#{self.revision}"

    @property
    def group(self) -> str:
        """The topic, or its hash if it is long: pushes of a topic keep their order.

        They do not wait for other topics.
        """
        if len(self.topic) <= _LONGEST_GROUP:
            return self.topic
        return hashlib.sha256(self.topic.encode()).hexdigest()
