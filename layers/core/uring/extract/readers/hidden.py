"""Text that a page surely hides: by style, place, size or colour.

A model, or a search, would read it nevertheless. A lost text is worse than a hidden text
in a model's hands, so whatever is not known for sure is shown. What an element hides with all that
is in it, and what its text inherits, are two questions: lists of size 0 may have items with a size.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]

UNKNOWN: Final = "unknown"
"""The value of a property that no one here knows: it shows."""
ALIKE: Final = "-alike"
"""A property of our own: ``yes`` where one block gives the letters and the ground one colour."""
INHERITED: Final = frozenset({"font-size", "color", ALIKE})
_PLACES: Final = frozenset({"left", "top", "right", "bottom", "text-indent"})
PROPERTIES: Final = INHERITED | _PLACES | {"display", "visibility", "opacity", "position", "clip"}
_KEPT: Final = ("inherit", "unset")
_ZERO: Final = re.compile(r"[+-]?(?:0{1,9}(?:\.0{0,9})?|\.0{1,9})(?:[a-z]{1,4}|%)?")
_SIZE: Final = re.compile(r"([+-]?[0-9.]{1,9}(?:[a-z]{1,4}|%))(?:/.*)?|([+-]?0)(?:/.*)?")
_RELATIVE: Final = re.compile(r"[0-9.]{1,9}(?:%|em)")
_FAR: Final = re.compile(r"-([0-9]{3,9})(?:\.[0-9]{1,9})?px")
_CLIP: Final = re.compile(r"rect\(\s*" + r"[\s,]+".join([r"([0-9]{1,6})(?:px)?"] * 4) + r"\s*\)")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_RGB: Final = re.compile(r"rgb\(\s*" + r"[\s,]+".join(["([0-9]{1,3})"] * 3) + r"\s*\)")
_NAMES: Final[Mapping[str, Colour]] = {"white": (255, 255, 255), "black": (0, 0, 0)}
_FARTHEST_SEEN: Final = 998
_WHITISH: Final = 250


@dataclass(frozen=True, slots=True)
class Ink:
    """What the text of an element inherits.

    Attributes:
        is_invisible: whether it is hidden by ``visibility``.
        is_tiny: whether its size is none.
        is_white: whether the letters are white.
        is_alike: whether letters and ground have one colour.
    """

    is_invisible: bool = False
    is_tiny: bool = False
    is_white: bool = False
    is_alike: bool = False

    def under(self, values: Mapping[str, str]) -> "Ink":
        """Return what the text of an element below inherits, from its values."""
        said = {name: value for name, value in values.items() if value not in _KEPT}
        size = said.get("font-size", "100%")
        return Ink(
            said["visibility"] == "hidden" if "visibility" in said else self.is_invisible,
            _ZERO.fullmatch(size) is not None
            or (self.is_tiny and _RELATIVE.fullmatch(size) is not None),
            min(_colour(said["color"]) or (0,)) >= _WHITISH if "color" in said else self.is_white,
            said[ALIKE] == "yes" if ALIKE in said else self.is_alike,
        )


def hides(values: Mapping[str, str]) -> bool:
    """Return whether an element with these values is hidden with all that is in it."""
    if values.get("display") == "none" or _ZERO.fullmatch(values.get("opacity", "")):
        return True
    if values.get("position") not in ("absolute", "fixed"):
        return False
    if clip := _CLIP.fullmatch(values.get("clip", "")):
        top, right, bottom, left = map(int, clip.groups())
        return top >= bottom or left >= right
    far = (_FAR.fullmatch(values.get(name, "")) for name in _PLACES)
    return any(match and int(match[1]) > _FARTHEST_SEEN for match in far)


def declarations(body: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return what a block says of `PROPERTIES`: its usual values, and the ``!important`` ones.

    A place holds only beside its ``position``, and the two colours only beside each other.
    """
    usual: dict[str, str] = {}
    urgent: dict[str, str] = {}
    for part in body.lower().split(";"):
        name, colon, value = part.partition(":")
        name = name.strip()
        if colon and (name in PROPERTIES or name == "font" or name.startswith("background")):
            value, mark, _ = value.partition("!")
            is_font = name == "font"
            values = urgent if mark else usual
            values["font-size" if is_font else name] = _size(value) if is_font else value.strip()
    both = usual | urgent
    if both.get("position") not in ("absolute", "fixed"):
        for values in (usual, urgent):
            values.update(dict.fromkeys(values.keys() & (_PLACES | {"clip"}), UNKNOWN))
    grounds = {name for name in both if name.startswith("background")}
    for values in (usual, urgent):
        if values.keys() & {"color", *grounds}:
            values[ALIKE] = _alike(both, grounds)
    if ALIKE in usual and urgent.get(ALIKE) == "yes":
        # One of the two colours is weaker than the other.
        del urgent[ALIKE]
    return usual, urgent


def hidden_note(count: int) -> tuple[str, ...]:
    """Return the note on text that the page hides; none for 0 characters."""
    if not count:
        return ()
    characters = "character" if count == 1 else "characters"
    return (f"{count:,} {characters} that the page hides from its readers are left out",)


def _size(font: str) -> str:
    """Return the size in a value of ``font``; the value itself without one."""
    sizes = [match for word in font.split() if (match := _SIZE.fullmatch(word))]
    return (sizes[-1][1] or sizes[-1][2]) if sizes else font


def _alike(values: Mapping[str, str], grounds: set[str]) -> str:
    if not grounds and values["color"] in _KEPT:
        return "inherit"
    ground = values[min(grounds)] if len(grounds) == 1 else UNKNOWN
    is_plain = values.keys() & {"background", "background-color"} and _colour(ground) is not None
    return "yes" if is_plain and _colour(values.get("color", "")) == _colour(ground) else "no"


def _colour(value: str) -> Colour | None:
    """Return an opaque colour; None for any other value."""
    if _HEX.fullmatch(value):
        digits = value[1:] if len(value) > 4 else "".join(each * 2 for each in value[1:])  # noqa: PLR2004
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := _RGB.fullmatch(value):
        return int(match[1]), int(match[2]), int(match[3])
    return _NAMES.get(value)
