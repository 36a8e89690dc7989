"""The real weather worker in a process of its own, fed as Lambda feeds it. Its CPU is what counts.

Questions: ``{"product": name, "runs": n}`` runs the product so often and answers the CPU seconds of
a run, how the runs ended, and the peak memory so far. ``{"read": n}`` reads the METARs of all
airports so often without gateway or store, and again as the bare elements of
`xml.etree.ElementTree`: the CPU seconds of one time each.
"""

import json
import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

from lines import answer_all
from measured import Log, cpu_seconds, peak_bytes

# The clock: after every report.
NOW = datetime(2024, 3, 7, tzinfo=UTC)


class _Context:
    def get_remaining_time_in_millis(self) -> int:
        return 180_000


class Worker:
    """The function, built as its entry point builds it but for the waits between two requests.

    Args:
        log: what it prints, which is where its outcomes are read.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        began = time.process_time()
        from uring.weather.bootstrap.worker import build  # noqa: PLC0415 - its import is measured

        imported = time.process_time()
        self._function = build(os.environ, clock=lambda: NOW, sleep=lambda _: None)
        self._started = {
            "imports": imported - began,
            "clients": time.process_time() - imported,
        }

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answer one question."""
        return _read(question["read"]) if "read" in question else self._run(**question)

    def _run(self, *, product: str, runs: int) -> dict[str, Any]:
        events = [_event(product) for _ in range(runs)]
        self._log.take()
        began = cpu_seconds()
        failed = [
            failure
            for event in events
            for failure in self._function.handle(json.loads(event), _Context())["batchItemFailures"]
        ]
        spent = cpu_seconds() - began
        lines = self._log.take()
        told = [json.loads(line) for line in lines]
        checked = [line for line in told if line.get("message") == "checked"]
        if failed or len(checked) != runs or any(line["failed"] for line in checked):
            raise SystemExit(f"{product} failed; the worker wrote:\n{''.join(lines)}")
        return {
            "seconds": spent / max(runs, 1),
            "outcomes": [line["outcome"] for line in checked],
            "peak_bytes": peak_bytes(),
            "started": self._started,
        }


def _event(product: str) -> str:
    """A Lambda SQS event with one job."""
    job = {
        "version": 1,
        "scheduled_at": NOW.isoformat(),
        "product": product,
        "interval_minutes": 30,
    }
    record = {
        "messageId": product,
        "receiptHandle": product,
        "body": json.dumps(job),
        "attributes": {"ApproximateReceiveCount": "1", "MessageGroupId": product},
    }
    return json.dumps({"Records": [record]})


def _read(times: int) -> dict[str, Any]:
    # Not before the imports are measured: the answers import some of the same.
    from weather_answers import AIRPORTS, envelope, metar  # noqa: PLC0415

    from uring.weather.gateway.envelope import read_envelope  # noqa: PLC0415
    from uring.weather.gateway.parse_report import read_metar_response  # noqa: PLC0415

    answers = {icao: envelope(icao, "metarMsg", [metar(icao)]) for icao in AIRPORTS}
    began = cpu_seconds()
    for _ in range(times):
        for icao, body in answers.items():
            read_metar_response(read_envelope(body), icao, NOW).report.model_dump(mode="json")
    read = cpu_seconds()
    for _ in range(times):
        for body in answers.values():
            ET.fromstring(body)  # noqa: S314 - our own document
    bare = cpu_seconds()
    return {
        "read": (read - began) / times,
        "bare": (bare - read) / times,
        "bytes": sum(map(len, answers.values())),
    }


def main() -> None:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with tempfile.TemporaryFile("w+") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        answer_all(answers, Worker(Log(log)).answer)


if __name__ == "__main__":
    main()
