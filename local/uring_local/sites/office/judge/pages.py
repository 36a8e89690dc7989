"""The pages of the store: texts, translations, issues, and the remains of deleted pages."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from uring_local.language.translating import translated, untranslated
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.papers import Version, letters
from uring_local.sites.office.snapshot import COST, ISSUE, LOCKS, POLICY, Item, Snapshot, references
from uring_local.sites.stage.compare import differing

_COMMENT: Final = re.compile("(<!--.*?-->)")
# A deleted page's items are gone after three rounds of the janitor, its texts after four.
_ROUNDS_OF_ITEMS: Final = 3
_ROUNDS_OF_TEXTS: Final = 4
_STAYING: Final = (LOCKS, COST, "gone", "failed:")


def faults_of_pages(pages: Mapping[str, PageState], found: Snapshot) -> Iterator[str]:
    """Yield the faults of the pages, in order of their names."""
    for name, expected in sorted(pages.items()):
        if expected.attachments or expected.strays or not expected.gone_rounds:
            yield from _faults_of_policies(name, expected, found)
            yield from _faults_of_issues(name, expected, found)
        else:
            yield from faults_of_gone(name, expected, found)


def _faults_of_issues(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
    """Yield the faults of a page's issues."""
    items = found.items(page, ISSUE)
    stored = {_quoted(item): item for item in items.values()}
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
        fields = {
            "title": issue.words,
            "severity": issue.severity,
            "notes": issue.notes,
            "state": issue.state,
            "is_stale": int(issue.is_stale),
        }
        faults = [*differing(fields, stored[known])]
        faults += [] if issue.is_stale else _misquoted(page, stored[known], found)
        yield from (f"{page}: {issue.words}: {fault}" for fault in faults)


def _faults_of_policies(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
    """Yield the faults of a page's texts and translations."""
    items = found.items(page, POLICY)
    originals = {source: version for source, (version, _) in expected.entries.items()}
    wanted = {*originals, *(f"{source}:{code}" for source, code in expected.translations)}
    yield from (f"{page}: no entry of {name}" for name in sorted(wanted - items.keys()))
    yield from (f"{page}: an entry of {name}" for name in sorted(items.keys() - wanted))
    for source in sorted(originals.keys() & items.keys()):
        for fault in _original(originals[source], items[source], found):
            yield f"{page}: {source}: {fault}"
    for (source, code), version in sorted(expected.translations.items(), key=lambda each: each[0]):
        item = items.get(f"{source}:{code}")
        original = items.get(source)
        if item is None or original is None:
            continue
        is_current = originals.get(source) == version
        for fault in _translation(version, item, original if is_current else None, code, found):
            yield f"{page}: {source} in {code}: {fault}"


def faults_of_gone(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
    """Yield the remains of a deleted page."""
    items = found.pages.get(page, {})
    for key, item in sorted(items.items()):
        if key.startswith(ISSUE) and not item["is_stale"]:
            yield f"{page}: {item['title']} is not stale, but its page is gone"
        if key.startswith(POLICY):
            yield f"{page}: an entry of {key}, but the page is gone"
    if expected.gone_rounds >= _ROUNDS_OF_ITEMS:
        left = [key for key in items if not key.startswith(_STAYING)]
        yield from (f"{page}: {key} is left of a deleted page" for key in sorted(left))
    if expected.gone_rounds >= _ROUNDS_OF_TEXTS:
        texts = [key for key in found.bodies if key.startswith(f"pages/{page}/")]
        yield from (f"{key}: left of a deleted page" for key in sorted(texts))


def _original(version: Version, item: Item, found: Snapshot) -> Iterator[str]:
    if item["outcome"] != version.outcome:
        yield f"{item['outcome']} in place of {version.outcome}: {item['reason']}"
    # The store's tag of an object is the MD5 of its bytes.
    if item["etag"].strip('"') != hashlib.md5(version.body, usedforsecurity=False).hexdigest():
        yield "of another version"
    if datetime.fromisoformat(item["created"]) < datetime.fromisoformat(item["modified"]):
        yield "made before its attachment was uploaded"
    yield from _text(item, version.letters, found)


def _translation(
    version: Version, item: Item, original: Item | None, code: str, found: Snapshot
) -> Iterator[str]:
    """Yield the faults of a translation; if its original has changed, only the wrong version.

    Args:
        version: the version that it must translate.
        item: its entry.
        original: the entry of the original; None if the original has changed since.
        code: of its language.
        found: the store, with the texts.
    """
    text = found.texts.get(item["body"], "")
    if original is None:
        if letters(untranslated(text)) != version.letters:
            yield "of a text that was not current when it was requested"
        return
    if item["original_sha256"] != original["sha256"]:
        yield "of another text"
    before = found.texts.get(original["body"], "")
    parts = _COMMENT.split(before)
    exact = "".join(
        part if number % 2 else translated(part, code) for number, part in enumerate(parts)
    )
    if text != exact:
        yield "differs from the service's answer"
    yield from _text(item, letters(text), found)


def _text(item: Item, expected: str, found: Snapshot) -> Iterator[str]:
    text = found.texts.get(item["body"])
    if text is None:
        yield "its text is missing"
    elif letters(text) != expected:
        yield "another text"
    elif hashlib.sha256(text.encode()).hexdigest() != item["sha256"]:
        yield "a text of another hash"


def _quoted(item: Item) -> frozenset[tuple[str, str]]:
    """Return the sources and quotations of an issue, which identify it."""
    return frozenset((each["source"], " ".join(each["quote"].split())) for each in references(item))


def _misquoted(page: str, item: Item, found: Snapshot) -> Iterator[str]:
    for place in references(item):
        policy = found.pages[page].get(f"{POLICY}{place['source']}")
        text = found.texts.get(policy["body"], "") if policy else ""
        if text[place["start"] : place["end"]] != place["quote"]:
            yield f"its quotation of {place['source']} is not in the text"
