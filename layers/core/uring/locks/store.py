"""Compare-and-swap of a root's catalogue, safe against lost answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from uring.errors import Unavailable, WriteConflict
from uring.locks.catalogue import KEY, Catalogue, parse_catalogue, replacement
from uring.tables import Table

R = TypeVar("R")

_MOST_TRIES: Final = 20
_MOST_UNANSWERED: Final = 3
_BASE_SECONDS: Final = 0.02
_CAP_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class CatalogueChange(Generic[R]):
    """A step's end: its result, and the catalogue to write, or None for no write."""

    catalogue: Catalogue | None
    result: R


@dataclass(frozen=True, slots=True)
class CatalogueView:
    """The catalogue that a step reads; an earlier try of the step may already be in it.

    Attributes:
        now_ms: this process's clock.
        monotonic: this process's monotonic clock in seconds, read no later than ``now_ms``.
        is_repeat: whether an earlier try of the same step may have been written.
    """

    catalogue: Catalogue
    now_ms: int
    monotonic: float
    is_repeat: bool


Step = Callable[[CatalogueView], CatalogueChange[R]]


@dataclass(frozen=True)
class CatalogueStore:
    """The catalogues of all roots in one table; safe to share between threads.

    Args:
        now_ms: this process's clock, for what other processes read.
        monotonic: seconds that no setting of the clock changes, for this process's own waits and
            leases.
        sleep: waits for seconds.
        jitter: returns a number between its two arguments, as `random.uniform` does.
    """

    table: Table
    now_ms: Callable[[], int]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[float, float], float]

    def read(self, root: str) -> Catalogue:
        """Return the root's catalogue, expired entries included.

        Raises:
            Unavailable: no answer.
            CorruptState: the item is not a catalogue.
        """
        return parse_catalogue(root, self.table.get(root, KEY), self.now_ms())

    def change(self, root: str, step: Step[R]) -> R:
        """Read, take the step and write, until no other write comes between; return the result.

        Raises:
            WriteConflict: another write came between at each of 20 tries.
            Unavailable: three tries got no answer; the change may have been written.
            CorruptState: the item is not a catalogue.
        """
        unanswered, is_repeat = 0, False
        for number in range(_MOST_TRIES):
            if number:
                self.pause(min(_CAP_SECONDS, _BASE_SECONDS * 2**number))
            is_writing = False
            try:
                catalogue, monotonic = self.read(root), self.monotonic()
                change = step(CatalogueView(catalogue, self.now_ms(), monotonic, is_repeat))
                if change.catalogue is None:
                    return change.result
                is_writing = True
                if self._write(root, change.catalogue):
                    return change.result
            except Unavailable:
                is_repeat = is_repeat or is_writing
                unanswered += 1
                if unanswered == _MOST_UNANSWERED:
                    raise
        raise WriteConflict(
            f"{root}: other writes to its locks came first in every try; the next run tries again"
        )

    def pause(self, seconds: float) -> None:
        """Wait for a random part of these seconds."""
        self.sleep(self.jitter(0.0, seconds))

    def _write(self, root: str, catalogue: Catalogue) -> bool:
        return self.table.transact(root, [replacement(catalogue, self.now_ms())])
