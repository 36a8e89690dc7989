"""What must hold of every run of a product, at rest and in the whole history; see `verdict`.

lost      committed or at the gateway, and no file of it, not visible, not pushed; left in a queue;
          an airport that failed and is gone
ghost     pushed, visible or a file, and never committed; pushed before it was visible; a commit
          or a write without a change
archive   a file that was rewritten, or is not what was committed, or is one too many
hot       ``latest.json`` is not what was committed, or went back in time
state     the register went back, repeated itself, or the worker failed in an unknown way
order     overtaken within the topic, an airport
doubled   pushed again: always a defect, the notifier is not disturbed here
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Any, Final

from verdict import UNEXPLAINED, Verdict
from weather_world import AIRPORTS, PUSH_KINDS, WeatherWorld

from uring.clock import parse_timestamp
from uring.contracts import ChangePublished
from uring.weather.events import events_between
from uring.weather.state import WeatherState

# Said here once more, not taken from what is judged.
PREFIX: Final = {"metar": "METAR", "taf": "TAF", "warning": "WARNINGS"}
KEPT: Final = 10
WINDOWS: Final = {"metar": timedelta(hours=24), "taf": timedelta(hours=36)}


def judge_weather(world: WeatherWorld) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    states = _states(world, verdict)
    commits = _commits(states, verdict)
    _gateway(world, commits[-1], verdict)
    _latest(world, states, verdict)
    _files(world, commits, verdict)
    _days(world, states, verdict)
    _pushes(world, commits, verdict)
    for name, queue in (("work", world.work), ("notify", world.notify), ("dead", world.dead)):
        if queue.messages:
            verdict.add("lost", f"{len(queue.messages)} messages stay in the {name} queue")
    for key in sorted(world.needless):
        verdict.add("ghost", f"{key} was written or removed, and nothing had changed")
    for problem in world.telemetry.named("check_failed"):
        if problem["trace"]:
            verdict.add("state", f"{problem['error']}: {problem['reason']}")
    return verdict


def _states(world: WeatherWorld, verdict: Verdict) -> list[WeatherState]:
    """The versions of the register, oldest first."""
    product = world.scenario.product
    key = f"state/weather/{product}.json"
    states = [
        WeatherState.from_json(version.body, key=key, source=product)
        for version in world.objects.versions[key]
    ]
    if any(before.seq >= after.seq for before, after in pairwise(states)):
        verdict.add("state", "seq does not strictly increase")
    if len({state.writer for state in states}) < len(states):
        verdict.add("state", "a writer token came twice")
    if states[-1].outbox or not states[-1].is_published:
        verdict.add("lost", "what was committed was never published to its end")
    return states


def _commits(states: Sequence[WeatherState], verdict: Verdict) -> list[WeatherState]:
    """The versions with other reports than the one before; marks alone make none."""
    commits = [
        after
        for before, after in pairwise([None, *states])
        if after.fetched_at and (before is None or before.fetched_at != after.fetched_at)
    ]
    for before, after in pairwise(commits):
        if _time(before) >= _time(after):
            verdict.add("state", "fetched_at went back")
        if _plain(before) == _plain(after):
            verdict.add("ghost", f"{after.fetched_at}: a commit without a change")
        for icao, report in before.airports.items():
            if icao not in after.airports:
                verdict.add("lost", f"{after.fetched_at}: {icao} failed and is gone")
            elif "_stale" in after.airports[icao] and _plain(after)[icao] != _own(report):
                verdict.add("ghost", f"{after.fetched_at}: {icao} is stale and has changed")
    return commits


def _gateway(world: WeatherWorld, last: WeatherState, verdict: Verdict) -> None:
    """What the gateway has in the end is stored."""
    stored = _plain(last)
    for icao, report in world.page().items():
        if stored.get(icao) != report:
            verdict.add("lost", f"{icao}: the gateway's last report was never stored")


def _latest(world: WeatherWorld, states: Sequence[WeatherState], verdict: Verdict) -> None:
    """Every version with other airports or marks was shown, one after the other, and no other."""
    versions = world.objects.versions.get(f"data/{world.scenario.product}/latest.json", [])
    shown = {document["seq"]: document for document in (json.loads(v.body) for v in versions)}
    if [*shown] != sorted(shown) or len(shown) < len(versions):
        verdict.add("hot", "an older document replaced a newer one")
    due = {
        after.seq: after
        for before, after in pairwise([None, *states])
        if after.fetched_at and (before is None or before.airports != after.airports)
    }
    for seq in sorted(due.keys() - shown.keys()):
        verdict.add("lost", f"{seq}: committed and never visible")
    for seq in sorted(shown.keys() - due.keys()):
        verdict.add("ghost", f"{seq}: visible and never committed")
    if not all(_shows(shown[seq], due[seq]) for seq in due.keys() & shown.keys()):
        verdict.add("hot", "not what is committed")


def _files(world: WeatherWorld, commits: Sequence[WeatherState], verdict: Verdict) -> None:
    """The newest ten commits have a file each, and there is no other."""
    folder = f"data/{world.scenario.product}/"
    by_key = {f"{folder}{_file_name(commit)}": commit for commit in commits}
    for key, versions in world.objects.versions.items():
        if not key.startswith(folder) or key.endswith(("/latest.json", "/day.json")):
            continue
        if key not in by_key:
            verdict.add("ghost", f"{key}: a file of nothing that was committed")
        elif not all(_shows(json.loads(each.body), by_key[key]) for each in versions):
            verdict.add("archive", f"{key} is not what was committed")
        if len({version.body for version in versions}) > 1:
            verdict.add("archive", f"{key} was rewritten")
    bodies = world.objects.bodies()
    there = {key for key in bodies if key.startswith(folder) and not key.endswith("/day.json")}
    there.discard(f"{folder}latest.json")
    due = set(sorted(by_key)[-KEPT:])
    for key in sorted(due - there):
        verdict.add("lost", f"{key} is missing")
    for key in sorted(there - due):
        verdict.add("archive", f"{key} is one too many")


def _days(world: WeatherWorld, states: Sequence[WeatherState], verdict: Verdict) -> None:
    """Every committed METAR and TAF of the window is in its airport's day, once, in order.

    It is there before ``latest.json`` shows it, and no version lacks what an earlier one had.
    """
    product = world.scenario.product
    for icao in AIRPORTS if product in WINDOWS else ():
        versions = world.objects.versions.get(f"data/{product}/{icao}/day.json", [])
        days = [json.loads(version.body) for version in versions]
        due: dict[str, tuple[str, str]] = {}
        for state in states:
            if report := state.airports.get(icao):
                due.setdefault(report["raw"], (_when(report["header"]), _time(state)))
        for raw, (when, at) in due.items() if days else ():
            count = sum(entry["raw"] == raw for entry in days[-1]["reports"])
            # A report of the future is no part of a day, and later another one is the newest.
            is_due = all(_is_recent(product, when, end) for end in (at, _time(states[-1])))
            if is_due and count != 1:
                verdict.add("lost", f"{icao}: {raw} is {count} times in the day")
        for before, after in pairwise(days):
            gone = [
                entry["raw"]
                for entry in before["reports"]
                if _is_recent(product, _when(entry), after["updated_at"])
                and entry["raw"] not in {each["raw"] for each in after["reports"]}
            ]
            if gone or before["reports"] == after["reports"]:
                verdict.add("hot", f"{icao}: a day was rewritten and lacks {gone}")
        for day in days:
            times = [_when(entry) for entry in day["reports"]]
            if times != sorted(times):
                verdict.add("hot", f"{icao}: a day is out of order")
    _are_first(world, verdict)


def _are_first(world: WeatherWorld, verdict: Verdict) -> None:
    """What ``latest.json`` shows was in a day before."""
    product = world.scenario.product
    for shown in world.objects.versions.get(f"data/{product}/latest.json", []):
        document = json.loads(shown.body)
        for icao, report in document["airports"].items() if product in WINDOWS else ():
            days = world.objects.versions.get(f"data/{product}/{icao}/day.json", [])
            told = (json.loads(each.body) for each in days if each.order < shown.order)
            raws = {entry["raw"] for day in told for entry in day["reports"]}
            is_due = _is_recent(product, _when(report["header"]), document["fetched_at"])
            if is_due and report["raw"] not in raws:
                verdict.add("ghost", f"{icao}: {report['raw']} was shown before its day")


def _when(values: Mapping[str, Any]) -> str:
    """The time of a header, or of an entry of a day."""
    found = (values.get(name) for name in ("time", "observation_time", "issued"))
    return next(str(each) for each in found if each)


def _is_recent(product: str, when: str, end: str) -> bool:
    age = parse_timestamp(end) - parse_timestamp(when)
    return -timedelta(minutes=30) <= age <= WINDOWS[product]


def _pushes(world: WeatherWorld, commits: Sequence[WeatherState], verdict: Verdict) -> None:
    """Every happening is in a commit's outbox, has a name of its own and is pushed once."""
    due: list[str] = []
    visible = _visible(world)
    shown_at: dict[str, int] = {}
    for before, after in pairwise(commits):
        _outbox(world, before, after, verdict)
        for told in after.outbox:
            due.append(told.event_id)
            shown_at.setdefault(told.event_id, visible.get(_time(after), 0))
    if len(set(due)) < len(due):
        verdict.add("lost", "two happenings have one event id, the ledger holds the second back")
    announced = [
        (order, ChangePublished.parse(message.body).event_id)
        for order, message in world.notify.accepted
    ]
    for order, event in announced:
        if event not in shown_at:
            verdict.add("ghost", f"{event} was announced and never committed")
        elif not 0 < shown_at[event] < order:
            verdict.add("ghost", f"{event} was announced before it was visible")
    posted = [post.data["event_id"] for post in world.fcm.accepted]
    for event in sorted(set(due) - set(posted)):
        verdict.add("lost", f"{event} was never pushed")
    for icao in AIRPORTS:
        mine = {each.event_id for commit in commits for each in commit.outbox if each.topic == icao}
        first = [event for event in dict.fromkeys(posted) if event in mine]
        if first != [event for event in dict.fromkeys(due) if event in first]:
            verdict.add("order", f"a push of {icao} overtook another")
    again = len(posted) - len(set(posted))
    verdict.doubled += Counter({UNEXPLAINED: again})


