"""Compares the published texts of regulations, and their differences, with the files."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from uring_local.sites.files.paper import Table
from uring_local.sites.registry.journal import Text, TextChange
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import File
from uring_local.sites.registry.supplements import in_force
from uring_local.sites.stage.compare import compared, differing, unmatched
from uring_local.sites.stage.published import Published

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
        **in_force(file.supplements).head,
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
    expected: Mapping[str, TextChange], differences: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the faults of the differences, by name."""
    yield from compared("difference ", expected, differences, _faults_of_difference)


def _faults_of_difference(name: str, due: TextChange, document: Mapping[str, Any]) -> Iterator[str]:
    del name
    old, _, new = due.files.partition("-")
    right = {"previousFileNo": old, "fileNo": new, "title": due.title, **due.in_force.head}
    yield from differing(right, document)
    shown = {article["key"]: article["change"] for article in document["articles"]}
    yield from unmatched("article ", due.changes, shown)
    yield from differing(due.changes, {**due.changes, **shown})


def linked_files(published: Published, registry: str, data: Mapping[str, str]) -> str:
    """Return the old and new fileNo that the links of a push lead to, as in ``870-911``.

    Empty without links. Where they lead to nothing, or not to one change of the push's regulation,
    a sentence says so.
    """
    text, page = (data.get(name, "").removeprefix("/") for name in ("text", "difference"))
    if not text and not page:
        return ""
    keys = (text, page, f"{page.removesuffix('.html')}.json")
    for key in keys:
        if not key.startswith(f"data/{registry}/") or key not in published.keys(key):
            return f"{key!r} leads nowhere"
    _, head = with_head(published.body(text).decode())
    document = published.document(keys[-1])
    old, new = document["previousFileNo"], document["fileNo"]
    if (head["fileNo"], document["title"]) != (new, data["title"]):
        return f"{text} and {page} are not of one change"
    shown = published.body(page).decode()
    # A file that was replaced under its number is named otherwise.
    if old != new and f"{old} → {new}" not in shown:
        return f"{page} shows other files"
    return f"{old}-{new}"


def with_head(text: str) -> tuple[str, dict[str, Any]]:
    """Return a text without its head, and the fields of the head.

    The head is between two lines of dashes and has a line for each key, with a JSON value.
    """
    _, _, rest = text.partition("---\n")
    head, _, body = rest.partition("---\n\n")
    lines = (line.partition(": ") for line in head.splitlines())
    return body, {name: json.loads(value) for name, _, value in lines}
