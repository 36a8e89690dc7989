"""METAR, SPECI and TAF in IWXXM, the XML of ICAO and WMO, versions 2.0 to 2025-2.

Names are local ones: a document reads the same with any prefix, alone, in the gateway's envelope or
in a bulletin. A refusal fails that airport only.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from pydantic import ValidationError

from uring.clock import timestamp
from uring.weather.iwxxm.errors import PartRefused, ReportRefused, sentence
from uring.weather.iwxxm.fields import ReportStatus
from uring.weather.iwxxm.ground import read_position
from uring.weather.iwxxm.metar import read_metar
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.iwxxm.taf import read_taf
from uring.weather.iwxxm.tree import Element, text_of
from uring.weather.iwxxm.values import NEAR, SHOWN, Ids, ReportHead, ReportReader, child, first, nil

FUTURE_TOLERANCE: Final = timedelta(minutes=30)
PAST_TOLERANCE: Final = timedelta(days=7)
"""An older report is useless, or has a wrong date."""
TOO_OLD: Final = "past"
"""The reason of its refusal."""

_NAMES: Final = ("METAR", "SPECI", "TAF")
_VERSION: Final = re.compile(r"(?:icao|wmo)\.int/iwxxm/([A-Za-z0-9.-]{1,20})", re.ASCII)
_CHECKED: Final = re.compile(r"(2\.[01]|3\.0|2021-2|2023-1|2025-2)(\.\d+)?(RC\d+)?", re.ASCII)
_BEFORE_2: Final = re.compile(r"[01]\.", re.ASCII)
_ICAO: Final = re.compile(r"[A-Z][A-Z0-9]{3}", re.ASCII)
_AIRPORT: Final = "AirportHeliportTimeSlice"
# The elements that refer to a report's airport.
_PLACES: Final = frozenset(
    {"aerodrome", "featureOfInterest", "sampledFeature", "previousReportAerodrome"}
)
# IWXXM 2 has cancelled and missing reports as a status; by Annex 3 a CNL is an amendment.
_STATUSES: Final[dict[str, ReportStatus]] = {
    "": "NORMAL",
    "NORMAL": "NORMAL",
    "AMENDMENT": "AMENDMENT",
    "CORRECTION": "CORRECTION",
    "CANCELLATION": "AMENDMENT",
    "MISSING": "NORMAL",
}


class ReportReading(NamedTuple):
    """A report, and notes on its unbelieved parts, a sentence each."""

    report: Metar | Taf
    notes: tuple[str, ...]


class _Named(NamedTuple):
    """A report with the airport that it names."""

    root: Element
    version: str | None
    icao: str | None
    airport_name: str | None
    place: Element | None


def read_report(
    document: Element, *, expected: str | None = None, now: datetime | None = None
) -> ReportReading:
    """Parse the report in a document; of a bulletin the newest for the expected airport.

    Args:
        document: a METAR, SPECI or TAF, or any element around it.
        expected: the requested location indicator; also counts for a report that has none.
        now: aware UTC; a report issued or observed more than 30 minutes after it is refused.

    Raises:
        ReportRefused: no report is believed; the message names the airport and the fault.
    """
    ids = Ids(document)
    named = [
        _Named(root, version, *_airport(root, ids)) for root, version in _reports(document, None)
    ]
    if not named:
        raise ReportRefused(
            "root",
            f"{expected or 'document'}: {document.tag[:SHOWN]!r} holds no METAR, SPECI or TAF",
        )
    if len(named) > 1:
        if expected is None:
            raise ReportRefused("root", f"document: {len(named)} reports; name the airport")
        named = [report for report in named if report.icao == expected] or named[:1]
    # Of two reports with one time the later one counts: a correction follows the corrected one.
    readings = [_read(report, ids, expected, now) for report in reversed(named)]
    return max(readings, key=lambda reading: _time(reading.report))


def _reports(
    part: Element, schema: str | None, space: str | None = None
) -> Iterator[tuple[Element, str | None]]:
    """Yield the reports in a part, each with its version.

    That is the version of its namespace, declared here or around it; without one the version of
    the nearest ``schemaLocation``. A bulletin has a single one for reports of all versions.
    """
    schema = _version(part, "schemaLocation") or schema
    space = _version(part, "xmlns:iwxxm", "xmlns") or space
    if part.tag in _NAMES:
        yield part, space or schema
        return
    for inner in part:
        yield from _reports(inner, schema, space)


def _version(part: Element, *names: str) -> str | None:
    """Return the version in the first of these attributes that has one."""
    found = (_VERSION.search(part.attrib.get(name, "")) for name in names)
    return next((match[1] for match in found if match), None)


def _airport(root: Element, ids: Ids) -> tuple[str | None, str | None, Element | None]:
    """Return location indicator, name and place; the designator may serve as the indicator."""
    place = first(root, _AIRPORT)
    for part in root.iter() if place is None else ():
        if place is None and part.tag in _PLACES:
            there = ids.get(part.attrib.get("href", ""))
            place = None if there is None else first(there, _AIRPORT, NEAR)
    name, indicator, designator = (
        "" if (inner := child(place, field)) is None else " ".join(text_of(inner).split())
        for field in ("name", "locationIndicatorICAO", "designator")
    )
    indicator = indicator.upper()
    if not indicator and _ICAO.fullmatch(designator):
        indicator = designator
    return indicator[:SHOWN] or None, name[:SHOWN] or None, place


def _time(report: Metar | Taf) -> datetime:
    if isinstance(report, Metar):
        return report.header.observation_time
    return report.header.issued


def _read(named: _Named, ids: Ids, expected: str | None, now: datetime | None) -> ReportReading:
    root = named.root
    icao = named.icao or expected
    where = f"{expected or icao or 'no airport'}: {root.tag}"
    notes: list[str] = []
    try:
        _check(named, expected)
        if named.version is not None and not _CHECKED.fullmatch(named.version):
            notes.append(f"IWXXM {named.version!r} is read as 2.0 to 2025-2 are")
        head = _head(named, icao or "", ReportReader(ids, notes=notes))
        report = read_taf(root, head) if root.tag == "TAF" else read_metar(root, head)
        for moment in (head.issued, _time(report)):
            _check_time(moment, now)
    except PartRefused as error:
        raise ReportRefused(error.reason, f"{where}: {error.detail}") from None
    except ValidationError as error:
        raise ReportRefused("value", f"{where}: {sentence(error)}") from None
    return ReportReading(report, tuple(f"{where}: {note}" for note in notes))


def _check(named: _Named, expected: str | None) -> None:
    """Refuse a report that is not for here, before anything else in it counts."""
    if named.version is not None and _BEFORE_2.match(named.version):
        raise PartRefused("version", f"IWXXM {named.version!r}, read are 2.0 to 2025-2")
    usage = named.root.attrib.get("permissibleUsage", "OPERATIONAL").strip()
    if usage != "OPERATIONAL":
        why = named.root.attrib.get("permissibleUsageReason", "")
        raise PartRefused(
            "usage", f"its permissibleUsage is {usage[:SHOWN]!r} {why[:SHOWN]}".strip()
        )
    if named.icao is None and expected is None:
        raise PartRefused("airport", "it names no airport, and none was requested")
    if expected is not None and named.icao not in {None, expected}:
        raise PartRefused("airport", f"it is a report of {named.icao}")
    if not _ICAO.fullmatch(named.icao or expected or ""):
        raise PartRefused("airport", f"{named.icao or expected!r} is not a location indicator")


def _check_time(moment: datetime | None, now: datetime | None) -> None:
    if now and moment and moment - now > FUTURE_TOLERANCE:
        raise PartRefused("future", f"of {timestamp(moment)}, it is {timestamp(now)} now")
    if now and moment and now - moment > PAST_TOLERANCE:
        raise PartRefused(TOO_OLD, f"of {timestamp(moment)}, it is {timestamp(now)} now")


def _head(named: _Named, icao: str, reader: ReportReader) -> ReportHead:
    attributes = named.root.attrib
    status = attributes.get("reportStatus", attributes.get("status", "")).strip()
    if status not in _STATUSES:
        raise PartRefused("status", f"its status is {status[:SHOWN]!r}")
    # Empty means absent: some writers write every attribute of the schema.
    failed = attributes.get("translationFailedTAC", "").strip()
    # The portal's IWXXM 2 carries the TAC in an extension.
    text = first(named.root, "msgText")
    raw = failed or ("" if text is None else text_of(text))
    issue = child(named.root, "issueTime")
    issued = None if nil(issue) else reader.instant(issue, "issue time")
    return ReportHead(
        icao=icao,
        airport_name=named.airport_name,
        position=read_position(named.place, reader),
        version=named.version,
        status=_STATUSES[status],
        old_status=status,
        translation_failed=bool(failed),
        raw=" ".join(raw.split()) or None,
        issued=issued,
        reader=ReportReader(reader.ids, issued, reader.notes),
    )
