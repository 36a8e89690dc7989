"""What must hold of every run of a watch, at rest and in the whole history; see `verdict`."""

import json
from typing import Any

from verdict import Verdict, archive, is_gone, pushes, site, states
from watch_world import WatchWorld

_ALL = 2_000


def judge_watch(world: WatchWorld) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    committed, crowded = states(world, verdict, _ALL)
    lines = archive(world, committed, verdict)
    _items(world, lines, verdict)
    site(world, lines, verdict)
    pushes(world, committed, crowded, verdict)
    for name in ("work", "notify", "dead", "dead_jobs"):
        if messages := getattr(world, name).messages:
            verdict.add("lost", f"{len(messages)} messages stay in the {name} queue")
    for key in sorted(world.needless):
        verdict.add("ghost", f"{key} was written, and nothing had changed")
    for problem in world.telemetry.named("check_failed"):
        if problem["trace"]:
            verdict.add("state", f"{problem['error']}: {problem['reason']}")
    return verdict


def _items(world: WatchWorld, lines: list[dict[str, Any]], verdict: Verdict) -> None:
    """Readers see every file of every listed domain, as its last line in the archive has it."""
    versions = world.objects.versions.get(f"data/{world.source}/latest.json", [])
    documents = [json.loads(version.body) for version in versions]
    sequence = [document["meta"]["seq"] for document in documents]
    if sequence != sorted(set(sequence)):
        verdict.add("hot", "an older projection replaced a newer one")
    last = {line["id"]: line for line in lines}
    expected = {
        name: (line["revision"], line["hash"]) for name, line in last.items() if not is_gone(line)
    }
    items = documents[-1]["items"] if documents else []
    if {item["id"]: (item["revision"], item["hash"]) for item in items} != expected:
        verdict.add("hot", "not what the archive adds up to")
    if {item["id"] for item in items} != world.site().keys():
        verdict.add("lost", "not every file of every domain is shown")
