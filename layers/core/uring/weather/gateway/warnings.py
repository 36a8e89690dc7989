"""The list of airport warnings: one call, all airports, ``getWarning`` of the gateways.

Times are UTC although no field says so. Each row is compared with its own text, which repeats the
times (``RKPC WS WRNG 2 081137 VALID 081200/081700``): differences are reported. A wrong field costs
itself, never its warning: see `uring.weather.gateway.warning_fields`.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from uring.errors import SourceTrouble
from uring.fetch.url import one_line
from uring.weather.gateway.envelope import Item
from uring.weather.gateway.warning_fields import RowTimes, row_times, times_in, warning_type
from uring.weather.iwxxm.fields import Icao, Utc
from uring.weather.warning_text import (
    MOST_NAMES,
    Cancellation,
    KnownWarnings,
    may_cancel,
    plain,
    read_text,
)

_Reason = Literal["airport", "empty"]

_ICAO: Final = re.compile(r"[A-Z][A-Z0-9]{3}", re.ASCII)
_PLACE: Final = re.compile(r"\s*(?:WARNING\s+)?([A-Z][A-Z0-9]{3})\s+(?:AD|WS)\b", re.ASCII)
_FIRST_WORD: Final = re.compile(r"\s*([A-Z][A-Z0-9]{3})\b", re.ASCII)
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)


class AirportWarning(BaseModel):
    """A warning in force or to come.

    Attributes:
        issued: by ``tm``; like the next two, by the text if the field is odd, and null if unknown.
        wrng_type: unchanged; ``00`` and ``0`` differ here and mean the same.
        wrng_type_key: such as ``WIND_SHEAR``; ``UNKNOWN`` for an undocumented type.
        wrng_type_name: the Korean name; for an unknown type its code.
        valid_start: by ``validTm1``.
        valid_end: by ``validTm2``, never before ``valid_start``. Null: while it is listed.
        raw_message: the text without surrounding spaces; empty if missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    issued: Utc | None
    wrng_type: str
    wrng_type_key: str
    wrng_type_name: str
    valid_start: Utc | None
    valid_end: Utc | None
    raw_message: str


class AirportWarnings(BaseModel):
    """The warnings of one airport, by start, type, issue and text; its name where a row has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    airport_name: str | None
    warnings: tuple[AirportWarning, ...]


@dataclass(frozen=True, slots=True)
class RefusedWarning:
    """A row that is not believed.

    Attributes:
        icao: its airport; None if it names none, and then no old warning counts as over.
        reason: ``airport``, or ``empty`` (neither type, text nor time).
        detail: a sentence.
    """

    icao: str | None
    reason: _Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An oddity of a row that is believed: a time, or a cancellation in unknown words."""

    icao: Icao
    detail: str


