"""Stored issues after an analysis: found again, not found, or to be removed (D11).

A person's work is never overwritten or removed. All else follows the newest analysis.
"""

from typing import Any

from uring.clock import Timestamp
from uring.documents.store.analysis import AnalysisEntry
from uring.documents.store.history import ANALYSIS, edited
from uring.documents.store.issues import IssueReference, StoredIssue
from uring.documents.work.findings import Finding


def found_again(
    issue: StoredIssue, finding: Finding, analysis: AnalysisEntry, now: Timestamp
) -> StoredIssue:
    """Return an issue with its new places, and with the newest words.

    The severity stays once a person has set it, title and description once a person has touched
    the issue in any way: notes refer to them.
    """
    words: dict[str, Any] = {}
    if not issue.is_classified:
        words["severity"] = finding.severity
    if not issue.is_touched:
        words |= {"title": finding.title, "description": finding.description}
    spoken = issue.model_copy(update=words)
    history = issue.history
    if spoken != issue:
        history = edited(issue, ANALYSIS, ANALYSIS, _short(issue), _short(spoken), at=now)
    return spoken.model_copy(
        update={
            "history": history,
            "references": placed(finding, analysis),
            "is_stale": False,
            "not_found_since": None,
            "not_found_twice": False,
            "found_with": finding.found_with,
            "model": finding.model,
            "prompt": finding.prompt,
        }
    )


def not_found(issue: StoredIssue, analysis: AnalysisEntry) -> StoredIssue:
    """Return an issue that an analysis did not find; the same again for the same analysis."""
    since = issue.not_found_since or analysis.created
    return issue.model_copy(
        update={
            "is_stale": _has_changed(issue, analysis),
            "not_found_since": since,
            "not_found_twice": issue.not_found_twice or since != analysis.created,
        }
    )


def is_left_behind(issue: StoredIssue, analysis: AnalysisEntry) -> bool:
    """Return whether an issue that was not found again goes with a policy that was taken out.

    The model had reported it with that policy in sight: its text may have made the model say it.
    """
    return not issue.is_touched and not analysis.texts.keys() >= {*issue.found_with}


def placed(finding: Finding, analysis: AnalysisEntry) -> tuple[IssueReference, ...]:
    """Return the references of a finding, each with the hash of the text that it is a place in."""
    return tuple(
        each.model_copy(update={"text_sha256": analysis.texts.get(each.source, "")})
        for each in finding.references
    )


def _has_changed(issue: StoredIssue, analysis: AnalysisEntry) -> bool:
    """Return whether a policy that the issue quotes has changed since it was found."""
    if not all(each.text_sha256 for each in issue.references):
        # Of an earlier release, which did not store the text's hash.
        return issue.is_stale or not analysis.texts.keys() >= issue.sources
    return any(analysis.texts.get(each.source) != each.text_sha256 for each in issue.references)


def _short(issue: StoredIssue) -> str:
    return f"{issue.severity}: {issue.title}: {issue.description}"
