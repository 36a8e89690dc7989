"""The parts that one call's answer is made of."""

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
        at: aware, the world's time.
        encoder: of the call.
        report: the airport's true one; as the next two of a report's product only.
        older: what it replaced.
        beside: a SPECI of before, in the same answer.
        other: another airport's.
        rows: of the whole list of warnings, cancellations among them.
        listed: those on this page of it.
        warned: all in force, by airport.
        page: of the list.
        size: rows of a page.
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
    """An answer and what a reader may still take from it; see `Call`."""

    answer: Answer
    served: Report | Warned | None = None
    partial: Warned | None = None
    over: frozenset[Bulletin] = frozenset()
