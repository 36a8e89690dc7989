"""Expressions that can take for ever are refused, and those that people need are not."""

import json
import re
import time
from pathlib import Path

import pytest

from uring.notices.presets import PRESETS
from uring.reading.backtracking import VALUE_LIMIT, explosive

SITEMAP = Path(__file__).parents[2] / "config" / "sitemap.json"


@pytest.mark.parametrize(
    "pattern",
    [
        r"(\d+)+$",
        r"(\w+|\s)+$",
        r"((a+))+$",
        r"(a+?)+$",
        r"(a|a)+$",
        r"(a+b?)+$",
        r"(?:\d+\s?)+x",
        r"(?P<n>a*)*b",
        r"(a?){50}b",
        r"\w*\w*\w*\w*!",
        r"[^x]+[^x]+!",
        r"a*\d?a*!",
        r"(?:x|y*){2,}z",
        "".join(rf"{letter}*" for letter in "abcdefghi"),
    ],
)
def test_what_explodes_is_refused(pattern: str) -> None:
    re.compile(pattern)
    assert explosive(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d+",
        r"(\d+)",
        r"no=(\d+)&?",
        r"jf_viewArtcl\('(\w+)',\s*'(\d+)',\s*'(\d+)'\)",
        r"^\s*(\d+)\s*$",
        r"\[(?:공지|안내)\]\s*(.+)",
        r"(\d{4})[.-](\d{1,2})[.-](\d{1,2})",
        r"view\((\d+)\)",
        r"\(a+\)+",
        r"[+*]{2}x",
        r"(\d+)++x",
        r"(?:ab)+c",
        r"a\+\+b+",
    ],
)
def test_what_people_write_is_not(pattern: str) -> None:
    re.compile(pattern)
    assert explosive(pattern) is None


def test_the_patterns_of_the_presets_and_the_bundled_sitemap_are_not() -> None:
    text = SITEMAP.read_text(encoding="utf-8") + json.dumps(dict(PRESETS))
    patterns = [json.loads(found) for found in re.findall(r'"pattern": ("[^\n]*?")[,}\s]', text)]
    assert patterns
    assert [pattern for pattern in patterns if explosive(pattern)] == []


def test_a_value_is_short_enough_for_what_is_not_refused() -> None:
    """Two repeats that overlap, the worst that still passes beside its like."""
    began = time.process_time()
    re.search(r"\w*-?.*!", "a" * VALUE_LIMIT)
    assert time.process_time() - began < 5
