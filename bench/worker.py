"""A function in a process of its own, called as Lambda calls it. Its CPU is what counts.

The argument is the function's folder. Questions: ``{"events": [...]}`` hands it these events, JSON
texts, one after the other and answers the CPU seconds (user + system, all threads), how often each
outcome was logged, the peak memory so far, and the CPU seconds that starting took. ``{"read": n}``
reads the METARs of all airports so often without gateway or store, and again as the bare elements
of `xml.etree.ElementTree`: the CPU seconds of one time each. ``{"bare": url}`` parses a raw file.
``{"forget": true}`` forgets the addresses of names, as is done from one tick to the next.
"""

import gc
import json
import os
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree as ET

import own_names
from lines import answer_all
from measured import Log, cpu_seconds, peak_bytes
from weather_clock import NOW

# The lines that tell how checks ended: each domain's, and a batch's with its counters.
_DOMAIN, _INVOKED = "domain_processing_complete", "invoked"
_OUTCOMES = {
    f"Checks{outcome.capitalize()}": outcome
    for outcome in ("baseline", "changed", "unchanged", "failed", "suspect", "waiting", "dropped")
}
_FUNCTIONS = Path(__file__).parent.parent / "functions"
# Its waits between two requests cost no CPU.
_EXTRAS: dict[str, dict[str, Any]] = {
    "weather_worker": {"clock": lambda: NOW, "sleep": lambda _: None}
}


class _Context:
    def get_remaining_time_in_millis(self) -> int:
        return 180_000


class Worker:
    """The function that an entry point builds.

    Args:
        folder: the entry point's, in functions/.
        log: what the function prints, which is where its outcomes are read.
    """

    def __init__(self, folder: str, log: Log) -> None:
        self._log = log
        sys.path.append(str(_FUNCTIONS / folder))
        began = time.process_time()
        app = import_module("app")
        imported = time.process_time()
        self._function = app.handler.build(os.environ, **_EXTRAS.get(folder, {}))
        self._started = {
            "imports": imported - began,
            "clients": time.process_time() - imported,
        }

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answer one question."""
        if "forget" in question:
            return _forget()
        if "bare" in question:
            return _parse(question["bare"])
        return _read(question["read"]) if "read" in question else self._handle(question["events"])

    def _handle(self, events: list[str]) -> dict[str, Any]:
        self._log.take()
        began = cpu_seconds()
        failed = [
            failure
            for event in events
            for failure in self._function.handle(json.loads(event), _Context())["batchItemFailures"]
        ]
        spent, peak = cpu_seconds() - began, peak_bytes()
        lines = self._log.take()
        told = [json.loads(line) for line in lines]
        if failed or any("PartsFailing" in line for line in told):
            raise SystemExit(f"a check failed; the worker wrote:\n{''.join(lines)}")
        return {
            "seconds": spent,
            "outcomes": sum(map(_outcomes, told), Counter[str]()),
            "peak_bytes": peak,
            "started": self._started,
        }


def _outcomes(line: dict[str, Any]) -> Counter[str]:
    """Return the outcomes of checks that a line tells of."""
    if line.get("message") == _DOMAIN:
        return Counter([line["outcome"]])
    if line.get("message") != _INVOKED:
        return Counter()
    return Counter({end: int(line[name][0]) for name, end in _OUTCOMES.items() if name in line})


def _forget() -> dict[str, Any]:
    from uring.fetch.resolve import KeptAnswers  # noqa: PLC0415 - after the imports are measured

    kept = [it for it in gc.get_objects() if isinstance(it, KeptAnswers)]
    for answers in kept:
        answers._kept.clear()  # noqa: SLF001 - a minute would have to pass
    return {"forgotten": len(kept)}


def _parse(url: str) -> dict[str, Any]:
    """Parse a raw file without any use of it."""
    from uring.seeds.files.raw import RawRecords  # noqa: PLC0415 - the file worker's alone

    with urlopen(url) as body:  # noqa: S310 - our own stand-in
        began = cpu_seconds()
        records = sum(1 for _ in RawRecords(body.read))
        return {"seconds": cpu_seconds() - began, "records": records}


def _read(times: int) -> dict[str, Any]:
    # Not before the imports are measured: the answers import some of the same.
    from weather_answers import AIRPORTS, envelope, metar  # noqa: PLC0415

    from uring.weather.gateway.envelope import read_envelope  # noqa: PLC0415
    from uring.weather.gateway.parse_report import read_metar_response  # noqa: PLC0415

    answers = {icao: envelope(icao, "metarMsg", [metar(icao)]) for icao in AIRPORTS}
    read = bare = 0.0
    for _ in range(times):
        for icao, body in answers.items():
            # In turns, so that what else the machine does, and what its caches hold, falls on both.
            began = cpu_seconds()
            read_metar_response(read_envelope(body), icao, NOW).report.model_dump(mode="json")
            between = cpu_seconds()
            ET.fromstring(body)  # noqa: S314 - our own document
            bare += cpu_seconds() - between
            read += between - began
    return {
        "read": read / times,
        "bare": bare / times,
        "bytes": sum(map(len, answers.values())),
    }


def main() -> None:
    """Answer until standard input ends."""
    if names := os.environ.get("BENCH_NAMES"):
        own_names.use(int(names))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with tempfile.TemporaryFile("w+") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        answer_all(answers, Worker(sys.argv[1], Log(log)).answer)


if __name__ == "__main__":
    main()
