"""What must hold of every run, at rest and in the whole history of the bucket and of FCM.

lost      committed or on the site, and not pushed, not visible, not archived; or left in a queue
ghost     pushed or visible, and never committed; or pushed before it was visible; or committed of
          a page older than the one before
archive   a line that is missing, doubled, torn, rewritten or in another month
hot       ``latest.json`` is not what the archive adds up to, or went back in time
state     the register went back, or repeated itself
order     overtaken within the topic
doubled   pushed again, by what befell this very push; anything but `CAUSES` is a defect
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from archive_reader import months, read_month
from cloud import Cloud
from fakes import Message

from uring.clock import parse_timestamp
from uring.contracts import ChangePublished
from uring.records.latest import WITHDRAWN
from uring.records.model import Event, RecordState
from uring.records.retract import EXTENT, RETRACTED, RETRACTS

UNEXPLAINED: Final = "unexplained"
A_WEEK: Final = timedelta(days=7)

# FCM has no idempotency key: what comes between its acceptance and SENT in the ledger pushes again.
# A process that stalls before its POST for longer than its lease posts beside its successor, before
# either wrote SENT: no ledger can hold that back, Lambda's time-out (60 s) does.
CAUSES: Final = {
    "die_after sender.send": "after POST",
    "no_answer sender.send": "answer lost",
    "pause sender.send": "before SENT",
    "pause ledger.sent": "before SENT",
    "die_before ledger.sent": "before SENT",
    "refused ledger.sent": "before SENT",
}


Shown = tuple[Any, ...]


class RecordWorld(Cloud):
    """A cloud whose source is a list of records.

    Attributes:
        family: of the source.
        source: its name.
        model: of its state.
        fields: of an archive's line, those that the site decides.
        is_redriven: whether dead letters were sent round again.
        redriven: those letters.
        served: when the source showed a page first, by its name; of one whose pages are all
            different.
    """

    family: str
    source: str
    model: type[RecordState]
    fields: tuple[str, ...]
    is_redriven = False
    redriven: Sequence[Message] = ()
    served: Mapping[str, datetime] = MappingProxyType({})

    def meta(self) -> dict[str, str]:
        """What ``latest.json`` says of the source itself in the end."""
        raise NotImplementedError

    def site(self) -> dict[str, Shown]:
        """What the site shows in the end: by id, the values of `fields`."""
        raise NotImplementedError


@dataclass(slots=True)
class Verdict:
    """What is wrong with a run; ``doubled`` counts by cause."""

    wrong: dict[str, list[str]] = field(default_factory=dict)
    doubled: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, problem: str) -> None:
        """Note a defect."""
        self.wrong.setdefault(kind, []).append(problem)

    def __str__(self) -> str:
        return "; ".join(f"{kind}: {', '.join(all_)}" for kind, all_ in self.wrong.items())


def judge(world: RecordWorld, *, hot_items: int) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    committed, crowded = states(world, verdict, hot_items)
    pages(world, verdict)
    lines = archive(world, committed, verdict)
    hot(world, lines, hot_items, verdict)
    site(world, lines, verdict)
    pushes(world, committed, crowded, verdict)
    for name, queue in (("work", world.work), ("notify", world.notify)):
        if queue.messages:
            verdict.add("lost", f"{len(queue.messages)} messages stay in the {name} queue")
    return verdict


def judge_restored(world: RecordWorld, *, hot_items: int) -> Verdict:
    """Hold a run whose state was put back against the promises that are left then.

    A commit that was put back before it was published never happened. All that was published
    happened once.
    """
    verdict = Verdict()
    committed, crowded = states(world, verdict, hot_items)
    lines = archived(world, verdict)
    held = Counter(line["event_id"] for line in lines)
    if again := held - Counter(held.keys()):
        verdict.add("archive", f"{len(again)} lines are there twice")
    by_id = {event.event_id: event for event in committed}
    if held.keys() - by_id.keys():
        verdict.add("ghost", "a line of no commit")
    hot(world, lines, hot_items, verdict)
    site(world, lines, verdict)
    # One that was given up may have been silent, and pushed when it was found again.
    published = [
        by_id[line["event_id"]].model_copy(update={"push": line["push"]})
        for line in lines
        if line["event_id"] in by_id
    ]
    pushes(world, published, crowded, verdict)
    for name, queue in (("work", world.work), ("notify", world.notify)):
        if queue.messages:
            verdict.add("lost", f"{len(queue.messages)} messages stay in the {name} queue")
    return verdict


def states(
    world: RecordWorld, verdict: Verdict, hot_items: int
) -> tuple[list[Event], frozenset[str]]:
    """Every committed event, in order; and those committed with more than hot can show."""
    key = f"state/{world.family}/{world.source}.json"
    states = [
        world.model.from_json(version.body, key=key, source=world.source)
        for version in world.objects.versions[key]
    ]
    if any(before.seq >= after.seq for before, after in pairwise(states)):
        verdict.add("state", "seq does not strictly increase")
    if len({state.writer for state in states}) < len(states):
        verdict.add("state", "a writer token came twice")
    if states[-1].outbox:
        verdict.add("lost", "the outbox was never drained")
    bodies = [json.loads(version.body) for version in world.objects.versions[key]]
    for before, after in pairwise(bodies):
        if _of_the_next_release(after) < _of_the_next_release(before):
            verdict.add("state", "a key of the next release was dropped")
    committed: dict[str, Event] = {}
    crowded: set[str] = set()
    for state in states:
        for event in state.outbox:
            committed.setdefault(event.event_id, event)
        if len(state.outbox) > hot_items:
            crowded.update(event.event_id for event in state.outbox)
    return list(committed.values()), frozenset(crowded)


def pages(world: RecordWorld, verdict: Verdict) -> None:
    """No state rests on a page older than that of the state before."""
    versions = world.objects.versions[f"state/{world.family}/{world.source}.json"]
    names = (json.loads(version.body).get("fingerprint", "") for version in versions)
    times = [
        world.served[page] for name in names if (page := name.partition(":")[2]) in world.served
    ]
    if any(before > after for before, after in pairwise(times)):
        verdict.add("ghost", "a state rests on an older page than the one before")


def page_name(body: bytes) -> str:
    """What a state's fingerprint calls a page."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def _of_the_next_release(state: dict[str, Any]) -> tuple[int, int]:
    """What the next release counts in a state and in its health; neither goes down."""
    return state.get("next_release", 0), state["health"].get("next_release", 0)


