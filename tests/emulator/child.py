"""Runs the emulator for as long as the process that started it lives.

Executed by file name. Its standard input is a pipe that only the parent can write to: end of file
means that the parent has closed it or is gone, however it died.
"""

import os
import signal
import sys
import threading


def end_with_parent() -> None:
    """Waits for the pipe to close, then ends the emulator; its runtime ends with the connection."""
    sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main() -> None:
    """Starts the emulator and the watch; ends with the emulator."""
    # A session of its own: Ctrl-C is for the command.
    os.setsid()
    process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _, status = os.waitpid(process, 0)
    sys.exit(abs(os.waitstatus_to_exitcode(status)))


if __name__ == "__main__":
    main()
