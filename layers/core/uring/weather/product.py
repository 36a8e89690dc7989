"""A product, METAR, TAF or WARNING, of all airports: merged and compared. Pure (W2 to W18).

    before ─┐
    fresh ──┼─ merge ─► after ─ canonical_hash ─ same? ─► nothing, or other marks
    failed ─┘             └─ differences ─► log lines  └─► events.events_between ─► pushes

An airport's report is JSON as readers see it (`uring.weather.iwxxm.reports`). Keys that begin with
an underscore are marks of this module; comparisons leave them out (W3).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from uring.clock import parse_timestamp, timestamp
from uring.weather.warning_text import Cancellation, KnownWarnings

Product = Literal["metar", "taf", "warning"]
PRODUCTS: Final[tuple[Product, ...]] = get_args(Product)
Airports = Mapping[str, Mapping[str, Any]]

_RANKS: Final = {"AMENDMENT": 1, "CORRECTION": 2}
_NO_WARNINGS: Final[Mapping[str, Any]] = MappingProxyType({"airport_name": None, "warnings": ()})
_NOTHING: Final[Airports] = MappingProxyType({})
_NONE: Final[Mapping[str, Sequence[Cancellation]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Merge:
    """All airports after a run.

    Attributes:
        airports: by ICAO code, in the order of the settings.
        older: airports whose response was older than the stored report, which stays (W14).
    """

    airports: dict[str, dict[str, Any]]
    older: tuple[str, ...]


def merge(
    product: Product,
    before: Airports,
    fresh: Airports,
    wanted: Sequence[str],
    now: datetime,
    *,
    partial: Airports = _NOTHING,
    cancelled: Mapping[str, Sequence[Cancellation]] = _NONE,
) -> Merge:
    """Put fresh reports over the stored ones; the others keep the last one, marked stale (W5).

    Args:
        product: decides which report is older.
        before: the stored airports.
        fresh: the parsed reports, by ICAO code.
        wanted: the airports of the settings; others drop out.
        now: aware UTC.
        partial: believed warnings of airports that failed: they are added to the stored ones, and
            lift none.
        cancelled: the cancelled warnings, by ICAO code; also those of airports that failed.
    """
    airports: dict[str, dict[str, Any]] = {}
    older = []
    for icao in wanted:
        last, new = before.get(icao), fresh.get(icao)
        if new is not None and (last is None or not is_older(product, new, last)):
            airports[icao] = _named(new, last)
        elif new is not None and last is not None:
            airports[icao] = reported(last)
            older.append(icao)
        elif last is not None or partial.get(icao, _NO_WARNINGS)["warnings"]:
            over = cancelled.get(icao, ())
            airports[icao] = _kept(product, last or _NO_WARNINGS, now, partial.get(icao), over)
    if product == "warning":
        airports = {icao: _in_force(report, now) for icao, report in airports.items()}
    return Merge(airports, tuple(older))


def canonical_hash(airports: Airports) -> str:
    """Return the SHA-256 over the reports alone: neither key order nor marks count (W3)."""
    plain = {icao: reported(report) for icao, report in airports.items()}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def marks(airports: Airports) -> dict[str, dict[str, Any]]:
    """Return the marks of the airports that have any: readers see them, comparisons do not."""
    found = {
        icao: {key: value for key, value in report.items() if key.startswith("_")}
        for icao, report in airports.items()
    }
    return {icao: marked for icao, marked in found.items() if marked}


def differences(product: Product, before: Airports, after: Airports, now: datetime) -> list[str]:
    """Return the differences for the log, one line an airport (W10)."""
    lines = []
    for icao in sorted({*before, *after}):
        was, report = before.get(icao), after.get(icao)
        if was is None or report is None:
            lines.append(f"{icao}: {'first report' if was is None else 'left the list'}")
        elif reported(was) != reported(report):
            lines.append(f"{icao}: {_difference(product, was, report, now)}")
    return lines


def _named(new: Mapping[str, Any], last: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the report with the last known airport name: only the row of a warning has one."""
    if last is not None and new.get("airport_name", "") is None:
        return {**new, "airport_name": last.get("airport_name")}
    return dict(new)


