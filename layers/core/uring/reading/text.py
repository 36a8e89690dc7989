"""Text as a reader sees it: one spelling for texts that look the same (N20)."""

import html
import re
import unicodedata
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import AnyStr, Final

from selectolax.lexbor import LexborNode

from uring.characters import BLANK, INVISIBLE

TEXT_LIMIT: Final = 2_000
"""The most characters of one field. A longer text is cut before any pattern searches it."""

_RAW_LIMIT: Final = 50_000
_SILENT: Final = frozenset({"script", "style", "template", "noscript", "-comment"})
_BREAK_NAMES: Final = (
    "address article br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main "
    "nav ol option p pre section table tbody td th thead tr ul"
)
_BREAKS: Final = frozenset(_BREAK_NAMES.split())

# Outside HTML only the names of HTML tags count, because "<AI 특강>" is a title. A single letter in
# angle brackets is a tag only if it is closed.
_INLINE_NAMES: Final = "abbr big code del em font ins mark small span strike strong sub sup"
_TAGS: Final = re.compile(
    rf"</?({'|'.join(f'{_BREAK_NAMES} {_INLINE_NAMES} img'.split())})(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(r"</([abipqsu])\s*>", re.IGNORECASE)
_SHORT_TAGS: Final = {
    name: re.compile(rf"</?{name}(?:[\s/][^<>]*)?>", re.IGNORECASE) for name in "abipqsu"
}
# They end as in the tokenizer of the HTML standard; without an end they reach to the end of the
# page. A tag with a "<" in it is not matched: searching its end would scan the page each time.
_OPAQUE: Final = (
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
    r"|<(script|style)(?=[\s/>])[^<>]*+>(?:[^<]++|<(?!/\1[\s/>]))*+"
)
_OPAQUE_TEXT: Final = re.compile(_OPAQUE, re.IGNORECASE)
_OPAQUE_BYTES: Final = re.compile(_OPAQUE.encode(), re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
# "&amp;amp;": escaped for HTML, and again for the format around it.
_ESCAPES: Final = 2


def clean(text: str) -> str:
    """Return one line in NFC: each run of white space is one space, invisible characters are gone.

    Cleaning twice is the same as cleaning once.
    """
    text = " ".join(text.split())
    # No invisible character is printable.
    is_plain = text.isprintable()
    if is_plain and text.isascii():
        return text
    if not is_plain or BLANK.search(text):
        text = " ".join(BLANK.sub(" ", INVISIBLE.sub("", text)).split())
    return unicodedata.normalize("NFC", text)


def shorten(text: str, limit: int) -> str:
    """Cut to ``limit`` characters; the last one is an ellipsis if the text was longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def without(text: str, literals: Collection[str]) -> str:
    """Strip these literals from both ends, repeatedly. Text and literals must be clean.

    Inside the text they stay: a notice may mention "[공지]".
    """
    start, end = 0, len(text)
    stripped = True
    while stripped:
        stripped = False
        for literal in literals:
            while text.startswith(literal, start, end):
                start, stripped = start + len(literal), True
                while start < end and text[start] == " ":
                    start += 1
            while text.endswith(literal, start, end):
                end, stripped = end - len(literal), True
                while start < end and text[end - 1] == " ":
                    end -= 1
    return text[start:end]


def text_of(node: LexborNode, drop: Collection[str] = ()) -> str:
    """Return the clean text of an element, at most ``TEXT_LIMIT`` characters.

    Subtrees that match a selector in ``drop`` are skipped, not removed: another rule may select
    the same badge. Blocks and line breaks separate words, inline elements do not.
    """
    return text_without(node, {match.mem_id for selector in drop for match in node.css(selector)})


def text_without(node: LexborNode, dropped: AbstractSet[int]) -> str:
    """Return the same as `text_of`; ``dropped`` has the ``mem_id`` of the elements to skip."""
    only = node.first_child
    if only is None:
        return ""
    if only.is_text_node and only.next is None and not dropped and node.tag not in _SILENT:
        parts = [only.text_content or ""]
    else:
        parts = _parts(node, dropped)
    return clean("".join(parts))[:TEXT_LIMIT].rstrip()


def _parts(node: LexborNode, dropped: AbstractSet[int]) -> list[str]:
    parts: list[str] = []
    size = 0
    # A stack: an element's next sibling is below its children.
    pending: list[LexborNode | None] = [node]
    while pending and size < _RAW_LIMIT:
        current = pending.pop()
        if current is None:
            parts.append(" ")
            continue
        if current is not node:
            following = current.next
            if following is not None:
                pending.append(following)
        if current.is_text_node:
            piece = current.text_content or ""
            size += len(piece)
            parts.append(piece)
            continue
        tag = current.tag
        if tag in _SILENT or (dropped and current.mem_id in dropped):
            continue
        if tag in _BREAKS:
            parts.append(" ")
            pending.append(None)
        child = current.first_child
        if child is not None:
            pending.append(child)
    return parts


def plain(text: str) -> str:
    """Return the clean text of a value that may contain HTML, such as a title in JSON or a feed.

    At most ``TEXT_LIMIT`` characters. Only entities with a semicolon count: ``&copy=1`` in an
    address is not an entity.
    """
    text = _untagged(text[:_RAW_LIMIT])
    for _ in range(_ESCAPES):
        if "&" not in text:
            break
        text = _untagged(_ENTITY.sub(lambda match: html.unescape(match[0]), text))
    return clean(text)[:TEXT_LIMIT].rstrip()


def _untagged(text: str) -> str:
    if "<" not in text:
        return text
    text = _TAGS.sub(lambda match: " " if match[1].lower() in _BREAKS else "", text)
    for name in {name.lower() for name in _CLOSED.findall(text)}:
        text = _SHORT_TAGS[name].sub(" " if name in _BREAKS else "", text)
    return text


def markup_of(page: AnyStr) -> AnyStr:
    """Return the page without comments, scripts and style sheets.

    It works on the text alone: inside SVG, a title or a text area a parser would keep them. So the
    result shows what people see, and proves nothing about a parser.
    """
    if isinstance(page, bytes):
        return _OPAQUE_BYTES.sub(b"", page)
    return _OPAQUE_TEXT.sub("", page)
