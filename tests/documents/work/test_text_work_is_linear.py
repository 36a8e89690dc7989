"""Twice the text is at most about twice the work, whatever stands in it.

Work is counted, not timed: the lines of Python that run. What regular expressions read cannot be
counted; they get texts so long that going back would take hours.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from fakes.language import Account, FakeTranslator
from fakes.objects import MemoryBucket

from uring.documents.work.answers import Answers
from uring.documents.work.markdown import spans
from uring.documents.work.masks import mask
from uring.documents.work.pieces import pieces
from uring.documents.work.quotes import QuotableText
from uring.documents.work.translation import DocumentTranslator
from uring.documents.work.windows import windows

HOSTILE = {
    "pipes": "|",
    "cells": "a|",
    "fences": "```a\n",
    "tildes": "~~~\n```a\n",
    "comments": "<!--",
    "ends": "-->",
    "closed": "<!-- \n```a\n -->\n",
    "ticks": "`a",
    "links": "](a(",
    "openers": "[a",
    "brackets": "[",
    "quoted": '](a "',
    "quotes": "> ",
    "tags": "<b ",
    "stars": "*a",
    "addresses": "www.",
    "mail": "a@",
    "entities": "&a",
    "escapes": "\\",
    "marks": "⟦0",
    "accents": "\u0301",
    "jamo": "\u1161",
    "flags": "🇰",
    "spaces": " ",
    "returns": "\r",
    "hidden": "\u200d\u202e",
    "right to left": "אב ",
    "sentences": "a. ",
    "korean": "가나다 ",
}


def work(task: Callable[[], Any]) -> int:
    """Return how many lines of Python a task runs."""
    lines = 0

    def count(_: FrameType, event: str, __: Any) -> Callable[..., Any]:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        task()
    finally:
        sys.settrace(before)
    return lines


def translate(text: str) -> None:
    documents = DocumentTranslator(FakeTranslator(), Answers(MemoryBucket()))
    documents.translate(text, target="en", spend=Account(), go_on=lambda *_: None)


TASKS: dict[str, Callable[[str], Any]] = {
    "translate": translate,
    "quotes": lambda text: QuotableText(text).find("가나다라마바사"),
    "windows": lambda text: list(windows({"a": text}, 1_000)),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_twice_the_work(name: str, task: str) -> None:
    unit = HOSTILE[name]
    once = "a" + unit * (12_000 // len(unit))
    small, large = (work(lambda text=text: TASKS[task](text)) for text in (once, once * 2))
    assert large <= 2.3 * small + 4_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_million_characters_of_it_are_read(name: str) -> None:
    text = "a" + HOSTILE[name] * (1_000_000 // len(HOSTILE[name]))
    assert "".join(span.text for span in spans(text)) == text
    masked = mask(text[:300_000])
    assert masked.unmask(masked.text) == text[:300_000]
    assert "".join(pieces(text[:300_000], 10_000)) == text[:300_000]


def test_ten_megabytes_of_one_line_are_translated() -> None:
    text = "가나다라 마바사. " * 400_000
    translator = FakeTranslator()
    documents = DocumentTranslator(translator, Answers(MemoryBucket()))
    done = documents.translate(text, target="en", spend=Account(), go_on=lambda *_: None)
    assert done.text == text
    assert done.characters <= len(text)
