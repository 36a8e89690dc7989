"""Pairs of old and new articles: by number, or by their words where numbers moved.

    same number and words ─► same words ─► same number, and now deleted ─► same title
    ─► same number and like words ─► like words ─► same number

Like words go before a number alone, since articles without titles may be renumbered and changed.
"제3조 삭제" says itself that it was not moved.

Without this, one inserted article would change every article behind it.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final

from uring.extract.articles import Article
from uring.extract.spelling import squeezed

Pair = tuple[Article | None, Article | None]

_NUMBER: Final = re.compile(r"제\d{1,4}조(?:의\d{1,3})*")
# Shorter texts do not identify an article: "삭제", "(시행일) 공포한 날".
_FEWEST: Final = 20
_MOST_CHARACTERS: Final = 4_000
_MOST_CANDIDATES: Final = 50
_ALIKE: Final = 0.85
_SAME_TITLE_ALIKE: Final = 0.5


def pairs(old: Sequence[Article], new: Sequence[Article]) -> list[Pair]:
    """Return pairs of an old and a new article, in the new order.

    None in place of the old article means added, in place of the new one removed.
    """
    matching = _Matching(old, new)
    matching.by(lambda article: (article.key, body(article)))
    matching.by(_by_body)
    matching.by(_by_key, _is_deletion)
    matching.by(matching.by_title, _has_like_body)
    matching.by(_by_key, _is_like)
    matching.by_likeness()
    matching.by(_by_key)
    return matching.result()


def body(article: Article) -> str:
    """Return the text of an article for comparing, without its number."""
    words = squeezed(article.text)
    found = _NUMBER.match(words) if article.kind == "article" else None
    return words[found.end() :] if found else words


def _scope(article: Article) -> str:
    return article.key.rpartition("/")[0]


def _by_body(article: Article) -> Hashable:
    words = body(article)
    if article.kind != "article" or len(words) < _FEWEST:
        return None
    return (_scope(article), words)


def _by_key(article: Article) -> Hashable:
    return article.key


def _is_deletion(one: Article, other: Article) -> bool:
    return other.is_deleted and not one.is_deleted


def _is_like(one: Article, other: Article) -> bool:
    return _likeness(_bigrams(one), _bigrams(other)) >= _ALIKE


def _has_like_body(one: Article, other: Article) -> bool:
    return _likeness(_bigrams(one), _bigrams(other)) >= _SAME_TITLE_ALIKE


class _Matching:
    """The articles without a counterpart, by key, and the pairs so far."""

    def __init__(self, old: Sequence[Article], new: Sequence[Article]) -> None:
        self._all = (old, new)
        self._old = {article.key: article for article in old}
        self._new = {article.key: article for article in new}
        self._old_of: dict[str, Article] = {}

    def by(
        self,
        name: Callable[[Article], Hashable],
        agrees: Callable[[Article, Article], bool] = lambda *_: True,
    ) -> None:
        """Pair articles with the same name if they agree.

        A name must be unique on each side; articles named None are left out.
        """
        old, new = _once(self._old.values(), name), _once(self._new.values(), name)
        for shared in old.keys() & new.keys():
            if agrees(old[shared], new[shared]):
                self._pair(old[shared], new[shared])

    def by_title(self, article: Article) -> Hashable:
        """Return the scope and title of an article as its name.

        None without a title, and where the old and the new article of its number share the title.
        """
        if article.kind != "article" or not article.title:
            return None
        one, other = self._old.get(article.key), self._new.get(article.key)
        if one and other and squeezed(one.title) == squeezed(other.title):
            return None
        return (_scope(article), squeezed(article.title))

    def by_likeness(self) -> None:
        """Pair the articles that are most alike, if at most 50 are left on each side."""
        old, new = (
            [article for article in side.values() if article.kind == "article"]
            for side in (self._old, self._new)
        )
        if max(len(old), len(new)) > _MOST_CANDIDATES:
            return
        bigrams = {id(article): _bigrams(article) for article in (*old, *new)}
        found = [
            (_likeness(bigrams[id(one)], bigrams[id(other)]), one.key, other.key)
            for one in old
            for other in new
            if _scope(one) == _scope(other) and len(body(one)) >= _FEWEST
        ]
        for likeness, one_key, other_key in sorted(found, reverse=True):
            if likeness >= _ALIKE and one_key in self._old and other_key in self._new:
                self._pair(self._old[one_key], self._new[other_key])

    def result(self) -> list[Pair]:
        """Return all pairs in the new order; a removed article follows its old predecessor."""
        old, new = self._all
        new_key_of = {one.key: key for key, one in self._old_of.items()}
        gone: dict[str, list[Pair]] = {}
        behind = ""
        for article in old:
            behind = new_key_of.get(article.key, behind)
            if article.key in self._old:
                gone.setdefault(behind, []).append((article, None))
        result = gone.get("", [])
        for article in new:
            result.append((self._old_of.get(article.key), article))
            result += gone.get(article.key, [])
        return result

    def _pair(self, old: Article, new: Article) -> None:
        del self._old[old.key], self._new[new.key]
        self._old_of[new.key] = old


def _once(
    articles: Iterable[Article], name: Callable[[Article], Hashable]
) -> dict[Hashable, Article]:
    named = [(name(article), article) for article in articles]
    counts = Counter(key for key, _ in named)
    return {key: article for key, article in named if key is not None and counts[key] == 1}


def _bigrams(article: Article) -> Counter[str]:
    words = body(article)[:_MOST_CHARACTERS]
    return Counter(words[at : at + 2] for at in range(len(words) - 1))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of common bigrams from 0 to 1, which equal texts have (Dice)."""
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)
