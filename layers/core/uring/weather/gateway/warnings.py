"""The list of airport warnings: one call, all airports, ``getWarning`` of the gateways.

Times are UTC although no field says so. Each row is compared with its own text, which repeats the
times (``RKPC WS WRNG 2 081137 VALID 081200/081700``): differences are reported, the fields count.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from uring.clock import timestamp
from uring.errors import SourceTrouble, UringError
from uring.fetch.url import one_line
from uring.weather.gateway.envelope import Item
from uring.weather.gateway.warning_fields import says, times_in, warning_time, warning_type
from uring.weather.iwxxm.document import FUTURE_TOLERANCE
from uring.weather.iwxxm.fields import Icao, Utc
from uring.weather.warning_text import MOST_NAMES, Cancellation, KnownWarnings, read_text

_Reason = Literal["airport", "time", "future", "period"]

_ICAO: Final = re.compile(r"[A-Z][A-Z0-9]{3}", re.ASCII)
_FIRST_WORD: Final = re.compile(r"\s*([A-Z][A-Z0-9]{3})\s", re.ASCII)
_CANCELS: Final = re.compile(r"\b(?:CNL|CANCEL)")
_SEOUL: Final = timedelta(hours=9)


class AirportWarning(BaseModel):
    """A warning in force or to come.

    Attributes:
        issued: by ``tm``.
        wrng_type: unchanged; ``00`` and ``0`` differ here and mean the same.
        wrng_type_key: such as ``WIND_SHEAR``; ``UNKNOWN`` for an undocumented type.
        wrng_type_name: the Korean name; for an unknown type its code.
        valid_start: by ``validTm1``.
        valid_end: by ``validTm2``, never before ``valid_start``.
        raw_message: the text without surrounding spaces; empty if missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    issued: Utc
    wrng_type: str
    wrng_type_key: str
    wrng_type_name: str
    valid_start: Utc
    valid_end: Utc
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
        reason: ``airport``, ``time`` (unreadable), ``future`` (issued later than now), or
            ``period`` (it ends before it starts).
        detail: a sentence.
    """

    icao: str | None
    reason: _Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row whose text has another time than its field; the field counts."""

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
        disagreements: rows whose text has another time.
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


class _RowRefused(UringError):
    def __init__(self, reason: _Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: _Reason = reason
        self.detail = detail


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
    cancelled: dict[str, list[Cancellation]] = {}
    seen: Counter[str] = Counter()
    for row in rows:
        icao = icao_of(row)
        seen["received"] += 1
        if icao is not None and icao not in believed:
            seen["elsewhere"] += 1
            continue
        if icao is None:
            named = row.fields.get("icaoCode", "")[:40]
            detail = f"its icaoCode is {named!r}, and its text names no airport"
            refused.append(RefusedWarning(None, "airport", f"no airport: warning: {detail}"))
            continue
        try:
            warning = _warning(row, now)
        except _RowRefused as error:
            refused.append(RefusedWarning(icao, error.reason, f"{icao}: warning: {error.detail}"))
            continue
        if name := row.fields.get("airportName"):
            names.setdefault(icao, name)
        read = read_text(warning.raw_message)
        called = (Cancellation(name, warning.issued) for name in read.cancels)
        cancelled.setdefault(icao, []).extend(called)
        if read.is_cancellation:
            continue
        believed[icao][warning] = None
        disagreements += [
            Disagreement(icao, f"{icao}: {detail}") for detail in _disagreements(warning)
        ]
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


def icao_of(row: Item) -> str | None:
    """Return the airport of a row by its field or, if empty, its first word of text; or None."""
    named = row.fields.get("icaoCode", "")
    if _ICAO.fullmatch(named):
        return named
    first = _FIRST_WORD.match(row.message.text) if not named else None
    return first[1] if first else None


def _warning(row: Item, now: datetime | None) -> AirportWarning:
    times = {}
    for name in ("tm", "validTm1", "validTm2"):
        text = row.fields.get(name, "")
        moment = warning_time(text)
        if moment is None:
            raise _RowRefused("time", f"its {name} is {text[:40]!r}, not such as 202602081137")
        times[name] = moment
    if now and times["tm"] - now > FUTURE_TOLERANCE:
        issued = timestamp(times["tm"])
        raise _RowRefused("future", f"issued at {issued}, it is {timestamp(now)} now")
    start, end = times["validTm1"], times["validTm2"]
    if end < start:
        raise _RowRefused("period", f"valid until {timestamp(end)}, but from {timestamp(start)}")
    raw = row.fields.get("wrngType", "")
    known = warning_type(raw)
    return AirportWarning(
        issued=times["tm"],
        wrng_type=raw,
        wrng_type_key=known.key,
        wrng_type_name=known.name,
        valid_start=start,
        valid_end=end,
        raw_message=row.message.text if row.message.kind == "text" else "",
    )


def _disagreements(warning: AirportWarning) -> Iterable[str]:
    if _CANCELS.search(warning.raw_message) and not read_text(warning.raw_message).cancels:
        yield f"no warning is named to be cancelled in {one_line(warning.raw_message)!r}"
    times = times_in(warning.raw_message)
    if times is None:
        if warning.raw_message:
            yield f"no VALID ddhhmm/ddhhmm in the text {one_line(warning.raw_message)!r}"
        return
    pairs: list[tuple[str, datetime, str | None]] = [
        ("issued", warning.issued, times.issued),
        ("valid_start", warning.valid_start, times.start),
        ("valid_end", warning.valid_end, times.end),
    ]
    for name, moment, text in pairs:
        if text is None or says(text, moment):
            continue
        seoul = says(text, moment - _SEOUL)
        why = ", nine hours apart: are the fields in Korean time?" if seoul else ""
        yield f"{name} is {timestamp(moment)}, the text says {text}{why}"


def _order(warning: AirportWarning) -> tuple[datetime, str, datetime, datetime, str]:
    return (
        warning.valid_start,
        warning.wrng_type,
        warning.issued,
        warning.valid_end,
        warning.raw_message,
    )
