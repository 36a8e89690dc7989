"""Characters that nobody sees, and letters that look like others: one set for all texts.

A text may hide words from people and show them to a model, or the other way round. `visible` takes
the hidden characters out; documents, what a model is shown and what it writes all go through it.
"""

import re
import unicodedata
from typing import Final

INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f]"
)
"""Controls, marks of direction, characters without width, tags, and lone surrogates.

No character of it is printable. Tabs and line feeds are not in it, nor U+200D: it joins emoji.
"""

BLANK: Final = re.compile("[\u2800\u3164\uffa0]")
"""Letters by category that look blank: Hangul fillers and the empty Braille cell."""

_LINE_ENDS: Final = re.compile("[\u2028\u2029]")
_SYMBOLS: Final = "\u203c-\u3299\U0001f000-\U0001faff"
# Printable by category, and unseen: selectors of variants where there are none, joiners that join
# nothing, fillers outside a syllable. Hidden words are written in them, a byte each.
_UNSEEN: Final = re.compile(
    f"(?<![#*0-9\xa9\xae{_SYMBOLS}])[\ufe00-\ufe0f]"
    f"|(?<![\u0900-\u10ff\u1200-\u1fff\ufe0f{_SYMBOLS}])\u200d"
    "|\u115f(?![\u1161-\u11a7])|(?<![\u1100-\u115e])\u1160"
    "|[\u034f\u17b4\u17b5\u180b-\u180d\u180f\U000e0100-\U000e01ef]"
)
_ANY_UNSEEN: Final = re.compile(
    f"{INVISIBLE.pattern}|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200d\ufe00-\ufe0f"
    "\U000e0100-\U000e01ef]"
)

_LETTERS: Final = (
    # Cyrillic, then Greek, then Armenian and others, with the Latin letter that each looks like.
    ("аеорсухіјѕһԁԛԝӏүґАВЕЗКМНОРСТУХІЈЅԌԜ", "aeopcyxijshdqwlyrABE3KMHOPCTYXIJSGW"),
    ("αεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϳϲ", "aeiknoptuxwABEZHIKMNOPTYXjc"),
    ("օսոհցզւɡıɑ", "ounhgqugia"),
    # Marks of addresses.
    ("\u2215\u2044\u29f8\u2236\u02d0\ua789\u2024\uff61\u3002\uff0e", "///:::...."),
)
_ALIKE: Final = {
    ord(one): other for row, plain in _LETTERS for one, other in zip(row, plain, strict=True)
} | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_STYLED: Final = re.compile("[\u2100-\u214f\u24b6-\u24e9\U0001d400-\U0001d7ff]")
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile("[A-Za-z]")


def visible(text: str) -> str:
    """Return a text without unseen characters; blank letters are spaces, lines stay lines.

    The result of the result is the same.
    """
    if text.isascii() and text.isprintable():
        return text
    text = BLANK.sub(" ", INVISIBLE.sub("", _LINE_ENDS.sub("\n", text)))
    while (seen := _UNSEEN.sub("", text)) != text:
        text = seen
    return text


def clean(text: str) -> str:
    """Return a visible text in which no word mixes Latin letters with letters that look Latin.

    Letters of mathematics and in circles become plain ones; a Greek or Russian word stays.
    """
    text = visible(text)
    if text.isascii():
        return text
    return _WORD.sub(_in_one_script, _STYLED.sub(_unstyled, text))


def alike(text: str) -> str:
    """Return a text of the same length, each character replaced by the ASCII that it looks like."""
    if text.isascii():
        return text
    return _STYLED.sub(_unstyled, text).translate(_ALIKE)


def comparable(text: str, unseen: str = "") -> str:
    """Return a text for comparisons: `alike`, blank letters as spaces, no unseen character at all.

    Args:
        text: any text.
        unseen: replaces each unseen character; with one character the length stays.
    """
    if text.isascii() and text.isprintable():
        return text
    return _ANY_UNSEEN.sub(unseen, BLANK.sub(" ", alike(text)))


def _unstyled(found: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", found[0])
    return plain if len(plain) == 1 and plain.isascii() else found[0]


def _in_one_script(word: re.Match[str]) -> str:
    if word[0].isascii() or not _LATIN.search(word[0]):
        return word[0]
    plain = word[0].translate(_ALIKE)
    return plain if plain.isascii() else word[0]
