"""The changes between two texts of a regulation, article by article.

Blanks, kinds of quotes and marks of amendments do not count as changes. The cells of a table do, if
both texts have tables: a PDF has no borders. Texts without a change read equal. Time grows with the
length of the texts, even of hostile ones.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uring.errors import CorruptState
from uring.extract.articles import WHOLE, Article, articles
from uring.extract.patience import equal_runs, increasing
from uring.extract.renumbering import Pair, pairs
from uring.extract.spelling import has_table, squeezed
from uring.extract.units import units, without_pages

Change = Literal["added", "removed", "changed", "deleted", "renumbered"]
CONTEXT: Final = 2
"""Unchanged units shown before and after a change."""


class ArticleChange(BaseModel):
    """A changed article.

    Attributes:
        key: of the new article; of a removed one the old key.
        previous_key: the old key of an article with another number; else empty.
        title: of the new article; the old title where it has none.
        under: the chapter and section that it stands in, such as ``제2장 학적``; empty without.
        change: a ``deleted`` article keeps its number and says 삭제; a ``removed`` one is gone. A
            ``renumbered`` one may keep its number at another place, such as in another chapter.
        diff: lines of a sign and a unit: ``" "`` unchanged, ``"-"`` gone, ``"+"`` new, ``"@"`` with
            the number of unchanged units left out. The first row of a table stands before its
            changed rows.
        spelled_before: the old spelling of unchanged lines of `diff` that have another one now, by
            the line's index; marks of amendment, say.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: str
    previous_key: str = ""
    title: str = ""
    under: str = ""
    change: Change
    diff: tuple[str, ...]
    spelled_before: dict[int, str] = Field(default_factory=dict)


