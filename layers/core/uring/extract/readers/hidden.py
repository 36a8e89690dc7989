"""Text that a page hides from its readers: by style, place, size or colour.

A model, or a search, would read it nevertheless. What an element hides with all that is in it, and
what its own text inherits, are two questions: lists may have size 0 and items with a size.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]

WHITE: Final[Colour] = (255, 255, 255)
_NUMBER: Final = re.compile(r"([+-]?[0-9]{0,6}(?:\.[0-9]{1,6})?)(px|pt|em|rem|%|vw|vh|cm|in)?")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})(?![0-9a-f])")
_RGB: Final = re.compile(
    r"rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})(?:[\s,/]+([0-9.]{1,6})%?)?\s*\)"
)
_NAMES: Final[Mapping[str, Colour]] = {
    "white": WHITE,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
}
_PICTURE: Final = re.compile(r"url\(|gradient\(|var\(")
_CLIPPED: Final = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:[5-9][0-9]|100)%|circle\(\s*0"
)
# Places off the page, in pixels; a relative unit counts ten. Columns are centred by half their
# width as a margin, so margins are farther.
_FAR: Final[Mapping[str, int]] = {
    **dict.fromkeys(("left", "top", "right", "bottom", "text-indent"), -999),
    **dict.fromkeys(("margin-left", "margin-top"), -5_000),
}
_RELATIVE: Final = 10
_ALIKE: Final = 16
_FAINT: Final = 0.05
_TINY: Final = 1


@dataclass(frozen=True, slots=True)
class Ink:
    """What the text of an element inherits.

    Attributes:
        is_tiny: whether its size is none.
        colour: of the letters; None if unknown.
        paper: the colour behind them; None if unknown.
        is_clear: whether the letters are transparent.
    """

    is_tiny: bool = False
    colour: Colour | None = (0, 0, 0)
    paper: Colour | None = WHITE
    is_clear: bool = False

    @property
    def is_unseen(self) -> bool:
        """True when nobody can read text in it."""
        if self.is_tiny or self.is_clear:
            return True
        if self.colour is None or self.paper is None:
            return False
        return all(
            abs(one - other) <= _ALIKE for one, other in zip(self.colour, self.paper, strict=True)
        )

    def under(self, values: Mapping[str, str]) -> "Ink":
        """Return what the text of an element below inherits, from its declared values."""
        is_tiny, colour, paper, is_clear = self.is_tiny, self.colour, self.paper, self.is_clear
        size = _length(values.get("font-size", ""))
        if size is not None:
            is_tiny = abs(size) <= _TINY
        elif values.get("font-size") or values.get("font"):
            is_tiny = False
        said = values.get("color", "")
        if said and said != "inherit":
            colour, is_clear = _colour(said), _is_clear(said)
        said = values.get("background-color") or values.get("background") or ""
        if said and said != "inherit" and not _is_clear(said) and said != "none":
            paper = None if _PICTURE.search(said) else _colour(said)
        return Ink(is_tiny, colour, paper, is_clear)


def hides(values: Mapping[str, str]) -> bool:
    """Return whether an element with these values is hidden with all that is in it."""
    if values.get("display") == "none" or values.get("visibility") in ("hidden", "collapse"):
        return True
    opacity = _length(values.get("opacity", ""))
    if opacity is not None and opacity <= _FAINT:
        return True
    if _CLIPPED.search(values.get("clip", "")) or _CLIPPED.search(values.get("clip-path", "")):
        return True
    if any((_length(values.get(name, "")) or 0) <= far for name, far in _FAR.items()):
        return True
    sizes = [_length(values.get(name, "")) for name in ("width", "height")]
    return "hidden" in values.get("overflow", "") and any(
        size is not None and abs(size) <= _TINY for size in sizes
    )


def hidden_note(count: int) -> tuple[str, ...]:
    """Return the note on text that the page hides; none for 0 characters."""
    if not count:
        return ()
    characters = "character" if count == 1 else "characters"
    return (f"{count:,} {characters} that the page hides from its readers are left out",)


def _length(value: str) -> float | None:
    """Return a length in pixels, roughly; None for none."""
    match = _NUMBER.fullmatch(value)
    if match is None or not match[1].strip("+-."):
        return None
    relative = match[2] in ("em", "rem", "%", "vw", "vh", "cm", "in")
    return float(match[1]) * (_RELATIVE if relative else 1)


def _is_clear(value: str) -> bool:
    match = _RGB.search(value)
    if match and match[4]:
        return float(match[4].strip(".") or 0) <= _FAINT
    short = _HEX.fullmatch(value)
    if short and len(value) in (5, 9):
        return int(value[-1] * 2 if len(value) == 5 else value[-2:], 16) <= _FAINT * 255  # noqa: PLR2004
    return value == "transparent"


def _colour(value: str) -> Colour | None:
    """Return the first colour of a value; None for an unknown one."""
    if found := _HEX.search(value):
        digits = found[0][1:]
        pairs = [each * 2 for each in digits[:3]] if len(digits) < 6 else None  # noqa: PLR2004
        red, green, blue = pairs or (digits[:2], digits[2:4], digits[4:6])
        return int(red, 16), int(green, 16), int(blue, 16)
    if match := _RGB.search(value):
        return int(match[1]), int(match[2]), int(match[3])
    return next((_NAMES[word] for word in value.split() if word in _NAMES), None)
