"""The gateway's key: in the URL, and shown nowhere else."""

import re
from typing import Final
from urllib.parse import quote, unquote

from uring.errors import Misconfigured

_SHORTEST: Final = 8
# The longest piece of a key that may be shown: servers repeat it, and messages are cut in it.
_SHOWN: Final = 5
_IN_QUERY: Final = re.compile(r"((?:auth|service)_?key=[\"']?)[^&\s\"'<>]+", re.IGNORECASE)
_HIDDEN: Final = "***"


class GatewayKey:
    """A key of one of the two gateways.

    The portal issues its keys twice, plain and percent-encoded; both are accepted, and neither is
    encoded twice.

    Args:
        text: the key.

    Raises:
        Misconfigured: the key is too short, or has white space.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        plain = unquote(text)
        if len(plain) < _SHORTEST or re.search(r"[\s\x00-\x1f]", plain):
            raise Misconfigured(
                "the weather gateway's key is malformed: store the key from its account page"
            )
        self._quoted = quote(plain, safe="")
        lower = re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), self._quoted)
        json_text = plain.replace("/", "\\/")
        spellings = {text, plain, self._quoted, lower, json_text}
        self._spellings = sorted(spellings, key=len, reverse=True)
        self._parts = {
            spelling[at : at + _SHOWN + 1]
            for spelling in spellings
            for at in range(len(spelling) - _SHOWN)
        }

    def __repr__(self) -> str:
        return f"GatewayKey({_HIDDEN})"

    @property
    def quoted(self) -> str:
        """The key for a query, percent-encoded once."""
        return self._quoted

    def redact(self, text: str) -> str:
        """Return the text without the key, in any spelling, and without pieces of it."""
        for spelling in self._spellings:
            text = text.replace(spelling, _HIDDEN)
        text = _IN_QUERY.sub(rf"\1{_HIDDEN}", text)
        while any(text[at : at + _SHOWN + 1] in self._parts for at in range(len(text) - _SHOWN)):
            text = self._without_pieces(text)
        return text

    def _without_pieces(self, text: str) -> str:
        inside = [False] * len(text)
        for at in range(len(text) - _SHOWN):
            if text[at : at + _SHOWN + 1] in self._parts:
                inside[at : at + _SHOWN + 1] = [True] * (_SHOWN + 1)
        shown = "".join("\0" if hidden else char for char, hidden in zip(text, inside, strict=True))
        return re.sub("\0+", _HIDDEN, shown)
