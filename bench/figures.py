"""What was measured of checks, and how it is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Final

GOALS: Final[Mapping[str, float]] = {
    "http first": 8.0,
    "http unchanged": 1.5,
    "http 5 % changed": 2.0,
    "http other bytes, same rows": 3.5,
    "https unchanged": 2.5,
    "https 5 % changed": 3.0,
}
"""CPU seconds per 1,000 checks that uRing may take on two idle cores."""

_PROGRAMS: Final = ("uRing", "urlwatch", "urlwatch + start", "floor")


@dataclass
class SideFigures:
    """CPU seconds of all checks of a phase, one value a round, by program and ``scheme phase``.

    Attributes:
        boards: checked in each phase.
        validators: whether they serve an ETag.
        seconds: by program.
        calls: uRing's calls of AWS in a phase.
        started: uRing's start, by part.
        urlwatch_started: with its job list, which each of its runs does again.
        batch_peak: bytes of a fresh process, ten large pages at once.
    """

    boards: int
    validators: bool
    seconds: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    calls: dict[str, dict[str, int]] = field(default_factory=dict)
    started: dict[str, list[float]] = field(default_factory=dict)
    urlwatch_started: list[float] = field(default_factory=list)
    batch_peak: dict[str, int] = field(default_factory=dict)

    def add(self, program: str, name: str, seconds: float) -> None:
        """Keep what a phase took."""
        self.seconds.setdefault(program, {}).setdefault(name, []).append(seconds)

    def per_1000(self) -> dict[str, dict[str, float]]:
        """Return medians in CPU seconds per 1,000 checks, by phase, then by program.

        ``urlwatch + start`` has the start-up of a run for all boards in it.
        """
        scale = 1_000 / self.boards
        table: dict[str, dict[str, float]] = {}
        for program, phases in self.seconds.items():
            for name, values in phases.items():
                row = table.setdefault(name, {})
                row[program] = median(values) * scale
                if program == "urlwatch":
                    whole = row[program] + median(self.urlwatch_started) * scale
                    row["urlwatch + start"] = whole
        return table


def text(figures: SideFigures) -> str:
    """Return the tables for people."""
    offered = "an ETag" if figures.validators else "no validators"
    heads = f"{'':31}{'uRing':>7}{'goal':>6}{'urlwatch':>10}{'+ start':>9}{'floor':>7}"
    lines = [
        f"{figures.boards} boards of 34-61 KB, each of a host and name of its own; {offered}.",
        "CPU seconds per 1,000 checks, medians of the rounds; uRing's share of urlwatch and floor:",
        "",
        f"{heads}   / urlwatch   / floor   AWS calls a check",
    ]
    for name, row in figures.per_1000().items():
        cells = [f"{row[each]:.2f}" if each in row else "-" for each in _PROGRAMS]
        goal = f"{GOALS[name]:.1f}" if name in GOALS else ""
        calls = (f"{n / figures.boards:.3g} {each}" for each, n in figures.calls[name].items())
        lines.append(
            f"{name:31}{cells[0]:>7}{goal:>6}{cells[1]:>10}{cells[2]:>9}{cells[3]:>7}"
            f"{_share(row, 'urlwatch'):>13}{_share(row, 'floor'):>10}"
            f"   {', '.join(calls) or 'none'}"
        )
    started = [f"{name} {median(values) * 1e3:.0f}" for name, values in figures.started.items()]
    lines += ["", f"Start-up of uRing, CPU ms: {', '.join(started)}."]
    if figures.urlwatch_started:
        own = median(figures.urlwatch_started) * 1e3
        lines.append(f"Start-up of urlwatch, with its job list: {own:.0f}.")
    else:
        lines.append("urlwatch was not found; `make bench` installs it, --urlwatch names it.")
    peaks = [f"{phase} {peak / 1e6:.0f}" for phase, peak in figures.batch_peak.items()]
    lines.append(f"Peak memory, MB, ten 450 KB pages in a fresh process: {', '.join(peaks)}.")
    return "\n".join(lines)


def _share(row: Mapping[str, float], of: str) -> str:
    return f"{row['uRing'] / row[of]:.2f}" if of in row else "-"
