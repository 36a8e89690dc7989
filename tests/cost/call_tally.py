"""Counts what an operation calls and writes: the fakes' ports are wrapped, their calls counted."""

import io
import os
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from itertools import count
from typing import Any, Final
from unittest.mock import patch

from fakes.telemetry import RecordingTelemetry

from uring.runtime.telemetry import LambdaTelemetry

# A SendMessageBatch has ten messages at most.
_BATCH: Final = 10
# What CloudWatch adds to every line that it is sent.
_LINE_BYTES: Final = 26
_NUMBERS: Final = count(1)
_KINDS: Final[Mapping[str, str]] = {
    "get": "s3_read",
    "head": "s3_read",
    "open": "s3_read",
    "put": "s3_put",
    "write": "s3_put",
    "list": "s3_list",
}


class Tally:
    """Counts by unit of price, while a block of `counting` runs."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.stored_bytes = 0
        self.written: list[str] = []
        self._lock = threading.Lock()
        self._is_on = False

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count from zero."""
        self.counts.clear()
        self.written.clear()
        self.stored_bytes, self._is_on = 0, True
        yield
        self._is_on = False

    def add(self, unit: str, amount: int = 1) -> None:
        """Count something, if it is time to."""
        with self._lock:
            self.counts[unit] += amount * self._is_on

    def watch(self, port: Any, *names: str, unit: Callable[..., tuple[str, int]]) -> None:
        """Have calls of these methods counted."""
        for name in names:
            method = getattr(port, name)

            def counted(*args: Any, _method: Any = method, _name: str = name, **more: Any) -> Any:
                self.add(*unit(_name, *args))
                return _method(*args, **more)

            setattr(port, name, counted)

    def bucket(self, bucket: Any) -> None:
        """Count the requests of a bucket, and the bytes that it is given."""

        def unit(name: str, key: str, body: bytes = b"", *_: Any) -> tuple[str, int]:
            self.stored_bytes += len(body) * self._is_on
            if body and self._is_on:
                self.written.append(key)
            return _KINDS[name], 1

        self.watch(bucket, *(name for name in _KINDS if hasattr(bucket, name)), unit=unit)
        self.watch(bucket, "remove", unit=lambda *_: ("s3_delete", 1))

    def sends(self, outlet: Any, name: str = "send") -> None:
        """Count the calls that send messages, ten at a time."""
        self.watch(outlet, name, unit=lambda _, sent: ("sqs_request", -(-len(sent) // _BATCH)))

    def table(self, table: Any) -> None:
        """Count units: an item has 1 KB at most, and counts twice in a transaction."""
        self.watch(table, "get", "query", unit=lambda *_: ("table_read", 1))
        self.watch(table, "put", unit=lambda *_: ("table_write", 1))
        self.watch(table, "transact", unit=lambda *given: ("table_write", 2 * len(given[-1])))


def line_bytes(telemetry: RecordingTelemetry) -> int:
    """Return the bytes that CloudWatch bills for the lines that were written."""
    with _real_telemetry() as (real, told):
        for name, fields in telemetry.events:
            is_detail = any(fields is each for each in telemetry.details)
            (real.detail if is_detail else real.event)(name, **fields)
        for name, fields in telemetry.warnings:
            real.warning(name, **fields)
    return _billed(told)


def invocation_bytes(telemetry: RecordingTelemetry, calls: Mapping[str, int], metrics: str) -> int:
    """Return the bytes that it bills for the end of an invocation: its line with its metrics."""
    known = {"records": 10, "environment": "prod", "uring": "0.2.0", "boto3": "1.40.0"}
    with _real_telemetry() as (real, told):
        real.begin(str(uuid.uuid4()))
        for metric, value in telemetry.counts.items():
            real.count(metric, value)
        real.flush({**known, "aws_calls": dict(calls)}, metrics.split(","))
    return _billed(told)


@contextmanager
def _real_telemetry() -> Iterator[tuple[LambdaTelemetry, io.StringIO]]:
    told = io.StringIO()
    # A name of its own, always as long: Powertools keeps the stream that it first met under a name.
    names = {
        "POWERTOOLS_SERVICE_NAME": f"worker-{next(_NUMBERS):07}",
        "POWERTOOLS_METRICS_NAMESPACE": "uRing/uring",
    }
    with patch.dict(os.environ, names), redirect_stdout(told):
        yield LambdaTelemetry(), told


def _billed(told: io.StringIO) -> int:
    return sum(len(line.encode()) + _LINE_BYTES for line in told.getvalue().splitlines())


def forget(telemetry: RecordingTelemetry) -> None:
    """Forget what was reported."""
    for kept in (telemetry.events, telemetry.warnings, telemetry.problems, telemetry.details):
        kept.clear()
    telemetry.counts.clear()