class Difference(BaseModel):
    """The changes between two texts.

    Attributes:
        articles: the changed ones in the new order; a removed one at its old place.
        before: the number of articles of the old text, parts and headings included.
        after: the number of articles of the new text.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    articles: tuple[ArticleChange, ...] = ()
    before: int
    after: int

    @property
    def changed(self) -> int:
        """The number of changed articles."""
        return len(self.articles)

    def to_json(self) -> bytes:
        """Return the JSON that `from_json` reads."""
        return self.model_dump_json().encode()

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read a stored difference.

        Raises:
            CorruptState: the text is not a difference.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise CorruptState(
                "a difference breaks its schema; remove the object: it is computed again"
            ) from error


def compare(old: str, new: str) -> Difference:
    """Return the changes from an old text to a new one; equal texts have none."""
    before, after = articles(old), articles(new)
    # The same text has headings as a web page, but none as a PDF.
    if WHOLE in {pieces[0].key for pieces in (before, after) if pieces}:
        before, after = (articles(text, by_headings=False) for text in (old, new))
    return Difference(
        articles=tuple(_changes(before, after)) if not _reads_equal(old, new) else (),
        before=len(before),
        after=len(after),
    )


def _reads_equal(old: str, new: str) -> bool:
    old, new = without_pages(old), without_pages(new)
    borders = has_table(old) and has_table(new)
    return squeezed(old, borders=borders) == squeezed(new, borders=borders)


def _changes(before: Sequence[Article], after: Sequence[Article]) -> Iterator[ArticleChange]:
    covered = {key for article in after for key in article.covers}
    paired = pairs(before, after)
    moved = _moved(before, paired)
    under = {**_chapters(before), **_chapters(after)}
    changes = [
        change.model_copy(update={"under": under.get(change.key, "")})
        for change in (_change(pair, covered, moved) for pair in paired)
        if change is not None
    ]
    scopes = {change.key.rpartition("/")[0] for change in changes}
    return (change for change in changes if not _is_bare(change, scopes))


def _chapters(pieces: Sequence[Article]) -> dict[str, str]:
    """Return the chapter and section of each article, by key."""
    found: dict[str, str] = {}
    chapter = section = ""
    for piece in pieces:
        name = f"{piece.key.rpartition('/')[2]} {piece.title}".strip()
        if piece.kind == "article":
            found[piece.key] = " ".join(filter(None, (chapter, section)))
        elif piece.kind == "part" and "/" in piece.key:
            section = name
        else:
            chapter, section = name if piece.kind == "part" else "", ""
    return found


def _moved(before: Sequence[Article], paired: Sequence[Pair]) -> frozenset[str]:
    """Return the keys of pieces that stand at another place among the others.

    Where an article and a heading change places, the article has moved to another chapter.
    """
    places = {article.key: at for at, article in enumerate(before)}
    kept = [(places[old.key], new) for old, new in paired if old and new]
    rank = {place: at for at, place in enumerate(sorted(place for place, _ in kept))}
    ranks = [rank[place] for place, _ in kept]
    moved = {*range(len(kept))} - {at for at, _ in increasing(list(enumerate(ranks)))}
    for at in range(len(kept) - 1):
        pair = (at, at + 1)
        if ranks[at] == ranks[at + 1] + 1 and len(moved.intersection(pair)) == 1:
            in_pair = [each for each in pair if kept[each][1].kind == "article"]
            if len(in_pair) == 1:
                moved = moved.difference(pair).union(in_pair)
    return frozenset(kept[at][1].key for at in moved)


def _change(pair: Pair, covered: Collection[str], moved: Collection[str]) -> ArticleChange | None:
    old, new = pair
    article = new or old
    if article is None:
        return None
    borders = bool(old and new and has_table(old.text) and has_table(new.text))
    is_same = bool(
        old
        and new
        and old.key == new.key
        and squeezed(old.text, borders=borders) == squeezed(new.text, borders=borders)
    )
    if is_same and article.key not in moved:
        return None
    is_renumbered = bool(old and new and old.key != new.key)
    sides = [units(each.text) if each else [] for each in (old, new)]
    diff = _diff(*sides, borders=borders)
    if not is_same and not any(line.text[:1] in "-+" for line in diff):
        # The units are equal, and the text is not: it is shown whole.
        diff = [_Line(f"-{unit}") for unit in sides[0]] + [_Line(f"+{unit}") for unit in sides[1]]
    return ArticleChange(
        key=article.key,
        previous_key=old.key if old and is_renumbered else "",
        title=article.title or (old.title if old else ""),
        change="renumbered" if is_same else _kind(old, new, covered),
        diff=tuple(line.text for line in diff),
        spelled_before={at: line.before for at, line in enumerate(diff) if line.before is not None},
    )


def _is_bare(change: ArticleChange, scopes: Collection[str]) -> bool:
    """Return whether a change is only the heading of added or removed articles: 부칙 <제2호>."""
    return change.change in ("added", "removed") and len(change.diff) == 1 and change.key in scopes


def _kind(old: Article | None, new: Article | None, covered: Collection[str]) -> Change:
    if old is None:
        return "added"
    if new is None:
        # "제2조부터 제4조까지 삭제" stands under 제2조.
        return "deleted" if old.key in covered else "removed"
    if old.key != new.key:
        return "renumbered"
    return "deleted" if new.is_deleted and not old.is_deleted else "changed"


class _Line(NamedTuple):
    """A line of a diff, with the old spelling of an unchanged unit."""

    text: str
    before: str | None = None


def _diff(old: Sequence[str], new: Sequence[str], *, borders: bool) -> list[_Line]:
    """Return the units with their signs; of the unchanged ones, those around changes."""
    words = ([squeezed(unit, borders=borders) for unit in side] for side in (old, new))
    lines: list[_Line] = []
    # The unchanged units since the last change, and how many are shown behind it.
    same: list[_Line] = []
    first = at = there = 0
    for start, new_start, length in [*equal_runs(*words), (len(old), len(new), 0)]:
        gone, come = old[at:start], new[there:new_start]
        if _say_the_same(gone, come, borders=borders):
            # Other breaks: one line, whatever they are.
            same += [_Line(f" {' '.join(come)}", " ".join(gone))] if come else []
        else:
            is_row = (gone or come)[0].startswith("|")
            lines += _context(same, first, CONTEXT, is_row=is_row)
            lines += (_Line(f"-{unit}") for unit in gone)
            lines += (_Line(f"+{unit}") for unit in come)
            same, first = [], CONTEXT
        at, there = start + length, new_start + length
        pairs = zip(old[start:at], new[new_start:there], strict=True)
        same += (_Line(f" {unit}", was if was != unit else None) for was, unit in pairs)
    return [*lines, *_context(same, first, 0)]


def _say_the_same(gone: Sequence[str], come: Sequence[str], *, borders: bool) -> bool:
    """Return whether units differ only in their breaks: a line may end within a mark."""
    one, other = (squeezed("\n".join(side), borders=borders) for side in (gone, come))
    return one == other


def _context(
    same: Sequence[_Line], first: int, last: int, *, is_row: bool = False
) -> Iterator[_Line]:
    """Yield unchanged lines, those in the middle as their number.

    Args:
        same: the lines.
        first: how many are shown at the begin.
        last: how many are shown at the end.
        is_row: whether a row of a table follows; the table's first row is shown, too.
    """
    count = len(same)
    kept = {*range(min(first, count)), *range(max(0, count - last), count)}
    if is_row:
        head = count
        while head and same[head - 1].text.startswith(" |"):
            head -= 1
        # A table that an earlier change stands in has its first row above.
        kept |= {head} - {count} if head or not first else set()
    done = 0
    for at in [*sorted(kept), count]:
        # A line for one left-out unit would take as much room as the unit.
        if at - done > 1:
            yield _Line(f"@{at - done}")
        elif at > done:
            yield same[done]
        yield from same[at : at + 1]
        done = at + 1
