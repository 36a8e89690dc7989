"""Names that become one segment of a path, or of the key of an object.

Clients and servers on the way rewrite paths: they fold dot segments (RFC 3986, 5.2.4), strip tabs
and line breaks, decode per cent signs once more, read a backslash as a slash, and drop what follows
a semicolon. A name that any of these would change into another address is refused at the edge.
"""

import re
import unicodedata
from typing import Annotated, Final
from urllib.parse import unquote

from pydantic import AfterValidator

_MOST_CODINGS: Final = 4
# Undecodable bytes become U+FFFD: an overlong dot is one of them.
_REFUSED: Final = re.compile("[/\\\\\ufffd]")
_CONTROLS: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
NOT_A_SEGMENT: Final = "dots, slashes and control characters, also encoded, change the address"


def is_segment(name: str) -> bool:
    """Return whether a name is one segment of a path for every client, decoded or not.

    Args:
        name: not yet percent-encoded; of any length. An empty name is not a segment.
    """
    seen = name
    for _ in range(_MOST_CODINGS):
        plain = unicodedata.normalize("NFKC", seen)
        if not _is_plain(plain):
            return False
        decoded = unquote(plain)
        if decoded == seen:
            return True
        seen = decoded
    return False


def _is_plain(text: str) -> bool:
    if _REFUSED.search(text) or any(unicodedata.category(each) in _CONTROLS for each in text):
        return False
    return bool(re.split("[;?#]", text, maxsplit=1)[0].strip(". \u3000"))


def _check(name: str) -> str:
    if not is_segment(name):
        raise ValueError(f"not a single part of an address: {NOT_A_SEGMENT}")
    return name


Segment = Annotated[str, AfterValidator(_check)]
"""A string that is one segment of a path; other constraints stand beside it."""
