"""The markup of a page: its text without scripts, style sheets and comments."""

import re
from typing import AnyStr, Final

# They end as in the tokenizer of the HTML standard; without an end they reach to the end of the
# page. A tag with a "<" in it is not matched: searching its end would scan the page each time.
_OPAQUE: Final = (
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
    r"|<(script|style)(?=[\s/>])[^<>]*+>(?:[^<]++|<(?!/\1[\s/>]))*+"
)
_OPAQUE_TEXT: Final = re.compile(_OPAQUE, re.IGNORECASE)
_OPAQUE_BYTES: Final = re.compile(_OPAQUE.encode(), re.IGNORECASE)


def markup_of(html: AnyStr) -> AnyStr:
    """Return the page without comments, scripts and style sheets.

    It works on the text alone: inside SVG, a title or a text area a parser would keep them. So the
    result shows what people see, and proves nothing about a parser.
    """
    if isinstance(html, bytes):
        return _OPAQUE_BYTES.sub(b"", html)
    return _OPAQUE_TEXT.sub("", html)
