"""Text that was decoded with the wrong charset before it came to us (N20).

The page's own bytes are decoded well or not at all (`uring.fetch.decode`). What is found here was
broken on the site: by its database, or between two of its servers.
"""

import re
from typing import Final

_HANGUL: Final = re.compile("[가-힣]")
# What the four code pages of such accidents make of the UTF-8 of Korean.
_WRONG: Final = ("cp949", "cp1252", "latin-1")
_FEW: Final = 2
# The KS X 1001 syllables, two bytes each from these ranges, read as Latin letters.
_KOREAN_AS_LATIN: Final = re.compile("(?:[\xb0-\xc8][\xa1-\xfe])+")
# Two letters of a word such as "Ações" may make a syllable as well.
_IN_A_WORD: Final = re.compile("(?<=[A-Za-z])[\xb0-\xc8][\xa1-\xfe](?=[A-Za-z])")
_CUT: Final = re.compile("\ufffd{1,2}\\s*(?:…|\\.{2,3})?\\Z")
_QUESTIONS: Final = re.compile(r"\?{3}")


def is_mojibake(text: str) -> bool:
    """Return True for a damaged title: letters lost, or Korean that went through a wrong charset.

    Certain rather than complete: ordinary text in any language is not.
    """
    # Half a letter before the end is where a board cut its own title.
    text = _CUT.sub("", text)
    if "\ufffd" in text:
        return True
    if text.isascii():
        letters = text.replace(" ", "")
        return bool(_QUESTIONS.search(text)) and letters.count("?") * 2 > len(letters)
    return _is_korean_as_latin(text) or any(_was_utf8(text, codec) for codec in _WRONG)


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
        original = text.encode(codec).decode("utf-8", "replace")
    except UnicodeEncodeError:
        return False
    return len(_HANGUL.findall(original)) >= max(_FEW, 3 * original.count("\ufffd"))
