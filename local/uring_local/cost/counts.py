"""The operations of the functions: what each calls and writes, and the CPU that it takes.

``operations.json`` has them. Calls, metrics, lines and bytes are what the tests count over fakes,
which fail where the file says another. Milliseconds are of a whole core, of ``bench/`` or assumed;
each has its source.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# START, END and REPORT, with what CloudWatch adds to them.
PLATFORM_LINE_BYTES: Final = 420
# The line, with its metrics, of an invocation that found a batch of ten unchanged.
INVOCATION_LINE_BYTES: Final = 550
# Imports and clients of the notice worker as ``bench`` has them, with compiled modules; on a whole
# core, which Lambda gives to a start.
START_MILLISECONDS: Final = 520


@dataclass(frozen=True, slots=True)
class Counted:
    """An operation as it was counted.

    Args:
        calls: by unit of `uring_local.cost.prices`, and ``s3_delete``, which costs nothing.
        metrics: the custom metrics that it counts in.
        line_bytes: of its log lines, with what CloudWatch adds to each.
        stored_bytes: of all that it put into the bucket.
    """

    calls: Mapping[str, int]
    metrics: tuple[str, ...]
    line_bytes: int
    stored_bytes: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of a function.

    Args:
        function: its logical id.
        counted: what it calls and writes.
        milliseconds: CPU, of a whole core.
        source: of the milliseconds.
    """

    function: str
    counted: Counted
    milliseconds: float
    source: str

    @property
    def requests(self) -> int:
        """The calls of AWS that it waits for; a unit of DynamoDB is counted as one."""
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
