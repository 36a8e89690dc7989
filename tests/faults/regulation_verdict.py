"""What must hold of every run of a registry, at rest and in the whole history; see `verdict`.

lost      committed or on the page, and not in the table, not visible, no text, not pushed
ghost     pushed and never committed, or before it was visible; a write without a change
archive   a line that is missing, doubled or torn; a text that was stored twice
hot       ``latest.json`` is not what the archive adds up to; a text that is not its file's
state     a register went back; the table was ahead of its metadata, or an entry without its queue
order     overtaken within a register
doubled   pushed again: always a defect, the notifier is not disturbed here
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from regulation_world import RegulationWorld
from verdict import UNEXPLAINED, Verdict, archive, hot, site, states

from uring.records.model import Event
from uring.regulations.texts.state import TextState
from uring.tables import Condition

_BODIES: Final = "state/regulation_texts/bodies/"


class _Texts:
    """One text's register, as `verdict.states` takes it."""

    family, model = "regulation_texts", TextState

    def __init__(self, world: RegulationWorld, source: str) -> None:
        self.objects, self.source = world.objects, source


def judge_regulations(world: RegulationWorld) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    registers = [states(world, verdict, 2_000)[0]]
    for key in world.objects.versions:
        family, _, name = key.removeprefix("state/").partition("/")
        if family == "regulation_texts" and not key.startswith(_BODIES):
            text: Any = _Texts(world, name.removesuffix(".json"))
            registers.append(states(text, verdict, 2_000)[0])
    committed = [event for register in registers for event in register]
    lines = archive(world, committed, verdict)
    regulations = [line for line in lines if not line["id"].startswith("text/")]
    hot(world, regulations, 2_000, verdict)
    site(world, regulations, verdict)
    _table(world, verdict)
    _history(world, verdict)
    _texts(world, verdict)
    for register in registers:
        _pushes(world, register, verdict)
    pushed = {post.data["event_id"] for post in world.fcm.accepted}
    for event in pushed - {event.event_id for event in committed}:
        verdict.add("ghost", f"{event} was pushed and never committed")
    for name in ("work", "parse", "notify", "dead", "dead_jobs", "dead_parses"):
        if messages := getattr(world, name).messages:
            verdict.add("lost", f"{len(messages)} messages stay in the {name} queue")
    for key in sorted(world.needless):
        verdict.add("ghost", f"{key} was written, and nothing had changed")
    for problem in world.telemetry.named("check_failed"):
        if problem["trace"]:
            verdict.add("state", f"{problem['error']}: {problem['reason']}")
    return verdict


def _items(world: RegulationWorld, prefix: str) -> dict[str, Mapping[str, Any]]:
    return {key.removeprefix(prefix): item for key, item in world.table.query("rules", prefix)}


def _table(world: RegulationWorld, verdict: Verdict) -> None:
    """In the end the table is what the page lists, nothing waits, and the last run is honest."""
    active = {
        title: item["fileNo"]
        for title, item in _items(world, "policy:").items()
        if item["status"] == "active"
    }
    if active != {title: shown[1] for title, shown in world.site().items()}:
        verdict.add("lost", f"the table lists {active}")
    if waiting := _items(world, "queue:"):
        verdict.add("lost", f"{', '.join(waiting)} still wait to be read")
    dead = {
        title: str(item["errorMessage"]).partition(":")[0]
        for title, item in _items(world, "dead-letter:").items()
    }
    # A fault that befell the last try is its reason.
    if dead.keys() != world.scenario.dead.keys() or (
        not world.faults.broken and dead != world.scenario.dead
    ):
        verdict.add("lost", f"dead letters are {dead}")
    last = world.table.get("rules", "metadata:sync:lastRun") or {}
    due = ("partial", len(world.scenario.bad)) if world.scenario.bad else ("success", 0)
    if (last.get("status"), last.get("errorCount")) != due:
        verdict.add("state", f"the last run says {last}")
    if last.get("totalProcessed") != len(world.site()):
        verdict.add("state", f"the last run says {last}")


