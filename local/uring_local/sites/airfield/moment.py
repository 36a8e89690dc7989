"""The parts of one call's answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from uring_local.loopback import Answer
from uring_local.sites.airfield.model import Bulletin, Report, Warned
from uring_local.sites.airfield.response_encoder import ResponseEncoder, Row


@dataclass(frozen=True)
class Moment:
    """The parts of an answer.

    Attributes:
        product: ``metar``, ``taf`` or ``warning``.
        at: the world's time, aware.
        encoder: of the call.
        report: the airport's true report; None for ``warning``, like the next three.
        older: the report before it.
        beside: an earlier SPECI in the same answer.
        other: another airport's report.
        rows: all rows of the warning list, with the cancellations.
        listed: the rows on this page.
        warned: all warnings in force, by airport.
        page: of the list, from 1.
        size: number of rows on a page.
    """

    product: str
    at: datetime
    encoder: ResponseEncoder
    report: Report | None = None
    older: Report | None = None
    beside: Report | None = None
    other: Report | None = None
    rows: tuple[Bulletin, ...] = ()
    listed: tuple[Bulletin, ...] = ()
    warned: Warned | None = None
    page: int = 1
    size: int = 100

    @property
    def whole(self) -> Answer:
        """The true answer."""
        if self.report is not None:
            both = (self.beside, self.report) if self.beside else (self.report,)
            return self.encoder.rows([self.encoder.report_row(report) for report in both])
        if not self.listed:
            return self.encoder.header("03", "NO_DATA")
        return self.page_with([self.encoder.warning_row(bulletin) for bulletin in self.listed])

    def page_with(self, rows: Sequence[Row]) -> Answer:
        """Return a page with these rows."""
        return self.encoder.rows(rows, total=len(self.rows), page=self.page, size=self.size)


class Response(NamedTuple):
    """An answer, and the facts that a reader may still take from it; see `Call`."""

    answer: Answer
    served: Report | Warned | None = None
    partial: Warned | None = None
    over: frozenset[Bulletin] = frozenset()
