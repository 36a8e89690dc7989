"""The issues of a page, and the accepted edits."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from uring_local.sites.office.ledger import IssueState, PageState
from uring_local.sites.office.snapshot import ISSUE, POLICY, Item, Snapshot, references
from uring_local.sites.stage.compare import differing

_Known = frozenset[tuple[str, str]]


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
    value: str
    version: int


def faults_of_issues(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
    """Yield the faults of a page's issues."""
    items = found.items(page, ISSUE)
    stored = {known_by(item): item for item in items.values()}
    if len(stored) < len(items):
        yield f"{page}: two issues with the same quotations"
    wanted = {
        frozenset((source, mark.text) for source, mark in quotes): issue
        for quotes, issue in expected.issues.items()
    }
    for known in stored.keys() - wanted.keys():
        yield f"{page}: an unplanted issue: {stored[known]['title']}"
    for known, issue in wanted.items():
        if known not in stored:
            yield f"{page}: no issue {issue.words}"
            continue
        faults = [*differing(_fields(issue), stored[known])]
        faults += [] if issue.is_stale else _misquoted(page, stored[known], found)
        yield from (f"{page}: {issue.words}: {fault}" for fault in faults)


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


def known_by(item: Item) -> _Known:
    """Return the sources and quotations of an issue, which identify it."""
    return frozenset((each["source"], " ".join(each["quote"].split())) for each in references(item))


def _fields(expected: IssueState) -> dict[str, object]:
    """Return the expected attributes of an issue's item."""
    return {
        "title": expected.words,
        "severity": expected.severity,
        "notes": expected.notes,
        "state": expected.state,
        "is_stale": int(expected.is_stale),
    }


def _misquoted(page: str, item: Item, found: Snapshot) -> Iterator[str]:
    for place in references(item):
        policy = found.pages[page].get(f"{POLICY}{place['source']}")
        text = found.texts.get(policy["body"], "") if policy else ""
        if text[place["start"] : place["end"]] != place["quote"]:
            yield f"its quotation of {place['source']} is not in the text"
