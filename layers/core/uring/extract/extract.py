"""A file's text, read in a process that can be killed.

The child gets the file as its standard input and answers through one pipe, because Lambda has no
semaphores and no shared memory. It has a session of its own, so that all its processes end with it,
and does not inherit our environment: no credentials.
"""

import hashlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any, Final

from pydantic import ValidationError

from uring.extract.child import OUT_OF_MEMORY
from uring.extract.extraction import Extraction, Outcome
from uring.extract.formats import NAMES, READABLE, format_of
from uring.extract.readers.reading import ExtractLimits

_CHILD: Final = "uring.extract.child"
_CHUNK: Final = 65_536
_LAST_SECONDS: Final = 3
_KILLED: Final = {
    -signal.SIGXCPU: "it took more than {cpu_seconds} s of CPU",
    # PDFium ends itself when it gets no memory.
    -signal.SIGABRT: "it took more than {memory_bytes} bytes of memory",
    -signal.SIGTRAP: "it took more than {memory_bytes} bytes of memory",
    OUT_OF_MEMORY: "it took more than {memory_bytes} bytes of memory",
}
_REMEDY: Final = "; ask the site to store it again, as PDF or HWPX"


class _Killed(Exception):
    """Raised when a child does not answer; the text is a clause with the reason."""


def extract(
    body: bytes,
    *,
    formats: Collection[str],
    limits: ExtractLimits = ExtractLimits(),  # noqa: B008 - frozen
    environment: Mapping[str, str] | None = None,
) -> Extraction:
    """Return the text of a file, or the reason for its lack.

    No file makes this raise: a hostile or unreadable one gives another outcome than ``text``.

    Args:
        body: the bytes of the file.
        formats: the expected ones, of `uring.extract.formats.READABLE`.
        limits: of the file and its reader.
        environment: the child's extra variables, such as the path of shared libraries.
    """
    format_ = format_of(body)
    outcome, reason = _judge(body, format_, formats, limits)
    answer: dict[str, Any] = {"outcome": outcome, "reason": reason}
    if outcome is None:
        try:
            answer = dict(json.loads(_run(body, format_, limits, environment or {})))
        except (_Killed, ValueError, TypeError) as error:
            # A line cut short is not an answer, even with exit code 0.
            why = str(error) if isinstance(error, _Killed) else "its reader's answer was cut short"
            answer = {"outcome": "killed", "reason": f"{why}{_REMEDY}"}
    digests = {"source_sha256": hashlib.sha256(body).hexdigest()}
    if answer.get("text"):
        digests["text_sha256"] = hashlib.sha256(answer["text"].encode()).hexdigest()
    try:
        return Extraction(**answer | digests, format=format_)
    except (ValidationError, TypeError):
        return Extraction(
            outcome="killed",
            reason=f"its reader's answer was malformed{_REMEDY}",
            format=format_,
            source_sha256=digests["source_sha256"],
        )


def _judge(
    body: bytes, format_: str, formats: Collection[str], limits: ExtractLimits
) -> tuple[Outcome | None, str]:
    """Return the outcome of a file that needs no reader, and its reason.

    None and an empty reason mean that a reader must see the file.
    """
    what = NAMES[format_]
    if format_ in formats and format_ in READABLE:
        if len(body) <= limits.body_bytes:
            return None, ""
        most = limits.body_bytes
        return "too_big", f"it has {len(body)} bytes; at most {most} are read"
    wanted = ", ".join(name for name in READABLE if name in formats)
    if format_ not in READABLE and format_ not in ("empty", "unknown", "zip", "image"):
        outcome: Outcome = "encrypted" if format_ == "locked" else "unsupported"
        return outcome, f"it is {what}; ask the site for one of: {wanted}"
    remedy = "; the site may have answered with an error page" if format_ == "html" else ""
    return "wrong_format", f"it is {what}, not one of: {wanted}{remedy}"


def _run(body: bytes, format_: str, limits: ExtractLimits, environment: Mapping[str, str]) -> bytes:
    """Return the child's line of JSON.

    Raises:
        _Killed: the child exceeded a limit, died or answered too much.
    """
    with tempfile.TemporaryFile() as file:
        file.write(body)
        file.seek(0)
        child = subprocess.Popen(  # noqa: S603 - this interpreter and our own module
            [
                *[sys.executable, "-s", "-B", "-P", "-m", _CHILD],
                *[json.dumps(asdict(limits)), format_],
            ],
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "LANG": "C.UTF-8",
                **environment,
            },
            start_new_session=True,
        )
    with child:
        assert child.stdout is not None  # noqa: S101 - it is a pipe
        try:
            return _answer(child, child.stdout, limits)
        finally:
            _end(child)


def _answer(child: "subprocess.Popen[bytes]", pipe: IO[bytes], limits: ExtractLimits) -> bytes:
    end = time.monotonic() + limits.wall_seconds
    too_late = _Killed(f"it took more than {limits.wall_seconds} s")
    out = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if not selector.select(max(end - time.monotonic(), 0)):
                raise too_late
            chunk = os.read(pipe.fileno(), _CHUNK)
            if not chunk:
                break
            out += chunk
            if len(out) > limits.output_bytes:
                raise _Killed(f"its reader answered more than {limits.output_bytes} bytes")
    try:
        # The pipe is closed, so the child has only to end.
        code = child.wait(max(min(end - time.monotonic(), _LAST_SECONDS), 0))
    except subprocess.TimeoutExpired:
        raise too_late from None
    if code:
        why = _KILLED.get(code, "its reader died with exit code {code}")
        raise _Killed(why.format(code=code, **asdict(limits)))
    return bytes(out)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Kill the child and all processes of its session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
