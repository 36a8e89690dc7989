"""METAR, SPECI and TAF in IWXXM, the XML of ICAO and WMO, versions 2.0 to 2025-2.

Names are local ones, so that a document reads alike with any prefix, and whether it stands alone,
in the gateway's envelope or in a bulletin. What is refused is the airport's failure alone.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from pydantic import ValidationError

from uring.clock import timestamp
from uring.fetch.xml import Element
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.metar import read_metar
from uring.weather.iwxxm.reports import Metar, ReportStatus, Taf
from uring.weather.iwxxm.taf import read_taf
from uring.weather.iwxxm.values import NEAR, SHOWN, Head, Reader, Unreadable, child, first, nil

FUTURE_TOLERANCE: Final = timedelta(minutes=30)
PAST_TOLERANCE: Final = timedelta(days=7)
"""A report that is older tells nobody anything, and may be one with a wrong date."""

_NAMES: Final = ("METAR", "SPECI", "TAF")
_VERSION: Final = re.compile(r"(?:icao|wmo)\.int/iwxxm/([A-Za-z0-9.-]{1,20})", re.ASCII)
_KNOWN: Final = re.compile(r"(2\.[01]|3\.0|2021-2|2023-1|2025-2)(\.\d+)?(RC\d+)?", re.ASCII)
_ICAO: Final = re.compile(r"[A-Z][A-Z0-9]{3}", re.ASCII)
_AIRPORT: Final = "AirportHeliportTimeSlice"
# Where a report says, by reference, which airport it is of.
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


class _Found(NamedTuple):
    root: Element
    version: str | None
    icao: str | None
    airport_name: str | None


def read_report(
    document: Element, *, expected: str | None = None, now: datetime | None = None
) -> Metar | Taf:
    """The report in a document; in a bulletin of several the newest of the airport expected.

    Args:
        document: a METAR, SPECI or TAF, or anything around it.
        expected: location indicator that was asked for; it also counts where the report has none.
        now: aware; a report issued or observed more than 30 minutes after it is refused.

    Raises:
        ReportRefused: there is none to believe; the message names the airport and what was seen.
    """
    ids = {each.attributes["id"]: each for each in document.walk() if "id" in each.attributes}
    found = [
        _Found(root, version, *_airport(root, ids)) for root, version in _reports(document, None)
    ]
    if not found:
        raise ReportRefused(
            "root",
            f"{expected or 'document'}: {document.name[:SHOWN]!r} holds no METAR, SPECI or TAF",
        )
    if len(found) > 1:
        if expected is None:
            raise ReportRefused("root", f"document: {len(found)} reports; say of which airport")
        found = [each for each in found if each.icao == expected] or found[:1]
    # Of two with one time the later counts: a correction follows what it corrects.
    return max((_read(each, ids, expected, now) for each in reversed(found)), key=_time)


def _reports(part: Element, version: str | None) -> Iterator[tuple[Element, str | None]]:
    """The reports in a part, each with the version that it, or what is around it, names."""
    if match := _VERSION.search(part.attributes.get("schemaLocation", "")):
        version = match[1]
    if part.name in _NAMES:
        yield part, version
        return
    for each in part.children:
        yield from _reports(each, version)


def _airport(root: Element, ids: Mapping[str, Element]) -> tuple[str | None, str | None]:
    """Location indicator and name; the designator counts where there is no indicator."""
    place = first(root, _AIRPORT)
    for each in root.walk():
        if place is None and each.name in _PLACES:
            there = ids.get(each.attributes.get("href", "")[1:])
            place = first(there, _AIRPORT, NEAR) if there else None
    name, indicator, designator = (
        "" if (part := child(place, each)) is None else " ".join(part.text.split())
        for each in ("name", "locationIndicatorICAO", "designator")
    )
    if not indicator and _ICAO.fullmatch(designator):
        indicator = designator
    return indicator[:SHOWN] or None, name[:SHOWN] or None


def _time(report: Metar | Taf) -> datetime:
    if isinstance(report, Metar):
        return report.header.observation_time
    return report.header.issued


def _read(
    found: _Found, ids: Mapping[str, Element], expected: str | None, now: datetime | None
) -> Metar | Taf:
    root = found.root
    icao = found.icao or expected
    where = f"{expected or icao or 'no airport'}: {root.name}"
    try:
        _check(found, expected)
        head = _head(found, icao or "", ids)
        report = read_taf(root, head) if root.name == "TAF" else read_metar(root, head)
        for moment in (head.issued, _time(report)):
            _check_time(moment, now)
    except Unreadable as error:
        raise ReportRefused(error.reason, f"{where}: {error.detail}") from None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join([error.title, *map(str, problem["loc"])])
        seen = repr(problem["input"])[:SHOWN]
        detail = f"{where}: {name} is {seen}: {problem['msg']}"
        raise ReportRefused("value", detail) from None
    return report


def _check(found: _Found, expected: str | None) -> None:
    """Whether it is a report for here, before anything else in it counts."""
    if found.version is not None and not _KNOWN.fullmatch(found.version):
        raise Unreadable("version", f"IWXXM {found.version!r}, read are 2.0 to 2025-2")
    usage = found.root.attributes.get("permissibleUsage", "OPERATIONAL").strip()
    if usage != "OPERATIONAL":
        why = found.root.attributes.get("permissibleUsageReason", "")
        raise Unreadable(
            "usage", f"its permissibleUsage is {usage[:SHOWN]!r} {why[:SHOWN]}".strip()
        )
    if found.icao is None and expected is None:
        raise Unreadable(
            "airport", "it does not say of which airport it is, and none was asked for"
        )
    if expected is not None and found.icao not in {None, expected}:
        raise Unreadable("airport", f"it is a report of {found.icao}")
    if not _ICAO.fullmatch(found.icao or expected or ""):
        raise Unreadable("airport", f"{found.icao or expected!r} is no location indicator")


def _check_time(moment: datetime | None, now: datetime | None) -> None:
    if now and moment and moment - now > FUTURE_TOLERANCE:
        raise Unreadable("future", f"of {timestamp(moment)}, it is {timestamp(now)} now")
    if now and moment and now - moment > PAST_TOLERANCE:
        raise Unreadable("past", f"of {timestamp(moment)}, it is {timestamp(now)} now")


def _head(found: _Found, icao: str, ids: Mapping[str, Element]) -> Head:
    attributes = found.root.attributes
    status = attributes.get("reportStatus", attributes.get("status", "")).strip()
    if status not in _STATUSES:
        raise Unreadable("status", f"its status is {status[:SHOWN]!r}")
    # Empty it says nothing: some writers put every attribute of the schema.
    failed = attributes.get("translationFailedTAC", "").strip()
    # The portal's IWXXM 2 carries the TAC in an extension.
    text = first(found.root, "msgText")
    raw = failed or ("" if text is None else text.text)
    reader = Reader(ids)
    issue = child(found.root, "issueTime")
    issued = None if nil(issue) else reader.instant(issue, "issue time")
    return Head(
        icao=icao,
        airport_name=found.airport_name,
        version=found.version,
        status=_STATUSES[status],
        old_status=status,
        translation_failed=bool(failed),
        raw=" ".join(raw.split()) or None,
        issued=issued,
        reader=Reader(ids, issued),
    )
