"""The real notice worker in a process of its own, fed as Lambda feeds it. Its CPU is what counts.

Questions: ``{"first": n, "boards": n}`` checks these boards once, ten a batch, and answers the CPU
seconds (user + system, all threads), what the checks found, the peak memory, and what starting
the process took.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from lines import answer_all
from measured import Log, cpu_seconds, peak_bytes
from pages import entry, source_id

BATCH = 10
Handler = Callable[[dict[str, Any], Any], dict[str, Any]]
_ENTRY_POINT = Path(__file__).parent.parent / "functions" / "notice_worker"


class _Context:
    def get_remaining_time_in_millis(self) -> int:
        return 60_000


class Worker:
    """The function's own entry point, loaded and called as Lambda does it.

    Args:
        log: what the worker prints, which is where its outcomes are read.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        began = time.process_time()
        app = import_module("app")
        imported = time.process_time()
        app.function()
        self._handle: Handler = app.handler
        self._started = {
            "imports": imported - began,
            "clients": time.process_time() - imported,
        }

    def check(self, question: dict[str, Any]) -> dict[str, Any]:
        """Check boards ``first`` … ``first + boards - 1`` once."""
        numbers = range(question["first"], question["first"] + question["boards"])
        batches = [_event(numbers[at : at + BATCH]) for at in range(0, len(numbers), BATCH)]
        self._log.take()
        failed: list[dict[str, str]] = []
        began = cpu_seconds()
        for batch in batches:
            answer = self._handle(json.loads(batch), _Context())
            failed += answer["batchItemFailures"]
        spent = cpu_seconds() - began
        lines = self._log.take()
        if failed:
            raise SystemExit(f"{len(failed)} checks failed; the worker wrote:\n{''.join(lines)}")
        return {
            "seconds": spent,
            "outcomes": _outcomes(lines),
            "peak_bytes": peak_bytes(),
            "started": self._started,
        }


def _outcomes(lines: list[str]) -> dict[str, int]:
    events = [json.loads(line) for line in lines]
    return Counter(event["outcome"] for event in events if event.get("message") == "checked")


def _event(numbers: range) -> str:
    """A Lambda SQS event with one job for each board."""
    host, now = os.environ["ALLOWED_PRIVATE_HOSTS"], datetime.now(UTC).isoformat()
    records = [
        {
            "messageId": source_id(number),
            "receiptHandle": source_id(number),
            "body": json.dumps({"version": 1, "scheduled_at": now, "source": entry(number, host)}),
            "attributes": {"ApproximateReceiveCount": "1", "MessageGroupId": source_id(number)},
        }
        for number in numbers
    ]
    return json.dumps({"Records": records})


def main() -> None:
    """Answer until standard input ends."""
    sys.path.append(str(_ENTRY_POINT))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with tempfile.TemporaryFile("w+") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        answer_all(answers, Worker(Log(log)).check)


if __name__ == "__main__":
    main()