@dataclass(frozen=True, slots=True)
class WarningList:
    """The list of warnings; all of them if ``complete``.

    Attributes:
        total_count: rows by the gateway's count; None if missing.
        received: rows that came, of any airport, refused rows included.
        airports: by location indicator, each requested airport.
        refused: rows that are not believed.
        disagreements: oddities of believed rows.
        elsewhere: the number of rows of other airports.
        unknown_types: undocumented types, unchanged.
        cancelled: by location indicator, the warnings that a row cancels; neither they nor that row
            are in ``airports``.
        trouble: the error of a later page that failed, or None.
    """

    total_count: int | None
    received: int
    airports: Mapping[str, AirportWarnings]
    refused: tuple[RefusedWarning, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    elsewhere: int = 0
    unknown_types: tuple[str, ...] = ()
    cancelled: Mapping[str, tuple[Cancellation, ...]] = field(default_factory=dict)
    trouble: SourceTrouble | None = None

    @property
    def missing(self) -> int:
        """The number of announced rows that did not come: of this page, or after all pages."""
        return max((self.total_count or 0) - self.received, 0)

    def redacted(self, redact: Callable[[str], str]) -> "WarningList":
        """Return the same with the details about its rows redacted; the rows stay."""
        return replace(
            self,
            refused=tuple(replace(row, detail=redact(row.detail)) for row in self.refused),
            disagreements=tuple(
                replace(row, detail=redact(row.detail)) for row in self.disagreements
            ),
            unknown_types=tuple(map(redact, self.unknown_types)),
        )


def no_warnings(airports: Collection[str]) -> WarningList:
    """Return the list for ``03 NO_DATA``: none is in force anywhere."""
    return list_warnings((), 0, airports)


def list_warnings(
    rows: Iterable[Item],
    total_count: int | None,
    airports: Collection[str],
    *,
    now: datetime | None = None,
    trouble: SourceTrouble | None = None,
) -> WarningList:
    """Parse the rows of one page or more; of identical rows one is kept.

    Args:
        rows: the rows of the responses to ``getWarning``.
        total_count: the number of rows that the responses announce, or None.
        airports: location indicators; rows of other airports are only counted.
        now: aware UTC; a row issued more than 30 minutes after it is refused.
        trouble: the error of a later page that failed, or None.
    """
    names: dict[str, str] = {}
    believed: dict[str, dict[AirportWarning, None]] = {icao: {} for icao in airports}
    refused: list[RefusedWarning] = []
    disagreements: list[Disagreement] = []
    in_seoul: list[Disagreement] = []
    cancelled: dict[str, list[Cancellation]] = {}
    seen: Counter[str] = Counter()
    for row in rows:
        icao = icao_of(row, airports)
        seen["received"] += 1
        if icao is not None and icao not in believed:
            seen["elsewhere"] += 1
            continue
        if icao is None:
            named = row.fields.get("icaoCode", "")[:40]
            detail = f"its icaoCode is {named!r}, and its text names no airport"
            refused.append(RefusedWarning(None, "airport", f"no airport: warning: {detail}"))
            continue
        text = _text(row)
        times = row_times(row.fields, text, now)
        warning = _warning(row.fields.get("wrngType", ""), times, text)
        if warning is None:
            detail = f"{icao}: warning: it has neither type, text nor time"
            refused.append(RefusedWarning(icao, "empty", detail))
            continue
        if name := row.fields.get("airportName"):
            names.setdefault(icao, name)
        read = read_text(text)
        odd = [*([] if read.is_cancellation else _oddities(warning)), *times.notes]
        disagreements += [Disagreement(icao, f"{icao}: {it}") for it in odd]
        if times.seoul:
            in_seoul.append(Disagreement(icao, f"{icao}: {times.seoul}"))
        called = (Cancellation(name, warning.issued) for name in read.cancels)
        cancelled.setdefault(icao, []).extend(called)
        if not read.is_cancellation:
            believed[icao][warning] = None
    # One gateway has one clock: a note a row would say the same.
    disagreements += in_seoul[:1]
    over = {icao: tuple(each[:MOST_NAMES]) for icao, each in cancelled.items() if each}
    for icao, each in over.items():
        _call_over(believed[icao], each)
    kept = [warning for warnings in believed.values() for warning in warnings]
    return WarningList(
        total_count=total_count,
        received=seen["received"],
        airports=MappingProxyType(
            {
                icao: AirportWarnings(
                    airport_name=names.get(icao), warnings=tuple(sorted(warnings, key=_order))
                )
                for icao, warnings in believed.items()
            }
        ),
        refused=tuple(refused),
        disagreements=tuple(disagreements),
        elsewhere=seen["elsewhere"],
        unknown_types=tuple(
            sorted({warning.wrng_type for warning in kept if warning.wrng_type_key == "UNKNOWN"})
        ),
        cancelled=over,
        trouble=trouble,
    )


def _call_over(believed: dict[AirportWarning, None], over: Iterable[Cancellation]) -> None:
    """Remove the warnings of an airport that others cancel."""
    known = KnownWarnings((warning, warning.raw_message, warning.issued) for warning in believed)
    for cancellation in over:
        for warning in known.called(cancellation.name, cancellation.issued):
            believed.pop(warning, None)


def icao_of(row: Item, airports: Collection[str] = ()) -> str | None:
    """Return the airport of a row by its field, else by its text; None without an airport."""
    named = plain(row.fields.get("icaoCode", "")).strip()
    if _ICAO.fullmatch(named):
        return named
    text = plain(_text(row))
    if place := _PLACE.match(text):
        return place[1]
    first = _FIRST_WORD.match(text)
    return first[1] if first and first[1] in airports else None


def _text(row: Item) -> str:
    return row.message.text if row.message.kind == "text" else ""


def _warning(kind: str, times: RowTimes, text: str) -> AirportWarning | None:
    """Return the warning of a row; None for an empty row."""
    if times.are_unknown and not (kind or text):
        return None
    known = warning_type(kind)
    return AirportWarning(
        issued=times.issued,
        wrng_type=kind,
        wrng_type_key=known.key,
        wrng_type_name=known.name,
        valid_start=times.start,
        valid_end=times.end,
        raw_message=text,
    )


def _oddities(warning: AirportWarning) -> Iterable[str]:
    text = warning.raw_message
    if may_cancel(warning.wrng_type, text):
        yield f"no warning is named to be cancelled in {one_line(text)!r}: it is not pushed"
    if text and times_in(text) is None:
        yield f"no VALID ddhhmm/ddhhmm in the text {one_line(text)!r}"


def _order(warning: AirportWarning) -> tuple[datetime, str, datetime, datetime, str]:
    return (
        warning.valid_start or _EARLIEST,
        warning.wrng_type,
        warning.issued or _EARLIEST,
        warning.valid_end or _EARLIEST,
        warning.raw_message,
    )
