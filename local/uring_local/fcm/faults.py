"""Faults of the FCM stand-in: ``503:0.2,429:0.1:2,timeout:0.05``.

The fault of an attempt depends on the seed, the push and the number of the attempt, not on the
order of arrival: runs with different timing have the same faults.
"""

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

Kind = Literal["503", "429", "500", "timeout", "drop", "503-late"]
KINDS: tuple[str, ...] = get_args(Kind)
DELIVERING: frozenset[str] = frozenset({"timeout", "drop", "503-late"})
_RETRY_AFTER: Final = 10
_LONGEST_RETRY_AFTER: Final = 86_400


@dataclass(frozen=True)
class FcmFault:
    """One kind of failure and how often it happens.

    ``503``, ``500`` and ``429`` refuse the message. ``timeout`` delivers it and keeps the client
    waiting, ``drop`` delivers it and closes the connection, ``503-late`` delivers it and reports
    503: in these three cases a careful client has to send twice.

    Args:
        probability: for one attempt, above 0 and at most 1.
        retry_after: seconds, for 429 alone.
    """

    kind: Kind
    probability: float
    retry_after: int | None = None

    @property
    def delivers(self) -> bool:
        """True when the message reached the devices all the same."""
        return self.kind in DELIVERING


def parse_faults(spec: str) -> tuple[FcmFault, ...]:
    """Parse ``KIND:PROBABILITY[:RETRY_AFTER],…``.

    Raises:
        ValueError: a part is malformed; the message names it and the remedy.
    """
    faults = tuple(_parse(part.strip()) for part in spec.split(","))
    kinds = [fault.kind for fault in faults]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise ValueError(f"{spec!r}: {kind} is given twice; give each kind once")
    if math.fsum(fault.probability for fault in faults) > 1 + 1e-9:  # thirds do not add up to 1
        raise ValueError(f"{spec!r}: the probabilities add up to more than 1; lower them")
    return faults


def _parse(part: str) -> FcmFault:
    kind, _, rest = part.partition(":")
    probability, _, seconds = rest.partition(":")
    for known in get_args(Kind):
        if kind == known:
            return FcmFault(
                known, _probability(part, probability), _retry_after(part, kind, seconds)
            )
    raise ValueError(
        f"{part!r}: unknown fault {kind!r}; write KIND:PROBABILITY with one of {', '.join(KINDS)}"
    )


def _probability(part: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise ValueError(
            f"{part!r}: {text!r} is not a probability; "
            "write a number above 0 and at most 1, as in 0.3"
        )
    return value


def _retry_after(part: str, kind: str, text: str) -> int | None:
    if kind != "429":
        if text:
            raise ValueError(f"{part!r}: only 429 has a third part; leave out {text!r}")
        return None
    if not text:
        return _RETRY_AFTER
    if not (text.isascii() and text.isdigit() and int(text[:6]) <= _LONGEST_RETRY_AFTER):
        raise ValueError(
            f"{part!r}: {text!r} is not a Retry-After; write whole seconds, as in 429:0.1:2"
        )
    return int(text)


class FaultPlan:
    """Decides attempt by attempt.

    Args:
        most_in_a_row: after this number of faults of one event its next attempt succeeds; None sets
            no limit. A queue gives up after a fixed number of receives, so plans that must deliver
            everything need a limit.
    """

    def __init__(
        self, faults: Sequence[FcmFault], *, seed: int, most_in_a_row: int | None = None
    ) -> None:
        self._faults = tuple(faults)
        self._seed = seed
        self._most_in_a_row = most_in_a_row

    def fault(self, push: str, attempt: int) -> FcmFault | None:
        """Return the fault of this attempt at a push, counted from 1; None if it succeeds."""
        fault = self._drawn(push, attempt)
        if fault is None or self._most_in_a_row is None:
            return fault
        before = range(attempt - 1, max(0, attempt - 1 - self._most_in_a_row), -1)
        run = sum(1 for _ in itertools.takewhile(lambda n: self._drawn(push, n), before))
        return None if run >= self._most_in_a_row else fault

    def _drawn(self, push: str, attempt: int) -> FcmFault | None:
        digest = hashlib.sha256(f"{self._seed}|{attempt}|{push}".encode()).digest()
        draw = int.from_bytes(digest[:7]) / 2**56
        for fault in self._faults:
            draw -= fault.probability
            if draw < 0:
                return fault
        return None
