"""The operations of the functions: the calls, writes and CPU of each.

They are in ``operations.json``. The tests count calls, metrics, lines and bytes over fakes, and
fail if the file differs. Milliseconds are CPU of a whole core, measured by ``bench/`` or assumed;
each names its source.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# START, END and REPORT, with the bytes that CloudWatch adds to each.
PLATFORM_LINE_BYTES: Final = 420
# The log line, with its metrics, of an invocation with ten unchanged sources.
INVOCATION_LINE_BYTES: Final = 550
# Imports and clients of the notice worker, as ``bench`` measures them with compiled modules, on the
# whole core that Lambda gives to a start.
START_MILLISECONDS: Final = 520


@dataclass(frozen=True, slots=True)
class Counted:
    """The calls and writes of one operation.

    Args:
        calls: by unit of `uring_local.cost.prices`, and ``s3_delete``, which costs nothing.
        metrics: the custom metrics that it writes.
        line_bytes: of its log lines, with the bytes that CloudWatch adds to each.
        stored_bytes: of all objects that it puts into the bucket, of ``watch.written``
            by each source that there is.
    """

    calls: Mapping[str, int]
    metrics: tuple[str, ...]
    line_bytes: int
    stored_bytes: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of a function.

    Args:
        function: the function's logical id.
        counted: its calls and writes.
        milliseconds: CPU of a whole core.
        source: of the milliseconds.
    """

    function: str
    counted: Counted
    milliseconds: float
    source: str

    @property
    def requests(self) -> int:
        """The AWS calls that it waits for; each unit of DynamoDB counts as one call."""
        return sum(self.counted.calls.values())


def read_operations() -> dict[str, Operation]:
    """Return the operations by name, ``family.operation``."""
    text = Path(__file__).with_name("operations.json").read_text(encoding="utf-8")
    return {
        name: Operation(
            each["function"],
            Counted(
                each["calls"], tuple(each["metrics"]), each["line_bytes"], each["stored_bytes"]
            ),
            each["milliseconds"],
            each["source"],
        )
        for name, each in json.loads(text).items()
    }
