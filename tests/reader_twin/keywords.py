"""Keywords and searches over titles, in Korean as people type it."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from reader_twin.text import fold_case

T = TypeVar("T")

_SYLLABLES: Final = ("\uac00", "\ud7a3")
_INITIALS: Final = ("\u1100", "\u1112")
_A_SYLLABLE_EACH: Final = 588


def matches(record: Any, keywords: Any) -> str | None:
    """Return the first keyword that a record has in its title or category, or None.

    Case and width do not count. "a b" wants both words, anywhere in either. "-a" excludes: a record
    that has it matches nothing. Where all keywords exclude, whatever is left matches the first.
    """
    text = _text_of(record, ("title", "category"))
    rules = []
    for keyword in keywords if isinstance(keywords, list) else ():
        folded = fold_case(keyword)
        words = _words(folded.removeprefix("-"))
        if words:
            rules.append((keyword, folded.startswith("-"), words))
    hits = [rule for rule in rules if all(word in text for word in rule[2])]
    if any(excludes for _, excludes, _ in hits):
        return None
    if hits:
        return str(hits[0][0])
    return str(rules[0][0]) if rules and all(excludes for _, excludes, _ in rules) else None


def search(items: Sequence[T], text: Any) -> list[T]:
    """Return the items, in their order, whose title or name has all words of a text.

    A consonant stands for every syllable that begins with it: ㅋㅍ finds 컴퓨터. All items are
    returned where the text is empty.
    """
    words = _words(fold_case(text))
    return [item for item in items if _has_all(_text_of(item, ("title", "name")), words)]


def _text_of(record: Any, fields: Sequence[str]) -> str:
    values = [fold_case(record.get(name)) if isinstance(record, dict) else "" for name in fields]
    # No keyword has a line break: none reaches from one field into the next.
    return "\n".join(values)


def _words(folded: str) -> list[str]:
    return [word for word in folded.split(" ") if word]


def _has_all(title: str, words: Sequence[str]) -> bool:
    return all(_has(title, word) for word in words)


def _has(title: str, word: str) -> bool:
    if word in title:
        return True
    if not any(_is_in(letter, _INITIALS) for letter in word):
        return False
    starts = range(len(title) - len(word) + 1)
    return any(
        all(_is_letter(title[start + at], letter) for at, letter in enumerate(word))
        for start in starts
    )


def _is_letter(own: str, letter: str) -> bool:
    if own == letter:
        return True
    if not _is_in(letter, _INITIALS) or not _is_in(own, _SYLLABLES):
        return False
    number = (ord(own) - ord(_SYLLABLES[0])) // _A_SYLLABLE_EACH
    return ord(_INITIALS[0]) + number == ord(letter)


def _is_in(letter: str, bounds: tuple[str, str]) -> bool:
    return bounds[0] <= letter <= bounds[1]
