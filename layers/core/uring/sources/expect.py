"""The expectations that an entry has of its page."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from uring.reading.rules import Literals, Rule


class Expectations(Rule):
    """The conditions that a page must meet to be accepted (N17).

    Attributes:
        landmarks: texts that the page's source always contains, apart from its rows.
        min_rows: fewer notices are suspect; 0 if the list may be empty.
        damaged_titles: True if the board's own titles are damaged, cut in the middle of a letter.
        same_titles: True if many notices rightly have one title, such as weekly menus.
    """

    landmarks: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()
    min_rows: Annotated[StrictInt, Field(ge=0, le=500)] = 1
    damaged_titles: StrictBool = False
    same_titles: StrictBool = False
