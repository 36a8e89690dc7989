"""Faults of the language stand-ins: ``429:0.2,lost:0.1,invented:0.3``.

The fault of a request depends on the seed, on its subject and on the number of earlier requests for
that subject, not on the order of arrival: runs with different timing meet the same faults.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

REFUSING: Final = frozenset({"429", "500", "503"})
"""The request is refused, and not charged."""
OF_BOTH: Final = REFUSING | {"slow", "lost"}
OF_TRANSLATE: Final = frozenset({"mangled"})
OF_MODEL: Final = frozenset({"invalid", "invented", "obeys", "silent", "cut"})
KINDS: Final[Mapping[str, str]] = {
    "429": "throttled",
    "500": "an internal error",
    "503": "not available",
    "slow": "answered after a while",
    "lost": "done and charged, but the connection is cut",
    "mangled": "a translation without line breaks, its marks damaged",
    "invalid": "a model's answer that breaks the form",
    "invented": "a model's issue with an invented quotation",
    "obeys": "a model that obeys a document",
    "silent": "a model that does not use the tool",
    "cut": "a model's answer that ends in the middle",
}


@dataclass(frozen=True, slots=True)
class LanguageFault:
    """A kind of fault, and the probability that a request meets it."""

    kind: str
    probability: float


def parse_language_faults(spec: str) -> tuple[LanguageFault, ...]:
    """Parse ``KIND:PROBABILITY,…``.

    Raises:
        ValueError: an unknown or doubled kind, a probability outside of 0 to 1, or a sum above 1;
            the message names the part and the remedy.
    """
    faults = tuple(_parse(part.strip()) for part in spec.split(","))
    if len({fault.kind for fault in faults}) < len(faults):
        raise ValueError(f"{spec!r}: give each kind once")
    if math.fsum(fault.probability for fault in faults) > 1 + 1e-9:
        raise ValueError(f"{spec!r}: the probabilities add up to more than 1; lower them")
    return faults


def _parse(part: str) -> LanguageFault:
    kind, _, share = part.partition(":")
    if kind not in KINDS:
        raise ValueError(f"{part!r}: write KIND:PROBABILITY with one of {', '.join(KINDS)}")
    try:
        probability = float(share)
    except ValueError:
        probability = math.nan
    if not 0 < probability <= 1:
        raise ValueError(f"{part!r}: write a number above 0 and at most 1, as in {kind}:0.3")
    return LanguageFault(kind, probability)


class LanguageFaultPlan:
    """The faults of all requests, drawn by seed.

    Args:
        faults: see `parse_language_faults`.
        seed: selects the requests that fail.
        most_in_a_row: faults of one subject; the next request for it succeeds. None sets no limit.
    """

    def __init__(
        self, faults: Sequence[LanguageFault], *, seed: int, most_in_a_row: int | None
    ) -> None:
        self._faults = tuple(faults)
        self._seed = seed
        self._most_in_a_row = most_in_a_row

    def fault(self, subject: str, attempt: int, kinds: frozenset[str]) -> str:
        """Return the fault of a request; empty if it succeeds.

        Args:
            subject: of the request, see `uring_local.language.wire.subject`.
            attempt: number of the request for the subject, from 1.
            kinds: the faults that the service can have.
        """
        run = 0
        for number in range(1, attempt + 1):
            drawn = self._drawn(subject, number, kinds)
            if drawn and run == self._most_in_a_row:
                drawn = ""
            run = run + 1 if drawn else 0
        return drawn

    def _drawn(self, subject: str, attempt: int, kinds: frozenset[str]) -> str:
        digest = hashlib.sha256(f"{self._seed}|{attempt}|{subject}".encode()).digest()
        draw = int.from_bytes(digest[:7]) / 2**56
        for fault in self._faults:
            draw -= fault.probability
            if draw < 0:
                return fault.kind if fault.kind in kinds else ""
        return ""
