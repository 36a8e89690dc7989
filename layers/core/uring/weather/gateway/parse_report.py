"""The one report in an airport's answer."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeVar

from uring.fetch.text import one_line
from uring.weather.gateway.envelope import Envelope, Item
from uring.weather.gateway.errors import GatewayRefused
from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf

_Report = TypeVar("_Report", Metar, Taf)

# Of one answer: a hundred that are wrong alike say no more.
_NOTED: Final = 3
_NO_REPORT: Final = {
    "null": "the text null in place of a report",
    "empty": "an empty message",
    "absent": "an item without a message",
}


def read_metar_answer(
    envelope: Envelope, icao: str, now: datetime, noted: list[str] | None = None
) -> Metar:
    """The newest METAR or SPECI of an answer to ``getMetar``.

    Args:
        envelope: the answer.
        icao: that was asked for.
        now: aware.
        noted: takes why other reports of the answer are not believed.

    Raises:
        GatewayRefused: there is none: no item, an empty message, or the text ``null``.
        ReportRefused: there is one, and it is not to be believed.
    """
    return _newest(envelope, icao, now, noted, Metar, lambda each: each.header.observation_time)


def read_taf_answer(
    envelope: Envelope, icao: str, now: datetime, noted: list[str] | None = None
) -> Taf:
    """The newest TAF of an answer to ``getTaf``; the rest as of `read_metar_answer`."""
    return _newest(envelope, icao, now, noted, Taf, lambda each: each.header.issued)


def _newest(
    envelope: Envelope,
    icao: str,
    now: datetime,
    noted: list[str] | None,
    kind: type[_Report],
    time_of: Callable[[_Report], datetime],
) -> _Report:
    reports: list[_Report] = []
    problems: list[GatewayRefused | ReportRefused] = []
    for item in envelope.items:
        try:
            report = read_item_report(item, icao, now)
        except (GatewayRefused, ReportRefused) as error:
            # Its frames hold all that was read for it.
            error.__context__ = None
            problems.append(error.with_traceback(None))
            continue
        if isinstance(report, kind):
            reports.append(report)
        else:
            detail = f"{icao}: a {type(report).__name__} where a {kind.__name__} was asked for"
            problems.append(ReportRefused("root", detail))
    if reports:
        if noted is not None:
            noted += [f"beside a report that is believed, {each}" for each in problems[:_NOTED]]
        # Of two at one time the one that replaces the other; of equals the last.
        corrected = {"NORMAL": 0, "AMENDMENT": 1, "CORRECTION": 2}
        return max(
            reversed(reports),
            key=lambda each: (time_of(each), corrected[each.header.report_status]),
        )
    if not problems:
        raise GatewayRefused("no_items", "no_data", f"{icao}: an answer without items")
    # A report that is there and wrong says more than one that is not there.
    raise next((each for each in problems if isinstance(each, ReportRefused)), problems[0])


def read_item_report(item: Item, icao: str | None, now: datetime | None) -> Metar | Taf:
    """The report in one item.

    Raises:
        GatewayRefused: it has none.
        ReportRefused: it is not to be believed, is text instead of IWXXM, or of another airport.
    """
    where = icao or item.fields.get("icaoCode") or "no airport"
    message = item.message
    if message.kind in _NO_REPORT:
        what = _NO_REPORT[message.kind]
        raise GatewayRefused(message.kind, "no_data", f"{where}: {what}")
    if message.kind == "unreadable":
        raise ReportRefused("root", f"{where}: its {item.message_field} is {message.text}")
    if message.document is None:
        said = one_line(message.text[:80])
        raise ReportRefused("root", f"{where}: text {said!r} where IWXXM is read")
    named = item.fields.get("icaoCode") or None
    if icao and named and named != icao:
        raise ReportRefused("airport", f"{icao}: the item is of {one_line(named)}")
    return read_report(message.document, expected=icao or named, now=now)
