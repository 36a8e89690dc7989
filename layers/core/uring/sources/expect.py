"""The expectations that an entry has of its page."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from uring.reading.rules import Literals, Rule


class Expectations(Rule):
    """The marks of a page that is believed (N17).

    Attributes:
        landmarks: texts that stand in the page's source whatever it lists.
        min_rows: fewer notices are suspect; 0 where a list may be empty.
        damaged_titles: True where a board's own titles are damaged, cut in the middle of a letter.
        same_titles: True where many notices rightly have one title, such as weekly menus.
    """

    landmarks: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()
    min_rows: Annotated[StrictInt, Field(ge=0, le=500)] = 1
    damaged_titles: StrictBool = False
    same_titles: StrictBool = False
