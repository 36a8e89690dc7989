"""The history of an issue: its newest edits, stored with it in one item."""

from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict

from uring.clock import Timestamp

ANALYSIS: Final = "analysis"
"""The ``by`` of an edit by the model."""
MOST_EDITS: Final = 50
"""The most edits that an issue keeps; older ones are forgotten, first those of analyses."""

_MOST_TEXT: Final = 200
_MOST_CALLER: Final = 512


class IssueEdit(BaseModel):
    """An edit of an issue.

    Attributes:
        at: when it was written.
        by: ARN of the caller, or ``analysis``; empty if unknown.
        what: ``classify``, ``annotate``, ``transition`` or ``analysis``.
        before: the old value as a short text; of notes their length.
        after: the new value in the same form.
        key: hash of the request's Idempotency-Key; empty without one.
        content: hash of the requested edit, with a key.
    """

    # Attributes that a newer release adds are written back.
    model_config = ConfigDict(frozen=True, extra="allow")

    at: Timestamp
    by: str = ""
    what: str
    before: str = ""
    after: str = ""
    key: str = ""
    content: str = ""


class HasHistory(Protocol):
    """An issue."""

    @property
    def history(self) -> tuple[IssueEdit, ...]:
        """The newest edits, oldest first."""
        ...


def edited(
    issue: HasHistory,
    by: str,
    what: str,
    before: str,
    after: str,
    *,
    at: str,
    key: str = "",
    content: str = "",
) -> tuple[IssueEdit, ...]:
    """Return the history of an issue with one more edit: 50 at most, long texts cut.

    The oldest edit of an analysis goes first, the new one too: analyses push no person's edit out,
    nor its key. Where all are people's, the oldest goes.

    Args:
        issue: before the edit.
        by: ARN of the caller, or ``analysis``.
        what: the kind of edit.
        before: the old value.
        after: the new value.
        at: when, a timestamp.
        key: hash of the request's Idempotency-Key.
        content: hash of the requested edit.
    """
    edit = IssueEdit(
        at=at,
        by=by[:_MOST_CALLER],
        what=what,
        before=before[:_MOST_TEXT],
        after=after[:_MOST_TEXT],
        key=key,
        content=content,
    )
    edits = [*issue.history, edit]
    while len(edits) > MOST_EDITS:
        said = (number for number, each in enumerate(edits) if each.by == ANALYSIS)
        del edits[next(said, 0)]
    return tuple(edits)
