"""Detection of text that the site itself decoded with the wrong charset (N20).

The page's own bytes are decoded correctly or refused (`uring.fetch.decode`). The damage found here
happened on the site: in its database, or between two of its servers.
"""

import re
from collections.abc import Sequence
from typing import Final

_EAST_ASIAN: Final = re.compile("[가-힣぀-ヿ㐀-鿿]")
# The code pages in which UTF-8 is wrongly decoded.
_WRONG: Final = ("cp949", "cp1252", "latin-1")
_FEW: Final = 2
# The KS X 1001 syllables, two bytes each from these ranges, read as Latin letters.
_KOREAN_AS_LATIN: Final = re.compile("(?:[\xb0-\xc8][\xa1-\xfe])+")
# The UTF-8 of Hangul and Han read as Latin-1 or cp1252: a letter, then two signs. `clean` drops
# signs that are controls.
_LEADS: Final = "\xe3-\xed"
_SIGNS: Final = "\xa1-\xac\xae-\xbf" + "".join(
    character
    for byte in range(0x80, 0xA0)
    if (character := bytes([byte]).decode("cp1252", "ignore"))
)
_UTF8_AS_LATIN: Final = re.compile(f"[{_LEADS}][{_LEADS}{_SIGNS}]*")
_RUN: Final = 4
# Two letters of a word such as "Ações" may make a syllable as well.
_IN_A_WORD: Final = re.compile("(?<=[A-Za-z])[\xb0-\xc8][\xa1-\xfe](?=[A-Za-z])")
_CUT: Final = re.compile("\ufffd{1,2}\\s*(?:…|\\.{2,3})?\\Z")
# Letters and signs of Latin code pages; without one no text was read as one of them.
_BEYOND_ASCII: Final = re.compile("[\x80-\u024f\u02c0-\u02ff\u2000-\u2122]")
# Text read as Latin-1 or cp1252 has bytes that begin a letter in its own charset.
_LATIN: Final = re.compile("[\xb0-\xff]")
_QUESTIONS: Final = re.compile(r"\?{3}")
# Without one of these a text is whole, or UTF-8 that was read as cp949: all other signs have one.
_ODD: Final = re.compile("[\ufffd\x80-\u024f\u02c0-\u02ff\u2000-\u2122]|\\?{3}")


def damaged(titles: Sequence[str]) -> list[str]:
    """Return the titles for which `is_mojibake` is True, in their order.

    Most titles have no sign of damage and can only be UTF-8 read as cp949. They are tried together,
    as lines of one text: a page is judged at every check.
    """
    plain = [title for title in titles if not _ODD.search(title)]
    try:
        originals = "\n".join(plain).encode("cp949").decode("utf-8", "replace").split("\n")
    except UnicodeEncodeError:
        originals = []
    if len(originals) != len(plain):
        # A character that cp949 does not have, a title of several lines, or no title.
        return [title for title in titles if is_mojibake(title)]
    bad = {title for title, text in zip(plain, originals, strict=True) if _is_east_asian(text)}
    known = frozenset(plain)
    return [t for t in titles if (t in bad if t in known else is_mojibake(t))]


def is_mojibake(text: str) -> bool:
    """Return True for a damaged title: lost letters, or Korean decoded with a wrong charset.

    It misses some damage, but never reports ordinary text in any language.
    """
    # A board that cuts its own titles may leave half a letter at the end.
    text = _CUT.sub("", text)
    if "\ufffd" in text:
        return True
    if text.isascii():
        return _is_questions(text)
    if not _BEYOND_ASCII.search(text):
        return any(_was_utf8(text, codec) for codec in _WRONG)
    # The site's own prefix may be whole, and the rest of its database damaged.
    rest = _EAST_ASIAN.sub(" ", text)
    return _is_damaged(text) or (rest != text and _is_damaged(rest))


def _is_damaged(text: str) -> bool:
    if not _LATIN.search(text):
        # Quotes, dashes and dots: no byte of theirs begins a letter.
        return _was_utf8(text, "cp949")
    return (
        _is_korean_as_latin(text)
        or _is_utf8_as_latin(text)
        or any(_was_utf8(text, codec) for codec in _WRONG)
    )


def lost_its_letters(before: str, now: str) -> bool:
    """Return True if Hangul or Han became letters of another script: no person edits like that.

    The beginning that both have in common does not count.
    """
    pairs = enumerate(zip(before, now, strict=False))
    same = next((place for place, (old, new) in pairs if old != new), 0)
    before, now = before[same:], now[same:]
    if len(_EAST_ASIAN.findall(before)) <= _FEW or _EAST_ASIAN.search(now):
        return False
    return not now.isascii() or _is_questions(now)


def _is_questions(text: str) -> bool:
    letters = text.replace(" ", "")
    return bool(_QUESTIONS.search(text)) and letters.count("?") * 2 > len(letters)


def _is_utf8_as_latin(text: str) -> bool:
    """Return True if letters and signs come in runs that no language in Latin letters has."""
    runs = _UTF8_AS_LATIN.findall(text)
    beyond = sum(not character.isascii() for character in text)
    letters = sum("\xe3" <= character <= "\xed" for character in text)
    return (
        max(map(len, runs), default=0) >= _RUN
        and sum(map(len, runs)) * 10 >= beyond * 9
        and _FEW <= letters < beyond
    )


def _is_korean_as_latin(text: str) -> bool:
    text = _IN_A_WORD.sub("", text)
    beyond = "".join(character for character in text if not character.isascii())
    return (
        len(beyond) >= 2 * _FEW
        and all("\xa0" <= character <= "\xff" for character in beyond)
        and sum(map(len, _KOREAN_AS_LATIN.findall(text))) == len(beyond)
    )


def _was_utf8(text: str, codec: str) -> bool:
    try:
        return _is_east_asian(text.encode(codec).decode("utf-8", "replace"))
    except UnicodeEncodeError:
        return False


def _is_east_asian(original: str) -> bool:
    return len(_EAST_ASIAN.findall(original)) >= max(_FEW, 3 * original.count("\ufffd"))