def archive(world: RecordWorld, committed: list[Event], verdict: Verdict) -> list[dict[str, Any]]:
    """The lines, oldest first; one of each commit."""
    lines = archived(world, verdict)
    held = Counter(line["event_id"] for line in lines)
    due = Counter(event.event_id for event in committed)
    if held != due:
        verdict.add("archive", f"{len(due - held)} lines missing, {len(held - due)} too many")
    return lines


def archived(world: RecordWorld, verdict: Verdict) -> list[dict[str, Any]]:
    """The lines, oldest first."""
    lines: list[dict[str, Any]] = []
    folder = f"data/{world.source}/archive/"
    for key in months(world.objects.versions, folder):
        before: list[dict[str, Any]] = []
        for version in world.objects.versions[key]:
            try:
                now = read_month(world.objects.versions, key, version)
            except ValueError as error:
                verdict.add("archive", str(error))
                break
            if now[: len(before)] != before:
                verdict.add("archive", f"{key} was rewritten")
            before = now
        for line in before:
            detected = line["detected_at"]
            if key != f"{folder}{detected[:4]}{detected[5:7]}.jsonl":
                verdict.add("archive", f"{detected} is in {key}")
        lines += before
    return lines


def hot(world: RecordWorld, lines: list[dict[str, Any]], hot_items: int, verdict: Verdict) -> None:
    model: list[dict[str, Any]] = []
    for line in lines:
        if _moved_up(line, lines[0]):
            model = [*model, line]
            tail = [old for old in model if _moved_up(old, lines[0], line["detected_at"])]
            tail.sort(key=lambda old: (old.get("date") or "", old["id"]), reverse=True)
            model = [*(old for old in model if old not in tail), *tail][:hot_items]
            continue
        if line["kind"] == RETRACTED:
            model = [line if old["id"] == line["id"] else old for old in model]
            continue
        left = {line["id"], line.get("renamed_from")}
        # A retraction stays until its record is pushed again.
        noted = [] if line["push"] else [old for old in model if old["id"] in left]
        note = {k: old[k] for old in noted for k in (RETRACTS, EXTENT) if k in old}
        shown = [] if line["kind"] == "deleted" else [{**line, **note}]
        model = [*shown, *(old for old in model if old["id"] not in left)][:hot_items]
    versions = [json.loads(version.body) for version in _latest(world)]
    sequence = [document["meta"]["seq"] for document in versions]
    if sequence != sorted(set(sequence)):
        verdict.add("hot", "an older projection replaced a newer one")
    apart = ("event_id", "kind", "detected_at", "push", "renamed_from")
    expected = [{k: v for k, v in line.items() if k not in apart} for line in model]
    if (versions[-1]["items"] if versions else []) != expected:
        verdict.add("hot", "not what the archive adds up to")
    if versions and not world.meta().items() <= versions[-1]["meta"].items():
        verdict.add("hot", "an edited entry never showed")


def _moved_up(line: dict[str, Any], first: dict[str, Any], at: str = "") -> bool:
    """Return whether a line is of an old record that the watch on the list never saw before."""
    is_unknown = line["kind"] == "baseline" and line["revision"] == 1
    return is_unknown and line["detected_at"] == (at or line["detected_at"]) != first["detected_at"]


