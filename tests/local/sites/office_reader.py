"""A store as it must be by a ledger: what a judge finds nothing wrong with."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from uring_local.language.translating import translated
from uring_local.sites.office.actions import Submit, Upload
from uring_local.sites.office.ledger import IssueState, Ledger, PageState, Quotes
from uring_local.sites.office.papers import Mark, Version
from uring_local.sites.office.snapshot import Snapshot

PAGE = "page-01"
GONE = "page-02"
AT = datetime(2026, 3, 4, tzinfo=UTC)
MARKS = (Mark("high", "the deadlines differ"), Mark("low", "the board has no chair"))
FIRST = Version("text", "en", 1, MARKS)
SECOND = Version("page", "ko", 2, MARKS[:1])

Items = dict[str, dict[str, Any]]


def ledger_of() -> Ledger:
    """Two attachments, a translation, an analysis; one issue is in both."""
    ledger = Ledger()
    ledger.upload(Upload(PAGE, "a.txt", FIRST))
    ledger.upload(Upload(PAGE, "b.html", SECOND))
    assert ledger.submit(Submit(PAGE, "policy", "a.txt", "fr")) == "done"
    assert ledger.submit(Submit(PAGE, "issues")) == "done"
    return ledger


def snapshot_of(ledger: Ledger) -> Snapshot:
    """Return the store as it must be."""
    texts: dict[str, str] = {}
    pages = {name: _items(name, page, texts) for name, page in ledger.pages.items()}
    written = dict.fromkeys(texts, AT)
    mark = {"scheduled_at": AT.isoformat(), "failed": 0}
    job = {"state": "done", "expires_at": int((AT + timedelta(hours=1)).timestamp())}
    return Snapshot(pages, {"job-1": job}, {"purged": mark}, written, texts)


def _items(page: str, expected: PageState, texts: dict[str, str]) -> Items:
    items: Items = {"locks": {"version": 9, "fence": 9, "fence:issues": 9}}
    for source, (version, _) in expected.entries.items():
        text = f"{version.paper.title}\n\n" + "\n\n".join(map(str, version.paper.paragraphs))
        items[f"policy:{source}"] = _policy(page, source, version, text, texts)
    for (source, code), version in expected.translations.items():
        original = items[f"policy:{source}"]
        text = translated(texts[original["body"]], code)
        item = _policy(page, f"{source}.{code}", version, text, texts)
        items[f"policy:{source}:{code}"] = {**item, "original_sha256": original["sha256"]}
    for number, (quotes, issue) in enumerate(expected.issues.items()):
        items[f"issue:{number}"] = _issue(quotes, issue, items, texts)
    return items


def _policy(
    page: str, name: str, version: Version, text: str, texts: dict[str, str]
) -> dict[str, Any]:
    body = f"pages/{page}/bodies/{name}"
    texts[body] = text if version.has_text else ""
    return {
        "outcome": version.outcome,
        "reason": "",
        "etag": f'"{hashlib.md5(version.body, usedforsecurity=False).hexdigest()}"',
        "modified": "2026-03-02T00:00:00Z",
        "created": "2026-03-02T00:00:01Z",
        "body": body,
        "sha256": hashlib.sha256(texts[body].encode()).hexdigest(),
        "original_sha256": "",
        "fence": 3,
    }


def _issue(
    quotes: Quotes, issue: IssueState, items: Items, texts: dict[str, str]
) -> dict[str, Any]:
    places = []
    for source, mark in sorted(quotes, key=lambda each: each[0]):
        text = texts[items[f"policy:{source}"]["body"]] if f"policy:{source}" in items else ""
        start = text.find(mark.text)
        end = start + len(mark.text)
        places.append({"source": source, "start": start, "end": end, "quote": mark.text})
    return {
        "title": issue.words,
        "severity": issue.severity,
        "notes": issue.notes,
        "state": issue.state,
        "is_stale": int(issue.is_stale),
        "references": json.dumps(places),
        "version": 1,
        "fence": 4,
    }
