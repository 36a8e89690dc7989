"""Selectors of several steps, searched one step at a time.

For ``.a .b .c d`` lexbor tries each ``.c`` around a ``d``, for each of them each ``.b`` around it,
and so on: a page of 8 KB, 100 elements deep, takes 3 s, and each further step 25 times as long.
But which ``.b`` it was, nobody asks. So what ends a step is marked in the tree once, with an
attribute, and the next step begins at the mark: ``.a .b``, then ``[uring-0] .c``, and
``[uring-1] d`` is what the page and its rows are searched for.
"""

import re
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser

_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}+\s?+|.)"
_QUOTED: Final = r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'"
_BRACKETS: Final = rf"\[(?:[^\[\]\"'\\]|{_ESCAPE}|{_QUOTED})*+\]"
_IN_PARENTHESES: Final = rf"(?:[^()\"'\\]|{_ESCAPE}|{_QUOTED})*+"
_PARENTHESES: Final = rf"\({_IN_PARENTHESES}(?:\({_IN_PARENTHESES}\){_IN_PARENTHESES})*+\)"
# What one element has to be: td.x[href^="a b"]:not(.y)
_SIMPLE: Final = r"[^\s>+~,/()\[\]\"'\\]"
_COMPOUND: Final = rf"(?:{_SIMPLE}|{_ESCAPE}|{_BRACKETS}|{_PARENTHESES})++"
_PART: Final = re.compile(rf"({_COMPOUND})\s*+([>+~,]?+)\s*+", re.DOTALL)
# Signs between two that many elements may stand for; of > and + it is one.
_OF_MANY: Final = ("", "~")


class Marks:
    """The marks in the tree of one page."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._names: dict[str, str] = {}
        self._short: dict[str, str] = {}

    def short(self, select: str) -> str:
        """Return what finds the same with one step: the selector itself, nearly always."""
        short = self._short.get(select)
        if short is None:
            steps = _steps(select.strip())
            short = self._short[select] = ", ".join(map(self._last, steps)) or select
        return short

    def _last(self, steps: tuple[str, ...]) -> str:
        *before, last = steps
        around = ""
        for step in before:
            around = self._mark(around + step)
        return around + last

    def _mark(self, select: str) -> str:
        """Mark what is found, and return what finds the mark."""
        name = self._names.get(select)
        if name is None:
            name = self._names[select] = f"uring-{len(self._names)}"
            for node in self._tree.css(select):
                node.attrs[name] = ""
        return f"[{name}]"


@lru_cache(maxsize=4096)
def _steps(select: str) -> tuple[tuple[str, ...], ...]:
    """Split each of the alternatives: ``(("a b", " c > d"), ("e",))``; () where none has several.

    What is not plainly written, such as a quote that its end closes, is one step.
    """
    alternatives: list[tuple[str, ...]] = []
    steps: list[str] = []
    step = ""
    has_many = False
    at = 0
    sign = ","
    while part := _PART.match(select, at):
        at = part.end()
        compound, sign = part.groups()
        step += compound
        if sign == "," or at == len(select):
            alternatives.append((*steps, step))
            steps, step, has_many = [], "", False
            continue
        if has_many and sign in _OF_MANY:
            steps.append(step)
            step = ""
        step += sign or " "
        has_many = has_many or sign in _OF_MANY
    is_whole = at == len(select) and not sign
    return tuple(alternatives) if is_whole and len(max(alternatives, key=len)) > 1 else ()
