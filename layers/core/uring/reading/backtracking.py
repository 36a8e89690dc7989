"""Which expressions of a config may take for ever on a hostile page.

`re` tries every way to share a text among nested repeats, or repeats of one thing side by side: the
time doubles with each character, or grows by another power with each repeat. No whole answer is
possible; this refuses the forms that people write by accident, and `VALUE_LIMIT` bounds the rest.
"""

import re
from dataclasses import dataclass
from typing import Final

VALUE_LIMIT: Final = 500
"""Characters of a value that an expression gets to see."""

_MOST_REPEATS: Final = 8
_TOKEN: Final = re.compile(
    r"""
      (?P<escape>\\.)
    | (?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
    | (?P<open>\((?:\?(?:P<\w+>|<[=!]|[:=!>]|[aiLmsux-]*:|\(\w+\)))?)
    | (?P<close>\))
    | (?P<or>\|)
    | (?P<repeat>(?:[*+?]|\{(?:\d+,?\d*|,\d+)\})[?+]?)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def explosive(pattern: str) -> str | None:
    """What makes a valid expression explode, or None."""
    walk = _Walk(pattern)
    for token in _TOKEN.finditer(pattern):
        kind, text = token.lastgroup, token[0]
        if kind == "open":
            walk.enter(token.start())
        elif kind == "close":
            walk.leave(token.end())
        elif kind == "or":
            walk.border(varies=True)
        elif kind != "repeat":
            walk.atom(text)
        elif problem := walk.repeat(text):
            return problem
    if walk.unbounded > _MOST_REPEATS:
        return f"there are {walk.unbounded} repeats without an end"
    return None


@dataclass(slots=True)
class _Group:
    """A group that is still open; it varies when it can match one text in several ways."""

    start: int
    varies: bool = False


class _Walk:
    """Where a reading of the expression stands."""

    def __init__(self, pattern: str) -> None:
        self.unbounded = 0
        self._pattern = pattern
        self._groups = [_Group(0)]
        self._atom, self._varies = "", False
        self._repeated = ""

    def enter(self, start: int) -> None:
        self._groups.append(_Group(start))
        self.border(varies=False)

    def leave(self, end: int) -> None:
        group = self._groups.pop()
        self._groups[-1].varies |= group.varies
        self.border(varies=False)
        self._atom, self._varies = self._pattern[group.start : end], group.varies

    def border(self, *, varies: bool) -> None:
        self._groups[-1].varies |= varies
        self._atom = self._repeated = ""

    def atom(self, text: str) -> None:
        if self._atom:
            # The one before was not repeated: it separates.
            self._repeated = ""
        self._atom, self._varies = text, False

    def repeat(self, text: str) -> str | None:
        atom, self._atom = self._atom, ""
        if text[1:].endswith("+"):
            # Possessive: it never gives back.
            return None
        self._groups[-1].varies = True
        if text[0] != "?" and self._varies:
            return f"{atom[:40]!r} varies in itself and is repeated"
        if text[0] in "*+" or ",}" in text:
            if atom == self._repeated:
                return f"{atom[:40]!r} is repeated twice side by side"
            self._repeated = atom
            self.unbounded += 1
        return None
