"""Stored issues after an analysis: found again, not found, or to be removed (D11).

A person's work is never overwritten or removed. All else follows the newest analysis.
"""

from typing import Any

from uring.clock import Timestamp
from uring.documents.store.analysis import AnalysisEntry
from uring.documents.store.history import ANALYSIS, edited
from uring.documents.store.issues import StoredIssue
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
            "is_stale": False,
            "not_found_since": None,
            "not_found_twice": False,
            **provenance(finding, analysis),
        }
    )


def not_found(issue: StoredIssue, analysis: AnalysisEntry) -> StoredIssue:
    """Return an issue that an analysis did not find; the same again for the same analysis.

    An analysis that could not read a quoted policy did not look for it. The second look is a new
    request: a kept answer says the same as before.
    """
    is_stale = _has_changed(issue, analysis)
    if not _was_looked_for(issue, analysis):
        return issue.model_copy(update={"is_stale": is_stale})
    since = issue.not_found_since or analysis.created
    is_second = since != analysis.created and issue.sources.isdisjoint(analysis.kept)
    return issue.model_copy(
        update={
            "is_stale": is_stale,
            "not_found_since": since,
            "not_found_twice": issue.not_found_twice or is_second,
        }
    )


def is_left_behind(issue: StoredIssue, analysis: AnalysisEntry) -> bool:
    """Return whether an issue that was not found again goes with a text that stood in its sight.

    The model had reported it with that text in sight: it may have made the model say so. Its
    attachment was taken out, or replaced. An attachment that has no text for now is neither. If
    just what the issue quotes has changed, it is stale: it may have been mended.
    """
    if issue.is_touched or analysis.without_text is None:
        return False
    if not {*analysis.texts, *analysis.without_text} >= {*issue.found_with}:
        return True
    if not _was_looked_for(issue, analysis):
        return False
    changed = {
        source
        for source in analysis.texts.keys() & issue.texts_in_sight.keys()
        if analysis.texts[source] != issue.texts_in_sight[source]
    }
    return bool(changed) and changed != issue.sources


def provenance(finding: Finding, analysis: AnalysisEntry) -> dict[str, Any]:
    """Return where a finding is from, as issues have it: places, texts in sight, each with hash."""
    return {
        "references": tuple(
            each.model_copy(update={"text_sha256": analysis.texts.get(each.source, "")})
            for each in finding.references
        ),
        "found_with": finding.found_with,
        "texts_in_sight": {
            each: analysis.texts[each] for each in finding.found_with if each in analysis.texts
        },
        "model": finding.model,
        "prompt": finding.prompt,
    }


def _was_looked_for(issue: StoredIssue, analysis: AnalysisEntry) -> bool:
    return issue.sources.isdisjoint(analysis.without_text or ())


def _has_changed(issue: StoredIssue, analysis: AnalysisEntry) -> bool:
    """Return whether a policy that the issue quotes has changed since it was found."""
    if not all(each.text_sha256 for each in issue.references):
        # Of an earlier release, which did not store the text's hash.
        return issue.is_stale or not analysis.texts.keys() >= issue.sources
    return any(analysis.texts.get(each.source) != each.text_sha256 for each in issue.references)


def _short(issue: StoredIssue) -> str:
    return f"{issue.severity}: {issue.title}: {issue.description}"
