"""Documents as trees, written as XML or as the JSON that XML converters write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr


@dataclass(frozen=True)
class Node:
    """An element: its name with the prefix, and its text or its child elements."""

    name: str
    content: "str | tuple[Node, ...]" = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


def to_xml(node: Node, between: str = "") -> str:
    """Return XML without a declaration; ``between`` is written around each child element."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in node.attributes.items())
    if isinstance(node.content, str):
        inner = escape(node.content)
    else:
        inner = between + "".join(to_xml(child, between) + between for child in node.content)
    if not inner:
        return f"<{node.name}{attributes}/>"
    return f"<{node.name}{attributes}>{inner}</{node.name}>"


def to_plain(node: Node, attribute: Callable[[str], str], text: str) -> Any:
    """Return the JSON value of an element, its own name left out.

    Args:
        node: the element.
        attribute: returns an attribute's name in the JSON.
        text: the name of an element's text, where it has attributes too.
    """
    attributes = {attribute(name): value for name, value in node.attributes.items()}
    if isinstance(node.content, str):
        return {**attributes, text: node.content} if attributes else node.content
    members: dict[str, Any] = dict(attributes)
    for child in node.content:
        value = to_plain(child, attribute, text)
        if child.name not in members:
            members[child.name] = value
        elif isinstance(members[child.name], list):
            members[child.name].append(value)
        else:
            members[child.name] = [members[child.name], value]
    return members
