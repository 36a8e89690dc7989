"""What a model writes, as text: without addresses, without markup (D13).

A title or a description may be shown where Markdown or HTML is rendered. A picture's address would
then send words of the page away, a link would invite a click. Nothing of a review needs either.
"""

import html
import re
from html.entities import html5
from typing import Final

from uring.characters import alike, clean

TAKEN_OUT: Final = "…"
"""The replacement of an address."""

_ROUNDS: Final = 8
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
# Elements whose names are no words: `<title>` and `<address>` are placeholders of policies.
_ELEMENTS: Final = (
    "a|abbr|b|bdi|bdo|blockquote|br|canvas|dd|del|dfn|div|dl|dt|em|embed|fieldset|figcaption|font|"
    "frameset|h[1-6]|hr|html|i|iframe|img|input|ins|kbd|li|math|meta|nav|noscript|ol|optgroup|p|"
    "param|pre|q|s|samp|script|select|span|strike|strong|style|sub|sup|svg|tbody|td|textarea|tfoot|"
    "th|thead|tr|tt|u|ul|var|video|wbr"
)
_TAG: Final = re.compile(
    rf"<(?:/?(?:{_ELEMENTS})(?:\s*/?|[\s/][^<>=]*=[^<>]*)|!--[^<>]*|!doctype\s[^<>]*|\?[^<>]*)>",
    re.IGNORECASE,
)
# Other words in angle brackets stay: a browser that sees no bracket sees no tag.
_ANGLES: Final = re.compile(r"<([a-z/!?][^<>]*)>", re.IGNORECASE)
_OPEN_TAG: Final = re.compile(r"<(?=[a-z/!?])", re.IGNORECASE)
# The text of a link stays; its target is ASCII without a blank. Other brackets are not a link.
_LINK: Final = re.compile(
    r"!?\[([^\[\]]{0,500})\]\(\s{0,9}<?[!-'*-;=?-~]{0,2000}>?(?:\s{1,9}[\"'(][^\"'()]{0,500}[\"')])?"
    r"\s{0,9}\)"
)
# What is left of the syntax of links: inline, by reference, definitions, pictures.
_BRACKETS: Final = re.compile(r"\](?=[(\[:])")
_PICTURE: Final = re.compile(r"!+(?=\[)")
# Words (`data`, `file`, `market`, `news`) are schemes before `//` alone.
_SCHEMES: Final = (
    r"ftps?|h(?:tt|xx|[^\w\s]{2})ps?|irc|javascript|jdbc|ldaps?|mailto|nntp|sftp|sips?|skype|smb|"
    r"ssh|tg|vbscript|view-source|vnc|webcal|wss?|xmpp"
)
# Well-known top-level domains, without endings of files. Words are domains in small letters: a
# sentence may begin without a blank before it.
_DOMAINS: Final = (
    "ac|ae|ai|app|ar|au|biz|br|ca|cc|ch|cl|cloud|cn|co|com|cz|de|dev|dk|edu|es|eu|fi|fr|gg|gl|gov|"
    "gr|hk|hu|id|ie|il|info|int|io|ir|jp|kr|ly|mil|mx|nl|nz|org|pl|pt|ro|ru|se|sg|th|tk|tr|tv|tw|"
    "ua|uk|vn|xn--[a-z0-9-]{1,59}|xyz|za"
)
_DOMAIN_WORDS: Final = (
    "at|be|click|club|example|in|is|it|link|live|me|my|net|no|online|page|shop|site|so|store|tech|"
    "to|top|us"
)
_DOMAIN: Final = f"(?:{_DOMAINS}|(?-i:{_DOMAIN_WORDS}))"
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])"
_REST: Final = r"[^\s<>\"'`]*"
_ADDRESS: Final = re.compile(
    rf"""
      [a-z](?:[a-z0-9+.-]{{0,30}}:[/\\]{{2}}|[a-z0-9+.-]{{1,30}}:[/\\]){_REST}  # scheme://…
    | (?<![a-z0-9])(?:{_SCHEMES}):(?=[^\s<>\"'`]){_REST}               # mailto:…
    | (?<![a-z0-9])(?:callto|facetime|sms|tel):(?=[+0-9?&;,]){_REST}        # tel:…
    | (?<![a-z0-9])(?:data:(?:[a-z-]{{1,20}}/[\w.+-]{{1,60}})?[;,]|intent:\#|magnet:\?){_REST}
    | (?<![:/\\a-z0-9])[/\\]{{2}}[\w-]{{1,63}}\.{_REST}                    # //host…
    | (?<![a-z0-9_.-])www[0-9]{{0,3}}\.(?=\w){_REST}                        # www.…
    | (?<![\w.-])(?:[\w-]{{1,63}}\.){{1,8}}{_DOMAIN}(?=[/?\#:][^\s]){_REST}
    | (?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?=/|:[0-9]){_REST}              # 10.0.0.1:80
    | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,6}}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SYNTAX: Final = re.compile(r"[<>\[\]:/\\@&.]")


def plain(text: str) -> str:
    """Return a text of a model without unseen characters, addresses and markup.

    An address becomes an ellipsis, whatever letters its scheme is written in. The text of a link
    stays, and the text between tags. Words that only look alike stay: a section's number, a
    file's name and line, a placeholder without its angle brackets. Cleaning twice is the same as
    cleaning once.
    """
    for _ in range(_ROUNDS):
        cleaned = _once(text)
        if cleaned == text:
            return text
        text = cleaned
    # Nested to make each round uncover the next one: nothing is left to be nested of.
    return clean(_SYNTAX.sub(" ", text)).strip()


def _once(text: str) -> str:
    text = clean(_ENTITY.sub(_unescaped, text))
    text = _OPEN_TAG.sub("", _ANGLES.sub(r"\1", _TAG.sub(" ", text)))
    text = _PICTURE.sub("", _LINK.sub(r"\1", text))
    return _without_addresses(_BRACKETS.sub("] ", text)).strip()


def _unescaped(found: re.Match[str]) -> str:
    """Return the character of an entity; an unknown name as it is."""
    is_known = found[0][1] == "#" or found[0][1:] in html5
    return html.unescape(found[0]) if is_known else found[0]


def _without_addresses(text: str) -> str:
    parts: list[str] = []
    position = 0
    for match in _ADDRESS.finditer(alike(text)):
        parts += (text[position : match.start()], TAKEN_OUT)
        position = match.end()
    return "".join((*parts, text[position:]))
