"""Compares the published weather with the weather expected by the stand-in's journal.

    journal of a run ─► the readable facts of every airport ─► content, stale, files, pushes
                        latest.json and the folder ─► compared after every run

It knows the product only by its JSON and by the rules of the requirements.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from uring.clock import parse_timestamp
from uring_local.fcm.journal import Delivery
from uring_local.sites.airfield.categories import category_of
from uring_local.sites.airfield.comparable import faults_of_report, utc
from uring_local.sites.airfield.days import DayJudge, timeline_faults
from uring_local.sites.airfield.due_times import DueTimes
from uring_local.sites.airfield.model import Bulletin, Call, Report

Warned = tuple[Bulletin, ...]
Known = dict[str, Report | Warned]

MOST_FILES: Final = 10
_SECOND_WITHIN: Final = timedelta(hours=1)


class Push(NamedTuple):
    """A push that is due; a warning's has its text, as two in one period would look the same."""

    topic: str
    kind: str
    time: str
    text: str = ""


class WeatherJudge:
    """The judge of a run of the weather.

    Attributes:
        wrong: the faults, a sentence each.
        changes: number of runs that changed the published data, by product.
        files: names of all files ever seen, by product.
        expected: the due pushes.
        stale: number of runs that kept an airport's last report for lack of a new one.
        overdue: number of runs after which an airport's next report was overdue.
        expired: number of runs after which a TAF was over.
        refused: number of calls with a fault, by the fault's name.
    """

    def __init__(self, airports: Sequence[str], push_kinds: frozenset[str]) -> None:
        self.wrong: list[str] = []
        self.changes: Counter[str] = Counter()
        self.files: dict[str, set[str]] = {}
        self.expected: Counter[Push] = Counter()
        self.stale = 0
        self.overdue = 0
        self.expired = 0
        self.refused: Counter[str] = Counter()
        self._airports = airports
        self._push_kinds = push_kinds
        self._known: dict[str, Known] = {}
        self._stale_since: dict[str, dict[str, str]] = {}
        self._vanished: dict[Bulletin, datetime] = {}
        self._corrected: dict[str, datetime] = {}
        self._categories: dict[str, str] = {}
        self._due = DueTimes()
        self._days = DayJudge()

    def look(
        self,
        product: str,
        now: datetime,
        calls: Sequence[Call],
        latest: Mapping[str, Any] | None,
        files: Sequence[str],
        days: Mapping[str, Any] | None = None,
    ) -> None:
        """Compare the published data after one run of a product; note faults and due pushes.

        Args:
            product: ``metar``, ``taf`` or ``warning``.
            now: of the run, aware UTC.
            calls: of this run, in order.
            latest: the document at ``latest.json``; None if it is missing.
            files: names of the other files of the folder.
            days: each airport's ``day.json``; None: they are not judged.
        """
        self.refused.update(call.fault for call in calls if call.fault)
        before = self._known.get(product, {})
        served = _warned(calls) if product == "warning" else _reported(calls)
        first = next((call for call in reversed(calls) if call.page == 1), None)
        if product == "warning":
            served = self._held(before, served, first.over if first else frozenset(), now)
        after = self._after(before, served, first, now)
        failed = {icao for icao in after if icao not in served}
        self.stale += bool(failed)
        self._due.note(product, after, now)
        last = self._stale_since.get(product, {})
        self._stale_since[product] = {icao: last.get(icao, utc(now)) for icao in failed}
        if after != before:
            self._note_days(product, before, after, calls, now)
            self.changes[product] += 1
            self._known[product] = after
            if before:
                due = self._pushes(before, after, calls, now)
                self.expected.update(push for push in due if push.kind in self._push_kinds)
        if latest is not None:
            shown = latest["airports"].values()
            self.overdue += any("_overdue" in report for report in shown)
            self.expired += any("_expired" in report for report in shown)
        faults = self._faults(product, now, latest)
        self.wrong += [f"{now:%d %H:%M} {product}: {fault}" for fault in faults]
        self.wrong += [] if days is None else self._days.faults(product, days)
        self._count(product, files)

    def _note_days(
        self, product: str, before: Known, after: Known, calls: Sequence[Call], now: datetime
    ) -> None:
        for icao, new in after.items():
            last = before.get(icao)
            if not isinstance(new, Report) or new == last:
                continue
            beside = [call.beside for call in calls if call.icao == icao and call.beside]
            unseen = [it for it in beside if not isinstance(last, Report) or _age(last) < _age(it)]
            self._days.note(product, icao, [*unseen, new], now)

    def _held(
        self, before: Known, served: Known, over: frozenset[Bulletin], now: datetime
    ) -> Known:
        """Return a list with the warnings that vanished from it for the first time.

        The product waits for a second list within the hour that lacks them, unless a row cancels
        them.
        """
        last, self._vanished = self._vanished, {}
        held: Known = dict(served)
        for icao, new in served.items():
            was = before.get(icao)
            if not isinstance(was, tuple) or not isinstance(new, tuple):
                continue
            lifted = {
                warning
                for kind, warning in _warning_changes(was, new, now)
                if kind == "warning_lifted" and warning not in over
            }
            kept = {
                warning
                for warning in lifted
                if warning not in last or now - last[warning] > _SECOND_WITHIN
            }
            self._vanished |= dict.fromkeys(kept, now)
            held[icao] = _ordered((*new, *kept))
        return held

    def _after(self, before: Known, served: Known, first: Call | None, now: datetime) -> Known:
        """Return the known reports after a run; ``first`` is the call for a list's first page."""
        partial = first.partial if first else {}
        over = first.over if first else frozenset()
        after: Known = {}
        for icao in self._airports:
            last, new = before.get(icao), served.get(icao)
            if isinstance(new, Report) and isinstance(last, Report) and _age(new) < _age(last):
                after[icao] = last
            elif new is not None:
                after[icao] = _ordered(new) if isinstance(new, tuple) else new
            elif isinstance(last, tuple) or (last is None and partial.get(icao)):
                last = last or ()
                added = (bulletin for bulletin in partial.get(icao, ()) if bulletin not in last)
                rows = (row for row in (*last, *added) if row not in over)
                after[icao] = _ordered(row for row in rows if row.end > now)
            elif last is not None:
                after[icao] = last
        return after

    def _pushes(
        self, before: Known, after: Known, calls: Sequence[Call], now: datetime
    ) -> Iterator[Push]:
        """Yield the pushes of a run's changes, of all kinds."""
        for call in calls:
            last = before.get(call.icao or "")
            if isinstance(last, Report) and call.beside:
                yield from self._report_pushes(last, call.beside)
        for icao, new in after.items():
            last = before.get(icao)
            if isinstance(last, tuple) and isinstance(new, tuple):
                for kind, warning in _warning_changes(last, new, now):
                    yield _push(icao, kind, warning)
            elif isinstance(last, Report) and isinstance(new, Report):
                yield from self._report_pushes(last, new)
                yield from self._crossing(last, new)

    def _report_pushes(self, last: Report, new: Report) -> Iterator[Push]:
        """Yield the push of a newer report; a better reading of the same report is not pushed.

        A correction of a pushed TAF is pushed, also a correction of such a correction.
        """
        kinds = {("TAF", "CANCEL"): "taf_cancelled", ("TAF", "AMENDMENT"): "taf_amended"}
        kind = "speci" if new.kind == "SPECI" else kinds.get((new.kind, new.status))
        is_again = last.status == new.status == "CORRECTION" and last.time == new.time
        # Another version of the format corrects nothing.
        is_other = replace(last, iwxxm_version=new.iwxxm_version) != new
        is_newer = _age(last) < _age(new) or (is_again and is_other)
        if new.kind == "TAF" and new.status == "CORRECTION":
            was_pushed = last.status in {"AMENDMENT", "CANCEL"} or (
                last.status == "CORRECTION" and self._corrected.get(new.icao) == last.time
            )
            if was_pushed and new.valid_end == last.valid_end and is_newer:
                kind = "taf_amended"
                self._corrected[new.icao] = new.time
        if kind and is_newer:
            yield Push(new.icao, kind, utc(new.time))

    def _crossing(self, last: Report, new: Report) -> Iterator[Push]:
        """Yield the push of an observation in another category than the last known one."""
        if new.kind == "TAF":
            return
        known = self._categories.get(new.icao) or category_of(last)
        category = category_of(new) or known
        if category is None:
            return
        self._categories[new.icao] = category
        if known not in {None, category}:
            yield Push(new.icao, "category_changed", utc(new.time))

    def _faults(
        self, product: str, now: datetime, latest: Mapping[str, Any] | None
    ) -> Iterator[str]:
        """Yield the faults of a product's document."""
        known = self._known.get(product, {})
        if latest is None:
            if known:
                yield "latest.json is missing"
            return
        if not known:
            yield "latest.json exists, but no report was served"
            return
        airports = latest["airports"]
        if [*airports] != [*known]:
            yield f"latest.json has {[*airports]}, known are {[*known]}"
            return
        for icao, report in airports.items():
            right = known[icao]
            yield from (f"{icao}: {fault}" for fault in faults_of_report(right, report))
            if isinstance(right, Report):
                timed = self._timed(product, right, report, now)
                yield from (f"{icao}: {fault}" for fault in timed)
            ends = {each["valid_end"] for each in report.get("warnings", ())}
            for end in sorted(ends - {None}):
                if parse_timestamp(end) <= now:
                    yield f"{icao}: a warning that ended at {end}"
        stale = {
            icao: report.get("_stale_since")
            for icao, report in airports.items()
            if report.get("_stale")
        }
        if stale != self._stale_since[product]:
            yield f"_stale is {stale}, it should be {self._stale_since[product]}"

    def _timed(
        self, product: str, right: Report, report: Mapping[str, Any], now: datetime
    ) -> Iterator[str]:
        """Yield the faults of a report's marks and of its timeline."""
        yield from self._due.faults(product, right.icao, right, report, now)
        if product == "taf" and "_expired" not in report:
            yield from timeline_faults(right, report.get("timeline", ()))

    def _count(self, product: str, files: Sequence[str]) -> None:
        seen_before = self.files.setdefault(product, set())
        seen_before.update(files)
        if len(seen_before) != self.changes[product]:
            self.wrong.append(
                f"{product}: {len(seen_before)} files written, {self.changes[product]} changes"
            )
        if len(files) != min(len(seen_before), MOST_FILES):
            self.wrong.append(f"{product}: {len(files)} files are kept of {len(seen_before)}")


