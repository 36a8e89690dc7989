"""Messages that cross a process: frozen, versioned, validated on receipt.

Jobs are imperative (`CollectNotices`), events are past tense (`ChangePublished`). Both travel as
JSON in the body of an SQS FIFO message; a body that breaks its contract raises `MalformedMessage`.
"""

from typing import Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from uring.errors import MalformedMessage

MAX_BODY_CHARACTERS = 262_144


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def parse(cls, body: str) -> Self:
        """Read a message body.

        Raises:
            MalformedMessage: naming up to ten fields that are wrong, never echoing their values.
        """
        if len(body) > MAX_BODY_CHARACTERS:
            raise MalformedMessage(
                f"{cls.__name__}: the body has {len(body)} characters, "
                f"at most {MAX_BODY_CHARACTERS} are read; send one job a message"
            )
        try:
            return cls.model_validate_json(body)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(_named(part) for part in problem['loc']) or 'body'}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False)[:10]
            )
            raise MalformedMessage(
                f"{cls.__name__}: {problems}; the sender and this function run different versions, "
                "or something else writes to this queue"
            ) from error

    def body(self) -> str:
        """The JSON that `parse` reads."""
        # SQS refuses a body with these two; a title that holds one would block its source for good.
        text = self.model_dump_json(exclude_none=False)
        return text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def _named(part: int | str) -> str:
    """A key, which may be the sender's own: short, and fit for a log line."""
    return ascii(part).strip("'\"")[:60]


class CollectNotices(_Message):
    """Check one department now (N2). Group = department, deduplication id = `job_id`.

    The job carries the whole config entry, so that an unchanged check needs no second S3 GET.
    """

    version: Literal[1] = 1
    scheduled_at: AwareDatetime
    source: dict[str, Any] = Field(min_length=1)

    @property
    def job_id(self) -> str:
        """``{source}.{scheduled minute}``: a tick delivered twice makes the same jobs."""
        return f"{self.group}.{self.scheduled_at:%Y%m%dT%H%M}"

    @property
    def group(self) -> str:
        """The department."""
        return str(self.source.get("id"))


class CollectWeather(_Message):
    """Run one product of aviation weather now (W1). Group = product, deduplication id = `job_id`.

    ``interval_minutes`` is that of its schedule: an older job is dropped.
    """

    version: Literal[1] = 1
    scheduled_at: AwareDatetime
    product: Literal["metar", "taf", "warning"]
    interval_minutes: int = Field(ge=1, le=1440)

    @property
    def job_id(self) -> str:
        """``{product}.{scheduled minute}``: a tick delivered twice makes the same job."""
        return f"{self.group}.{self.scheduled_at:%Y%m%dT%H%M}"

    @property
    def group(self) -> str:
        """The product: one at a time, each for itself (W8)."""
        return self.product


Job = CollectNotices | CollectWeather
"""What travels on a work queue: it has a ``group``, a ``job_id`` and a ``body``."""


class ChangePublished(_Message):
    """A change that readers can already see and that subscribers are to hear of (N9).

    ``digest_of`` is 0, or how many changes this one stands for: subscribers then read them all from
    ``latest.json``, and the record is the uppermost of them (N18).

    Group = source, deduplication id = ``event_id``. ``content`` holds the family's own fields as
    readers see them in ``latest.json``; for notices: title, date, category, link.
    """

    version: Literal[1] = 1
    event_id: str = Field(pattern=r"^[0-9a-f]{40}$")
    source: str = Field(min_length=1, max_length=64)
    topic: str = Field(pattern=r"^[a-zA-Z0-9\-_.~%]{1,900}$")
    kind: str = Field(min_length=1, max_length=32)
    id: str = Field(min_length=1, max_length=200)
    revision: int = Field(ge=1)
    is_pinned: bool
    digest_of: int = Field(default=0, ge=0)
    detected_at: str
    content: dict[str, str | None]

    @property
    def ledger_key(self) -> str:
        """``dept#notice#revision`` (N10); `#` in an id cannot make two keys meet."""
        return f"{self.source}#{self.id}#{self.revision}"
