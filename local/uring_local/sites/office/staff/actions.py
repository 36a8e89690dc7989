"""The actions of people in the office; each is done through the bucket or the HTTP API."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from uring_local.sites.office.papers import Version

Events = Literal["sent", "twice", "late", "lost"]
"""The fate of the bucket's event: ``late`` comes behind all others of the tick."""
Operation = Literal["policies", "policy", "issues", "clear"]
Kind = Literal["classify", "annotate", "transition"]
Refusal = Literal["stale", "blind", "illegal", "unknown"]


@dataclass(frozen=True, slots=True)
class Upload:
    """An attachment is uploaded: new, changed, or the same bytes once more."""

    page: str
    source: str
    version: Version
    events: Events = "sent"


@dataclass(frozen=True, slots=True)
class Remove:
    """An attachment is removed."""

    page: str
    source: str
    events: Events = "sent"


@dataclass(frozen=True, slots=True)
class Stray:
    """An object where no attachment can be."""

    key: str


@dataclass(frozen=True, slots=True)
class Submit:
    """A job, asked for by so many at once."""

    page: str
    operation: Operation
    source: str = ""
    language: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Edit:
    """Editors at the issue with these words, each with a value of their own, all at once.

    Attributes:
        words: of the mark that the issue was found by.
        sources: that it quotes.
        values: one an editor.
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
        why: of an old version; without one; into a state that it cannot go to; of no issue.
    """

    page: str
    words: str
    sources: frozenset[str]
    why: Refusal


@dataclass(frozen=True, slots=True)
class Read:
    """A reader looks at all of a page."""

    page: str


Action: TypeAlias = Upload | Remove | Stray | Submit | Edit | Refused | Read