def reported(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report without its marks."""
    return {key: value for key, value in report.items() if not key.startswith("_")}


def _kept(
    product: Product,
    last: Mapping[str, Any],
    now: datetime,
    partial: Mapping[str, Any] | None,
    cancelled: Sequence[Cancellation],
) -> dict[str, Any]:
    """Return the last report, marked stale; of warnings those not cancelled, and the added."""
    kept = {**last, "_stale": True, "_stale_since": last.get("_stale_since") or timestamp(now)}
    if product == "warning":
        added = partial["warnings"] if partial else ()
        each_once = {identity(each): each for each in (*last["warnings"], *added)}
        over = called_over(each_once, cancelled)
        left = [each for key, each in each_once.items() if key not in over]
        kept["airport_name"] = (partial or {}).get("airport_name") or last.get("airport_name")
        kept["warnings"] = sorted(left, key=order)
    return kept


def _in_force(report: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return an airport's warnings without ended ones, which a gateway may list for hours (W14)."""
    left = [each for each in report["warnings"] if not has_ended(each, now)]
    return {**report, "warnings": left}


def called_over(
    warnings: Mapping[str, Mapping[str, Any]], cancelled: Sequence[Cancellation]
) -> set[str]:
    """Return the keys of the warnings that are cancelled."""
    known = KnownWarnings(
        (
            key,
            each.get("raw_message") or "",
            parse_timestamp(each["issued"]) if each.get("issued") else None,
        )
        for key, each in warnings.items()
    )
    return {key for name, issued in cancelled for key in known.called(name, issued)}


def order(warning: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sort key that gives the order of the gateway's list."""
    names = ("valid_start", "wrng_type", "issued", "valid_end", "raw_message")
    return tuple(warning.get(name) or "" for name in names)


def has_ended(warning: Mapping[str, Any], now: datetime) -> bool:
    """Return True once a warning has ended."""
    end = warning.get("valid_end")
    return end is not None and parse_timestamp(end) <= now


def is_older(product: Product, report: Mapping[str, Any], than: Mapping[str, Any]) -> bool:
    """Return True if a report is older than the stored one: upstream goes back and forth."""
    return product != "warning" and _age(product, report) < _age(product, than)


def _age(
    product: Product, report: Mapping[str, Any]
) -> tuple[str, bool, bool, bool, int, bool, str]:
    """Return the sort key: by time, then by which report replaces the other; NIL comes lowest.

    A correction corrects a cancellation of the same time, too.
    """
    header = report["header"]
    if product == "metar":
        when = header.get("observation_time") or header.get("issue_time") or ""
    else:
        when = header.get("issued") or ""
    return (
        when,
        not (header.get("nil") or header.get("translation_failed")),
        header.get("report_status") == "CORRECTION",
        bool(header.get("cancelled")),
        _RANKS.get(header.get("report_status"), 0),
        header.get("report_type") == "SPECI",
        header.get("issue_time") or "",
    )


def _difference(
    product: Product, was: Mapping[str, Any], report: Mapping[str, Any], now: datetime
) -> str:
    if product == "warning":
        before, after = (Counter(_types(each["warnings"])) for each in (was, report))
        ended = Counter(_types([each for each in was["warnings"] if has_ended(each, now)]))
        gone = before - after
        parts = [f"{name} added" for name in (after - before).elements()]
        parts += [f"{name} ended" for name in (gone & ended).elements()]
        parts += [f"{name} lifted" for name in (gone - ended).elements()]
        return ", ".join(parts) or "another text or time"
    head, last = report["header"], was["header"]
    if product == "metar":
        told = f"observed {last.get('observation_time')} → {head.get('observation_time')}"
        status = "NIL" if head.get("nil") else head.get("report_status")
        return f"{told} {head.get('report_type')} {status}"
    told = f"issued {last.get('issued')} → {head.get('issued')}"
    status = "CANCELLED" if head.get("cancelled") else head.get("report_status")
    return f"{told} valid from {head.get('valid_start')} {'NIL' if head.get('nil') else status}"


def _types(warnings: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(each["wrng_type_key"]) for each in warnings]


def identity(warning: Mapping[str, Any]) -> str:
    """Return the id of a warning. A different text gives another id: approach and climb-out."""
    names = ("wrng_type", "issued", "valid_start", "valid_end", "raw_message")
    text = json.dumps([warning.get(name) for name in names], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
