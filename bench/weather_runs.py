"""A run of each product of aviation weather: 15 airports from envelopes to stored JSON."""

from dataclasses import dataclass, field
from statistics import median
from typing import Any

from lines import Child
from weather_clock import NOW
from workers import events, start

from uring.contracts import Job
from uring_local.sites.airfield.model import AIRPORTS

RUNS = 10
READS = 40
_FILES = 10
_WARNED = 20
_SHOWN = {"hour": 0, "copy": 0, "warned": _WARNED, "fill": 0, "escaped": False}
_PRODUCTS = ("metar", "taf", "warning")
# More is not read, see `uring.weather.gateway.envelope.MOST_BYTES`.
_MOST_BYTES = 2_000_000
_LARGEST = {"nested": {"escaped": False}, "as text": {"escaped": True}}


@dataclass
class WeatherFigures:
    """Everything measured, CPU seconds of one run, one value a round, and bytes.

    Attributes:
        runs: by ``product``, then ``unchanged`` or ``changed``.
        calls: of AWS, of one run.
        read: METARs of all airports read, nothing asked or stored.
        bare: the same bytes through `xml.etree.ElementTree`.
        sizes: of an answer, by product: the mean.
        start: imports and clients.
        peaks: the most memory that a fresh process had, by what it had done.
        largest: bytes of the largest answers.
    """

    runs: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    calls: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    read: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    sizes: dict[str, float] = field(default_factory=dict)
    start: dict[str, list[float]] = field(default_factory=dict)
    peaks: dict[str, int] = field(default_factory=dict)
    largest: int = 0


def measure(world: Child, rounds: int) -> WeatherFigures:
    """Measure; ends the program where a run found something else than there was."""
    figures = WeatherFigures()
    for _ in range(rounds):
        _measure_runs(world, figures)
    _measure_memory(world, figures)
    return figures


def _measure_runs(world: Child, figures: WeatherFigures) -> None:
    world.ask(reset=True)
    shown = _show(world)
    figures.sizes = {name: sum(sizes) / len(sizes) for name, sizes in shown["sizes"].items()}
    with _worker(shown) as worker:
        for product in _PRODUCTS:
            # The first calls of a process build what the later ones share, and only with ten
            # files does a change remove one.
            _run(worker, product, "baseline")
            for turn in range(1, _FILES + 1):
                _turn(world, worker, product, "changed", turn)
            kept = figures.runs.setdefault(product, {})
            for name, first in (("changed", _FILES + 1), ("unchanged", _FILES + RUNS)):
                world.ask(calls=True)
                spent = [
                    _turn(world, worker, product, name, first + each * (name == "changed"), each)
                    for each in range(RUNS)
                ]
                kept.setdefault(name, []).append(sum(spent) / RUNS)
                calls = {each: count / RUNS for each, count in world.ask(calls=True).items()}
                figures.calls.setdefault(product, {})[name] = calls
            _show(world)  # the next product begins with these, too
        read = worker.ask(read=READS)
        figures.read.append(read["read"])
        figures.bare.append(read["bare"])


def _turn(
    world: Child, worker: Child, product: str, outcome: str, turn: int, copy: int = 0
) -> float:
    """One run over the weather of a turn: its hour, and a warning more than before."""
    _show(world, hour=turn, warned=_WARNED + turn, copy=copy)
    seconds: float = _run(worker, product, outcome)["seconds"]
    return seconds


def _measure_memory(world: Child, figures: WeatherFigures) -> None:
    cases: dict[str, dict[str, Any]] = {"15 METARs": {}}
    cases |= {
        f"2 MB of METARs {name}": {"fill": _MOST_BYTES, **how} for name, how in _LARGEST.items()
    }
    for case, how in cases.items():
        world.ask(reset=True)
        shown = _show(world, **how)
        figures.largest = max(figures.largest, *shown["sizes"]["metar"])
        with _worker(shown) as worker:
            answer = worker.ask(events=[])
            figures.peaks.setdefault("started", answer["peak_bytes"])
            for name, seconds in answer["started"].items():
                figures.start.setdefault(name, []).append(seconds)
            figures.peaks[case] = _run(worker, "metar", "baseline")["peak_bytes"]


def _run(worker: Child, product: str, outcome: str) -> dict[str, Any]:
    job = Job(family="weather", source=product, scheduled_at=NOW, interval_minutes=30)
    answer = worker.ask(events=events([job]))
    if answer["outcomes"] != {outcome: 1}:
        raise SystemExit(f"{product}: {answer['outcomes']}, expected {outcome}")
    return answer


def _show(world: Child, **how: Any) -> dict[str, Any]:
    return world.ask(weather=_SHOWN | how)


def _worker(places: dict[str, Any]) -> Child:
    """The worker; it may ask the stand-in."""
    return start(
        "WeatherWorker",
        places["aws"],
        AllowedPrivateHosts=places["gateway"],
        WeatherGatewayUrl=f"http://{places['gateway']}",
        WeatherKeySecret="bench",
    )


def weather_text(figures: WeatherFigures) -> str:
    """The table for people."""
    rounds = f"medians of {len(figures.read)} rounds of {RUNS}"
    lines = [
        f"Aviation weather, {len(AIRPORTS)} airports; CPU ms of one run, {rounds}:",
        "",
        f"{'':10}{'KB each':>8}{'unchanged':>11}{'changed':>9}{'ratio':>7}   AWS calls of a change",
    ]
    for product, runs in figures.runs.items():
        same, new = (median(runs[name]) * 1e3 for name in ("unchanged", "changed"))
        size = figures.sizes[product] / 1e3
        calls = figures.calls[product]["changed"]
        told = ", ".join(f"{count:.3g} {name}" for name, count in calls.items())
        lines.append(f"{product:10}{size:8.1f}{same:11.1f}{new:9.1f}{new / same:7.2f}   {told}")
    read, bare = median(figures.read) * 1e3, median(figures.bare) * 1e3
    beside = f"xml.etree on the same bytes {bare:.1f}, ratio {read / bare:.1f}"
    start = ", ".join(
        f"{name} {median(values) * 1e3:.0f}" for name, values in figures.start.items()
    )
    peaks = ", ".join(f"{name} {peak / 1e6:.0f}" for name, peak in figures.peaks.items())
    lines += [
        "",
        f"Reading the METARs alone, CPU ms: {read:.1f}; {beside}.",
        f"Start-up, CPU ms: {start}.",
        f"Peak memory of a fresh process, MB: {peaks}.",
        f"The largest of the 15 answers: {figures.largest:,} bytes.",
    ]
    return "\n".join(lines)
