"""What was typed with the wrong keyboard: 법학 as ``qjqgkr``, toeic as 새댜ㅊ."""

import re
from collections.abc import Sequence
from typing import Final

# The keys of the Korean two-set layout, in Unicode's order of initials, vowels and finals.
_INITIALS: Final = tuple("rRseEfaqQtTdwWczxvg")
_VOWELS: Final = (*"koiOjpuPh", "hk", "ho", "hl", *"yn", "nj", "np", "nl", *"bm", "ml", "l")
_FINALS: Final = (
    *("", "r", "R", "rt", "s", "sw", "sg", "e", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg"),
    *("a", "q", "qt", *"tTdwczxvg"),
)
_PARTS: Final = ((0x11A7, _FINALS), (0x1161, _VOWELS), (0x1100, _INITIALS))
_FIRST: Final = 0xAC00
_LAST: Final = 0xD7A3


def _one_of(keys: Sequence[str]) -> str:
    return "|".join(sorted(filter(None, keys), key=len, reverse=True))


# A final that a vowel follows is the initial of the next syllable.
_SYLLABLE: Final = re.compile(
    f"({_one_of(_INITIALS)})({_one_of(_VOWELS)})((?:{_one_of(_FINALS)})(?![koiOjpuPhynbml]))?"
)
_LATIN: Final = re.compile("[A-Za-z]+")
_IS_WRITTEN: Final = re.compile(
    "[\u1100-\u1112\uac00-\ud7a3]*[\uac00-\ud7a3][\u1100-\u1112\uac00-\ud7a3]*"
)


def in_korean(word: str) -> str:
    """Return what these keys write on a Korean keyboard.

    Empty where it is no such word: a lone vowel, or no syllable at all.
    """
    if not _LATIN.fullmatch(word):
        return ""
    keys = word.lower() if word == word.upper() else word
    spelled = "".join(key if key in (*_INITIALS, *_VOWELS) else key.lower() for key in keys)
    text = _SYLLABLE.sub(_composed, spelled)
    written = "".join(
        chr(0x1100 + _INITIALS.index(key)) if key in _INITIALS else key for key in text
    )
    return written if _IS_WRITTEN.fullmatch(written) else ""


def in_latin(word: str) -> str:
    """Return the keys that write this on a Korean keyboard, in lower case.

    Empty where it has another character than Hangul.
    """
    keys = [_keys_of(ord(letter)) for letter in word]
    return "".join(keys).lower() if all(keys) else ""


def _composed(found: re.Match[str]) -> str:
    initial, vowel, final = found.groups(default="")
    number = _INITIALS.index(initial) * len(_VOWELS) + _VOWELS.index(vowel)
    return chr(_FIRST + number * len(_FINALS) + _FINALS.index(final))


def _keys_of(point: int) -> str:
    if _FIRST <= point <= _LAST:
        rest, final = divmod(point - _FIRST, len(_FINALS))
        initial, vowel = divmod(rest, len(_VOWELS))
        return _INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]
    for first, keys in _PARTS:
        if first <= point:
            return keys[point - first] if point - first < len(keys) else ""
    return ""
