"""The markup of a page: its text without scripts, style sheets and comments."""

import re
from typing import AnyStr, Final

# As the tokenizer of the HTML standard ends them; what is never closed reaches to the end. A tag
# with a "<" in it is left: to search it for its end would take as long as the page, each time.
_OPAQUE: Final = (
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
    r"|<(script|style)(?=[\s/>])[^<>]*+>(?:[^<]++|<(?!/\1[\s/>]))*+"
)
_OPAQUE_TEXT: Final = re.compile(_OPAQUE, re.IGNORECASE)
_OPAQUE_BYTES: Final = re.compile(_OPAQUE.encode(), re.IGNORECASE)


def markup_of(html: AnyStr) -> AnyStr:
    """Return the page with nothing in place of comments, scripts and style sheets.

    It takes a page at its word: inside of SVG, a title or a text area, what looks like one of them
    is none to a parser. So it tells what people see, and is no proof of what a parser meets.
    """
    if isinstance(html, bytes):
        return _OPAQUE_BYTES.sub(b"", html)
    return _OPAQUE_TEXT.sub("", html)
