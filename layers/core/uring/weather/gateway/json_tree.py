"""JSON of the gateways as the elements that it was converted from: one reader reads both."""

import json
import re
from typing import Any, Final

from uring.fetch.xml import LIMITS, Element, XmlLimits, XmlRefused
from uring.weather.iwxxm.tree import Element as Tree
from uring.weather.iwxxm.tree import tree_of

# Converters write attributes with a mark, or as any other member. These attributes of GML, XLink
# and IWXXM are never elements there.
_MARKS: Final = ("@_", "@", "-")
_ATTRIBUTES: Final = frozenset(
    re.findall(
        r"\w+",
        """
        allRunways automatedStation axisLabels changeIndicator cloudAndVisibilityOK codeSpace
        frame fromTitle href id indeterminatePosition isCancelReport nilReason pastTendency
        permissibleUsage permissibleUsageReason permissibleUsageSupplementary reportStatus
        schemaLocation srsDimension srsName status title translatedBulletinID
        translatedBulletinReceptionTime translationCentreDesignator translationCentreName
        translationFailedTAC translationTime uom uomLabels variableWindDirection
        """,
    )
)
_TEXTS: Final = frozenset(("content", "#text", "$", "_", "__text", "#cdata-section"))


def parse_json(document: str, limits: XmlLimits = LIMITS) -> Tree:
    """Parse a JSON object into an element without a name; its members are the children.

    A list becomes one element per entry, null the text ``null``; numbers keep their digits.

    Raises:
        XmlRefused: the document is not a JSON object, or exceeds a limit.
    """
    if len(document) > limits.document:
        raise XmlRefused("limit", f"more than {limits.document} characters")
    try:
        # As text: numbers are neither rounded nor, with thousands of digits, slow to parse.
        value = json.loads(document, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError:
        raise XmlRefused("limit", "JSON nested too deep to be read") from None
    except ValueError as error:
        raise XmlRefused("malformed", f"JSON: {error}") from None
    if not isinstance(value, dict):
        raise XmlRefused("malformed", f"JSON: a {type(value).__name__}, not an object")
    return tree_of(_Builder(limits).element("", value, 1))


class _Builder:
    def __init__(self, limits: XmlLimits) -> None:
        self._limits = limits
        self._elements = 0

    def element(self, name: str, value: Any, depth: int) -> Element:
        self._elements += 1
        if self._elements > self._limits.elements:
            raise XmlRefused("limit", f"more than {self._limits.elements} members")
        if depth > self._limits.depth:
            raise XmlRefused("limit", f"JSON nested deeper than {self._limits.depth}")
        prefix, _, local = name.encode("utf-8", "replace").decode().rpartition(":")
        element = Element(local, prefix)
        if isinstance(value, dict):
            for key, member in value.items():
                self._member(element, key, member, depth + 1)
        elif isinstance(value, list):
            for entry in value:
                element.content.append(self.element(name, entry, depth + 1))
        else:
            element.content.append(self._text(value))
        return element

    def _member(self, element: Element, key: str, value: Any, depth: int) -> None:
        if isinstance(value, list):
            for entry in value:
                element.content.append(self.element(key, entry, depth))
            return
        if not isinstance(value, dict):
            local = key.rpartition(":")[2]
            if key == "xmlns" or key.startswith(("xmlns:", "@xmlns", "@_xmlns", "-xmlns")):
                return
            if key in _TEXTS:
                element.content.append(self._text(value))
                return
            for mark in _MARKS:
                if key.startswith(mark):
                    name = local.removeprefix(mark)
                    element.attributes.setdefault(name, self._text(value))
                    return
            if local in _ATTRIBUTES:
                element.attributes.setdefault(local, self._text(value))
                return
        element.content.append(self.element(key, value, depth))

    def _text(self, value: Any) -> str:
        if value is None:
            return "null"
        text = str(value).lower() if isinstance(value, bool) else str(value)
        # An escaped half of a surrogate pair cannot be stored as text.
        text = text.encode("utf-8", "replace").decode()
        if len(text) > self._limits.text:
            raise XmlRefused("limit", f"more than {self._limits.text} characters in one value")
        return text
