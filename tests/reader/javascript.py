"""web/uring.js, called from tests: JSON in, JSON out, by the Node that Playwright brings."""

import json
import math
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import playwright

NODE: Final = Path(playwright.__file__).parent / "driver" / "node"
BRIDGE: Final = Path(__file__).with_name("bridge.mjs")


class JavaScript:
    """A process that answers one call after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a function of the library returns.

        Raises:
            AssertionError: it threw.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, arguments]) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline(), object_hook=_infinity)
        assert "error" not in answer, answer["error"]
        return answer["result"]


@contextmanager
def javascript() -> Iterator[JavaScript]:
    """Start Node with the library, and end it."""
    with subprocess.Popen(
        [NODE, BRIDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield JavaScript(process)
        assert process.stdin is not None
        process.stdin.close()


def _infinity(value: dict[str, Any]) -> Any:
    if value.keys() == {"number"} and value["number"] in ("Infinity", "-Infinity"):
        return math.inf if value["number"] == "Infinity" else -math.inf
    return value
