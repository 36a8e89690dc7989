"""The history of an issue: who changed what, the newest edits."""

from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict

from uring.clock import Timestamp

ANALYSIS: Final = "analysis"
"""The ``by`` of an edit by the model."""
MOST_EDITS: Final = 50
_MOST_CHARACTERS: Final = 200


class IssueEdit(BaseModel):
    """An edit of an issue.

    Attributes:
        at: when.
        by: ARN of the caller; ``analysis`` for the model.
        what: ``classify``, ``annotate``, ``transition`` or ``analysis``.
        before: the old value, at most 200 characters; of notes only their length.
        after: the new value, in the same form.
    """

    # Attributes that a newer release adds are written back.
    model_config = ConfigDict(frozen=True, extra="allow")

    at: Timestamp
    by: str
    what: str
    before: str = ""
    after: str = ""


class HasHistory(Protocol):
    """An issue with its history."""

    @property
    def history(self) -> tuple[IssueEdit, ...]:
        """The newest edits, in their order."""
        ...


def edited(
    issue: HasHistory, by: str, what: str, before: str, after: str, *, at: Timestamp
) -> tuple[IssueEdit, ...]:
    """Return an issue's history with one more edit; the oldest beyond 50 are left out."""
    edit = IssueEdit(
        at=at, by=by, what=what, before=before[:_MOST_CHARACTERS], after=after[:_MOST_CHARACTERS]
    )
    return (*issue.history, edit)[-MOST_EDITS:]
