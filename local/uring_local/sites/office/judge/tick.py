"""All checks of the store between two ticks: its pages, jobs and fences, and the janitor's work."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from uring_local.sites.office.judge.edits import Accepted, faults_of_versions
from uring_local.sites.office.judge.pages import faults_of_pages
from uring_local.sites.office.judge.work import faults_of_jobs
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.snapshot import LOCKS, Snapshot

# A dead text stays for a day; the clocks of writer and janitor may differ by the rest.
_GRACE: Final = timedelta(days=1, hours=1)


def faults_of_tick(
    pages: Mapping[str, PageState],
    edits: Sequence[Accepted],
    before: Snapshot,
    after: Snapshot,
    *,
    swept_at: datetime | None,
    is_repeated: bool,
) -> Iterator[str]:
    """Yield the faults at the end of a tick.

    Args:
        pages: the expected pages, by name.
        edits: of this tick.
        before: the store at the end of the last tick.
        after: the store at the end of this tick.
        swept_at: the scheduled time of its round of the janitor; None without a round.
        is_repeated: whether a killed process began it, so that not all of its edits are known.
    """
    yield from faults_of_pages(pages, after)
    yield from faults_of_jobs(after)
    yield from _faults_of_fences(before, after)
    if is_repeated:
        return
    for name, expected in pages.items():
        if not expected.is_touched:
            yield from faults_of_versions(name, edits, before, after)
    if swept_at is not None:
        yield from faults_of_round(swept_at, before, after)


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
        if at - after.bodies[key] > _GRACE:
            yield f"{key}: unreferenced since {after.bodies[key]:%d %H:%M}"
    for name, item in after.jobs.items():
        if int(item["expires_at"]) < at.timestamp():
            yield f"job {name}: expired, but still stored"


def _faults_of_fences(before: Snapshot, after: Snapshot) -> Iterator[str]:
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
