"""Compares the published texts of regulations, and their differences, with the files."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

from uring_local.sites.files.paper import Table
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import Changed, File
from uring_local.sites.stage.compare import compared, differing

D = TypeVar("D")

KINDS: Final = ("added", "removed", "deleted", "changed")
# Characters beyond a file's own text: a page's menus, marks of pages.
_MOST_BESIDE: Final = 200
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
# Markdown's markup, and the characters that a broken line may have between its words.
_MARKUP: Final = re.compile(r"[\s#*|\\>`_-]+")


def faults_of_texts(
    expected: Mapping[str, File], texts: Mapping[str, tuple[str, Mapping[str, Any]]]
) -> Iterator[str]:
    """Yield the faults of the texts, by fileNo."""
    yield from compared("text ", expected, texts, _faults_of_text)


def _faults_of_text(number: str, file: File, shown: tuple[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the first missing or misplaced paragraph, too much other text, and a wrong head."""
    text, head = shown
    left = _squeezed(text)
    length = 0
    for paragraph in _paragraphs(file):
        squeezed = _squeezed(paragraph)
        length += len(squeezed)
        _, is_there, rest = left.partition(squeezed)
        if not is_there:
            yield f"{paragraph!r} is missing or misplaced"
            break
        left = rest
    else:
        beside = len(_squeezed(text)) - length
        if beside > _MOST_BESIDE:
            yield f"{beside} characters are not the file's"
    right = {
        "fileNo": number,
        "format": file.format,
        "sourceSha256": hashlib.sha256(body_of(file)).hexdigest(),
        "textSha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    yield from differing(right, head)


def _paragraphs(file: File) -> Iterator[str]:
    yield file.paper.title
    for paragraph in file.paper.paragraphs:
        if isinstance(paragraph, Table):
            yield from (cell.text for cells in paragraph.rows for cell in cells)
        else:
            yield paragraph


def _squeezed(text: str) -> str:
    return _MARKUP.sub("", _COMMENT.sub("", text))


def faults_of_differences(
    expected: Mapping[tuple[str, str], Changed],
    differences: Mapping[tuple[str, str], Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the faults of the differences, by old and new fileNo."""
    # A surplus difference without an article is not a fault.
    shown = {
        pair: document
        for pair, document in differences.items()
        if pair in expected or any(_articles(document, kind) for kind in KINDS)
    }
    yield from compared("difference ", _joined(expected), _joined(shown), _faults_of_difference)


def _faults_of_difference(
    pair: str, changed: Changed, document: Mapping[str, Any]
) -> Iterator[str]:
    old, _, new = pair.partition("-")
    for kind in KINDS:
        right, is_now = getattr(changed, kind), frozenset(_articles(document, kind))
        if right != is_now:
            yield f"{kind} is {sorted(is_now)}, not {sorted(right)}"
    yield from differing({"previousFileNo": old, "fileNo": new}, document)
    if others := {article["change"] for article in document["articles"]} - {*KINDS}:
        yield f"unknown changes: {sorted(others)}"


def _joined(differences: Mapping[tuple[str, str], D]) -> dict[str, D]:
    return {f"{old}-{new}": difference for (old, new), difference in differences.items()}


def _articles(document: Mapping[str, Any], kind: str) -> list[str]:
    """Return the numbers of the articles of one kind in a published difference."""
    return [article["key"] for article in document.get("articles", ()) if article["change"] == kind]
