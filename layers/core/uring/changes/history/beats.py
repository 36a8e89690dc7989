"""A beat: one check of a source, and the ring of its last beats. Pure.

    1764260000,u,312,30,0,;1764260600,f,10012,,0,timeout;…
    seconds since 1970, outcome, milliseconds, rows, changes, reason

A beat is written with the state and never alone: each failed check and each change has one, a quiet
check only when its success is written anyway. Between a successful beat and the next one every
check was unchanged.

A ring that another release wrote, or that was cut, loses the beats that cannot be read, no more. A
later shape takes another key of the health.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from uring.changes.state import OutboxEvent
from uring.clock import timestamp
from uring.errors import SourceTrouble

MOST_BEATS: Final = 96
"""The beats of a ring: some 25 characters each."""

_WORDS: Final = {
    "b": "baseline",
    "c": "changed",
    "u": "unchanged",
    "f": "failed",
    "s": "suspect",
}
_LETTERS: Final = {word: letter for letter, word in _WORDS.items()}
# Ten digits of seconds reach to the year 2286; fewer are of a beat that was cut.
_BEAT: Final = re.compile(
    r"([0-9]{10}),([a-z]),([0-9]{1,9}),([0-9]{0,7}),([0-9]{1,7}),([a-z0-9_]{0,40})"
)
_MOST_MILLISECONDS: Final = 999_999_999
_MOST_ROWS: Final = 9_999_999
# Only the end of a longer text is looked at.
_MOST_CHARACTERS: Final = MOST_BEATS * 90


@dataclass(frozen=True, slots=True)
class Beat:
    """One check.

    Attributes:
        at: when it began, aware UTC, to the second.
        outcome: as in `uring.changes.check.Check`.
        milliseconds: from the first request to the last row; 0 where a clock went back.
        rows: of the page; None where none was read.
        changes: committed by the check; the records of a first check are none.
        reason: of the trouble, in one word; empty without one.
    """

    at: datetime
    outcome: str
    milliseconds: int = 0
    rows: int | None = None
    changes: int = 0
    reason: str = ""

    @classmethod
    def of(
        cls,
        at: datetime,
        outcome: str,
        seconds: float,
        fields: Mapping[str, Any],
        events: Sequence[OutboxEvent],
        trouble: SourceTrouble | None,
    ) -> "Beat":
        """Return the beat of a check.

        Args:
            at: see `Beat`.
            outcome: see `Beat`.
            seconds: that the source took.
            fields: of the log line ``checked``; ``rows`` is of the beat, too.
            events: that the check committed.
            trouble: of the source, or None.
        """
        rows = fields.get("rows")
        return cls(
            at,
            outcome,
            min(max(round(seconds * 1000), 0), _MOST_MILLISECONDS),
            min(rows, _MOST_ROWS) if isinstance(rows, int) else None,
            sum(event.kind != "baseline" for event in events),
            trouble.reason if trouble else "",
        )

    def document(self) -> dict[str, Any]:
        """Return the beat for ``health.json``; without rows, changes or reason where none are."""
        return {
            "at": timestamp(self.at),
            "outcome": self.outcome,
            "ms": self.milliseconds,
            **({} if self.rows is None else {"rows": self.rows}),
            **({"changes": self.changes} if self.changes else {}),
            **({"reason": self.reason} if self.reason else {}),
        }


def with_beat(ring: str, beat: Beat) -> str:
    """Return a ring with one more beat, the oldest ones left out."""
    rows = "" if beat.rows is None else str(beat.rows)
    seconds = max(int(beat.at.timestamp()), 0)
    letter = _LETTERS.get(beat.outcome, "u")
    text = f"{seconds:010},{letter},{beat.milliseconds},{rows},{beat.changes},{beat.reason}"
    kept = [match.group() for match in _matches(ring)][-MOST_BEATS + 1 :]
    return ";".join([*kept, text])


def beats_of(ring: str) -> list[Beat]:
    """Return the readable beats of a ring, as they were written; unknown outcomes are left out."""
    return [beat for match in _matches(ring) if (beat := _beat(match)) is not None][-MOST_BEATS:]


def _matches(ring: str) -> Iterator[re.Match[str]]:
    parts = ring[-_MOST_CHARACTERS:].split(";")
    return (match for part in parts if (match := _BEAT.fullmatch(part)))


def _beat(match: re.Match[str]) -> Beat | None:
    seconds, letter, spent, rows, changes, reason = match.groups()
    if letter not in _WORDS:
        return None
    at = datetime.fromtimestamp(int(seconds), UTC)
    return Beat(at, _WORDS[letter], int(spent), int(rows) if rows else None, int(changes), reason)
