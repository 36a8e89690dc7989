"""What a check costs: uRing's notice worker and urlwatch on the same pages, in one run.

See README.md beside this file for what is counted and what is not.
"""

import argparse
import json
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from lines import Child
from urlwatch_runs import Run, Urlwatch

PHASES: dict[str, dict[str, int]] = {
    "first": {"posts": 0, "views": 0},
    "unchanged": {"posts": 0, "views": 0},
    "5 % changed": {"posts": 1, "views": 0},
    "views only": {"posts": 1, "views": 1},
}
EVERY = 20
BIG_PAGE = 450_000
_WARM_UP = 10
_URLWATCH = Path(__file__).parent.parent / ".venv-bench" / "bin" / "urlwatch"


@dataclass
class Figures:
    """Everything measured; seconds of CPU, bytes. One value a round."""

    boards: int
    rounds: int
    validators: bool
    uring: dict[str, list[float]] = field(default_factory=dict)
    urlwatch: dict[str, list[float]] = field(default_factory=dict)
    aws_calls: dict[str, dict[str, int]] = field(default_factory=dict)
    uring_start: dict[str, list[float]] = field(default_factory=dict)
    urlwatch_start: list[float] = field(default_factory=list)
    batch_peak: dict[str, int] = field(default_factory=dict)


def main() -> None:
    """Measure and print."""
    options = _options()
    figures = Figures(options.boards, options.rounds, options.validators)
    command = options.urlwatch if options.urlwatch.exists() else None
    with Child("serve", dict(os.environ)) as world:
        for _ in range(options.rounds):
            _measure_uring(world, figures)
            if command is not None:
                _measure_urlwatch(world, figures, command)
        _measure_memory(world, figures)
    if options.json:
        print(json.dumps(asdict(figures)))
    else:
        _print(figures, command)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--boards", type=int, default=500, help="pages (default: 500)")
    parser.add_argument("--rounds", type=int, default=3, help="medians of these (default: 3)")
    parser.add_argument("--validators", action="store_true", help="the boards serve an ETag")
    parser.add_argument("--urlwatch", type=Path, default=_URLWATCH, help="the command to run")
    parser.add_argument("--json", action="store_true", help="every value instead of the tables")
    return parser.parse_args()


def _show(world: Child, boards: int, **state: Any) -> dict[str, Any]:
    defaults = {"posts": 0, "every": EVERY, "views": 0, "size": None, "validators": False}
    return world.ask(boards=boards, **defaults | state)


def _worker(places: dict[str, str]) -> Child:
    """The worker with the variables that the template sets; no AWS account is in reach."""
    inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return Child(
        "worker",
        {
            **inherited,
            "ALLOWED_PRIVATE_HOSTS": places["site"],
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_DEFAULT_REGION": "ap-northeast-2",
            "AWS_ENDPOINT_URL": places["aws"],
            "AWS_SECRET_ACCESS_KEY": "bench",
            "DATA_BUCKET": "bench",
            "LOG_LEVEL": "INFO",
            "NOTIFY_QUEUE_URL": f"{places['aws']}/000000000000/notify.fifo",
            "POWERTOOLS_METRICS_NAMESPACE": "bench",
            "POWERTOOLS_SERVICE_NAME": "notice_worker",
            "WORK_DLQ_URL": f"{places['aws']}/000000000000/work-dlq.fifo",
        },
    )


def _measure_uring(world: Child, figures: Figures) -> None:
    boards, validators = figures.boards, figures.validators
    world.ask(reset=True)
    places = _show(world, boards + _WARM_UP, validators=validators)
    with _worker(places) as worker:
        # The first calls of a process build what the later ones share.
        warm = worker.ask(first=boards, boards=_WARM_UP)
        for name, seconds in (warm["started"] | {"first batch": warm["seconds"]}).items():
            figures.uring_start.setdefault(name, []).append(seconds)
        for phase, state in PHASES.items():
            _show(world, boards, validators=validators, **state)
            world.ask(calls=True)
            answer = worker.ask(first=0, boards=boards)
            _expect(phase, boards, answer["outcomes"], ("baseline", "changed", "unchanged"))
            figures.uring.setdefault(phase, []).append(answer["seconds"])
            figures.aws_calls[phase] = world.ask(calls=True)


def _measure_urlwatch(world: Child, figures: Figures, command: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        host = _show(world, 0)["site"]
        urlwatch = Urlwatch(command, Path(folder), host, figures.boards)
        start = urlwatch.start_only().seconds
        figures.urlwatch_start.append(start)
        for phase, state in PHASES.items():
            _show(world, figures.boards, validators=figures.validators, **state)
            run: Run = urlwatch.check()
            found = {**run.verdicts, "same": figures.boards - sum(run.verdicts.values())}
            _expect(phase, figures.boards, found, ("NEW", "CHANGED", "same"))
            figures.urlwatch.setdefault(phase, []).append(run.seconds - start)


def _expect(phase: str, boards: int, found: dict[str, int], words: tuple[str, str, str]) -> None:
    """A figure counts only if the program found what was there to be found."""
    changed = len(range(0, boards, EVERY)) if phase == "5 % changed" else 0
    new = boards if phase == "first" else 0
    expected = dict(zip(words, (new, changed, boards - new - changed), strict=True))
    if {word: found.get(word, 0) for word in words} != expected:
        raise SystemExit(f"{phase}: found {found}, expected {expected}")


def _measure_memory(world: Child, figures: Figures) -> None:
    world.ask(reset=True)
    with _worker(_show(world, _WARM_UP, size=BIG_PAGE)) as worker:
        for phase in ("first", "unchanged"):
            answer = worker.ask(first=0, boards=_WARM_UP)
            figures.batch_peak[phase] = answer["peak_bytes"]


def _print(figures: Figures, command: Path | None) -> None:
    share = 1_000 / figures.boards
    offered = "an ETag" if figures.validators else "no validators"
    print(f"{figures.boards} boards of 34-61 KB on loopback, {offered}; CPU seconds per 1,000")
    print(f"checks, start-up left out, medians of {figures.rounds} rounds\n")
    print(f"{'':14}{'uRing':>8}{'urlwatch':>10}{'ratio':>8}   AWS calls of uRing, per check")
    for phase in PHASES:
        ours = median(figures.uring[phase]) * share
        calls = ", ".join(
            f"{count / figures.boards:.2g} {name.removeprefix('AmazonSQS.')}"
            for name, count in figures.aws_calls[phase].items()
        )
        theirs = ratio = "-"
        if command is not None:
            other = median(figures.urlwatch[phase]) * share
            theirs, ratio = f"{other:.2f}", f"{ours / other:.2f}"
        print(f"{phase:14}{ours:8.2f}{theirs:>10}{ratio:>8}   {calls}")
    start = {name: median(values) * 1_000 for name, values in figures.uring_start.items()}
    print("\nstart-up, ms:  " + ", ".join(f"{name} {ms:.0f}" for name, ms in start.items()))
    if command is None:
        print("urlwatch was not measured: `make bench` installs it, --urlwatch names it")
    else:
        print(f"urlwatch's own: {median(figures.urlwatch_start) * 1_000:.0f} (with its job list)")
    print("peak memory, MB, a fresh process and a batch of ten 450 KB pages: ", end="")
    print(", ".join(f"{phase} {peak / 1e6:.0f}" for phase, peak in figures.batch_peak.items()))


if __name__ == "__main__":
    main()
