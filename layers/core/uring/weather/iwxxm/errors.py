"""Refusals of one airport's report: the airport's failure, never the run's."""

from collections.abc import Callable
from typing import Final, Literal

from pydantic import ValidationError

from uring.errors import SourceTrouble

_SHOWN: Final = 60

RefusedReason = Literal[
    "root", "version", "usage", "airport", "time", "future", "past", "status", "empty", "value"
]


class ReportRefused(SourceTrouble):
    """A report that is not read; the airport keeps what it had.

    Args:
        reason: stable, for logs and metrics:

            - ``root``: no METAR, SPECI or TAF in it, or several and no airport to choose by
            - ``version``: of IWXXM, one before 2.0, which is built otherwise
            - ``usage``: a test or an exercise, by its ``permissibleUsage``
            - ``airport``: of another airport, or of none that it names
            - ``time``: no time, an unreadable one, or an end before its start
            - ``future``: issued or observed later than now
            - ``past``: issued or observed more than a week ago
            - ``status``: one that such a report cannot have
            - ``empty``: neither values nor a word that there are none
            - ``value``: a number, unit or code that cannot be so
        detail: a sentence that names the airport and what was seen.
    """

    def __init__(self, reason: RefusedReason, detail: str) -> None:
        super().__init__(reason, detail, is_structural=True)
        self._kind: RefusedReason = reason

    def redacted(self, redact: Callable[[str], str]) -> "ReportRefused":
        """Return the same with its detail redacted."""
        return ReportRefused(self._kind, redact(self.detail))


class PartRefused(Exception):
    """A part of a report that cannot be so; it becomes `ReportRefused` with the airport's name."""

    def __init__(self, reason: RefusedReason, detail: str) -> None:
        super().__init__(detail)
        self.reason: RefusedReason = reason
        self.detail = detail


def sentence(error: PartRefused | ValidationError) -> str:
    """Return what cannot be so, naming the value."""
    if isinstance(error, PartRefused):
        return error.detail
    problem = error.errors(include_url=False)[0]
    name = ".".join([error.title, *map(str, problem["loc"])])
    return f"{name} is {repr(problem['input'])[:_SHOWN]}: {problem['msg']}"
