"""The rows of a changed article: old on the left, new on the right."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from uring.extract.page.marks import Span, Spans, cells, marks, normal

_LONGEST_STRETCH: Final = 1_200
"""Unchanged letters that are shown in a row; of more, the first and the last third."""

# They would turn the order of the letters around, or are no HTML.
_UNSEEN: Final = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\\ufffe\\uffff"
    "\\ud800-\\udfff]"
)
_WIDE: Final = 5
# The markup of a row takes the room of 60 letters: half a million short rows are no page.
_ROW_LETTERS: Final = 60
_NOTHING_OLD: Final = '<p class="none">&lt;신설&gt;</p>'
_NOTHING_NEW: Final = '<p class="none">&lt;삭제&gt;</p>'
_THROUGH: Final = '<tr role="row" class="left-out"><td role="cell" colspan="2">{text}</td></tr>\n'


@dataclass(slots=True)
class Letters:
    """The number of letters that a page may still have."""

    left: int


class _Hunk(NamedTuple):
    """Lines of one kind: a sign and its lines, with the index of the first; ``±`` replaces."""

    sign: str
    at: int
    old: list[str]
    new: list[str]


def rows(diff: Sequence[str], spelled_before: Mapping[int, str], letters: Letters) -> Iterator[str]:
    """Yield the rows of an article's `diff`, HTML; each hunk of a table in Markdown is one.

    Args:
        diff: see `ArticleChange`.
        spelled_before: see there; the old side shows these lines as they were.
        letters: they are counted down; of the lines behind the last one the number is shown.
    """
    for hunk in _hunks(diff):
        if letters.left <= 0:
            yield _too_long(len(diff) - hunk.at)
            return
        if hunk.sign == "@":
            yield left_out(f"… {escape(hunk.new[0])}개 항목은 같음")
        elif hunk.sign == " ":
            numbered = enumerate(hunk.new, hunk.at)
            before = [spelled_before.get(at, line) for at, line in numbered]
            old, new = [line for line in before if line], hunk.new
            yield from _row("same", old, new, _unmarked(old, new), letters)
        else:
            yield from _changed(hunk.old, hunk.new, letters)


def _hunks(diff: Sequence[str]) -> Iterator[_Hunk]:
    waiting: _Hunk | None = None
    for sign, group in groupby(enumerate(diff), lambda each: each[1][:1]):
        numbered = [(at, line[1:]) for at, line in group]
        at, lines = numbered[0][0], [line for _, line in numbered]
        if waiting and sign == "+":
            yield _Hunk("±", waiting.at, waiting.old, lines)
            waiting = None
            continue
        if waiting:
            yield waiting
        waiting = _Hunk("-", at, lines, []) if sign == "-" else None
        if waiting is None:
            yield _Hunk(sign, at, [], lines)
    if waiting:
        yield waiting


def left_out(text: str) -> str:
    """Return a row through both columns; the text is HTML."""
    return _THROUGH.format(text=text)


def _too_long(count: int) -> str:
    return left_out(f"… 나머지 {count}줄은 너무 길어 이 쪽에 없습니다.")


def _unmarked(old: Sequence[str], new: Sequence[str]) -> tuple[Spans, Spans]:
    return [[] for _ in old], [[] for _ in new]


def _changed(old: Sequence[str], new: Sequence[str], letters: Letters) -> Iterator[str]:
    if not old or not new:
        kind = "gone" if old else "come"
        whole = ([[(0, len(line))] for line in side] for side in (old, new))
        yield from _row(kind, old, new, (next(whole), next(whole)), letters)
        return
    old, new = [normal(line) for line in old], [normal(line) for line in new]
    # As many lines as before stand beside each other; tables stay whole.
    is_paired = len(old) == len(new) and not any(line.startswith("|") for line in [*old, *new])
    width = 1 if is_paired else max(len(old), len(new))
    for at in range(0, max(len(old), len(new)), width):
        if letters.left <= 0:
            yield _too_long(len(old) + len(new) - 2 * at)
            return
        one, other = old[at : at + width], new[at : at + width]
        yield from _row("change", one, other, marks(one, other), letters)


def _row(
    kind: str,
    old: Sequence[str],
    new: Sequence[str],
    spans: tuple[Spans, Spans],
    letters: Letters,
) -> Iterator[str]:
    share = max(1, letters.left // 2) if old and new else letters.left
    sides, missing = [], 0
    for lines, own, tag in ((old, spans[0], "del"), (new, spans[1], "ins")):
        kept, kept_spans = _within(lines, own, share)
        letters.left -= sum(map(len, kept))
        missing += len(lines) - len(kept)
        sides.append("".join(_blocks(kept, kept_spans, tag)))
    letters.left -= _ROW_LETTERS
    was = _NOTHING_OLD if kind == "come" else sides[0]
    now = _NOTHING_NEW if kind == "gone" else sides[1]
    yield (
        f'<tr role="row" class="{kind}"><td role="cell" class="was">{was}</td>'
        f'<td role="cell" class="now">{now}</td></tr>\n'
    )
    if missing:
        yield _too_long(missing)


def _within(lines: Sequence[str], spans: Spans, most: int) -> tuple[list[str], Spans]:
    """Return lines with their spans up to this number of letters; the last one may be cut."""
    kept: list[str] = []
    kept_spans: Spans = []
    for line, own in zip(lines, spans, strict=True):
        if most <= 0:
            break
        if len(line) > most:
            kept.append(f"{line[:most]}…")
            kept_spans.append([(start, min(end, most)) for start, end in own if start < most])
        else:
            kept.append(line)
            kept_spans.append(own)
        most -= len(line)
    return kept, kept_spans


def _blocks(lines: Sequence[str], spans: Sequence[Sequence[Span]], tag: str) -> Iterator[str]:
    """Yield paragraphs and tables; spans are marked with the tag."""
    numbered = zip(lines, spans, strict=True)
    for is_table, group in groupby(numbered, lambda each: each[0].startswith("|")):
        if not is_table:
            yield from (f"<p>{_marked(line, own, tag)}</p>" for line, own in group)
            continue
        body = [[*_cells(line, own, tag)] for line, own in group]
        is_wide = max(map(len, body)) > _WIDE
        # A region that scrolls must be reached by keys.
        yield (
            '<div class="wide" role="group" tabindex="0" aria-label="표">' if is_wide else "<div>"
        )
        yield '<table class="cells">'
        yield from (f"<tr>{''.join(row)}</tr>" for row in body)
        yield "</table></div>"


def _cells(line: str, spans: Sequence[Span], tag: str) -> Iterator[str]:
    """Yield the cells of a row. Places and spans are in order: each is looked at once."""
    done = 0
    for start, end in cells(line):
        while done < len(spans) and spans[done][1] <= start:
            done += 1
        after = done
        while after < len(spans) and spans[after][0] < end:
            after += 1
        text = line[start:end]
        # Blanks around a cell's text are not marked.
        first, last = len(text) - len(text.lstrip()), len(text.rstrip())
        inner = (
            (max(one - start, first), min(two - start, last)) for one, two in spans[done:after]
        )
        marked = _marked(text, [(one, two) for one, two in inner if one < two], tag)
        # Within a cell the readers escape a border.
        shown_cell = marked.strip().replace("\\|", "|")
        yield f"<td>{shown_cell}</td>"


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
