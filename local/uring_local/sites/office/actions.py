"""The actions of people in the office, through the bucket or the HTTP API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from uring_local.sites.office.papers import Version

Events = Literal["sent", "twice", "late", "lost"]
"""The fate of the bucket's event: ``late`` comes after all other events of the tick."""
Operation = Literal["policies", "policy", "issues", "clear"]
Kind = Literal["classify", "annotate", "transition"]
FIELDS: Final[Mapping[Kind, str]] = {
    "classify": "severity",
    "annotate": "notes",
    "transition": "state",
}
"""The field of an issue that each kind of edit gives a value."""
Refusal = Literal["stale", "blind", "illegal", "unknown"]


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload of an attachment: new, changed, or the same bytes again."""

    page: str
    source: str
    version: Version
    events: Events = "sent"


@dataclass(frozen=True, slots=True)
class Remove:
    """A removal of an attachment."""

    page: str
    source: str
    events: Events = "sent"


@dataclass(frozen=True, slots=True)
class Stray:
    """An upload of an object whose key cannot be an attachment's."""

    key: str


@dataclass(frozen=True, slots=True)
class Submit:
    """A job, submitted `times` times at once."""

    page: str
    operation: Operation
    source: str = ""
    language: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Edit:
    """Simultaneous edits of an issue, each editor with a value of their own.

    Attributes:
        words: of the issue's mark.
        sources: the attachments that it quotes.
        values: one for each editor.
    """

    page: str
    words: str
    sources: frozenset[str]
    kind: Kind
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that must change nothing.

    Attributes:
        why: ``stale`` is of an old version, ``blind`` without a version, ``illegal`` into a state
            that it cannot go to, or has already, ``unknown`` of an unknown issue.
    """

    page: str
    words: str
    sources: frozenset[str]
    why: Refusal


@dataclass(frozen=True, slots=True)
class Read:
    """A reader's look at a whole page."""

    page: str


Action: TypeAlias = Upload | Remove | Stray | Submit | Edit | Refused | Read