def _history(world: RegulationWorld, verdict: Verdict) -> None:
    """Entry and queue entry together; metadata behind what it counts; the fence never back."""
    runs = _runs(world)
    items: dict[str, Mapping[str, Any]] = {}
    for _, parts in world.table.history:
        written = {part.key: part.item for part in parts if not isinstance(part, Condition)}
        for key, item in written.items():
            if not key.startswith("policy:") or item is None or item["status"] != "active":
                continue
            known = items.get(key)
            is_read = known and (known["status"], known["fileNo"]) == ("active", item["fileNo"])
            if not is_read and f"queue:{item['title']}" not in written:
                verdict.add("state", f"{key} without its queue entry")
        fence = written.get("metadata:sync:seq")
        if fence and fence["seq"] <= items.get("metadata:sync:seq", {"seq": -1})["seq"]:
            verdict.add("state", "the fence went back")
        for key, item in written.items():
            if item is None:
                items.pop(key, None)
            else:
                items[key] = item
        last = written.get("metadata:sync:lastRun")
        if last:
            active = {
                item["title"]: item["fileNo"]
                for key, item in items.items()
                if key.startswith("policy:") and item["status"] == "active"
            }
            if active not in runs.get(str(last["timestamp"]), []):
                verdict.add("state", f"metadata of {last['timestamp']} beside other entries")


def _runs(world: RegulationWorld) -> dict[str, list[dict[str, str]]]:
    """What the register listed, by the time of the run that it tells."""
    runs: dict[str, list[dict[str, str]]] = {}
    for version in world.objects.versions["state/regulations/rules.json"]:
        state = json.loads(version.body)
        if state["last_run"]:
            listed = {each["id"]: each["content"]["fileNo"] for each in state["hot"]}
            runs.setdefault(state["last_run"]["timestamp"], []).append(listed)
    return runs


def _texts(world: RegulationWorld, verdict: Verdict) -> None:
    """Each file that can be read has its text; each text is kept once, and never another."""
    for key, versions in world.objects.versions.items():
        if key.startswith(_BODIES):
            digest = hashlib.sha256(versions[0].body).hexdigest()
            if len(versions) > 1 or key != f"{_BODIES}{digest}.md":
                verdict.add("archive", f"{key} was stored {len(versions)} times")
    for title, (_, file_no, *_) in world.site().items():
        said = world.files().get(str(file_no), f"제1조(목적) 규정 {file_no}의 목적은 이와 같다.")
        if title in world.scenario.dead or said.startswith("!"):
            continue
        versions = world.objects.versions.get(f"data/rules/texts/{file_no}.md", [])
        if not versions:
            verdict.add("lost", f"{title}: no text of {file_no}")
        elif not versions[-1].body.decode().endswith(f"---\n\n{said}"):
            verdict.add("hot", f"{title}: not the text of {file_no}")


def _pushes(world: RegulationWorld, committed: list[Event], verdict: Verdict) -> None:
    """What a register announced is pushed once, in its order, after readers could see it."""
    due = [event.event_id for event in committed if event.push]
    posts = [post for post in world.fcm.accepted if post.data["event_id"] in due]
    posted = [post.data["event_id"] for post in posts]
    for event in sorted(set(due) - set(posted)):
        verdict.add("lost", f"{event} was never pushed")
    if list(dict.fromkeys(posted)) != [event for event in due if event in posted]:
        verdict.add("order", "a push overtook another")
    verdict.doubled += Counter({UNEXPLAINED: len(posted) - len(set(posted))})
    visible: dict[str, int] = {}
    for key, versions in world.objects.versions.items():
        if key.startswith("data/rules/archive/"):
            for version in versions:
                for line in version.body.splitlines():
                    visible.setdefault(json.loads(line)["event_id"], version.order)
    for post in posts:
        if visible.get(post.data["event_id"], post.order) >= post.order:
            verdict.add("ghost", f"{post.key} was pushed and not visible")
        difference = post.data.get("difference", "").removeprefix("/")
        if difference and difference not in world.objects.versions:
            verdict.add("lost", f"{difference} is not there")
