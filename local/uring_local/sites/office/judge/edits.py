"""The accepted edits, and the versions of issues that they made."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from uring_local.sites.office.snapshot import ISSUE, Snapshot


@dataclass(frozen=True, slots=True)
class Accepted:
    """An edit that the API has accepted.

    Attributes:
        issue: its id.
        life: number of times that the page had been cleared.
        version: of the issue after the edit.
    """

    page: str
    issue: str
    life: int
    tick: int
    version: int


def faults_of_edits(
    edits: Sequence[Accepted], found: Snapshot, lives: Mapping[str, int]
) -> Iterator[str]:
    """Yield versions that were given twice, and lost versions.

    Args:
        edits: all accepted edits.
        found: the current store.
        lives: number of times that each page has been cleared by now.
    """
    given = Counter((each.page, each.life, each.issue, each.version) for each in edits)
    for (page, _, issue, version), count in given.items():
        if count > 1:
            yield f"{page}: {issue}: {count} edits made version {version}"
    for edit in edits:
        item = found.pages.get(edit.page, {}).get(f"{ISSUE}{edit.issue}")
        if edit.life == lives.get(edit.page, 0) and item and item["version"] < edit.version:
            yield f"{edit.page}: {edit.issue}: version {edit.version} is lost"


def faults_of_versions(
    page: str, edits: Sequence[Accepted], before: Snapshot, after: Snapshot
) -> Iterator[str]:
    """Yield versions without an edit, on a page that only editors wrote to in a tick.

    Args:
        page: not analysed in this tick.
        edits: of this tick.
        before: at the end of the last tick.
        after: at the end of this one.
    """
    made = Counter(each.issue for each in edits if each.page == page)
    old = before.items(page, ISSUE)
    for name, item in after.items(page, ISSUE).items():
        if name in old and item["version"] != old[name]["version"] + made[name]:
            yield (
                f"{page}: {name}: version {item['version']} after {old[name]['version']} and "
                f"{made[name]} edits"
            )
    versions: dict[str, list[int]] = {}
    for edit in edits:
        if edit.page == page:
            versions.setdefault(edit.issue, []).append(edit.version)
    for name, numbers in versions.items():
        if any(later != sooner + 1 for sooner, later in pairwise(sorted(numbers))):
            yield f"{page}: {name}: holes between versions {sorted(numbers)}"
