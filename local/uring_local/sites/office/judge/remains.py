"""Remains for the janitor: dead texts, items of deleted pages, expired jobs; and fences."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.snapshot import COST, ISSUE, LOCKS, Snapshot

# A dead text stays for a day; the clocks of writer and janitor may differ by the rest.
GRACE: Final = timedelta(days=1, hours=1)
# A deleted page's items are gone after three rounds of the janitor, its texts after four.
ROUNDS_OF_ITEMS: Final = 3
ROUNDS_OF_TEXTS: Final = 4
_STAYING: Final = (LOCKS, COST, "gone", "failed:")


def faults_of_round(at: datetime, before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield the dead texts and expired jobs that a round of the janitor has left.

    Args:
        at: the scheduled time of the round, aware.
        before: the store before the round.
        after: the store at the end of its tick.
    """
    mark = after.system.get("purged", {})
    if "scheduled_at" not in mark or datetime.fromisoformat(mark["scheduled_at"]) != at:
        yield "the janitor has not set its mark"
    elif mark.get("failed"):
        yield f"the janitor could not sweep {mark['failed']} pages"
    dead = before.bodies.keys() & after.bodies.keys() - before.named - after.named
    for key in sorted(dead):
        if at - after.bodies[key] > GRACE:
            yield f"{key}: unreferenced since {after.bodies[key]:%d %H:%M}"
    for name, item in after.jobs.items():
        if int(item["expires_at"]) < at.timestamp():
            yield f"job {name}: expired, but still stored"


def faults_of_gone(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
    """Yield the remains of a deleted page."""
    items = found.pages.get(page, {})
    for key, item in sorted(items.items()):
        if key.startswith(ISSUE) and not item["is_stale"]:
            yield f"{page}: {item['title']} is not stale, but its page is gone"
        if key.startswith("policy:"):
            yield f"{page}: an entry of {key}, but the page is gone"
    if expected.gone_rounds >= ROUNDS_OF_ITEMS:
        left = [key for key in items if not key.startswith(_STAYING)]
        yield from (f"{page}: {key} is left of a deleted page" for key in sorted(left))
    if expected.gone_rounds >= ROUNDS_OF_TEXTS:
        texts = [key for key in found.bodies if key.startswith(f"pages/{page}/")]
        yield from (f"{key}: left of a deleted page" for key in sorted(texts))


def faults_of_fences(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield fallen fences, fences that were never given, and lost locks."""
    for page, items in after.pages.items():
        old = before.pages.get(page, {})
        if old.keys() <= {LOCKS}:
            # The janitor removes a catalogue without other items: its numbers begin again.
            continue
        if LOCKS in old and LOCKS not in items and items:
            yield f"{page}: its locks are gone, but the page is not"
        for key, item in items.items():
            for name, fence in _fences(item).items():
                if fence < _fences(old.get(key, {})).get(name, 0):
                    yield f"{page}: {key}: {name} fell to {fence}"
                if fence > items.get(LOCKS, {}).get("fence", 0):
                    yield f"{page}: {key}: {name} is {fence}, which was never given"


def _fences(item: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: value for name, value in item.items() if name == "fence" or name.startswith("fence:")
    }
