"""Keys as a terminal sends them. Pure."""

import codecs
import re
from typing import Final

_NAMES: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "back",
    "\x08": "back",
    "\x15": "clear",
    "\x0c": "again",
    "\x1b": "escape",
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b[H": "home",
    "\x1bOH": "home",
    "\x1b[1~": "home",
    "\x1b[F": "end",
    "\x1bOF": "end",
    "\x1b[4~": "end",
}
# A whole control sequence, else one character.
_KEY: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])|[\s\S]")
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?")


class Keys:
    """The keys of a terminal's bytes, which may come in pieces.

    A character is its own key. Other keys have names of several letters; unknown ones, and control
    characters, are left out.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._rest = ""

    @property
    def is_waiting(self) -> bool:
        """True if the rest may be the Escape key, or the beginning of another key."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[str]:
        """Return the keys that are whole."""
        text = self._rest + self._decoder.decode(data)
        begun = re.search(rf"(?:{_BEGUN.pattern})\Z", text)
        self._rest = begun.group() if begun else ""
        return _keys(text[: len(text) - len(self._rest)])

    def flush(self) -> list[str]:
        """Return the keys of the rest, since nothing follows it."""
        rest, self._rest = self._rest, ""
        return _keys(rest)


def _keys(text: str) -> list[str]:
    found = (_NAMES.get(key, key) for key in _KEY.findall(text))
    return [key for key in found if key.isprintable()]
