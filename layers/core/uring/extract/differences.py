"""The changes between two texts of a regulation, article by article.

Blanks, kinds of quotes and marks of amendments do not count as changes. Time grows with the length
of the texts, even of hostile ones.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.errors import CorruptState
from uring.extract.articles import WHOLE, Article, articles
from uring.extract.patience import equal_runs
from uring.extract.renumbering import Pair, body, pairs
from uring.extract.units import squeezed, units

Change = Literal["added", "removed", "changed", "deleted", "renumbered"]
CONTEXT: Final = 2
"""Unchanged units shown before and after a change."""


class ArticleChange(BaseModel):
    """A changed article.

    Attributes:
        key: of the new article; of a removed one the old key.
        previous_key: the old key of a renumbered article; else empty.
        title: of the new article; the old title where it has none.
        change: a ``deleted`` article keeps its number and says 삭제; a ``removed`` one is gone.
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
    changes = [change for change in map(_change, pairs(before, after)) if change is not None]
    scopes = {change.key.rpartition("/")[0] for change in changes}
    return Difference(
        articles=tuple(change for change in changes if not _is_bare(change, scopes)),
        before=len(before),
        after=len(after),
    )


def _change(pair: Pair) -> ArticleChange | None:
    old, new = pair
    article = new or old
    if article is None or (old and new and old.key == new.key and body(old) == body(new)):
        return None
    return ArticleChange(
        key=article.key,
        previous_key=old.key if old and new and old.key != new.key else "",
        title=article.title or (old.title if old else ""),
        change=_kind(old, new),
        diff=tuple(_diff(units(old.text) if old else [], units(new.text) if new else [])),
    )


def _is_bare(change: ArticleChange, scopes: Collection[str]) -> bool:
    """Return whether a change is only the heading of added or removed articles: 부칙 <제2호>."""
    return change.change in ("added", "removed") and len(change.diff) == 1 and change.key in scopes


def _kind(old: Article | None, new: Article | None) -> Change:
    if old is None:
        return "added"
    if new is None:
        return "removed"
    if old.key != new.key:
        return "renumbered"
    return "deleted" if new.is_deleted and not old.is_deleted else "changed"


def _diff(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield the units with their signs; of the unchanged ones, those around changes."""
    runs = equal_runs([squeezed(unit) for unit in old], [squeezed(unit) for unit in new])
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
