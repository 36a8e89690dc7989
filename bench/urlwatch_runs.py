"""urlwatch from PyPI as its users run it: the command, a job list, its database on disk."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pages import urlwatch_job

_VERDICT = re.compile(r"^\d+\. (NEW|CHANGED|ERROR|CHANGED,ERROR): ", re.MULTILINE)
_HERE = str(Path(__file__).parent)


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
        urls: of the boards.
        names: port of the name server.
        trusted: file of what TLS trusts.
    """

    def __init__(
        self, command: Path, folder: Path, urls: Sequence[str], names: int, trusted: Path
    ) -> None:
        jobs = folder / "jobs.yaml"
        listed = (urlwatch_job(number, url) for number, url in enumerate(urls))
        jobs.write_text("---\n".join(listed))
        # It loads this before any job.
        hooks = (
            f"import sys\nsys.path.append({_HERE!r})\nimport own_names\nown_names.use({names})\n"
        )
        (folder / "hooks.py").write_text(hooks)
        self._trusted = trusted
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
                env={
                    "HOME": str(self._folder),
                    "PATH": os.defpath,
                    "LC_ALL": "C.UTF-8",
                    "REQUESTS_CA_BUNDLE": str(self._trusted),
                },
            )
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"urlwatch ended with {process.returncode}")
        verdicts = Counter(_VERDICT.findall(report.read_text(encoding="utf-8")))
        # Kilobytes on Linux.
        return Run(used.ru_utime + used.ru_stime, dict(verdicts), used.ru_maxrss * 1024)
