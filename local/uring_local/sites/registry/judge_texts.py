"""Compares the published texts of regulations, and their differences, with the files."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from uring_local.sites.files.paper import Table
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import Changed, File

KINDS: Final = ("added", "removed", "deleted", "changed")
# Beside a file's own text: a page's menus, marks of pages.
_MOST_BESIDE: Final = 200
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
# What Markdown adds, and what may stand between the words of a line that was broken.
_MARKUP: Final = re.compile(r"[\s#*|\\>`_-]+")


def faults_of_texts(
    expected: Mapping[str, File], texts: Mapping[str, tuple[str, Mapping[str, Any]]]
) -> Iterator[str]:
    """Yield what is wrong with the texts, by fileNo."""
    for number, file in expected.items():
        if number not in texts:
            yield f"text {number} is missing"
            continue
        text, head = texts[number]
        yield from (f"text {number}: {fault}" for fault in _faults_of_text(file, text))
        right = {
            "fileNo": number,
            "format": file.format,
            "sourceSha256": hashlib.sha256(body_of(file)).hexdigest(),
            "textSha256": hashlib.sha256(text.encode()).hexdigest(),
        }
        yield from differing(f"text {number}", right, head)
    yield from (f"text {number} should not be" for number in sorted(texts.keys() - expected.keys()))


def _faults_of_text(file: File, text: str) -> Iterator[str]:
    """Yield the first paragraph that is not in its place, and what is said beside the file."""
    left = _squeezed(text)
    length = 0
    for paragraph in _paragraphs(file):
        squeezed = _squeezed(paragraph)
        length += len(squeezed)
        _, is_there, rest = left.partition(squeezed)
        if not is_there:
            yield f"{paragraph!r} is not there, or not in its place"
            return
        left = rest
    beside = len(_squeezed(text)) - length
    if beside > _MOST_BESIDE:
        yield f"{beside} characters are not the file's"


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
    """Yield what is wrong with the differences, by old and new fileNo."""
    for (old, new), changed in expected.items():
        name = f"difference {old}-{new}"
        document = differences.get((old, new))
        if document is None:
            yield f"{name} is missing"
            continue
        for kind in KINDS:
            right, is_now = getattr(changed, kind), frozenset(_articles(document, kind))
            if right != is_now:
                yield f"{name}: {kind} is {sorted(is_now)}, not {sorted(right)}"
        yield from differing(name, {"previousFileNo": old, "fileNo": new}, document)
        if others := {each["change"] for each in document["articles"]} - {*KINDS}:
            yield f"{name} has articles that are {sorted(others)}"
    for old, new in differences.keys() - expected.keys():
        if any(_articles(differences[old, new], kind) for kind in KINDS):
            yield f"difference {old}-{new} should not be"


def _articles(document: Mapping[str, Any], kind: str) -> list[str]:
    """Return the numbers of the articles of one kind in a published difference."""
    return [article["key"] for article in document.get("articles", ()) if article["change"] == kind]


def differing(name: str, right: Mapping[str, Any], is_now: Mapping[str, Any]) -> Iterator[str]:
    """Yield each value that is not as it should be."""
    for key, value in right.items():
        if is_now.get(key) != value:
            yield f"{name}: {key} is {is_now.get(key)!r}, not {value!r}"
