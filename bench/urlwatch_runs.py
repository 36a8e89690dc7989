"""urlwatch from PyPI as its users run it: the command, a job list, its database on disk."""

import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pages import urlwatch_job

_VERDICT = re.compile(r"^\d+\. (NEW|CHANGED|ERROR|CHANGED,ERROR): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """CPU seconds (user + system) of one process, what it reported, its peak memory."""

    seconds: float
    verdicts: dict[str, int]
    peak_bytes: int


class Urlwatch:
    """One set of jobs with a database of its own.

    Args:
        command: the urlwatch script.
        folder: an empty one; everything that urlwatch keeps goes there.
    """

    def __init__(self, command: Path, folder: Path, host: str, boards: int) -> None:
        jobs = folder / "jobs.yaml"
        jobs.write_text("---\n".join(urlwatch_job(number, host) for number in range(boards)))
        self._command = [
            str(command),
            *("--urls", str(jobs)),
            *("--config", str(folder / "urlwatch.yaml")),
            *("--hooks", str(folder / "hooks.py")),
            *("--cache", str(folder / "cache.db")),
        ]
        self._folder = folder

    def start_only(self) -> Run:
        """Start, read the job list, print it and end: what a run costs without any check."""
        return self._run("--list")

    def check(self) -> Run:
        """Check every board once."""
        return self._run()

    def _run(self, *arguments: str) -> Run:
        report = self._folder / "report.txt"
        with report.open("w") as output:
            process = subprocess.Popen(  # noqa: S603 - the command that the reader named
                [*self._command, *arguments],
                stdout=output,
                env={"HOME": str(self._folder), "PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            )
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"urlwatch ended with {process.returncode}")
        verdicts = Counter(_VERDICT.findall(report.read_text(encoding="utf-8")))
        # Kilobytes on Linux.
        return Run(used.ru_utime + used.ru_stime, dict(verdicts), used.ru_maxrss * 1024)
