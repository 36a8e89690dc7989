"""The newest report in an airport's response."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from uring.fetch.url import one_line
from uring.weather.gateway.envelope import Envelope, Item
from uring.weather.gateway.errors import GatewayError
from uring.weather.iwxxm.document import ReportReading, read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.warning_text import plain

_Report = TypeVar("_Report", Metar, Taf)

# Per response: a hundred notes on the same error add nothing.
_NOTED: Final = 3
# An older SPECI is not an event, and one SPECI a time is enough.
_BESIDE: Final = timedelta(hours=1)
_MOST_BESIDE: Final = 3
_NO_REPORT: Final = {
    "null": "the text null in place of a report",
    "empty": "an empty message",
    "absent": "an item without a message",
}


@dataclass(frozen=True, slots=True)
class ReportResponse(Generic[_Report]):
    """The believed report of a response.

    Attributes:
        report: the newest report.
        notes: parts of it, and other reports beside it, that are not believed, a sentence each, at
            most three.
        specials: SPECI of the hour before it in the same response, by time, at most three.
    """

    report: _Report
    notes: tuple[str, ...] = ()
    specials: tuple[Metar, ...] = ()

    def redacted(self, redact: Callable[[str], str]) -> "ReportResponse[_Report]":
        """Return the same with its notes and the report's free texts redacted."""
        return ReportResponse(
            _redacted(self.report, redact),
            tuple(map(redact, self.notes)),
            tuple(_redacted(special, redact) for special in self.specials),
        )


def _redacted(report: _Report, redact: Callable[[str], str]) -> _Report:
    header = report.header
    name = header.airport_name and redact(header.airport_name)
    raw = report.raw and redact(report.raw)
    changes = {"header": header.model_copy(update={"airport_name": name}), "raw": raw}
    return report.model_copy(update=changes)


def read_metar_response(envelope: Envelope, icao: str, now: datetime) -> ReportResponse[Metar]:
    """Parse the newest METAR or SPECI of a response to ``getMetar``.

    Args:
        envelope: the response.
        icao: the requested airport.
        now: aware UTC.

    Raises:
        GatewayError: there is no report: no item, an empty message, or the text ``null``.
        ReportRefused: there is a report, but it is not believed.
    """
    return _newest(envelope, icao, now, Metar, lambda report: report.header.observation_time)


def read_taf_response(envelope: Envelope, icao: str, now: datetime) -> ReportResponse[Taf]:
    """Parse the newest TAF of a response to ``getTaf``; as `read_metar_response`."""
    return _newest(envelope, icao, now, Taf, lambda report: report.header.issued)


def _newest(
    envelope: Envelope,
    icao: str,
    now: datetime,
    kind: type[_Report],
    time_of: Callable[[_Report], datetime],
) -> ReportResponse[_Report]:
    reports: list[_Report] = []
    odd: dict[int, tuple[str, ...]] = {}
    problems: list[GatewayError | ReportRefused] = []
    for item in envelope.items:
        try:
            report, odd_parts = read_item_report(item, icao, now)
        except (GatewayError, ReportRefused) as error:
            # Its frames hold everything parsed for it.
            error.__context__ = None
            problems.append(error.with_traceback(None))
            continue
        if isinstance(report, kind):
            reports.append(report)
            odd[id(report)] = odd_parts
        else:
            detail = f"{icao}: a {type(report).__name__} where a {kind.__name__} was asked for"
            problems.append(ReportRefused("root", detail))
    if reports:
        notes: list[str] = [
            f"another report in the answer: {problem}" for problem in problems[:_NOTED]
        ]
        # Of two reports at one time the correction or amendment counts; of equal ones the last.
        ranks = {"NORMAL": 0, "AMENDMENT": 1, "CORRECTION": 2}
        newest: _Report = max(
            reversed(reports),
            key=lambda report: (time_of(report), ranks[report.header.report_status]),
        )
        specials = _specials(reports, before=time_of(newest))
        return ReportResponse(newest, (*odd[id(newest)], *notes)[:_NOTED], specials)
    if not problems:
        raise GatewayError("no_items", "no_data", f"{icao}: an answer without items")
    # A wrong report says more than a missing one.
    raise next((error for error in problems if isinstance(error, ReportRefused)), problems[0])


def _specials(reports: Iterable[Metar | Taf], *, before: datetime) -> tuple[Metar, ...]:
    metars = (report for report in reports if isinstance(report, Metar))
    specials = (it for it in metars if it.header.report_type == "SPECI")
    older = {
        it.header.observation_time: it
        for it in specials
        if before - _BESIDE <= it.header.observation_time < before
    }
    return tuple(older[time] for time in sorted(older)[-_MOST_BESIDE:])


def read_item_report(item: Item, icao: str | None, now: datetime | None) -> ReportReading:
    """Parse the report in one item.

    Raises:
        GatewayError: the item has no report.
        ReportRefused: the report is not believed, is text instead of IWXXM, or of another airport.
    """
    where = icao or item.fields.get("icaoCode") or "no airport"
    message = item.message
    if message.kind in _NO_REPORT:
        what = _NO_REPORT[message.kind]
        raise GatewayError(message.kind, "no_data", f"{where}: {what}")
    if message.kind == "unreadable":
        raise ReportRefused("root", f"{where}: its {item.message_field} is {message.text}")
    if message.document is None:
        said = one_line(message.text[:80])
        raise ReportRefused("root", f"{where}: text {said!r} instead of IWXXM")
    named = plain(item.fields.get("icaoCode", "")) or None
    if icao and named and named != icao:
        raise ReportRefused("airport", f"{icao}: the item is of {one_line(named)}")
    return read_report(message.document, expected=icao or named, now=now)
