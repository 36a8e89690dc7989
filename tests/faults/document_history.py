"""The changes of a run of the document store in their order, each judged by what was before it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from document_services import Change
from document_world import DocumentFaultWorld, Edited
from verdict import Verdict

from uring.documents.names import COST_PREFIX, SYSTEM
from uring.tables import Add, Condition, Write

ENDED: Final = ("done", "failed")
_PEOPLE_S: Final = ("severity", "notes", "state")
_EMPTY: Final[Mapping[str, Any]] = {}


class History:
    """The changes in their order, each judged by what was before it."""

    def __init__(self, world: DocumentFaultWorld, verdict: Verdict) -> None:
        self.items: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.objects: dict[str, bytes] = {}
        self.ever: set[str] = set()
        self.states: dict[str, str] = {}
        self.fences: dict[tuple[str, str], int] = {}
        self.versions: dict[tuple[str, str], int] = {}
        # On the accounts of pages, and on the account of the stack.
        self.micros, self.stack_micros = 0, 0
        self._world = world
        self._verdict = verdict

    def take(self, number: int, change: Change) -> None:
        """Judge a change, and make it."""
        for edited in self._world.edited:
            if edited.at == number:
                self._edit(edited)
        if change.key:
            self._object(change)
            return
        for part in change.parts:
            partition = "" if isinstance(part, Condition) else part.partition
            place = (partition or change.partition, part.key)
            if isinstance(part, Add):
                before = self.items.get(place, _EMPTY)
                amounts = {name: before.get(name, 0) + n for name, n in part.amounts.items()}
                self.items[place] = {**before, **amounts}
                self._spend(place[0], part.amounts.get("micros", 0))
            elif isinstance(part, Write):
                self._item(change.author, place, part.item)

    def _object(self, change: Change) -> None:
        if change.body is not None:
            self.objects[change.key] = change.body
            self.ever.add(change.key)
            return
        self.objects.pop(change.key, None)
        for place, item in self.items.items():
            if item.get("body") == change.key:
                self._verdict.add("archive", f"{':'.join(place)} loses its text")

    def _item(self, author: str, place: tuple[str, str], item: Mapping[str, Any] | None) -> None:
        partition, key = place
        before = self.items.get(place)
        if partition == "job":
            self._job(key, before, item)
        if item is not None and "body" in item and item["body"] not in self.objects:
            self._verdict.add("archive", f"{':'.join(place)} names a text that is not there")
        if item is not None and "fence" in item and not key.startswith("failed:"):
            if item["fence"] < self.fences.get(place, 0):
                self._verdict.add("state", f"{':'.join(place)}: its fence fell")
            self.fences[place] = item["fence"]
        if key.startswith("issue:"):
            self._issue(author, place, before, item)
        if key.startswith(COST_PREFIX) and item is not None:
            self._spend(partition, item["micros"] - (before or _EMPTY).get("micros", 0))
        if item is None:
            self.items.pop(place, None)
        else:
            self.items[place] = item

    def _spend(self, partition: str, micros: int) -> None:
        if partition == SYSTEM:
            self.stack_micros += micros
        else:
            self.micros += micros

    def _job(
        self, job: str, before: Mapping[str, Any] | None, item: Mapping[str, Any] | None
    ) -> None:
        state = None if item is None else item.get("state")
        if (
            before is not None
            and before.get("state") in ENDED
            and state
            not in (
                None,
                before["state"],
            )
        ):
            self._verdict.add("state", f"{job} went back from {before['state']} to {state}")
        if state is not None:
            self.states[job] = state

    def _issue(
        self,
        author: str,
        place: tuple[str, str],
        before: Mapping[str, Any] | None,
        item: Mapping[str, Any] | None,
    ) -> None:
        if item is None:
            return
        last = self.versions.get(place, 0)
        # Of one that was removed and found again none of its versions comes again: they are ETags.
        if item["version"] != last + 1 if before else item["version"] <= last:
            self._verdict.add("state", f"{place[1]}: version {item['version']} after {last}")
        self.versions[place] = item["version"]
        if before is not None and author != "editor":
            for name in _PEOPLE_S:
                if item[name] != before[name]:
                    self._verdict.add("lost", f"{place[1]}: {author} changed its {name}")
        if not item["is_stale"] and author != "editor":
            analysis = self.items.get((place[0], "analysis"), _EMPTY)
            if analysis and analysis["applied"] == analysis["inputs"]:
                found = json.loads(self.objects[analysis["body"]])
                if item["title"] not in {each["title"] for each in found}:
                    self._verdict.add("order", f"{item['title']} is of an older analysis")

    def _edit(self, edited: Edited) -> None:
        item = self.items.get(("page", f"issue:{edited.issue}"))
        # Removed since: `clear` was asked for.
        if item is not None and item[edited.attribute] != edited.value:
            self._verdict.add("lost", f"an edit of {edited.attribute}")
