"""A product, METAR, TAF or WARNING, of all airports: merged, compared, told. Pure (W2 to W16).

    before ─┐
    fresh ──┼─ merge ─► after ─ canonical_hash ─ same? ─► nothing
    failed ─┘             └─ differences ─► log lines       └─ events_between ─► pushes

An airport's report is JSON as readers see it (`uring.weather.iwxxm.reports`); keys that begin
with an underscore are ours and no part of what is compared (W3).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from uring.clock import parse_timestamp, timestamp

Product = Literal["metar", "taf", "warning"]
PRODUCTS: Final[tuple[Product, ...]] = get_args(Product)
Airports = Mapping[str, Mapping[str, Any]]
EventKind = Literal[
    "speci", "taf_amended", "taf_cancelled", "warning_raised", "warning_changed", "warning_lifted"
]

_RANKS: Final = {"AMENDMENT": 1, "CORRECTION": 2}
_LONGEST_RAW: Final = 1_000
_NOTHING: Final[Airports] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class WeatherEvent:
    """Something that an airport's subscribers hear of, if they want to (W16).

    Attributes:
        kind: what happened.
        icao: where.
        id: names it once and for all.
        content: what a reader sees of it; every value a text.
    """

    kind: EventKind
    icao: str
    id: str
    content: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Merge:
    """All airports after a run.

    Attributes:
        airports: by ICAO code, in the order of the settings.
        older: airports whose answer was older than what is stored, which stays (W14).
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
) -> Merge:
    """Put fresh reports over what is stored; who has none keeps the last one, marked stale (W5).

    Args:
        product: decides what is older.
        before: the stored airports.
        fresh: the reports that were read, by ICAO code.
        wanted: the airports of the settings; others drop out.
        now: aware UTC.
        partial: of warnings, those that were believed of airports that failed: they are added to
            the last ones, and lift none.
    """
    airports: dict[str, dict[str, Any]] = {}
    older = []
    for icao in wanted:
        last, new = before.get(icao), fresh.get(icao)
        if new is not None and (last is None or not _is_older(product, new, last)):
            airports[icao] = _named(new, last)
        elif new is not None and last is not None:
            airports[icao] = _own(last)
            older.append(icao)
        elif last is not None:
            airports[icao] = _kept(product, last, now, partial.get(icao))
    return Merge(airports, tuple(older))


def canonical_hash(airports: Airports) -> str:
    """SHA-256 over the reports alone: neither key order nor our own marks count (W3)."""
    plain = {icao: _own(report) for icao, report in airports.items()}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def differences(product: Product, before: Airports, after: Airports) -> list[str]:
    """Return what changed, a line an airport, for the log (W10)."""
    lines = []
    for icao in sorted({*before, *after}):
        was, now = before.get(icao), after.get(icao)
        if was is None or now is None:
            lines.append(f"{icao}: {'first report' if was is None else 'left the list'}")
        elif _own(was) != _own(now):
            lines.append(f"{icao}: {_difference(product, was, now)}")
    return lines


def events_between(
    product: Product, before: Airports, after: Airports, now: datetime
) -> list[WeatherEvent]:
    """Return what subscribers may hear of. A first sight of an airport is silent (N16)."""
    found: list[WeatherEvent] = []
    for icao, report in after.items():
        was = before.get(icao)
        if was is None or _own(was) == _own(report):
            continue
        if product == "warning":
            found += _warned(icao, was, report, now)
        elif _is_older(product, was, report):
            found += _reported(product, icao, report)
    return found


def _named(new: Mapping[str, Any], last: Mapping[str, Any] | None) -> dict[str, Any]:
    """Only a warning's row has the airport's name: without one it is still called as before."""
    if last is not None and new.get("airport_name", "") is None:
        return {**new, "airport_name": last.get("airport_name")}
    return dict(new)


def _own(report: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if not key.startswith("_")}


