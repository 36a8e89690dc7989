"""Airports, reports, warnings, and the journal's entries."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

Kind = Literal["METAR", "SPECI", "TAF"]
Status = Literal["NORMAL", "CORRECTION", "AMENDMENT", "CANCEL", "NIL"]
Cloud = tuple[str, int, str | None]
"""Amount, base in ft, and CB, TCU or None."""


@dataclass(frozen=True)
class Airport:
    """An airport.

    Attributes:
        name: in its reports.
        korean: its name in the rows of the gateways.
        generation: of IWXXM, always the same for one airport.
        runway: the runway whose visual range is reported.
        small: whether it is unstaffed at night, and some of its reports are missing.
    """

    icao: str
    name: str
    korean: str
    generation: str
    runway: str
    small: bool = False

    @property
    def minutes(self) -> tuple[int, ...]:
        """The minutes of an hour at which it observes."""
        return (0, 30) if self.icao == "RKSI" else (0,)


AIRPORTS: Final = {
    airport.icao: airport
    for airport in (
        Airport("RKSI", "INCHEON INTL", "인천공항", "2023-1", "15L"),
        Airport("RKSS", "GIMPO INTL", "김포공항", "2021-2", "14R"),
        Airport("RKPC", "JEJU INTL", "제주공항", "2023-1", "07"),
        Airport("RKPK", "GIMHAE INTL", "김해공항", "3.0", "36L"),
        Airport("RKNY", "YANGYANG INTL", "양양공항", "2025-2", "33", small=True),
        Airport("RKNW", "WONJU", "원주공항", "2.1", "03", small=True),
        Airport("RKTU", "CHEONGJU INTL", "청주공항", "2.1", "24R"),
        Airport("RKTN", "DAEGU INTL", "대구공항", "3.0", "31L"),
        Airport("RKTH", "POHANG", "포항(경주)공항", "2021-2", "10"),
        Airport("RKJJ", "GWANGJU", "광주공항", "2025-2", "04L"),
        Airport("RKJB", "MUAN INTL", "무안공항", "2023-1", "01"),
        Airport("RKJY", "YEOSU", "여수공항", "2.1", "17"),
        Airport("RKPU", "ULSAN", "울산공항", "3.0", "36"),
        Airport("RKPS", "SACHEON", "사천공항", "2021-2", "06R", small=True),
        Airport("RKJK", "GUNSAN", "군산공항", "2025-2", "36", small=True),
    )
}


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Wind, visibility, weather and cloud, in the values of the published JSON.

    Attributes:
        wind_direction: degrees; None when variable, or in a group without it.
        wind_speed: KT.
        gust: KT.
        visibility: m; None with CAVOK.
        weather: codes. In a group () is NSW, and None is not mentioned. In a METAR None is not
            observable.
        clouds: () with CAVOK, NSC, NCD or vertical visibility; in a group () is NSC.
        vertical_visibility: ft.
    """

    wind_direction: int | None = None
    wind_speed: int | None = None
    gust: int | None = None
    variable: bool = False
    visibility: int | None = None
    cavok: bool = False
    weather: tuple[str, ...] | None = None
    clouds: tuple[Cloud, ...] | None = None
    vertical_visibility: int | None = None


@dataclass(frozen=True, kw_only=True)
class Group(Conditions):
    """A change group of a TAF; ``type`` is the published JSON's value."""

    type: str
    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True)
class Report(Conditions):
    """The weather of an airport.

    Attributes:
        status: COR is CORRECTION, AMD AMENDMENT, CNL CANCEL. NIL has no conditions.
        time: aware UTC, of the observation; for a TAF, of its issue.
        issued: aware UTC.
        iwxxm_version: of the document.
        automated: AUTO.
        ncd: an automatic station found no cloud.
        nsc: no significant cloud.
        rvr: runway and m.
        air: °C; like dewpoint, only in a METAR.
        qnh: hPa.
        valid_start: of a TAF; for a cancelled TAF, of the cancelled period; None with NIL.
        temperatures: TX or TN, °C, and the time.
    """

    icao: str
    kind: Kind
    status: Status
    time: datetime
    issued: datetime
    iwxxm_version: str
    automated: bool = False
    ncd: bool = False
    nsc: bool = False
    rvr: tuple[tuple[str, int], ...] = ()
    air: int | None = None
    dewpoint: int | None = None
    qnh: int | None = None
    valid_start: datetime | None = None
    valid_end: datetime | None = None
    temperatures: tuple[tuple[str, int, datetime], ...] = ()
    groups: tuple[Group, ...] = ()

    def emptied(self, status: Literal["NIL", "CANCEL"]) -> "Report":
        """Return the report without conditions; only a cancelled TAF keeps its period."""
        cancelled = status == "CANCEL"
        return Report(
            icao=self.icao,
            kind=self.kind,
            status=status,
            time=self.time,
            issued=self.issued,
            iwxxm_version=self.iwxxm_version,
            automated=self.automated,
            valid_start=self.valid_start if cancelled else None,
            valid_end=self.valid_end if cancelled else None,
        )


@dataclass(frozen=True)
class Bulletin:
    """A row of the warning list: ``type`` is the raw ``wrngType``, times are aware UTC.

    A row that ``cancels`` a warning is a cancellation. A row that ``extends`` one continues it. A
    ``doubtful`` row speaks of a cancellation in words that no reader knows: it is listed, and it is
    not pushed.
    """

    icao: str
    type: str
    issued: datetime
    start: datetime
    end: datetime
    text: str
    cancels: "Bulletin | None" = None
    extends: "Bulletin | None" = None
    doubtful: bool = False


Warned = dict[str, tuple[Bulletin, ...]]
"""Each airport's warnings in force; () for an airport without any."""


def in_force(rows: Iterable[Bulletin]) -> tuple[Bulletin, ...]:
    """Return the warnings in force: the rows of a list without cancellations and cancelled rows."""
    listed = tuple(rows)
    over = cancelled(listed)
    return tuple(row for row in listed if row.cancels is None and row not in over)


def cancelled(rows: Iterable[Bulletin]) -> frozenset[Bulletin]:
    """Return the warnings that a list cancels, listed or not."""
    return frozenset(row.cancels for row in rows if row.cancels is not None)


@dataclass(frozen=True)
class Call:
    """A request, and the facts that a reader could take from its answer.

    Attributes:
        product: ``metar``, ``taf`` or ``warning``.
        icao: of the requested airport; None for a list.
        fault: its name in `uring_local.sites.airfield.faults`; None: the truth was served.
        served: the truth. With ``older``, an earlier report. For a list with an unbelievable row,
            the warnings of the other airports. With any other fault None. The first page of a list
            has the warnings of all pages, if the calls for the others have no fault; theirs is
            None.
        page: of a list; a client also asks for the second page if the first was too short.
        partial: the believable warnings of airports that are not in ``served``.
        over: the warnings that a believable row cancels.
        beside: a SPECI that came with a newer report.
    """

    product: str
    icao: str | None
    fault: str | None
    served: Report | Warned | None
    page: int = 1
    partial: Warned = field(default_factory=dict)
    over: frozenset[Bulletin] = frozenset()
    beside: Report | None = None


@dataclass(frozen=True)
class Edition:
    """A report, and the time from which the gateway serves it."""

    published: datetime
    report: Report


def newest(editions: list[Edition], at: datetime) -> list[Report]:
    """Return the reports published by a time, the current one last."""
    known = [edition.report for edition in editions if edition.published <= at]
    return sorted(known, key=lambda report: (report.time, report.status == "CORRECTION"))
