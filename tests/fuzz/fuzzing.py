"""The hunt: numbered inputs, each made again from the seed and its number alone.

A finding is an exception that the target does not document, an input that takes more CPU than the
target grants, or one that lifts the process's memory by more than `HUGE_MEGABYTES`.
"""

import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Final

from targets import Target, targets

HUGE_MEGABYTES: Final = 300.0
_MOST_FINDINGS: Final = 20
# Linux counts in kilobytes, macOS in bytes.
_UNIT: Final = 1024 * 1024 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that the target did not take well."""

    number: int
    kind: str
    detail: str


@dataclass(slots=True)
class Tally:
    """What came of a target's inputs; ``slowest`` in seconds, with its number."""

    inputs: int = 0
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    findings: list[Finding] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Figures, for people and machines."""
        refused = {k: n for k, n in self.outcomes.most_common() if k not in ("accepted", "finding")}
        return {
            "inputs": self.inputs,
            "inputs_per_second": round(self.inputs / self.seconds) if self.seconds else 0,
            "refused": refused,
            "accepted": self.outcomes["accepted"],
            "slowest_ms": round(self.slowest[0] * 1000),
            "slowest_input": self.slowest[1],
            "findings": len(self.findings),
        }


def input_of(target: Target, seed: str, number: int) -> bytes:
    """The input of this number."""
    return target.make(Random(f"{seed}:{number}"))


def hunt(
    target: Target,
    seed: str,
    *,
    goes_on: Callable[[int], bool],
    slow_seconds: float | None = None,
    huge_megabytes: float = HUGE_MEGABYTES,
) -> Tally:
    """Try input after input.

    Args:
        target: what is fuzzed.
        seed: of the inputs.
        goes_on: asked with the number of the next input, before it is tried.
        slow_seconds: CPU; what takes more is a finding. The target's own if not given.
        huge_megabytes: what lifts the process's peak by more is a finding.
    """
    tally = Tally()
    kinds: set[str] = set()
    number = 0
    while len(tally.findings) < _MOST_FINDINGS and goes_on(number):
        given = input_of(target, seed, number)
        # What it took to make the input is not the target's.
        peak, before = _megabytes(), time.process_time()
        kind = detail = ""
        try:
            outcome = target.try_(given)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            outcome = "finding"
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {place.name}"
            detail = "".join(traceback.format_exception(error))
        took = time.process_time() - before
        grown = _megabytes() - peak
        if took > (target.slow_seconds if slow_seconds is None else slow_seconds):
            outcome, kind, detail = "finding", "slow", f"{took:.1f} s"
        if grown > huge_megabytes:
            outcome, kind, detail = "finding", "huge", f"{grown:.0f} MB"
        if kind and kind not in kinds:
            kinds.add(kind)
            tally.findings.append(Finding(number, kind, detail))
        tally.inputs += 1
        tally.seconds += took
        tally.outcomes[outcome] += 1
        tally.slowest = max(tally.slowest, (took, number))
        number += 1
    return tally


def work(name: str, seed: str, seconds: float, number: Any, answer: Connection) -> None:
    """Hunt in a process of its own.

    Args:
        name: of the target.
        seed: of the inputs.
        seconds: for how long.
        number: shared; the input that this is at.
        answer: where the tally goes.
    """
    end = time.monotonic() + seconds

    def goes_on(at: int) -> bool:
        number.value = at
        return time.monotonic() < end

    answer.send(hunt(targets()[name], seed, goes_on=goes_on))


def _megabytes() -> float:
    """The most memory that this process ever had."""
    try:
        # What getrusage says begins, on Linux, with the most that the parent had.
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _UNIT
