"""What one call's answer is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from uring_local.sites.airfield.dress import Dress, Row
from uring_local.sites.airfield.model import Bulletin, Report, Warned
from uring_local.sites.loopback import Answer


@dataclass(frozen=True)
class Moment:
    """What an answer would be made of.

    Attributes:
        product: ``metar``, ``taf`` or ``warning``.
        at: aware, the world's time.
        dress: of the call.
        report: the airport's true one; as the next two of a report's product only.
        older: what it replaced.
        other: another airport's.
        listed: the warnings on this page of their list.
        warned: all in force, by airport.
        page: of the list.
        size: rows of a page.
    """

    product: str
    at: datetime
    dress: Dress
    report: Report | None = None
    older: Report | None = None
    other: Report | None = None
    listed: tuple[Bulletin, ...] = ()
    warned: Warned | None = None
    page: int = 1
    size: int = 100

    @property
    def whole(self) -> Answer:
        """The true answer."""
        if self.report is not None:
            return self.dress.report(self.report)
        if not self.listed:
            return self.dress.header("03", "NO_DATA")
        return self.page_with([self.dress.warning_row(each) for each in self.listed])

    def page_with(self, rows: Sequence[Row]) -> Answer:
        """Return a page with these rows."""
        total = sum(map(len, (self.warned or {}).values()))
        return self.dress.rows(rows, total=total, page=self.page, size=self.size)


class Told(NamedTuple):
    """An answer and what a reader may still take from it; see `Call`."""

    answer: Answer
    served: Report | Warned | None = None
    partial: Warned | None = None