def push_of(delivery: Delivery) -> Push:
    """Return the push of a delivery."""
    kind = delivery.data["kind"]
    text = delivery.data.get("raw", "") if kind.startswith("warning") else ""
    return Push(delivery.topic, kind, delivery.data.get("time", ""), text)


def _reported(calls: Sequence[Call]) -> Known:
    return {
        call.icao: call.served for call in calls if call.icao and isinstance(call.served, Report)
    }


def _warned(calls: Sequence[Call]) -> Known:
    """Return the first page's warnings; empty unless the last response of each page was sound."""
    last = {call.page: call for call in calls}
    first = last.get(1)
    failed = any(call.fault for page, call in last.items() if page > 1)
    if first is None or failed or not isinstance(first.served, dict):
        return {}
    return dict(first.served)


def _age(report: Report) -> tuple[datetime, bool, bool, bool, int, bool, datetime]:
    ranks = {"AMENDMENT": 1, "CORRECTION": 2}
    return (
        report.time,
        report.status != "NIL",
        report.status == "CORRECTION",
        report.status == "CANCEL",
        ranks.get(report.status, 0),
        report.kind == "SPECI",
        report.issued,
    )


def _warning_changes(last: Warned, new: Warned, now: datetime) -> Iterator[tuple[str, Bulletin]]:
    """Yield the pushes; an extension of a known warning is a change, and lifts nothing.

    The other lifted and new warnings of a type form pairs: each pair is a change. A doubtful row is
    in no push.
    """
    last = tuple(warning for warning in last if not warning.doubtful)
    new = tuple(warning for warning in new if not warning.doubtful)
    extended = {w.extends for w in new if w.extends in last}
    for warning in _ordered(new):
        if warning.extends in last and warning not in last:
            yield "warning_changed", warning
    left = [w for w in _ordered(last) if w not in extended]
    added = [w for w in _ordered(new) if w.extends not in last]
    for kind in sorted({warning.type for warning in (*left, *added)}):
        gone = [w for w in left if w.type == kind and w not in new and w.end > now]
        fresh = [w for w in added if w.type == kind and w not in last]
        for at, warning in enumerate(fresh):
            if at < len(gone):
                yield "warning_changed", warning
            elif warning.end > now:
                yield "warning_raised", warning
        for warning in gone[len(fresh) :]:
            yield "warning_lifted", warning


def _ordered(warnings: Iterable[Bulletin]) -> Warned:
    """Return the warnings in a fixed order, so that a list in another order is not a change."""
    return tuple(sorted(warnings, key=lambda it: (it.start, it.issued, it.end, it.type, it.text)))


def _push(icao: str, kind: str, warning: Bulletin) -> Push:
    return Push(icao, kind, utc(warning.start), warning.text)
