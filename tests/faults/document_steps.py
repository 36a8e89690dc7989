"""What people and time do to a page of the document store, and stories of it."""

from dataclasses import dataclass
from typing import Final

PAGE: Final = "page"


@dataclass(frozen=True, slots=True)
class Upload:
    """An attachment is put there; its event comes."""

    source: str
    text: str
    page: str = PAGE


@dataclass(frozen=True, slots=True)
class Remove:
    """An attachment is removed; its event comes."""

    source: str
    page: str = PAGE


@dataclass(frozen=True, slots=True)
class Submit:
    """A job is submitted; ``again``: by the same id as the one before."""

    operation: str
    source: str | None = None
    language: str | None = None
    again: bool = False
    page: str = PAGE


@dataclass(frozen=True, slots=True)
class Edit:
    """Somebody edits the issue of this title, as long as there is one."""

    title: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class Round:
    """The janitor's round; ``hours`` after what was before."""

    hours: int = 24


@dataclass(frozen=True, slots=True)
class Wait:
    """Hours go by."""

    hours: int


@dataclass(frozen=True, slots=True)
class Work:
    """The worker takes what there is."""


Step = Upload | Remove | Submit | Edit | Round | Wait | Work


@dataclass(frozen=True, slots=True)
class DocumentScenario:
    """A story of a page.

    Attributes:
        steps: in turn.
        before: steps before the first fault can happen.
        beside: what others do while a process stalls, besides the jobs that are waiting.
        visibility_seconds: of the queue.
        stalled_seconds: how long a process stalls; None: until others get its message.
        hurried: whether an invocation has time for two reports, or for one page.
    """

    name: str
    steps: tuple[Step, ...]
    before: tuple[Step, ...] = ()
    beside: tuple[Step, ...] = ()
    visibility_seconds: int = 960
    stalled_seconds: int | None = None
    hurried: bool = False
