"""The texts and translations of a page."""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from uring_local.language.translating import translated, untranslated
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.papers import Version, letters
from uring_local.sites.office.snapshot import POLICY, Item, Snapshot

_COMMENT: Final = re.compile("(<!--.*?-->)")


def faults_of_policies(page: str, expected: PageState, found: Snapshot) -> Iterator[str]:
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
