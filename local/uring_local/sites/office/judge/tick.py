"""All that can be said of the store between two ticks."""

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
    """Yield what is wrong with the pages as they stand."""
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
    """Yield what is wrong at the end of a tick.

    Args:
        pages: as they must be.
        edits: of this tick.
        before: at the end of the last one.
        after: at the end of this one.
        swept_at: when its round of the janitor was scheduled; None where there was none.
        is_repeated: whether a killed process began it: not all that it did is known.
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
