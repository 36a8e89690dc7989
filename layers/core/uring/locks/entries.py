"""One lock and one ticket, as stored in a catalogue, and the blocker of a request."""

from dataclasses import dataclass
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from uring.locks.paths import Path, shown

_MOST_WHAT_BYTES: Final = 90
# Milliseconds and fences stay below this: every JSON reader keeps them exactly.
Count = Annotated[int, Field(ge=0, lt=2**53)]


class _Entry(BaseModel):
    """An entry of a catalogue, a lock or a ticket; keys of another release are kept."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    owner: str
    expires_at_ms: Count
    since_ms: Count

    def until(self, expires_at_ms: int) -> Self:
        """Return a copy with another end."""
        return self.model_copy(update={"expires_at_ms": expires_at_ms})


class Held(_Entry):
    """A lock: its owner may write under it while the catalogue holds it with this fence."""

    fence: Count
    what: str = ""


class Waiter(_Entry):
    """A ticket: a place in line for a path, as `uring.locks.paths.joined` writes it."""

    path: str


@dataclass(frozen=True, slots=True)
class Blocker:
    """A conflicting lock, or the ticket of an earlier waiter.

    Attributes:
        path: the path that it holds or waits for.
        owner: of that acquisition.
        what: the description of its work; empty for a waiter.
        age_ms: the time since it holds the lock, or waits.
        free_in_ms: the time until its entry expires, if it does not renew.
        fence: of its lock; None for a waiter.
        ahead: the number of conflicting locks and earlier waiters, this one included.
    """

    root: str
    path: Path
    owner: str
    what: str
    age_ms: int
    free_in_ms: int
    fence: int | None
    ahead: int

    def __str__(self) -> str:
        doing = f" ({self.what})" if self.what else ""
        verb = "has waited for" if self.fence is None else "has held"
        return (
            f"{self.owner}{doing} {verb} {shown(self.root, self.path)} for {self.age_ms // 1000} s"
        )


def shortened(what: str) -> str:
    """Return a description of work as one line of at most 90 bytes.

    Unprintable characters become blanks; the rest is cut between two characters.
    """
    line = "".join(letter if letter.isprintable() else " " for letter in what)
    return line.encode()[:_MOST_WHAT_BYTES].decode(errors="ignore")
