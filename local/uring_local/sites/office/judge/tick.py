"""All checks of the store between two ticks."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from uring_local.sites.office.judge.issues import (
    Accepted,
    faults_of_issues,
    faults_of_versions,
)
from uring_local.sites.office.judge.policies import faults_of_policies
from uring_local.sites.office.judge.remains import (
    faults_of_fences,
    faults_of_gone,
    faults_of_round,
)
from uring_local.sites.office.judge.work import faults_of_jobs
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.snapshot import Snapshot


def faults_of_pages(pages: Mapping[str, PageState], found: Snapshot) -> Iterator[str]:
    """Yield the faults of the pages, in order of their names."""
    for name, expected in sorted(pages.items()):
        if expected.attachments or expected.strays or not expected.gone_rounds:
            yield from faults_of_policies(name, expected, found)
            yield from faults_of_issues(name, expected, found)
        else:
            yield from faults_of_gone(name, expected, found)


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
    yield from faults_of_fences(before, after)
    if is_repeated:
        return
    for name, expected in pages.items():
        if not expected.is_touched:
            yield from faults_of_versions(name, edits, before, after)
    if swept_at is not None:
        yield from faults_of_round(swept_at, before, after)
