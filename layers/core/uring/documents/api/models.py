"""Bodies of requests and responses."""

from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from uring.documents.jobs import JobState, JobStatus
from uring.documents.messages import Operation
from uring.documents.names import Source
from uring.documents.store.issues import TRANSITIONS, Notes, Severity, State, StoredIssue
from uring.documents.store.policies import PolicyEntry
from uring.language import Language
from uring.runtime.document import ProblemDetails


class _Request(BaseModel):
    """The body of a request; an unknown field is an error, not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Classify(_Request):
    """The new severity of an issue."""

    severity: Severity


class Annotate(_Request):
    """The new notes of an issue; they replace the old ones."""

    notes: Notes = Field(description="Markdown")


class Transition(_Request):
    """The new state of an issue."""

    state: State


class JobRequest(_Request):
    """A job for a page.

    `policies` extracts the texts of all attachments, `policy` extracts or translates one of them,
    `issues` analyses the policies, `clear` removes all items of the page; its attachments stay.
    """

    operation: Literal["policies", "policy", "issues", "clear"]
    source: Source | None = Field(None, description="the attachment, for `policy`")
    language: Language | None = Field(
        None, description="to translate into, for `policy`; without it the original"
    )

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.operation == "policy" and self.source is None:
            raise ValueError("source: policy needs one attachment; name it")
        if self.operation != "policy" and (self.source or self.language):
            raise ValueError(f"{self.operation} is for a whole page; remove source and language")
        return self


_NEXT: Final = "`after` of the next request, also behind an empty part; null at the end of the list"
_UNREADABLE: Final = (
    "the number of entries left out of this part because they are stored malformed, or by a newer "
    "release; the service's operator mends them"
)


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class Extracted(_Answer):
    """The entry of an attachment's text, or of a translation."""

    language: str = Field(description="language of a translation; empty for the original")
    is_current: bool = Field(description="whether it is of the current attachment")
    outcome: str = Field(description="`text`, or the reason for a missing text")
    reason: str = Field(description="the reason for a missing text, with the remedy; else empty")
    characters: int
    created: str = Field(description="when it was made")


class PolicyItem(_Answer):
    """An attachment, with its text and its translations."""

    source: str
    modified: str | None = Field(description="when it was uploaded")
    original: Extracted | None = Field(description="null: a job `policy` extracts it")
    translations: list[Extracted]


class LeftOut(_Answer):
    """An object beside the attachments that is not one."""

    name: str = Field(description="its name, ASCII, at most 200 characters, others escaped")
    reason: str = Field(description="why, with the remedy")


class PolicyList(_Answer):
    """Attachments of a page, by name."""

    policies: list[PolicyItem]
    left_out: list[LeftOut] = Field(description="the first 20 objects that are not attachments")
    unreadable: int = Field(description=_UNREADABLE)
    next: str | None = Field(description=_NEXT)


class PolicyText(Extracted):
    """A part of a text, with its origin."""

    page: str
    source: str
    format: str = Field(description="of the attachment, by its bytes")
    original_language: str = Field(
        description="language of the original, for a translation; else empty"
    )
    modified: str = Field(description="when the attachment was uploaded")
    notes: list[str] = Field(description="what the text lacks")
    sha256: str = Field(description="of the whole text in UTF-8")
    cost_micros: int = Field(description="in millionths of a dollar")
    offset: int = Field(description="of the first character of `text` in the whole")
    text: str
    next_offset: int | None = Field(description="`offset` of the next part; null at the end")

    @classmethod
    def of(cls, entry: PolicyEntry, text: str, offset: int, *, is_current: bool) -> Self:
        """Return a part of an entry's text."""
        end = offset + len(text)
        more = end if text and end < entry.characters else None
        values = entry.model_dump(include=set(cls.model_fields))
        values |= {"text": text, "offset": offset, "next_offset": more, "is_current": is_current}
        return cls.model_validate(values)


class Place(_Answer):
    """A place in the text of a policy: `text[start:end] == quote`, in characters."""

    source: str
    start: int
    end: int
    quote: str


