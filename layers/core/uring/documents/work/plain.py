"""What a model writes, as text: without addresses, without markup (D13).

A title or a description may be shown where Markdown or HTML is rendered. A picture's address would
then send words of the page away, a link would invite a click. Nothing of a review needs either.
"""

import html
import re
from typing import Final

from uring.characters import alike, clean

TAKEN_OUT: Final = "…"
"""The replacement of an address."""

_ROUNDS: Final = 8
_TAG: Final = re.compile(r"<[a-z/!?][^<>]*>", re.IGNORECASE)
_OPEN_TAG: Final = re.compile(r"<(?=[a-z/!?])", re.IGNORECASE)
# The text of a link stays; its target is ASCII without a blank. Other brackets are not a link.
_LINK: Final = re.compile(
    r"!?\[([^\[\]]{0,500})\]\(\s{0,9}<?[!-'*-;=?-~]{0,2000}>?(?:\s{1,9}[\"'(][^\"'()]{0,500}[\"')])?"
    r"\s{0,9}\)"
)
# What is left of the syntax of links: inline, by reference, definitions, pictures.
_BRACKETS: Final = re.compile(r"\](?=[(\[:])")
_PICTURE: Final = re.compile(r"!+(?=\[)")
_SCHEMES: Final = (
    "about|blob|callto|cid|data|facetime|file|ftps?|h..ps?|im|intent|irc|javascript|jdbc|ldaps?|"
    "magnet|mailto|market|news|nntp|sftp|sips?|skype|sms|smb|ssh|tel|tg|vbscript|view-source|vnc|"
    "webcal|wss?|xmpp"
)
_REST: Final = r"[^\s<>\"'`]*"
_ADDRESS: Final = re.compile(
    rf"""
      [a-z](?:[a-z0-9+.-]{{0,30}}:[/\\]{{2}}|[a-z0-9+.-]{{1,30}}:[/\\]){_REST}  # scheme://…
    | (?<![a-z0-9])(?:{_SCHEMES}):(?=[^\s<>\"'`]){_REST}               # mailto:…
    | (?<![:/\\a-z0-9])[/\\]{{2}}[\w-]{{1,63}}\.{_REST}                    # //host…
    | (?<![a-z0-9_.-])www[0-9]{{0,3}}\.(?=\w){_REST}                        # www.…
    | (?<![\w.-])(?:[\w-]{{1,63}}\.){{1,8}}[a-z][a-z0-9-]{{1,62}}(?=[/?\#:][^\s]){_REST}
    | (?<![\w.])(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}}(?=[/:?]){_REST}
    | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,6}}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SYNTAX: Final = re.compile(r"[<>\[\]:/\\@&.]")


def plain(text: str) -> str:
    """Return a text of a model without unseen characters, addresses and markup.

    An address becomes an ellipsis, whatever letters its scheme is written in. The text of a link
    stays, and the text between tags. Cleaning twice is the same as cleaning once.
    """
    for _ in range(_ROUNDS):
        cleaned = _once(text)
        if cleaned == text:
            return text
        text = cleaned
    # Nested to make each round uncover the next one: nothing is left to be nested of.
    return clean(_SYNTAX.sub(" ", text)).strip()


def _once(text: str) -> str:
    text = clean(html.unescape(text))
    text = _OPEN_TAG.sub("", _TAG.sub(" ", text))
    text = _PICTURE.sub("", _LINK.sub(r"\1", text))
    return _without_addresses(_BRACKETS.sub("] ", text)).strip()


def _without_addresses(text: str) -> str:
    parts: list[str] = []
    position = 0
    for match in _ADDRESS.finditer(alike(text)):
        parts += (text[position : match.start()], TAKEN_OUT)
        position = match.end()
    return "".join((*parts, text[position:]))
