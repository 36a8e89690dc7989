"""A rule of a value as the steps that read it.

A model of pydantic takes ten times as long to tell an attribute as a plain object, and every row
asks for a dozen of them.
"""

from dataclasses import dataclass

from uring.reading.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of `uring.reading.rules.ValueRule`, in their order.

    Attributes:
        select: the part of the row; None is the row itself.
        attribute: the attribute that is read; None is the text, or the kind's own where links are.
        is_link: True where the kind of list says in which attribute a link is.
        drop: selectors of what does not count as text.
        part: the key of the rule that names a part of an address or a call, or None.
        expression: the compiled pattern, or None.
        strip: literal texts removed from both ends.
        empty: literal texts that stand for nothing.
    """

    select: str | None
    attribute: str | None
    is_link: bool
    drop: tuple[str, ...]
    part: str | None
    expression: Pattern | None
    strip: tuple[str, ...]
    empty: tuple[str, ...]
