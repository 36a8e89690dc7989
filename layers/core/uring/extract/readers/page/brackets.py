"""The brackets of lines that are read from the right.

A file gives a bracket by its shape or by its meaning, and PDFium mirrors some of them.
"""

from typing import Final

_PAIRS: Final = ("()", "[]", "{}", "<>")
_MIRROR: Final = str.maketrans("()[]{}<>", ")(][}{><")


def with_brackets(line: str) -> str:
    """Return a line in logical order whose brackets open before they close, if any spelling does.

    Tried are the brackets as they are, all of them mirrored, and each in turn.
    """
    spellings = (line, line.translate(_MIRROR), _paired(line))
    return next((each for each in spellings if _nests(each)), line)


def _paired(text: str) -> str:
    """Return text whose brackets open and close by turns, whichever way each is given."""
    is_open: dict[str, bool] = {}
    pieces: list[str] = []
    for char in text:
        kind = next((pair for pair in _PAIRS if char in pair), "")
        if kind:
            is_open[kind] = not is_open.get(kind, False)
        pieces.append(kind[not is_open[kind]] if kind else char)
    return "".join(pieces)


def _nests(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "([{<") - (char in ")]}>")
        if depth < 0:
            return False
    return not depth