def _kept(
    product: Product, last: Mapping[str, Any], now: datetime, partial: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The last report, marked; of warnings those that have not ended (W14), and what was added."""
    kept = {**last, "_stale": True, "_stale_since": last.get("_stale_since") or timestamp(now)}
    if product == "warning":
        added = partial["warnings"] if partial else ()
        each_once = {_identity(each): each for each in (*last["warnings"], *added)}
        in_force = [each for each in each_once.values() if not _ended(each, now)]
        kept["warnings"] = sorted(in_force, key=_order)
    return kept


def _order(warning: Mapping[str, Any]) -> tuple[str, ...]:
    """As the gateway's list is ordered."""
    names = ("valid_start", "wrng_type", "issued", "valid_end", "raw_message")
    return tuple(warning.get(name) or "" for name in names)


def _ended(warning: Mapping[str, Any], now: datetime) -> bool:
    end = warning.get("valid_end")
    return end is not None and parse_timestamp(end) <= now


def _is_older(product: Product, report: Mapping[str, Any], than: Mapping[str, Any]) -> bool:
    """Return whether a report is older than the stored one: upstream goes back and forth."""
    return product != "warning" and _age(product, report) < _age(product, than)


def _age(product: Product, report: Mapping[str, Any]) -> tuple[str, bool, bool, int, bool, str]:
    """By time; of two at one time the one that replaces the other, and never NIL what was told."""
    header = report["header"]
    if product == "metar":
        when = header.get("observation_time") or header.get("issue_time") or ""
    else:
        when = header.get("issued") or ""
    return (
        when,
        not (header.get("nil") or header.get("translation_failed")),
        bool(header.get("cancelled")),
        _RANKS.get(header.get("report_status"), 0),
        header.get("report_type") == "SPECI",
        header.get("issue_time") or "",
    )


def _difference(product: Product, was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    if product == "warning":
        before, after = (Counter(_types(report)) for report in (was, now))
        parts = [f"{name} added" for name in (after - before).elements()]
        parts += [f"{name} lifted" for name in (before - after).elements()]
        return ", ".join(parts) or "another text or time"
    head, last = now["header"], was["header"]
    if product == "metar":
        told = f"observed {last.get('observation_time')} → {head.get('observation_time')}"
        return f"{told} {head.get('report_type')} {head.get('report_status')}"
    told = f"issued {last.get('issued')} → {head.get('issued')}"
    status = "CANCELLED" if head.get("cancelled") else head.get("report_status")
    return f"{told} valid from {head.get('valid_start')} {'NIL' if head.get('nil') else status}"


def _types(report: Mapping[str, Any]) -> list[str]:
    return [str(each["wrng_type_key"]) for each in report["warnings"]]


def _reported(product: Product, icao: str, report: Mapping[str, Any]) -> Iterator[WeatherEvent]:
    header = report["header"]
    kind: EventKind
    if product == "metar" and header.get("report_type") == "SPECI":
        kind, when = "speci", header.get("observation_time")
    elif product == "taf" and header.get("cancelled"):
        kind, when = "taf_cancelled", header.get("issued")
    elif product == "taf" and header.get("report_status") == "AMENDMENT":
        kind, when = "taf_amended", header.get("issued")
    else:
        return
    yield WeatherEvent(
        kind,
        icao,
        f"{icao}.{kind}.{when}.{header.get('report_status')}",
        {
            "title": f"{icao} {kind.replace('_', ' ').upper()}",
            "time": when,
            "raw": _cut(report["raw"]),
        },
    )


def _cut(text: str | None) -> str | None:
    """As much as a push can carry: FCM takes 2 KB, and a queue no message beyond its limit."""
    return text and text[:_LONGEST_RAW]


def _warned(
    icao: str, was: Mapping[str, Any], report: Mapping[str, Any], now: datetime
) -> Iterator[WeatherEvent]:
    """Of each type what is gone and what is new make pairs, which are changes."""
    before = {_identity(each): each for each in was["warnings"]}
    after = {_identity(each): each for each in report["warnings"]}
    # One that has run out by itself is no news, and what follows it is new.
    gone = {key: each for key, each in before.items() if key not in after and not _ended(each, now)}
    unmatched = Counter(each["wrng_type_key"] for each in gone.values())
    matched: Counter[str] = Counter()
    for key, each in after.items():
        changes = unmatched[each["wrng_type_key"]] > 0
        if key in before or (_ended(each, now) and not changes):
            continue
        unmatched[each["wrng_type_key"]] -= changes
        matched[each["wrng_type_key"]] += changes
        yield _warning("warning_changed" if changes else "warning_raised", icao, key, each)
    for key, each in gone.items():
        if matched[each["wrng_type_key"]] > 0:
            matched[each["wrng_type_key"]] -= 1
        else:
            yield _warning("warning_lifted", icao, key, each)


def _identity(warning: Mapping[str, Any]) -> str:
    """Two that differ in their text alone are two: approach and climb-out."""
    names = ("wrng_type", "issued", "valid_start", "valid_end", "raw_message")
    text = json.dumps([warning.get(name) for name in names], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _warning(kind: EventKind, icao: str, key: str, warning: Mapping[str, Any]) -> WeatherEvent:
    return WeatherEvent(
        kind,
        icao,
        f"{icao}.{kind}.{key}",
        {
            "title": f"{icao} {warning.get('wrng_type_name') or warning['wrng_type']}",
            "time": warning.get("valid_start"),
            "until": warning.get("valid_end"),
            "raw": _cut(warning.get("raw_message")),
        },
    )
