"""Compares the published texts of regulations, and their differences, with the files."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from uring_local.sites.files.paper import Table
from uring_local.sites.registry.journal import Text
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import File
from uring_local.sites.stage.compare import compared, differing, unmatched

# Characters beyond a file's own text: a page's menus, marks of pages.
_MOST_BESIDE: Final = 200
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
# Markdown's markup, and the characters that a broken line may have between its words.
_MARKUP: Final = re.compile(r"[\s#*|\\>`_-]+")


def faults_of_texts(
    expected: Mapping[str, Text], texts: Mapping[str, tuple[str, Mapping[str, Any]]]
) -> Iterator[str]:
    """Yield the faults of the texts, by fileNo."""
    yield from compared("text ", expected, texts, _faults_of_text)


def _faults_of_text(number: str, due: Text, shown: tuple[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the first missing or misplaced paragraph, too much other text, and a wrong head."""
    file, (text, head) = due.file, shown
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
        "title": due.title,
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
    expected: Mapping[str, Mapping[str, str]], differences: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the faults of the differences, by old and new fileNo."""
    yield from compared("difference ", expected, differences, _faults_of_difference)


def _faults_of_difference(
    pair: str, changes: Mapping[str, str], document: Mapping[str, Any]
) -> Iterator[str]:
    old, _, new = pair.partition("-")
    yield from differing({"previousFileNo": old, "fileNo": new}, document)
    shown = {article["key"]: article["change"] for article in document["articles"]}
    yield from unmatched("article ", changes, shown)
    yield from differing(changes, {**changes, **shown})
