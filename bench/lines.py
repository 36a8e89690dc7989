"""Talking to a child process: one JSON document a line, a question in, an answer out."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self, TextIO


class Child:
    """A module of this folder in a process of its own; ``with`` ends it.

    Args:
        module: file name without ``.py``; it calls `answer_all`.
        environment: all of the child's variables.
        arguments: of its command line.
        python: the interpreter; by default this one.
    """

    def __init__(
        self,
        module: str,
        environment: Mapping[str, str],
        *arguments: str,
        python: Path | str = sys.executable,
    ) -> None:
        self._module = module
        self._process = subprocess.Popen(  # noqa: S603 - our own file
            [str(python), str(Path(__file__).with_name(f"{module}.py")), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
            text=True,
        )

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question.

        Raises:
            SystemExit: the child ended; its own message stands above.
        """
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise AssertionError("started with pipes")
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{self._module}.py ended with {process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            if self._process.stdin is not None:
                self._process.stdin.close()


def answer_all(answers: TextIO, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer every question on standard input until it ends."""
    for question in sys.stdin:
        answers.write(json.dumps(answer(json.loads(question))) + "\n")
        answers.flush()