def _visible(world: WeatherWorld) -> dict[str, int]:
    """When each commit was visible first."""
    first: dict[str, int] = {}
    for version in world.objects.versions.get(f"data/{world.scenario.product}/latest.json", []):
        first.setdefault(json.loads(version.body)["fetched_at"], version.order)
    return first


def _outbox(
    world: WeatherWorld, before: WeatherState, after: WeatherState, verdict: Verdict
) -> None:
    """What a commit announces is what lies between it and the one before."""
    happened = events_between(
        world.scenario.product, before.airports, after.airports, parse_timestamp(_time(after))
    )
    due = Counter(
        _told(each.icao, each.kind, each.content) for each in happened if each.kind in PUSH_KINDS
    )
    held = Counter(_told(told.topic, told.kind, told.content) for told in after.outbox)
    for what in due - held:
        verdict.add("lost", f"{what} happened and is in no outbox")
    for what in held - due:
        verdict.add("ghost", f"{what} is announced and did not happen")


def _told(icao: str, kind: str, content: Mapping[str, str | None]) -> str:
    return f"{icao} {kind} {json.dumps(content)}"


def _shows(document: dict[str, Any], commit: WeatherState) -> bool:
    airports, time = document["airports"], document["fetched_at"]
    return bool((airports, time) == (commit.airports, commit.fetched_at))


def _file_name(commit: WeatherState) -> str:
    """``METAR_20260331T234000Z.json``."""
    return f"{PREFIX[commit.source]}_{re.sub('[-:]', '', _time(commit))}.json"


def _plain(commit: WeatherState) -> dict[str, dict[str, Any]]:
    """The reports without our own marks."""
    return {icao: _own(report) for icao, report in commit.airports.items()}


def _own(report: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if not key.startswith("_")}


def _time(commit: WeatherState) -> str:
    return commit.fetched_at or ""
