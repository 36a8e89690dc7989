"""Play notices in this process, and print which modules each Lambda function's handler enters.

The output is JSON: ``{"NoticeWorker": ["aws/clients.py", …], …}``. Run as a program: its trace is
the whole process's.
"""

import contextlib
import io
import json
import sys
import threading
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import uring
from uring.runtime.invocation import Function, LambdaContext
from uring_local.cli import main
from uring_local.stack import inprocess

LIBRARY = f"{Path(uring.__file__).parent}/"
RUN = "run --in-process --family notices --ticks 4 --seed 7 --json"
entered: dict[str, set[str]] = defaultdict(set)
# The function for which a thread works; a thread that a handler starts works for the same.
working = threading.local()
handle, start = Function.handle, threading.Thread.start
names: dict[int, str] = {}


def enter(frame: FrameType, event: str, _argument: object) -> None:
    """Note the module of a call."""
    path = frame.f_code.co_filename
    name = getattr(working, "name", "")
    if event == "call" and name and path.startswith(LIBRARY):
        entered[name].add(path.removeprefix(LIBRARY))


def traced(function: Function, event: dict[str, Any], context: LambdaContext) -> Any:
    """Handle an event in a thread that is traced meanwhile."""
    working.name = names.get(id(function), "")
    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        return handle(function, event, context)
    finally:
        sys.setprofile(before)
        working.name = ""


def started(thread: threading.Thread) -> None:
    """Start a thread for the function of this one."""
    run, name = thread.run, getattr(working, "name", "")

    def named() -> None:
        working.name = name
        run()

    thread.run = named  # type: ignore[method-assign]
    start(thread)


def built(application: Any, name: str) -> Function:
    """Build a function and keep its name."""
    function: Function = build(application, name)
    names[id(function)] = name
    return function


if __name__ == "__main__":
    build = inprocess.InProcess._built  # noqa: SLF001 - where functions get their names
    inprocess.InProcess._built = built  # type: ignore[method-assign] # noqa: SLF001
    Function.handle = traced  # type: ignore[method-assign]
    threading.Thread.start = started  # type: ignore[method-assign]
    threading.setprofile(enter)
    sys.argv = ["uring", *RUN.split()]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
    json.dump({name: sorted(paths) for name, paths in entered.items()}, sys.stdout)
