"""Patterns of the configuration cost no more than their text is long, and mean what they say."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.notices.presets import PRESETS
from uring.reading.patterns import PatternRefused, compile_pattern
from uring_local.sites.campus.boards import STYLES
from uring_local.sites.campus.departments import DEPARTMENTS

ROOT = Path(__file__).parents[2]
# What makes `re` try every way to share a text: it takes minutes for 40 letters, or for 2,000.
BACKTRACKING = [
    r"(\d+)+$",
    r"(\w+|\s)+$",
    r"(a+?)+$",
    r"(a|a)+$",
    r"(?:\w+\s?)+x",
    r"(?P<n>a*)*b",
    r"(a?){50}b",
    r"\w*\w*\w*\w*!",
    r"(?:x|y*){2,}z",
    "".join(rf"{letter}*" for letter in "abcdefghi") + "!",
]
# Of which addresses, calls and titles are made.
PIECES = [
    *("공지", "안내", "·", "번", " ", "/", "?", "&", "12", "post-7", "no: '31'", "no:4", ":"),
    *("/12/artclView.do", "page_move( 'view', ", "document_srl=5", "fn_view('0af')", "info/3/4"),
    "jf_viewArtcl('cse', '775', '12345')",
]


def seconds(pattern: str, text: str) -> float:
    """The least of a few: another process can only make it longer."""
    search = compile_pattern(pattern).find
    taken = []
    for _ in range(5):
        began = time.process_time()
        search(text)
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("pattern", BACKTRACKING)
def test_eight_times_the_text_takes_eight_times_the_time(pattern: str) -> None:
    """Quadratic time would be 64 times as long."""
    re.compile(pattern)
    assert seconds(pattern, "a" * 40 + "?") < 1
    short, long = (seconds(pattern, "a" * size + "?") for size in (50_000, 400_000))
    assert long < 24 * short


def patterns_in(value: Any) -> Iterator[str]:
    """Every pattern in an entry, a preset or a sitemap."""
    if isinstance(value, Mapping):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from patterns_in(part)


def used_patterns() -> list[str]:
    """Those of the presets, the bundled sitemap, the fixtures and the campus."""
    files = [ROOT / "config/sitemap.json", *(ROOT / "tests/fixtures").glob("*/entry.json")]
    entries = [STYLES[each.style].entry(each, "127.0.0.1:80") for each in DEPARTMENTS]
    read = [json.loads(path.read_bytes()) for path in files]
    return sorted(set(patterns_in([dict(PRESETS), entries, read])))


@pytest.mark.parametrize("pattern", used_patterns())
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_the_patterns_in_use_find_what_re_does(pattern: str, text: str) -> None:
    match = re.search(pattern, text)
    assert compile_pattern(pattern).find(text) == (match[match.re.groups and 1] if match else None)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(\w+)", "공지 notice", "notice"),
        (r"(\p{Hangul}+)", "notice 공지", "공지"),
        (r"([\p{L}\d_]+)", "「공지2」", "공지2"),
        (r"\d+", "\uff13 4", "4"),
        (r"\d+\b", "3번", "3"),
        (r"(?i)(NO)=\d", "no=1", "no"),
        (r"(?P<number>\d+)번", "제3번", "3"),
        (r"번(x)?", "3번", None),
        (r".", "😀", "😀"),
        (r"\{,5}", "a{,5}", "{,5}"),
        (r"\\\\C", r"\\C", r"\\C"),
    ],
)
def test_classes_are_ascii_unless_they_name_a_script(
    pattern: str, text: str, found: str | None
) -> None:
    assert compile_pattern(pattern).find(text) == found


@pytest.mark.parametrize(
    ("pattern", "problem", "remedy"),
    [
        (r"(?<=no=)\d+", "look-around", "group"),
        (r"(?<!no=)\d+", "look-around", "group"),
        (r"\d+(?=번)", "look-around", "group"),
        (r"\d+(?!번)", "look-around", "group"),
        (r"(['\"])(\d+)\1", "back reference", "repeat the group"),
        (r"(?P<q>')(\d+)(?P=q)", "back reference", "repeat the group"),
        (r"(a)?(?(1)b|c)", "back reference", "repeat the group"),
        (r"\d++x", "possessive quantifier", r"\d+"),
        (r"(?:\d\d){2}+x", "possessive quantifier", r"\d+"),
        (r"(?>\d+)x", "possessive quantifier", r"\d+"),
        (r"x\Z", r"\Z", "$"),
        (r"(\d{100}){100}", "too large", "1000"),
        (r"\p{L}{300}", "too large", "1000"),
        (r"\d{,5}", "{,5}", "{0,5}"),
        (r"\\\\\C", r"\C", "."),
        ("no=(", "missing )", "escape"),
        ("(?x) no", "(?x", "escape"),
    ],
)
def test_what_re2_lacks_or_reads_otherwise_is_refused_with_a_remedy(
    pattern: str, problem: str, remedy: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PatternRefused) as caught:
        compile_pattern(pattern)
    assert problem in caught.value.message
    assert remedy in caught.value.remedy
    assert capfd.readouterr() == ("", "")


def test_a_remedy_is_a_pattern() -> None:
    """Of a look-around, of a reference, and of what holds on."""
    assert compile_pattern(r"no=(\d+)").find("view?no=31") == "31"
    assert compile_pattern(r"""['"](\d+)['"]""").find("view('31')") == "31"
    assert compile_pattern(r"\d+").find("31") == "31"
