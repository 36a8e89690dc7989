"""Findings matched with stored issues that quote the same words (D11).

    findings ─► groups by quoted words ─► same title: one ─► the best of their issues
                                                                   └ none left: a new issue

A model words a finding differently each time; its quotations stay. So the words of the quotations
name a group. Within a group, a finding goes to the issue with the same title, else to the one with
the most similar title, so that a person's notes stay with their issue. An issue that a person has
touched takes a finding only if the titles are alike: another matter is an issue of its own.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import Final

from uring.documents.names import derived_id
from uring.documents.store.issues import IssueReference, Severity, StoredIssue
from uring.documents.work.findings import MOST_REFERENCES, Finding

_BLANK: Final = re.compile(r"\s+")
_GRAVITY: Final[Mapping[Severity, int]] = {"low": 0, "medium": 1, "high": 2, "critical": 3}
# Comparing each title with each takes their product; beyond it, titles are matched in order.
_MOST_COMPARISONS: Final = 2_500
_DESCRIPTION: Final = 8_000
# Titles are alike if they share this part of their words, see `_words`.
_ALIKE: Final = 0.3
_WORD: Final = re.compile(r"\w+")
# Shorter words say nothing about the matter: the, for, not, who.
_SHORTEST: Final = 4
# A word's beginning, without its endings: deadline, deadlines.
_STEM: Final = 6


def matched(
    page: str, found: Iterable[Finding], stored: Iterable[StoredIssue], taken: Collection[str] = ()
) -> dict[str, Finding]:
    """Return the findings by the id of their issue, stored or new.

    The first issue of a group has the id of its quotations, the others have numbers. Findings with
    the same quotations and the same title are one: the gravest severity, each description.

    Args:
        page: the page of the issues.
        found: the findings of an analysis.
        stored: the issues of the page.
        taken: ids of the page that no new issue may have.
    """
    issues: dict[tuple[str, ...], list[StoredIssue]] = {}
    for issue in stored:
        issues.setdefault(quotations(issue.references), []).append(issue)
    groups: dict[tuple[str, ...], dict[str, Finding]] = {}
    for finding in found:
        group = groups.setdefault(quotations(finding.references), {})
        title = finding.title.casefold()
        group[title] = _merged(group[title], finding) if title in group else finding
    used = {*taken, *(issue.id for group in issues.values() for issue in group)}
    result: dict[str, Finding] = {}
    for key, group in groups.items():
        ids = (each for each in _ids(page, key) if each not in used)
        pairs = _paired([*group.values()], issues.get(key, []))
        result |= {issue.id if issue else next(ids): finding for finding, issue in pairs}
    return result


def quotations(references: Iterable[IssueReference]) -> tuple[str, ...]:
    """Return the words that are quoted, with their sources, in order and in one white space.

    Words that are quoted at two places are there once.
    """
    return tuple(sorted({f"{each.source}:{_BLANK.sub(' ', each.quote)}" for each in references}))


def _ids(page: str, key: tuple[str, ...]) -> Iterator[str]:
    yield derived_id(page, *key)
    # A quotation begins with the name of a source, never with this mark.
    yield from (derived_id(page, *key, f"#{number}") for number in count(1))


def _merged(one: Finding, other: Finding) -> Finding:
    description = one.description
    if other.description not in description:
        description = f"{description}\n\n{other.description}"[:_DESCRIPTION]
    places = tuple(dict.fromkeys((*one.references, *other.references)))
    return one.model_copy(
        update={
            "references": places[:MOST_REFERENCES],
            "severity": max(one.severity, other.severity, key=_GRAVITY.__getitem__),
            "description": description,
            "found_with": tuple(dict.fromkeys((*one.found_with, *other.found_with))),
        }
    )


def _paired(
    found: Sequence[Finding], issues: Sequence[StoredIssue]
) -> list[tuple[Finding, StoredIssue | None]]:
    """Return each finding with the issue that fits best; None when all fit better elsewhere."""
    pairs: list[tuple[Finding, StoredIssue | None]] = []
    left = {issue.id: issue for issue in issues}
    titles = {issue.title.casefold(): issue.id for issue in reversed(issues)}
    others = []
    for finding in found:
        same = left.pop(titles.get(finding.title.casefold(), ""), None)
        if same is None:
            others.append(finding)
        else:
            pairs.append((finding, same))
    waiting = dict(enumerate(others))
    for number, id_ in _by_likeness(others, [*left.values()]):
        if number in waiting and id_ in left:
            pairs.append((waiting.pop(number), left.pop(id_)))
    return [*pairs, *((finding, None) for finding in waiting.values())]


def _by_likeness(
    found: Sequence[Finding], issues: Sequence[StoredIssue]
) -> Iterator[tuple[int, str]]:
    """Yield findings, by number, with issues that they may be, the most similar titles first."""
    if len(found) * len(issues) > _MOST_COMPARISONS:
        free = [issue.id for issue in issues if not issue.is_touched]
        yield from enumerate(free[: len(found)])
        return
    letters = [_letters(issue.title) for issue in issues]
    ranked = [
        (-_likeness(_letters(finding.title), theirs), finding.severity != issue.severity, pair)
        for number, finding in enumerate(found)
        for issue, theirs in zip(issues, letters, strict=True)
        if not issue.is_touched or _is_alike(finding.title, issue.title)
        for pair in [(number, issue.id)]
    ]
    # The sort is stable: pairs that fit equally stay in their order.
    for _, _, pair in sorted(ranked, key=lambda each: each[:2]):
        yield pair


def _letters(title: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a title."""
    folded = title.casefold()
    return frozenset(one + other for one, other in pairwise(folded))


def _is_alike(one: str, other: str) -> bool:
    return _likeness(_words(one), _words(other)) >= _ALIKE


def _words(title: str) -> frozenset[str]:
    """Return the stems of a title's long words; of other scripts, pairs of neighbouring letters."""
    words = _WORD.findall(title.casefold())
    stems = {word[:_STEM] for word in words if word.isascii() and len(word) >= _SHORTEST}
    others = (_letters(word) or {word} for word in words if not word.isascii())
    return frozenset(stems.union(*others))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / max(len(one) + len(other), 1)
