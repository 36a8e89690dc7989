"""A function of a schedule in a process of its own, as large stacks have it to do.

The argument is the function's folder. Question: ``{"event": …, "now": …, "timeout": seconds,
"share": of a core, "latency": seconds}`` runs it once on a clock that stands at ``now``. Its time
left goes by what it computed, on such a share of a core, and by its calls, of that latency each.
The answer has the CPU seconds, the seconds that it would have taken, its calls, its own answer and
the peak memory.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import boto3
from lines import answer_all
from measured import cpu_seconds, peak_bytes

from uring.clock import parse_timestamp

_FUNCTIONS = Path(__file__).parent.parent / "functions"


class Session:
    """A boto3 session that counts the calls of its clients."""

    def __init__(self) -> None:
        self._session = boto3.Session()
        self.calls: Counter[str] = Counter()

    def client(self, service: str, **more: Any) -> Any:
        """See `boto3.Session.client`."""
        client = self._session.client(service, **more)
        client.meta.events.register("before-send", self._count)
        return client

    def _count(self, event_name: str, **_: Any) -> None:
        self.calls[event_name.rpartition(".")[2]] += 1


class Run:
    """One invocation: Lambda's context, of a machine that is as slow as it is paid for."""

    def __init__(self, session: Session, timeout: float, share: float, latency: float) -> None:
        self._session = session
        self._timeout = timeout
        self._share = share
        self._latency = latency
        self._began = cpu_seconds()
        session.calls.clear()

    @property
    def cpu(self) -> float:
        """CPU seconds so far."""
        return cpu_seconds() - self._began

    @property
    def seconds(self) -> float:
        """Seconds that it would have taken so far, one call after the other."""
        return self.cpu / self._share + self._session.calls.total() * self._latency

    def get_remaining_time_in_millis(self) -> int:
        """See Lambda's context."""
        return round((self._timeout - self.seconds) * 1000)


class Scheduled:
    """The function that an entry point builds."""

    def __init__(self, folder: str) -> None:
        sys.path.append(str(_FUNCTIONS / folder))
        self._now = datetime(2024, 3, 7, tzinfo=UTC)
        self._session = Session()
        clock = {"clock": lambda: self._now} if folder == "monitor" else {}
        self._function = import_module("app").handler.build(
            os.environ, session=self._session, **clock
        )

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one question."""
        self._now = parse_timestamp(question["now"])
        run = Run(self._session, question["timeout"], question["share"], question["latency"])
        answer = self._function.handle(question["event"], run)
        return {
            "cpu": run.cpu,
            "seconds": run.seconds,
            "calls": dict(self._session.calls),
            "answer": answer,
            "peak": peak_bytes(),
        }


def main() -> None:
    """Answer until standard input ends; what the function prints is not kept."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with tempfile.TemporaryFile("w+") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        answer_all(answers, Scheduled(sys.argv[1]).answer)


if __name__ == "__main__":
    main()
