"""Refusals of one airport's report: that airport fails, never the run."""

from collections.abc import Callable
from typing import Final, Literal

from pydantic import ValidationError

from uring.errors import SourceTrouble

_SHOWN: Final = 60

RefusedReason = Literal[
    "root", "version", "usage", "airport", "time", "future", "past", "status", "empty", "value"
]


class ReportRefused(SourceTrouble):
    """A report that is refused; the airport keeps its last one.

    Args:
        reason: stable, for logs and metrics:

            - ``root``: it has no METAR, SPECI or TAF, or several and no airport to choose by
            - ``version``: an IWXXM before 2.0, which has another structure
            - ``usage``: a test or an exercise, by its ``permissibleUsage``
            - ``airport``: it is of another airport, or names none
            - ``time``: no time, an unreadable one, or an end before its start
            - ``future``: issued or observed later than now
            - ``past``: issued or observed more than a week ago
            - ``status``: impossible for this kind of report
            - ``empty``: neither values nor a statement that there are none
            - ``value``: an impossible number, unit or code
        detail: a sentence with the airport and the fault.
    """

    def __init__(self, reason: RefusedReason, detail: str) -> None:
        super().__init__(reason, detail, is_structural=True)
        self._kind: RefusedReason = reason

    def redacted(self, redact: Callable[[str], str]) -> "ReportRefused":
        """Return this refusal with its detail redacted."""
        return ReportRefused(self._kind, redact(self.detail))


class PartRefused(Exception):
    """An impossible part of a report; it becomes `ReportRefused` with the airport's name."""

    def __init__(self, reason: RefusedReason, detail: str) -> None:
        super().__init__(detail)
        self.reason: RefusedReason = reason
        self.detail = detail


def sentence(error: PartRefused | ValidationError) -> str:
    """Return the fault in a sentence that names the value."""
    if isinstance(error, PartRefused):
        return error.detail
    problem = error.errors(include_url=False)[0]
    name = ".".join([error.title, *map(str, problem["loc"])])
    return f"{name} is {repr(problem['input'])[:_SHOWN]}: {problem['msg']}"
