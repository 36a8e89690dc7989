"""The styles of a Word document: numbering, heading level, hidden text; inherited from a base."""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from uring.fetch.xml import Element

_OFF: Final = {"0", "false", "off"}
_DIGITS: Final = 6
_LEVELS: Final = 9
# Word has ten at most.
_BASES: Final = 20

_T = TypeVar("_T")


class WordStyles:
    """The styles by id; an unknown, circular or twentieth base ends the inheritance.

    Args:
        root: of ``word/styles.xml``; None for a document without styles.
    """

    def __init__(self, root: Element | None) -> None:
        styles = [each for each in root.children if each.name == "style"] if root else []
        self._styles = {each.attributes.get("styleId", ""): each for each in styles}
        self._default = next(
            (
                each.attributes.get("styleId", "")
                for each in styles
                if each.attributes.get("default") in ("1", "true", "on")
                and each.attributes.get("type") == "paragraph"
            ),
            "",
        )

    def of_paragraph(self, properties: Element | None) -> str:
        """Return the id of a paragraph's style; the default style's where it names none."""
        return value_of(properties, "pStyle") or self._default

    def numbering(self, style: str) -> tuple[str, int | None]:
        """Return the list (numId) and the level that a style gives; "" and None without them."""
        found = self._first(style, lambda each: _numbering(part(each, "pPr")))
        return found or ("", None)

    def outline(self, style: str) -> int | None:
        """Return a heading's level from 0; None for the style of other text."""
        return self._first(style, lambda each: outline_of(part(each, "pPr")))

    def is_hidden(self, style: str) -> bool:
        """Return whether the text of a style is hidden."""
        return self._first(style, lambda each: is_on(part(each, "rPr"), "vanish")) or False

    def _first(self, style: str, told: Callable[[Element], _T | None]) -> _T | None:
        for each in self._chain(style):
            value = told(each)
            if value is not None:
                return value
        return None

    def _chain(self, style: str) -> Iterator[Element]:
        seen: set[str] = set()
        while style in self._styles and style not in seen and len(seen) < _BASES:
            seen.add(style)
            yield self._styles[style]
            style = value_of(self._styles[style], "basedOn")


def part(element: Element | None, name: str) -> Element | None:
    """Return the first child of a name; None without one."""
    children = element.children if element else ()
    return next((each for each in children if each.name == name), None)


def value_of(element: Element | None, name: str) -> str:
    """Return the attribute ``val`` of the first child of a name; "" without it."""
    found = part(element, name)
    return found.attributes.get("val", "") if found else ""


def number_of(text: str) -> int | None:
    """Return a number of at most six digits; None for another text."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_number else None


def is_on(properties: Element | None, name: str) -> bool | None:
    """Return whether a property is switched on; None where it is not given."""
    found = part(properties, name)
    return None if found is None else found.attributes.get("val", "") not in _OFF


def outline_of(properties: Element | None) -> int | None:
    """Return the outline level that a paragraph's properties give; None without one."""
    level = number_of(value_of(properties, "outlineLvl"))
    return level if level is not None and level <= _LEVELS else None


def list_of(properties: Element | None) -> tuple[str, int | None]:
    """Return the list and the level that a paragraph's own properties give; "" and None without."""
    numbered = part(properties, "numPr")
    return value_of(numbered, "numId"), number_of(value_of(numbered, "ilvl"))


def _numbering(properties: Element | None) -> tuple[str, int | None] | None:
    name, level = list_of(properties)
    return (name, level) if name else None