_PLAIN: Final = (
    "plain text of a model: show it as text, never render it as Markdown or HTML; addresses and "
    "markup are taken out"
)


class IssueBody(_Answer):
    """An issue."""

    id: str
    page: str
    title: str = Field(description=f"one line, {_PLAIN}")
    description: str = Field(description=_PLAIN)
    severity: Severity = Field(
        description="the newest analysis's, until a person classifies the issue"
    )
    is_classified: bool = Field(description="whether a person set the severity")
    state: State
    transitions: list[State] = Field(description="the states that it can go to")
    references: list[Place]
    notes: str = Field(description="Markdown, by people")
    is_stale: bool = Field(
        description="whether a quoted policy has changed since the issue was found, and the newest "
        "analysis did not find it again"
    )
    not_found_since: str | None = Field(
        description="time of the first of the analyses that did not find it any more; null if the "
        "newest found it. One analysis does not prove that it is gone: see `not_found_twice`"
    )
    not_found_twice: bool = Field(
        description="whether a second such analysis, with a new request, did not find it either"
    )
    found_with: list[str] = Field(
        description="the attachments that the model saw in the request in which it reported the "
        "issue; empty for an issue of an earlier release"
    )
    model: str = Field(description="the model that reported it; empty in the same case")
    prompt: str = Field(description="hash of the model's instructions; empty in the same case")
    version: int
    etag: str = Field(description="for If-Match")
    created: str
    updated: str

    @classmethod
    def of(cls, issue: StoredIssue) -> Self:
        """Return the body of an issue."""
        values = issue.model_dump(include=set(cls.model_fields))
        values |= {"transitions": list(TRANSITIONS[issue.state]), "etag": etag_of(issue)}
        return cls.model_validate(values)


class IssueList(_Answer):
    """Issues of a page, by id."""

    issues: list[IssueBody]
    unreadable: int = Field(description=_UNREADABLE)
    next: str | None = Field(description=_NEXT)


class EditBody(_Answer):
    """An edit of an issue."""

    at: str
    by: str = Field(description="ARN of the caller, or `analysis`; empty if it is unknown")
    what: str = Field(description="`classify`, `annotate`, `transition` or `analysis`")
    before: str = Field(description="the old value, at most 200 characters; of notes the length")
    after: str


class IssueHistory(_Answer):
    """The newest 50 edits of an issue, newest first."""

    edits: list[EditBody]

    @classmethod
    def of(cls, issue: StoredIssue) -> Self:
        """Return the history of an issue."""
        return cls(edits=[EditBody.model_validate(edit) for edit in reversed(issue.history)])


class JobBody(_Answer):
    """A job, with its result or error once it has ended."""

    id: str
    page: str
    operation: Operation
    source: str | None
    language: str | None
    state: JobState
    activity: str = Field(description="the current step, in words")
    submitted_at: str
    updated_at: str
    result: dict[str, Any] | None = Field(description="the result, once it is done")
    error: dict[str, Any] | None = Field(description="code, detail and trace, once it failed")
    cost_micros: int = Field(description="so far, in millionths of a dollar")
    by: str = Field(description="ARN of the caller who submitted it; empty if it is unknown")

    @classmethod
    def of(cls, status: JobStatus) -> Self:
        """Return the body of a job."""
        return cls.model_validate(status)


class ConflictProblem(ProblemDetails):
    """A transition that the state of the issue does not allow, or a request that is under way."""

    allowed: list[State] = Field(
        description="the states that the issue can go to; empty if the same request is under way"
    )


class StaleProblem(ProblemDetails):
    """An edit of a version that is no longer the newest."""

    etag: str = Field(description="of the stored issue")


class LockedProblem(ProblemDetails):
    """An edit of an issue that another request has locked."""

    holder: str = Field(description="the work that holds the lock")
    age_seconds: float = Field(description="for how long")


def etag_of(issue: StoredIssue) -> str:
    """Return an issue's entity tag, strong."""
    return f'"v{issue.version}"'
