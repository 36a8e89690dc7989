"""The rows of a changed article: old on the left, new on the right."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Final

from uring.extract.page.marks import Span, cells, marks, normal

_LONGEST_STRETCH: Final = 1_200
"""Unchanged letters that are shown in a row; of more, the first and the last third."""

# They would turn the order of the letters around, or are no HTML.
_UNSEEN: Final = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\\ufffe\\uffff"
    "\\ud800-\\udfff]"
)
_WIDE: Final = 5
_NOTHING_OLD: Final = '<p class="none">&lt;신설&gt;</p>'
_NOTHING_NEW: Final = '<p class="none">&lt;삭제&gt;</p>'
_THROUGH: Final = '<tr role="row" class="left-out"><td role="cell" colspan="2">{text}</td></tr>\n'


def rows(diff: Sequence[str], spelled_before: Mapping[int, str]) -> Iterator[str]:
    """Yield the rows of an article's `diff`, HTML; each hunk of a table in Markdown is one.

    Args:
        diff: see `ArticleChange`.
        spelled_before: see there; the old side shows these lines as they were.
    """
    waiting: list[str] = []
    for sign, group in groupby(enumerate(diff), lambda each: each[1][:1]):
        numbered = [(at, line[1:]) for at, line in group]
        lines = [line for _, line in numbered]
        if waiting and sign != "+":
            yield from _changed(waiting, [])
            waiting = []
        if sign == "-":
            waiting = lines
        elif sign == "+":
            yield from _changed(waiting, lines)
            waiting = []
        elif sign == "@":
            yield left_out(f"… {escape(lines[0])}개 항목은 같음")
        else:
            before = [spelled_before.get(at, line) for at, line in numbered]
            yield _row("same", _plain(line for line in before if line), _plain(lines))
    if waiting:
        yield from _changed(waiting, [])


def left_out(text: str) -> str:
    """Return a row through both columns; the text is HTML."""
    return _THROUGH.format(text=text)


def _plain(lines: Iterable[str]) -> str:
    lines = list(lines)
    return "".join(_blocks(lines, [[] for _ in lines], ""))


def _whole(lines: Sequence[str], tag: str) -> str:
    return "".join(_blocks(lines, [[(0, len(line))] for line in lines], tag))


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    if not old:
        yield _row("come", _NOTHING_OLD, _whole(new, "ins"))
        return
    if not new:
        yield _row("gone", _whole(old, "del"), _NOTHING_NEW)
        return
    old, new = [normal(line) for line in old], [normal(line) for line in new]
    # As many lines as before stand beside each other; tables stay whole.
    is_paired = len(old) == len(new) and not any(line.startswith("|") for line in [*old, *new])
    width = 1 if is_paired else max(len(old), len(new))
    for at in range(0, max(len(old), len(new)), width):
        one, other = old[at : at + width], new[at : at + width]
        gone, come = marks(one, other)
        yield _row(
            "change", "".join(_blocks(one, gone, "del")), "".join(_blocks(other, come, "ins"))
        )


def _row(kind: str, old: str, new: str) -> str:
    return (
        f'<tr role="row" class="{kind}"><td role="cell" class="was">{old}</td>'
        f'<td role="cell" class="now">{new}</td></tr>\n'
    )


def _blocks(lines: Sequence[str], spans: Sequence[Sequence[Span]], tag: str) -> Iterator[str]:
    """Yield paragraphs and tables; spans are marked with the tag."""
    numbered = zip(lines, spans, strict=True)
    for is_table, group in groupby(numbered, lambda each: each[0].startswith("|")):
        if not is_table:
            yield from (f"<p>{_marked(line, own, tag)}</p>" for line, own in group)
            continue
        body = [[_cell(line, place, own, tag) for place in cells(line)] for line, own in group]
        is_wide = max(map(len, body)) > _WIDE
        # A region that scrolls must be reached by keys.
        yield (
            '<div class="wide" role="group" tabindex="0" aria-label="표">' if is_wide else "<div>"
        )
        yield '<table class="cells">'
        yield from (f"<tr>{''.join(row)}</tr>" for row in body)
        yield "</table></div>"


def _cell(line: str, place: Span, spans: Sequence[Span], tag: str) -> str:
    start, end = place
    text = line[start:end]
    blank = len(text) - len(text.lstrip())
    inner = [
        (max(first, start) - start, min(last, end) - start)
        for first, last in spans
        if first < end and last > start
    ]
    # Blanks around a cell's text are not marked.
    inner = [(max(first, blank), min(last, len(text.rstrip()))) for first, last in inner]
    return f"<td>{_marked(text, [each for each in inner if each[0] < each[1]], tag).strip()}</td>"


def _marked(line: str, spans: Sequence[Span], tag: str) -> str:
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts.append(_stretch(line[done:start]))
        parts.append(f"<{tag}>{shown(line[start:end])}</{tag}>")
        done = end
    return "".join([*parts, _stretch(line[done:])])


def _stretch(text: str) -> str:
    """Return unchanged text; of a long one the middle is left out."""
    if len(text) <= _LONGEST_STRETCH:
        return shown(text)
    third = _LONGEST_STRETCH // 3
    left = len(text) - 2 * third
    between = f'<span class="quiet"> … {left:,}자는 같음 … </span>'
    return f"{shown(text[:third])}{between}{shown(text[-third:])}"


def shown(text: str) -> str:
    """Return text as HTML; controls that turn the order of letters around are shown by code."""
    return _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", escape(text))
