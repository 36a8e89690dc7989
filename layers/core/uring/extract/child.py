"""The child process: limits itself, reads one file, answers in one line of JSON.

    python -m uring.extract.child LIMITS FORMAT < FILE

Its limits come first: a reader of untrusted bytes, PDFium above all, may fail in any way. It writes
no file, opens few and starts no process. The parent accepts only a whole line with exit code 0.
"""

import json
import os
import resource
import sys
from dataclasses import asdict
from importlib import import_module
from typing import Any, Final

from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable

OUT_OF_MEMORY: Final = 3
"""The exit code of a child that ran out of memory in Python."""

_OPEN_FILES: Final = 64
_GRACE_SECONDS: Final = 2


def main() -> int:
    """Read standard input and return the exit code."""
    limits = ExtractLimits(**json.loads(sys.argv[1]))
    _limit(limits)
    # A library's prints must not reach the answer.
    answer = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        line = json.dumps(_read(sys.argv[2], limits), ensure_ascii=False).encode() + b"\n"
    except MemoryError:
        return OUT_OF_MEMORY
    with os.fdopen(answer, "wb") as out:
        out.write(line)
    return 0


def _limit(limits: ExtractLimits) -> None:
    """Limit this process; a reader that ignores the soft limit of CPU dies of the hard one.

    Memory and processes are limited on Linux alone: macOS has no limit of the address space.
    """
    hard = limits.cpu_seconds + _GRACE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, hard))
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        resource.setrlimit(kind, (most, most))
    if sys.platform == "linux":
        memory = limits.memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _read(format_: str, limits: ExtractLimits) -> dict[str, Any]:
    body = sys.stdin.buffer.read()
    # After the limits, and one reader alone: an HTML page need not load PDFium.
    reader = import_module(f"uring.extract.readers.{format_}")
    try:
        reading: FileReading = reader.read(body, limits)
    except Unreadable as error:
        return {"outcome": error.outcome, "reason": error.reason}
    except RecursionError:
        return {
            "outcome": "damaged",
            "reason": "its parts nest too deeply; ask the site to store it again",
        }
    if len(reading.text) > limits.characters:
        most = limits.characters
        return {"outcome": "too_big", "reason": f"its text is longer than {most} characters"}
    if not reading.text.strip():
        return {"outcome": "no_text", "reason": "it has no text", "pages": reading.pages}
    return {"outcome": "text", **asdict(reading)}


if __name__ == "__main__":
    # The answer is written: who waits for the end must not wait until a deep page is taken apart.
    os._exit(main())
