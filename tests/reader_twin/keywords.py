"""Keywords and searches over titles, in Korean as people type it."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from reader_twin.layout import in_korean, in_latin
from reader_twin.text import clean, fold_case

T = TypeVar("T")

_SYLLABLES: Final = ("\uac00", "\ud7a3")
_INITIALS: Final = ("\u1100", "\u1112")
_A_SYLLABLE_EACH: Final = 588
_FINALS: Final = 28
_RUN: Final = re.compile("[\uac00-\ud7a3]+")


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
    returned where the text is empty. Where nothing has all words, a word may also be an
    abbreviation (컴공 of 컴퓨터공학과), end in a syllable that is not yet whole (장하 of 장학), or
    be typed with the wrong keyboard (``qjqgkr`` of 법학).
    """
    words = _words(fold_case(text))
    typed = _words(unicodedata.normalize("NFKC", clean(text)))
    titles = [_text_of(item, ("title", "name")) for item in items]
    found = [item for item, title in zip(items, titles, strict=True) if _has_all(title, words)]
    if found:
        return found
    readings = [
        [*filter(None, (word, in_korean(typed[at] if at < len(typed) else word), in_latin(word)))]
        for at, word in enumerate(words)
    ]
    return [
        item
        for item, title in zip(items, titles, strict=True)
        if all(
            any(_has(title, word) or _is_short_for(title, word) for word in own) for own in readings
        )
    ]


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
    return _is_within(title, word, lambda own, letter, _: _is_letter(own, letter))


def _is_short_for(title: str, word: str) -> bool:
    """Return whether a word begins like one of the title and has its syllables in order."""
    if len(word) < 2 or not all(_is_in(letter, _SYLLABLES) for letter in word):
        return False

    def is_last(own: str, letter: str, at: int) -> bool:
        return own == letter or (at == len(word) - 1 and _is_begun_by(own, letter))

    runs = _RUN.findall(title)
    return any(_is_in_order(run, word, is_last) or _is_within(run, word, is_last) for run in runs)


def _is_in_order(run: str, word: str, is_same: Callable[[str, str, int], bool]) -> bool:
    if not is_same(run[0], word[0], 0):
        return False
    at = 0
    for own in run:
        at += at < len(word) and is_same(own, word[at], at)
    return at == len(word)


def _is_within(title: str, word: str, is_same: Callable[[str, str, int], bool]) -> bool:
    starts = range(len(title) - len(word) + 1)
    return any(
        all(is_same(title[start + at], letter, at) for at, letter in enumerate(word))
        for start in starts
    )


def _is_begun_by(own: str, letter: str) -> bool:
    """Return whether a syllable without a final consonant begins another one: 하 begins 학."""
    one, other = (ord(each) - ord(_SYLLABLES[0]) for each in (own, letter))
    return other % _FINALS == 0 and one - one % _FINALS == other


def _is_letter(own: str, letter: str) -> bool:
    if own == letter:
        return True
    if not _is_in(letter, _INITIALS) or not _is_in(own, _SYLLABLES):
        return False
    number = (ord(own) - ord(_SYLLABLES[0])) // _A_SYLLABLE_EACH
    return ord(_INITIALS[0]) + number == ord(letter)


def _is_in(letter: str, bounds: tuple[str, str]) -> bool:
    return bounds[0] <= letter <= bounds[1]
