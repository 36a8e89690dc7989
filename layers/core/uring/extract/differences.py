"""The changes between two texts of a regulation, article by article.

Blanks, kinds of quotes and marks of amendments do not count as changes. The cells of a table do, if
both texts have tables: a PDF has no borders. Texts without a change read equal. Time grows with the
length of the texts, even of hostile ones.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

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
        change: a ``deleted`` article keeps its number and says 삭제; a ``removed`` one is gone. A
            ``renumbered`` one may keep its number at another place, such as in another chapter.
        diff: lines of a sign and a unit: ``" "`` unchanged, ``"-"`` gone, ``"+"`` new, ``"@"`` with
            the number of unchanged units left out.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: str
    previous_key: str = ""
    title: str = ""
    change: Change
    diff: tuple[str, ...]


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
    changes = [
        change
        for change in (_change(pair, covered, moved) for pair in paired)
        if change is not None
    ]
    scopes = {change.key.rpartition("/")[0] for change in changes}
    return (change for change in changes if not _is_bare(change, scopes))


def _moved(before: Sequence[Article], paired: Sequence[Pair]) -> frozenset[str]:
    """Return the keys of pieces that stand at another place among the others."""
    places = {article.key: at for at, article in enumerate(before)}
    kept = [(at, places[old.key]) for at, (old, new) in enumerate(paired) if old and new]
    in_order = {at for at, _ in increasing(kept)}
    return frozenset(
        new.key for at, (old, new) in enumerate(paired) if old and new and at not in in_order
    )


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
    lines = _diff(units(old.text) if old else [], units(new.text) if new else [], borders=borders)
    return ArticleChange(
        key=article.key,
        previous_key=old.key if old and is_renumbered else "",
        title=article.title or (old.title if old else ""),
        change="renumbered" if is_same else _kind(old, new, covered),
        diff=tuple(lines),
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


def _diff(old: Sequence[str], new: Sequence[str], *, borders: bool) -> Iterator[str]:
    """Yield the units with their signs; of the unchanged ones, those around changes."""
    words = ([squeezed(unit, borders=borders) for unit in side] for side in (old, new))
    runs = equal_runs(*words)
    at = there = 0
    for start, new_start, length in [*runs, (len(old), len(new), 0)]:
        yield from (f"-{unit}" for unit in old[at:start])
        yield from (f"+{unit}" for unit in new[there:new_start])
        at, there = start + length, new_start + length
        first = CONTEXT if start or new_start else 0
        last = CONTEXT if at < len(old) or there < len(new) else 0
        yield from _context(new[new_start:there], first, last)


def _context(same: Sequence[str], first: int, last: int) -> Iterator[str]:
    left_out = len(same) - first - last
    # A line for one left-out unit would take as much room as the unit.
    if left_out <= 1:
        yield from (f" {unit}" for unit in same)
        return
    yield from (f" {unit}" for unit in same[:first])
    yield f"@{left_out}"
    yield from (f" {unit}" for unit in same[len(same) - last :])
