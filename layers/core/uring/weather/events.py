"""Events between two runs, for an airport's subscribers (W16, W17). Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from uring.weather.product import Airports, Product, has_ended, identity, is_older, reported
from uring.weather.warning_text import MOST_NAMES, KnownWarnings, may_cancel, read_text

EventKind = Literal[
    "speci",
    "taf_amended",
    "taf_cancelled",
    "warning_raised",
    "warning_changed",
    "warning_lifted",
    "category_changed",
]
URGENT: Final[frozenset[str]] = frozenset(
    {"speci", "warning_raised", "warning_changed", "category_changed"}
)
"""The kinds whose push wakes a sleeping phone."""

LIFETIME_SECONDS: Final[Mapping[str, int]] = MappingProxyType(
    {
        # The next METAR comes within the hour, the next TAF within six.
        "speci": 3_600,
        "category_changed": 3_600,
        "taf_amended": 6 * 3_600,
        "taf_cancelled": 6 * 3_600,
    }
)
"""How long a push is of use to a phone that is off; of other kinds a day."""

# Another release may derive them differently, and one version of IWXXM writes 10 km where another
# writes "10 km or more": that corrects nothing.
_DERIVED: Final = frozenset({"flight_category", "missing", "operator", "raw"})
_OF_TAF: Final = frozenset({"taf_amended", "taf_cancelled"})

Specials = Mapping[str, Sequence[Mapping[str, Any]]]

_LONGEST_RAW: Final = 1_000
_NONE: Final[Specials] = MappingProxyType({})
_NO_CATEGORIES: Final[Mapping[str, str]] = MappingProxyType({})
_NO_TIMES: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class WeatherEvent:
    """An event that an airport's subscribers can have pushed (W16).

    Attributes:
        kind: the kind of event.
        icao: the airport.
        id: unique for good.
        content: the content for readers; every value is text.
    """

    kind: EventKind
    icao: str
    id: str
    content: Mapping[str, str | None]


def events_between(
    product: Product,
    before: Airports,
    after: Airports,
    now: datetime,
    *,
    specials: Specials = _NONE,
    categories: Mapping[str, str] = _NO_CATEGORIES,
    corrected: Mapping[str, str] = _NO_TIMES,
) -> list[WeatherEvent]:
    """Return the events for subscribers. The first report of an airport is silent (N16).

    Args:
        product: of the airports.
        before: the stored airports.
        after: the merged ones.
        now: aware UTC.
        specials: SPECI that came beside a newer METAR, by time. A SPECI newer than the stored
            report is unseen.
        categories: see `known_categories`, before this run.
        corrected: see `corrections`.
    """
    found: list[WeatherEvent] = []
    unseen = unseen_specials(product, before, specials)
    for icao, report in after.items():
        was = before.get(icao)
        if was is None:
            continue
        for special in unseen.get(icao, ()):
            found += _reported(product, icao, special)
        if reported(was) == reported(report):
            continue
        if product == "warning":
            changes = warning_changes(was, report, now)
            found += [_warning(it.kind, icao, it.key, it.warning) for it in changes]
        elif is_older(product, was, report) or _is_corrected_again(was, report):
            is_told = product == "taf" and _was_pushed(was, report, corrected.get(icao))
            found += _reported(product, icao, report, corrects=is_told)
            found += _crossed(icao, was, report, categories.get(icao))
    return found


def unseen_specials(
    product: Product, before: Airports, specials: Specials
) -> dict[str, list[Mapping[str, Any]]]:
    """Return the SPECI newer than the stored reports, by ICAO code."""
    unseen = {
        icao: [it for it in each if icao not in before or is_older(product, before[icao], it)]
        for icao, each in specials.items()
    }
    return {icao: each for icao, each in unseen.items() if each}


def corrections(
    before: Mapping[str, str], airports: Airports, events: Sequence[WeatherEvent]
) -> dict[str, str]:
    """Return, by airport, the issue time of the TAF whose correction was pushed last.

    The correction of a correction is pushed if the first one was.
    """
    pushed = {
        event.icao: str(event.content["time"])
        for event in events
        if event.kind in _OF_TAF and event.content.get("status") == "CORRECTION"
    }
    return {icao: time for icao, time in {**before, **pushed}.items() if icao in airports}


def _was_pushed(was: Mapping[str, Any], report: Mapping[str, Any], corrected: str | None) -> bool:
    """Return True if a TAF corrects a pushed TAF, by its time of issue or its end of validity."""
    last, header = was["header"], report["header"]
    alike = any(
        last.get(name) is not None and last.get(name) == header.get(name)
        for name in ("issued", "valid_end")
    )
    if header.get("report_status") != "CORRECTION" or not alike:
        return False
    if last.get("report_status") == "CORRECTION":
        return corrected is not None and corrected == last.get("issued")
    return bool(last.get("cancelled")) or last.get("report_status") == "AMENDMENT"


def _is_corrected_again(was: Mapping[str, Any], report: Mapping[str, Any]) -> bool:
    """Return True for two corrections of one time with different values."""
    headers = (was["header"], report["header"])
    names = ("report_status", "observation_time", "issued", "nil", "translation_failed")
    return (
        headers[1].get("report_status") == "CORRECTION"
        and all(headers[0].get(name) == headers[1].get(name) for name in names)
        and _values(was) != _values(report)
    )


def _values(report: Mapping[str, Any]) -> Any:
    """Return the values of a report, without what this release derives from them."""
    parts = {name: report.get(name) for name in ("observation", "base", "changes")}
    names = ("cancelled", "valid_start", "valid_end", "temperatures")
    return _underived([parts, [report["header"].get(name) for name in names]])


def _underived(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _underived(each) for k, each in value.items() if k not in _DERIVED}
    return [_underived(each) for each in value] if isinstance(value, list | tuple) else value


def _reported(
    product: Product, icao: str, report: Mapping[str, Any], *, corrects: bool = False
) -> Iterator[WeatherEvent]:
    """Yield the event of a report; a TAF that ``corrects`` a pushed one is an amendment, too."""
    header = report["header"]
    kind: EventKind
    if product == "metar" and header.get("report_type") == "SPECI":
        kind, when = "speci", header.get("observation_time")
    elif product == "taf" and header.get("cancelled"):
        kind, when = "taf_cancelled", header.get("issued")
    elif product == "taf" and (corrects or header.get("report_status") == "AMENDMENT"):
        kind, when = "taf_amended", header.get("issued")
    else:
        return
    status = header.get("report_status")
    told = {"status": status} if status in {"AMENDMENT", "CORRECTION"} else {}
    derived = {"raw_derived": "true"} if report.get("raw_derived") else {}
    yield WeatherEvent(
        kind,
        icao,
        f"{icao}.{kind}.{when}.{status}",
        {
            "title": f"{icao} {kind.replace('_', ' ').upper()}",
            "time": when,
            "raw": _cut(report["raw"]),
            **told,
            **derived,
        },
    )


def known_categories(before: Mapping[str, str], airports: Airports) -> dict[str, str]:
    """Return the last known flight category of each METAR or SPECI, by ICAO code.

    A report without one, such as NIL, does not hide that the next one is in another category.
    """
    known = {icao: _category(report) or before.get(icao) for icao, report in airports.items()}
    return {icao: category for icao, category in known.items() if category}


def _crossed(
    icao: str, was: Mapping[str, Any], report: Mapping[str, Any], known: str | None
) -> Iterator[WeatherEvent]:
    """Yield the event of a METAR or SPECI in another category than the last known one.

    However old that one is: subscribers still believe it.
    """
    header, category = report["header"], _category(report)
    before = _category(was) or known
    if category is None or before is None or category == before:
        return
    when = header.get("observation_time")
    derived = {"raw_derived": "true"} if report.get("raw_derived") else {}
    yield WeatherEvent(
        "category_changed",
        icao,
        f"{icao}.category_changed.{when}.{header.get('report_status')}.{category}",
        {
            "title": f"{icao} CATEGORY CHANGED",
            "time": when,
            "raw": _cut(report["raw"]),
            "category": category,
            "category_before": before,
            **derived,
        },
    )


def _category(report: Mapping[str, Any]) -> str | None:
    category = report.get("flight_category")
    return category if isinstance(category, str) else None


def _cut(text: str | None) -> str | None:
    """Cut a text to the size of a push: FCM takes 2 KB, and a queue has its own limit."""
    return text and text[:_LONGEST_RAW]


class WarningChange(NamedTuple):
    """A change of a warning: raised, changed or lifted; ``key`` is its identity."""

    kind: EventKind
    key: str
    warning: Mapping[str, Any]


def warning_changes(
    was: Mapping[str, Any], report: Mapping[str, Any], now: datetime
) -> Iterator[WarningChange]:
    """Pair an airport's warnings that are gone with new ones, by text or else by type.

    A pair is a change. An extended warning may stay listed beside its extension, and may go before
    its end. What may be a cancellation is in no change.
    """
    before, after = _by_key(was), _by_key(report)
    # A warning that ran out is not an event, and its successor is new.
    gone = {k: each for k, each in before.items() if k not in after and not has_ended(each, now)}
    extended = _predecessors(before, after)
    continued = {*extended.values()}
    unmatched = Counter(each["wrng_type_key"] for key, each in gone.items() if key not in continued)
    matched: Counter[str] = Counter()
    for key, each in after.items():
        kind = each["wrng_type_key"]
        changes = key not in extended and unmatched[kind] > 0
        is_change = changes or key in extended
        if key in before or (has_ended(each, now) and not is_change):
            continue
        unmatched[kind] -= changes
        matched[kind] += changes
        yield WarningChange("warning_changed" if is_change else "warning_raised", key, each)
    for key, each in gone.items():
        if key in continued:
            continue
        if matched[each["wrng_type_key"]] > 0:
            matched[each["wrng_type_key"]] -= 1
        else:
            yield WarningChange("warning_lifted", key, each)


def _by_key(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the warnings by identity, without what may be a cancellation."""
    return {
        identity(each): each
        for each in report["warnings"]
        if not may_cancel(each["wrng_type"], _text(each))
    }


def _predecessors(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return the previous warning that each new one extends, by key, where it is known."""
    names = ((key, read_text(_text(each)).extends) for key, each in after.items())
    extending = [(key, name) for key, name in names if name is not None]
    known = (
        KnownWarnings((key, _text(each), None) for key, each in before.items())
        if extending
        else None
    )
    found: dict[str, str] = {}
    for key, name in extending[:MOST_NAMES]:
        others = [other for other in known.called(name) if other != key] if known else []
        if others:
            found[key] = others[0]
    return found


def _text(warning: Mapping[str, Any]) -> str:
    return warning.get("raw_message") or ""


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
