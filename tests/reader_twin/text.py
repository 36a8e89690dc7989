"""Foreign text made fit to show and to compare, and foreign links made fit to follow."""

import re
import unicodedata
from typing import Any, Final

# What reorders or hides its neighbours: bidi controls, joiners of words, lone surrogates.
# U+200C and U+200D stay: scripts and emoji are written with them.
_HIDDEN: Final = re.compile(
    r"[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff]"
)
# Controls, line ends and every kind of blank. Not \s: languages differ in what it is.
_BLANKS: Final = re.compile(
    r"[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
# What, beside marks, never begins a character as a reader sees it (UAX #29): joiners, vowels and
# finals of decomposed Hangul, halves of flags, skin tones, tags.
_EXTENDERS: Final = re.compile(
    "[\u200c\u200d\u1160-\u11ff\ud7b0-\ud7ff\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff"
    "\U000e0020-\U000e007f]"
)
_ZERO_WIDTH_JOINER: Final = "\u200d"
_ELLIPSIS: Final = "…"

_LONGEST_LINK: Final = 4096
# Neither a blank, a control, a backslash (browsers read it as a slash) nor what hides.
_TAIL: Final = (
    r"[^\u0000-\u0020\u007f-\u00a0\\\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
    r"\ufeff\ud800-\udfff]*"
)
_ORIGIN: Final = (
    r"[hH][tT][tT][pP][sS]?://"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
)
_ABSOLUTE: Final = re.compile(rf"(?P<origin>{_ORIGIN})(?:[/?#]{_TAIL})?")
_FROM_ROOT: Final = re.compile(rf"/(?!/){_TAIL}")


def clean(value: Any) -> str:
    """Return a text in one line, without what reorders or hides it; "" for what is no string.

    Blanks and controls are single spaces, none at the ends.
    """
    if not isinstance(value, str):
        return ""
    return _BLANKS.sub(" ", _HIDDEN.sub("", value)).strip(" ")


def cut(text: str, most: int) -> str:
    """Cut a text to so many code points, an ellipsis included, between two characters."""
    if len(text) <= most:
        return text
    end = most - 1
    while end > 0 and (_extends(text[end]) or text[end - 1] == _ZERO_WIDTH_JOINER):
        end -= 1
    # A heap of marks is no character: cut anywhere.
    return text[: end or most - 1].removesuffix(" ") + _ELLIPSIS


def fold_case(value: Any) -> str:
    """Return a text as it is compared: clean, NFKC, without case."""
    # Up and down, for "ß" is "SS"; a final sigma is made by its place in the word.
    text = unicodedata.normalize("NFKC", clean(value))
    return clean(text.upper().lower().replace("\u03c2", "\u03c3"))


def safe_link(text: Any, base: Any = None) -> str | None:
    """Return an address that may be followed, or None.

    Accepted are absolute http(s) addresses without a user name, and, with a base, paths from the
    root. They are returned as they came.
    """
    # Counted as JavaScript does.
    if not isinstance(text, str) or len(text) + sum(c > "\uffff" for c in text) > _LONGEST_LINK:
        return None
    if _ABSOLUTE.fullmatch(text):
        return text
    host = _ABSOLUTE.fullmatch(base) if isinstance(base, str) else None
    return host["origin"] + text if host and _FROM_ROOT.fullmatch(text) else None


def _extends(code_point: str) -> bool:
    return unicodedata.category(code_point)[0] == "M" or bool(_EXTENDERS.match(code_point))