def _latest(world: RecordWorld) -> Sequence[Any]:
    return world.objects.versions.get(f"data/{world.source}/latest.json", [])


def site(world: RecordWorld, lines: list[dict[str, Any]], verdict: Verdict) -> None:
    """What the site shows in the end is the last revision of each; each revision is a change."""
    history: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        before = history.pop(line.get("renamed_from", ""), [])
        history.setdefault(line["id"], before).append(line)
    for record_id, record in history.items():
        if [line["revision"] for line in record] != list(range(1, len(record) + 1)):
            verdict.add("archive", f"{record_id}: revisions do not count from 1")
        _retractions(record, verdict)
        shown = [(line["id"], *_shown(world, line)) for line in record if line["kind"] != RETRACTED]
        if any(before == after for before, after in pairwise(shown)):
            verdict.add("ghost", f"{record_id}: a revision without a change")
    for record_id, values in world.site().items():
        record = history.get(record_id, [])
        if not record or _shown(world, record[-1]) != (*values, False):
            verdict.add("lost", f"{record_id}: the site's last version was never found")


def _retractions(record: list[dict[str, Any]], verdict: Verdict) -> None:
    """Each takes back pushes that were made before, and that no other one takes back."""
    pushed: set[str] = set()
    for line in record:
        named = set(line["retracts"].split()) if line["kind"] == RETRACTED else set()
        if not named <= pushed:
            verdict.add("ghost", f"{line['event_id']} takes back what was not pushed, or again")
        pushed = (pushed - named) | ({line["event_id"]} if line["push"] else set())


def is_gone(line: dict[str, Any]) -> bool:
    """Return whether readers see the record no longer."""
    return bool(line["kind"] == "deleted" or line["kind"].endswith("_unlisted"))


def _shown(world: RecordWorld, line: dict[str, Any]) -> Shown:
    return (*(line.get(name) for name in world.fields), is_gone(line))


def pushes(
    world: RecordWorld, committed: list[Event], crowded: frozenset[str], verdict: Verdict
) -> None:
    """Announced once visible, pushed once, in order."""
    _visible_first(world, crowded, verdict)
    posts = world.fcm.accepted
    due = [event.event_id for event in committed if event.push]
    given_up = {ChangePublished.parse(letter.body).event_id for letter in _refused(world)}
    posted = Counter(post.data["event_id"] for post in posts)
    for event in set(due) - posted.keys() - given_up - _too_old(world):
        verdict.add("lost", f"{event} was never pushed")
    for event in posted.keys() - set(due):
        verdict.add("ghost", f"{event} was pushed and never committed")
    first = list(dict.fromkeys(post.data["event_id"] for post in posts))
    # A dead letter that is sent round again comes late by nature.
    if not world.is_redriven and first != [event for event in due if event in posted]:
        verdict.add("order", "a push overtook another")
    keys = {post.data["event_id"]: post.key for post in posts}
    again = posted - Counter(keys.keys())
    verdict.doubled.update(cause(world, keys[event]) for event in again.elements())


def _too_old(world: RecordWorld) -> set[str]:
    """Events that were still to be announced or pushed a week later: they are no news any more."""
    versions = world.objects.versions[f"state/{world.family}/{world.source}.json"]
    return {line["event_id"] for line in world.telemetry.named("too_old")} | {
        event["event_id"]
        for before, after in pairwise(versions)
        for event in json.loads(before.body)["outbox"]
        if after.at - parse_timestamp(event["detected_at"]) > A_WEEK
    }


def _visible_first(world: RecordWorld, crowded: frozenset[str], verdict: Verdict) -> None:
    visible: dict[tuple[str, int, str], int] = {}
    for version in _latest(world):
        for item in json.loads(version.body)["items"]:
            visible.setdefault((item["id"], item["revision"], item["title"]), version.order)
            if "retracts" in item:
                # Taken back before it was published: the same content, one revision on.
                before = item["id"], item["revision"] - 1, item["title"]
                visible.setdefault(before, version.order)
    for post in world.fcm.accepted:
        if post.data["event_id"] in crowded or post.data["kind"] == "deleted":
            continue
        told = post.data["title"].removeprefix(f"{WITHDRAWN} ")
        order = visible.get((post.data["id"], int(post.data["revision"]), told))
        if order is None or order > post.order:
            verdict.add("ghost", f"{post.key} was pushed and not visible")


def _refused(world: RecordWorld) -> list[Message]:
    """Dead letters that FCM refused for good; any other was not pushed."""
    letters = [*world.redriven, *world.dead.messages]
    return [letter for letter in letters if "FCM refused" in letter.attributes.get("reason", "")]


def cause(world: RecordWorld, key: str) -> str:
    """The fault that happened to this very push."""
    for broken in world.faults.broken:
        if broken.subject == key and str(broken) in CAUSES:
            return CAUSES[str(broken)]
    return UNEXPLAINED
