"""Runs MiniStack while the process that started it lives.

Executed by file name with the interpreter of `.venv-stack`, which has MiniStack and not this
package. Its standard input is a pipe that only the parent can write to: end of file means that the
parent closed it or is gone, for any reason.

Policies are enforced (`AUTH=true`), with two names corrected that differ from AWS's.
"""

import os
import runpy
import signal
import sys
import threading
from typing import Any

# AWS has conditions on these headers of a write, MiniStack does not.
_CONDITIONS = ("if-match", "if-none-match")


def end_with_parent() -> None:
    """Wait for the pipe to close, then end this process and the functions that it runs."""
    sys.stdin.buffer.read()
    # An orderly end saves nothing: the stack keeps everything in memory.
    os.killpg(os.getpgrp(), signal.SIGKILL)


def name_as_aws() -> None:
    """Give an action and two condition keys their AWS names in MiniStack's authorization."""
    from ministack.core import iam_actions  # noqa: PLC0415 - once the watch is running

    action_of, context_of = iam_actions.extract_iam_action, iam_actions.s3_service_context

    def action(*request: Any, **named: Any) -> str | None:
        # A batch of SQS is allowed by the action of its entries; it has no own action.
        name: str | None = action_of(*request, **named)
        return name.removesuffix("Batch") if name and name.startswith("sqs:") else name

    def context(name: str, query: Any, path: str = "", headers: Any = None) -> dict[str, Any]:
        found: dict[str, Any] = context_of(name, query, path, headers)
        if name != "s3:PutObject" or not headers:
            return found
        given = {header: headers[header] for header in _CONDITIONS if headers.get(header)}
        return found | {f"s3:{header}": value for header, value in given.items()}

    iam_actions.extract_iam_action = action
    iam_actions.s3_service_context = context


def main() -> None:
    """Start the watch, then MiniStack in this process."""
    # A session of its own: Ctrl-C is for the command, and the group has only the functions.
    os.setsid()
    threading.Thread(target=end_with_parent, daemon=True).start()
    name_as_aws()
    runpy.run_module("ministack", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
