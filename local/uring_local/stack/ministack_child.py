"""Runs MiniStack for as long as the process that started it lives.

Executed by file name with the interpreter of `.venv-stack`, which has MiniStack and not this
package. Its standard input is a pipe that only the parent can write to: end of file means that the
parent has closed it or is gone, however it died.
"""

import os
import runpy
import signal
import sys
import threading


def end_with_parent() -> None:
    """Wait for the pipe to close, then end this process and the functions that it runs."""
    sys.stdin.buffer.read()
    # Nothing is worth an orderly end: the stack keeps all it has in memory.
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main() -> None:
    """Start the watch, then MiniStack in this process."""
    # A session of its own: Ctrl-C is for the command, and the group holds the functions only.
    os.setsid()
    threading.Thread(target=end_with_parent, daemon=True).start()
    runpy.run_module("ministack", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
