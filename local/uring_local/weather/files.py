"""Recorded files of the weather family: their kind, and their reports."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from uring.errors import SuspectPage
from uring.fetch.decode import decode_html
from uring.fetch.url import one_line
from uring.weather.gateway.envelope import (
    MOST_BYTES,
    Envelope,
    Item,
    document_of,
    envelope_of,
    read_item,
)
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.parse_report import read_item_report
from uring.weather.gateway.warnings import WarningList, icao_of, list_warnings
from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.iwxxm.tree import Element

_REPORTS: Final = frozenset(("METAR", "SPECI", "TAF"))
_TAC: Final = re.compile(r"^[ \t]*(?:METAR|SPECI|TAF)(?: COR| AMD)? [A-Z]{4}\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Failure:
    """A refused part of a file: a stable word or the gateway's code, and a sentence."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The contents of one file.

    Attributes:
        file: its path.
        kind: ``report``, ``answer`` (a report in an envelope), ``warnings``, ``error`` (an answer
            without either), or ``unknown``.
        reports: in the file's order.
        warnings: of all airports in the file; None for other kinds.
        failures: the parts that are not read, with the reason.
        notes: values of reports that are left out as implausible.
    """

    file: Path
    kind: str
    reports: tuple[Metar | Taf, ...] = ()
    warnings: WarningList | None = None
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        """True if nothing was refused."""
        return not self.failures


def read_recording(file: Path) -> ParsedFile:
    """Read a file of any kind; never raises: an unreadable file is a failure in the result."""
    try:
        with file.open("rb") as stream:
            body = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return ParsedFile(
            file, "unknown", failures=(Failure("file", error.strerror or str(error)),)
        )
    try:
        return _reading(file, _document(body))
    except GatewayError as error:
        kind = "error" if error.reason != "no_envelope" else "unknown"
        return ParsedFile(file, kind, failures=(_failure(error),))


def _document(body: bytes) -> Element:
    if len(body) > MOST_BYTES:
        raise GatewayError("too_big", "limit", f"more than {MOST_BYTES} bytes")
    try:
        text = decode_html(body, None).text.strip()
    except SuspectPage as error:
        raise GatewayError("charset", "no_envelope", error.detail) from None
    if text[:1] not in {"<", "{", "["} and _TAC.search(text):
        said = one_line(" ".join(text.split())[:80])
        raise GatewayError("tac", "no_envelope", f"a report as plain text, not IWXXM: {said}")
    return document_of(text)


def _reading(file: Path, document: Element) -> ParsedFile:
    root = document[0] if len(document) else document
    if root.tag == "item":
        return _answer(file, Envelope("", "", (read_item(root),), None))
    if any(part.tag in _REPORTS for part in document.iter()) and not _has_header(document):
        return _reports(file, root)
    return _answer(file, envelope_of(document))


def _has_header(document: Element) -> bool:
    return any(part.tag == "resultCode" for part in document.iter())


def _reports(file: Path, root: Element) -> ParsedFile:
    reports, failures, notes = [], [], list[str]()
    for document in _documents(root):
        try:
            report, odd = read_report(document)
        except ReportRefused as error:
            failures.append(_failure(error))
        else:
            reports.append(report)
            notes += odd
    return ParsedFile(file, "report", tuple(reports), failures=tuple(failures), notes=tuple(notes))


def _documents(root: Element) -> Iterator[Element]:
    """Yield each report of a bulletin in its own bulletin, whose attributes may name the version.

    A single report is yielded as it is.
    """
    parts = [part for part in root if any(_REPORTS & {e.tag} for e in part.iter())]
    if root.tag in _REPORTS or len(parts) < 2:  # noqa: PLR2004
        yield root
        return
    for part in parts:
        bulletin = Element(root.tag, root.attrib)
        bulletin.append(part)
        yield bulletin


def _answer(file: Path, envelope: Envelope) -> ParsedFile:
    rows = envelope.items
    if any(_is_warning(item) for item in rows):
        return _warnings(file, envelope)
    reports, failures, notes = [], [], list[str]()
    for item in rows:
        try:
            report, odd = read_item_report(item, None, None)
        except (GatewayError, ReportRefused) as error:
            failures.append(_failure(error))
        else:
            reports.append(report)
            notes += odd
    if not rows:
        failures.append(
            Failure("no_items", "an answer without items: no report, or no warning in force")
        )
    return ParsedFile(file, "answer", tuple(reports), failures=tuple(failures), notes=tuple(notes))


def _is_warning(item: Item) -> bool:
    return item.message_field == "wrngMsg" or "wrngType" in item.fields


def _warnings(file: Path, envelope: Envelope) -> ParsedFile:
    airports = dict.fromkeys(icao for icao in map(icao_of, envelope.items) if icao)
    listed = list_warnings(envelope.items, envelope.total_count, list(airports))
    failures = [Failure(row.reason, row.detail) for row in listed.refused]
    if listed.missing:
        failures.append(
            Failure(
                "incomplete",
                f"{listed.received} of {listed.total_count} warnings: the others are on further "
                "pages (pageNo)",
            )
        )
    return ParsedFile(file, "warnings", warnings=listed, failures=tuple(failures))


def _failure(error: GatewayError | ReportRefused) -> Failure:
    if isinstance(error, GatewayError):
        return Failure(error.code, f"{error.reason}: {error.detail}")
    return Failure(error.reason, error.detail)
