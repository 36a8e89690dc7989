"""One lock and one ticket, as stored in a catalogue, and who is in the way."""

from dataclasses import dataclass
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from uring.locks.paths import Path, shown

_MOST_WHAT_BYTES: Final = 90
# Of milliseconds and fences alike: what every JSON reader keeps exactly.
Count = Annotated[int, Field(ge=0, lt=2**53)]


class _Entry(BaseModel):
    """An entry of a catalogue, a lock or a ticket; keys of another release are kept."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    owner: str
    expires_at_ms: Count
    since_ms: Count

    def until(self, expires_at_ms: int) -> Self:
        """Return it with another end."""
        return self.model_copy(update={"expires_at_ms": expires_at_ms})


class Held(_Entry):
    """A lock: its owner may write under it while the catalogue has it with this fence."""

    fence: Count
    what: str = ""


class Waiter(_Entry):
    """A ticket: a place in line for a path, as `uring.locks.paths.joined` writes it."""

    path: str


@dataclass(frozen=True, slots=True)
class Blocker:
    """A conflicting lock, or the ticket of an earlier waiter.

    Attributes:
        path: that it holds, or waits for.
        owner: of that acquisition.
        what: it is doing; empty of a waiter.
        age_ms: since it holds the lock, or waits.
        free_in_ms: until it is out of the way, if it does not renew.
        fence: of its lock; None of a waiter.
        ahead: how many conflicting locks and earlier waiters there are.
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
        verb = "waits for" if self.fence is None else "holds"
        return (
            f"{self.owner}{doing} {verb} {shown(self.root, self.path)} for {self.age_ms // 1000} s"
        )


def shortened(what: str) -> str:
    """Return a description of work as it fits into a catalogue: a line of few bytes."""
    line = "".join(letter if letter.isprintable() else " " for letter in what)
    return line.encode()[:_MOST_WHAT_BYTES].decode(errors="ignore")
