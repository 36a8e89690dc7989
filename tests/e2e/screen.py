"""A terminal without its window: the text that a program's output leaves on a screen."""

import re
from typing import Final

from rich.cells import cell_len

_PIECES: Final = re.compile(
    r"\x1b\[(?P<arguments>[?0-9;]*)(?P<command>[A-Za-z])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|(?P<control>[\r\n\b])"
    r"|(?P<text>[^\x1b\r\n\b]+)",
)
_ALTERNATE: Final = "?1049"


class Screen:
    """A screen of a size, with the second one that a full-screen program takes.

    It knows what rich writes: moving and erasing. Colours are ignored, and so are links.
    """

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._main = self._shown = self._empty()
        self._at = (0, 0)
        self.is_alternate = False

    @property
    def lines(self) -> list[str]:
        """The lines from top to bottom, without spaces at their ends."""
        return ["".join(row).rstrip() for row in self._shown]

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    def write(self, text: str) -> None:
        """Show the next output; a piece ends with a whole sequence."""
        for piece in _PIECES.finditer(text):
            if piece["command"]:
                self._do(piece["command"], piece["arguments"])
            elif piece["control"]:
                self._control(piece["control"])
            elif piece["text"]:
                self._type(piece["text"])

    def _empty(self) -> list[list[str]]:
        return [[" "] * self._width for _ in range(self._height)]

    def _do(self, command: str, arguments: str) -> None:
        row, column = self._at
        count = int(arguments) if arguments.isdigit() else 1
        match command:
            case "H":
                at = [int(each or 1) for each in (arguments or "1;1").split(";")]
                self._at = (at[0] - 1, at[-1] - 1 if len(at) > 1 else 0)
            case "A":
                self._at = (max(0, row - count), column)
            case "K":
                begin = 0 if arguments == "2" else column
                self._shown[row][begin:] = [" "] * (self._width - begin)
            case "J":
                self._shown[:] = self._empty()
            case "h" | "l" if arguments == _ALTERNATE:
                self.is_alternate = command == "h"
                self._shown = self._empty() if self.is_alternate else self._main
                self._at = (0, 0) if self.is_alternate else (self._height - 1, 0)

    def _control(self, control: str) -> None:
        row, column = self._at
        if control == "\r":
            self._at = (row, 0)
        elif control == "\b":
            self._at = (row, max(0, column - 1))
        else:
            self._feed()

    def _feed(self) -> None:
        row, column = self._at
        if row + 1 < self._height:
            self._at = (row + 1, column)
            return
        del self._shown[0]
        self._shown.append([" "] * self._width)

    def _type(self, text: str) -> None:
        for char in text:
            cells = cell_len(char)
            if self._at[1] + cells > self._width:
                self._at = (self._at[0], 0)
                self._feed()
            row, column = self._at
            # The second cell of a wide letter has no text of its own.
            self._shown[row][column : column + cells] = [char, *[""] * (cells - 1)]
            self._at = (row, column + cells)
