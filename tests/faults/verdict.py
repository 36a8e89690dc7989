"""What must hold of every run, at rest and in the whole history of the bucket and of FCM.

lost      committed or on the site, and not pushed, not visible, not archived; or left in a queue
ghost     pushed or visible, and never committed; or pushed before it was visible
archive   a line that is missing, doubled, torn, rewritten or in another month
hot       ``latest.json`` is not what the archive adds up to, or went back in time
state     the register went back, or repeated itself
order     overtaken within the department
doubled   pushed again, by what befell this very push; anything but `CAUSES` is a defect
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from fakes import Message
from world import World

from uring.contracts import ChangePublished
from uring.notices.state import NoticeState
from uring.records.model import Event

STATE: Final = "state/notices/cs.json"
LATEST: Final = "data/cs/latest.json"
ARCHIVE: Final = "data/cs/archive/"
UNEXPLAINED: Final = "unexplained"

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


def judge(world: World, *, hot_items: int) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    committed, crowded = _states(world, verdict, hot_items)
    lines = _archive(world, committed, verdict)
    _hot(world, lines, hot_items, verdict)
    _site(world, lines, verdict)
    _pushes(world, committed, crowded, verdict)
    for name, queue in (("work", world.work), ("notify", world.notify)):
        if queue.messages:
            verdict.add("lost", f"{len(queue.messages)} messages stay in the {name} queue")
    return verdict


def _states(world: World, verdict: Verdict, hot_items: int) -> tuple[list[Event], frozenset[str]]:
    """Every committed event, in order; and those committed with more than hot can show."""
    states = [
        NoticeState.from_json(version.body, key=STATE, source="cs")
        for version in world.objects.versions[STATE]
    ]
    if any(before.seq >= after.seq for before, after in pairwise(states)):
        verdict.add("state", "seq does not strictly increase")
    if len({state.writer for state in states}) < len(states):
        verdict.add("state", "a writer token came twice")
    if states[-1].outbox:
        verdict.add("lost", "the outbox was never drained")
    committed: dict[str, Event] = {}
    crowded: set[str] = set()
    for state in states:
        for event in state.outbox:
            committed.setdefault(event.event_id, event)
        if len(state.outbox) > hot_items:
            crowded.update(event.event_id for event in state.outbox)
    return list(committed.values()), frozenset(crowded)


def _archive(world: World, committed: list[Event], verdict: Verdict) -> list[dict[str, Any]]:
    """The lines, oldest first."""
    lines = []
    for key in sorted(key for key in world.objects.versions if key.startswith(ARCHIVE)):
        before = b""
        for version in world.objects.versions[key]:
            if not (version.body.startswith(before) and version.body.endswith(b"\n")):
                verdict.add("archive", f"{key} was rewritten or torn")
            before = version.body
        for text in before.splitlines():
            line = json.loads(text)
            detected = line["detected_at"]
            if key != f"{ARCHIVE}{detected[:4]}{detected[5:7]}.jsonl":
                verdict.add("archive", f"{detected} is in {key}")
            lines.append(line)
    held = Counter(line["event_id"] for line in lines)
    due = Counter(event.event_id for event in committed)
    if held != due:
        verdict.add("archive", f"{len(due - held)} lines missing, {len(held - due)} too many")
    return lines


def _hot(world: World, lines: list[dict[str, Any]], hot_items: int, verdict: Verdict) -> None:
    model: list[dict[str, Any]] = []
    for line in lines:
        model = [line, *(old for old in model if old["id"] != line["id"])][:hot_items]
    versions = [json.loads(version.body) for version in world.objects.versions.get(LATEST, [])]
    sequence = [document["meta"]["seq"] for document in versions]
    if sequence != sorted(set(sequence)):
        verdict.add("hot", "an older projection replaced a newer one")
    apart = ("event_id", "kind", "detected_at", "push")
    expected = [{k: v for k, v in line.items() if k not in apart} for line in model]
    if (versions[-1]["items"] if versions else []) != expected:
        verdict.add("hot", "not what the archive adds up to")
    if versions and versions[-1]["meta"]["dept_name"] != world.scenario.entry["name"]:
        verdict.add("hot", "an edited entry never showed")


def _site(world: World, lines: list[dict[str, Any]], verdict: Verdict) -> None:
    """What the site shows in the end is the last revision of each; each revision is a change."""
    history: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        history.setdefault(line["id"], []).append(line)
    for notice, record in history.items():
        if [line["revision"] for line in record] != list(range(1, len(record) + 1)):
            verdict.add("archive", f"{notice}: revisions do not count from 1")
        shown = [(line["title"], line["is_pinned"]) for line in record]
        if any(before == after for before, after in pairwise(shown)):
            verdict.add("ghost", f"{notice}: a revision without a change")
    for notice in world.last_page():
        record = history.get(notice.id, [])
        if not record or (record[-1]["title"], record[-1]["is_pinned"]) != (
            notice.title,
            notice.is_pinned,
        ):
            verdict.add("lost", f"{notice.id}: the site's last version was never found")


def _pushes(
    world: World, committed: list[Event], crowded: frozenset[str], verdict: Verdict
) -> None:
    """Announced once visible, pushed once, in order."""
    _visible_first(world, crowded, verdict)
    posts = world.fcm.accepted
    due = [event.event_id for event in committed if event.push]
    given_up = {ChangePublished.parse(letter.body).event_id for letter in _refused(world)}
    posted = Counter(post.data["event_id"] for post in posts)
    for event in set(due) - posted.keys() - given_up:
        verdict.add("lost", f"{event} was never pushed")
    for event in posted.keys() - set(due):
        verdict.add("ghost", f"{event} was pushed and never committed")
    first = list(dict.fromkeys(post.data["event_id"] for post in posts))
    # A dead letter that is sent round again comes late by nature.
    if not world.scenario.redriven and first != [event for event in due if event in posted]:
        verdict.add("order", "a push overtook another")
    keys = {post.data["event_id"]: post.key for post in posts}
    again = posted - Counter(keys.keys())
    verdict.doubled.update(_cause(world, keys[event]) for event in again.elements())


def _visible_first(world: World, crowded: frozenset[str], verdict: Verdict) -> None:
    visible: dict[tuple[str, int], tuple[int, str]] = {}
    for version in world.objects.versions.get(LATEST, []):
        for item in json.loads(version.body)["items"]:
            visible.setdefault((item["id"], item["revision"]), (version.order, item["title"]))
    for post in world.fcm.accepted:
        order, title = visible.get((post.data["id"], int(post.data["revision"])), (None, ""))
        if post.data["event_id"] in crowded:
            continue
        if order is None or order > post.order or title != post.data["title"]:
            verdict.add("ghost", f"{post.key} was pushed and not visible")


def _refused(world: World) -> list[Message]:
    """Dead letters that FCM refused for good; any other was not pushed."""
    letters = [*world.redriven, *world.dead.messages]
    return [letter for letter in letters if "FCM refused" in letter.attributes.get("reason", "")]


def _cause(world: World, key: str) -> str:
    """The fault that happened to this very push."""
    for broken in world.faults.broken:
        if broken.subject == key and str(broken) in CAUSES:
            return CAUSES[str(broken)]
    return UNEXPLAINED
