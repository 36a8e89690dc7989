"""A value rule, compiled into the steps that read it.

An attribute of a pydantic model takes ten times as long to read as one of a plain object, and every
row needs a dozen of them.
"""

from dataclasses import dataclass

from uring.reading.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of `uring.reading.rules.ValueRule`, in their order.

    Attributes:
        select: the part of the row; None is the row itself.
        attribute: the attribute to read; None is the text, or for a link the attribute of its kind.
        is_link: True if the kind of list defines the attribute that has the link.
        is_address: True if the value is a whole address, with the element's own base.
        drop: selectors of the elements whose text is ignored.
        part: the rule's key for a part of an address or call, or None.
        expression: the compiled pattern, or None.
        strip: literal texts removed from both ends.
        empty: literal texts that count as an empty value.
    """

    select: str | None
    attribute: str | None
    is_link: bool
    is_address: bool
    drop: tuple[str, ...]
    part: str | None
    expression: Pattern | None
    strip: tuple[str, ...]
    empty: tuple[str, ...]
