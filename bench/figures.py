"""What was measured, and how it is shown."""

from dataclasses import dataclass, field
from statistics import median

_COLUMNS = {"uring": 7, "urlwatch": 10, "ratio": 7, "whole": 10, "ratio_whole": 7}
_HEADS = ("uRing", "urlwatch", "ratio", "+ start", "ratio")


@dataclass
class Figures:
    """Everything measured, one value a round: CPU seconds of all checks of a phase, and bytes.

    Start-up is in fields of its own, and left out everywhere else.
    """

    boards: int
    rounds: int
    validators: bool
    uring: dict[str, list[float]] = field(default_factory=dict)
    urlwatch: dict[str, list[float]] = field(default_factory=dict)
    aws_calls: dict[str, dict[str, int]] = field(default_factory=dict)
    uring_start: dict[str, list[float]] = field(default_factory=dict)
    urlwatch_start: list[float] = field(default_factory=list)
    batch_peak: dict[str, int] = field(default_factory=dict)

    def per_1000(self) -> dict[str, dict[str, float]]:
        """By phase: medians in CPU seconds per 1,000 checks, and uRing's share of urlwatch's.

        ``whole`` is urlwatch with its start-up, which each of its runs pays.
        """
        table = {}
        for phase, seconds in self.uring.items():
            row = {"uring": median(seconds) * 1_000 / self.boards}
            if phase in self.urlwatch:
                row["urlwatch"] = median(self.urlwatch[phase]) * 1_000 / self.boards
                row["ratio"] = row["uring"] / row["urlwatch"]
                row["whole"] = row["urlwatch"] + median(self.urlwatch_start) * 1_000 / self.boards
                row["ratio_whole"] = row["uring"] / row["whole"]
            table[phase] = row
        return table


def text(figures: Figures) -> str:
    """The tables for people."""
    heads = zip(_HEADS, _COLUMNS.values(), strict=True)
    offered = "an ETag" if figures.validators else "no validators"
    lines = [
        f"{figures.boards} boards of 34-61 KB on loopback that serve {offered}.",
        f"CPU seconds per 1,000 checks, medians of {figures.rounds} rounds:",
        "",
        f"{'':14}{''.join(name.rjust(width) for name, width in heads)}   AWS calls a check",
    ]
    for phase, row in figures.per_1000().items():
        cells = (
            f"{row[name]:{width}.2f}" if name in row else "-".rjust(width)
            for name, width in _COLUMNS.items()
        )
        calls = (f"{n / figures.boards:.3g} {name}" for name, n in figures.aws_calls[phase].items())
        lines.append(f"{phase:14}{''.join(cells)}   {', '.join(calls)}")
    start = [f"{name} {median(values) * 1e3:.0f}" for name, values in figures.uring_start.items()]
    lines += ["", f"Start-up of uRing, CPU ms: {', '.join(start)}."]
    if figures.urlwatch_start:
        own = median(figures.urlwatch_start) * 1e3
        lines.append(f"Start-up of urlwatch, with its job list: {own:.0f}.")
    else:
        lines.append("urlwatch was not found; `make bench` installs it, --urlwatch names it.")
    peaks = [f"{phase} {peak / 1e6:.0f}" for phase, peak in figures.batch_peak.items()]
    lines.append(f"Peak memory, MB, ten 450 KB pages in a fresh process: {', '.join(peaks)}.")
    return "\n".join(lines)
