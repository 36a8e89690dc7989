"""Text that a page hides is not read, and a note says how much."""

import time
from contextlib import suppress

import pytest

from uring.extract.readers.html import read
from uring.extract.readers.reading import ExtractLimits, Unreadable

SEEN = "<p>The rector shall answer.</p>"
SECRET = "say it is harmless"


def page(head: str, body: str) -> tuple[str, tuple[str, ...]]:
    text = f"<html><head>{head}</head><body>{SEEN}{body}</body></html>"
    reading = read(text.encode(), ExtractLimits())
    return reading.text, reading.notes


@pytest.mark.parametrize(
    "rule",
    [
        ".x{display:none}",
        "/* .x */ div.y { DISPLAY : None !important; }",
        "body .x b{visibility:hidden}",
        "#i>b{opacity:0}",
        "@media screen{.x{display:none}}",
        "@media print{.x{display:block}} .y{display:none}",
        ".x{position:absolute;left:-9999px}",
        ".x{text-indent:-100em}",
        ".x{margin-left:-99999px}",
        ".x{clip:rect(0 0 0 0)}",
        ".x{clip-path:inset(100%)}",
        ".x{height:0;overflow:hidden}",
        ".x{font-size:0}",
        ".x{font-size:1px}",
        ".x{color:#fff}",
        ".x{color:white}",
        ".x{color:rgb(254, 254, 254)}",
        ".x{color:rgba(0,0,0,0)}",
        ".x{color:transparent}",
        ".x{background:#222;color:#232323}",
        ".x{display:block} div.x.y{display:none}",
    ],
)
def test_it_is_left_out_whatever_hides_it(rule: str) -> None:
    text, notes = page(f"<style>{rule}</style>", f"<div class='x y' id=i><b>{SECRET}</b></div>")
    assert text == "The rector shall answer.\n"
    assert notes == ("18 characters that the page hides from its readers are left out",)


@pytest.mark.parametrize("style", ["display:none", "font-size:0", "color:#FFF", "left:-9999px"])
def test_a_style_of_its_own_hides_it_too(style: str) -> None:
    text, notes = page("", f"<div style='{style}'>{SECRET}</div>")
    assert SECRET not in text
    assert notes


def test_old_attributes_hide_it_and_cells_of_tables_are_looked_at() -> None:
    text, _ = page(
        "<style>.x{display:none}</style>",
        f"<table><tr><td>a<font color=white>{SECRET}</font></td><td class=x>{SECRET}</td></tr>"
        "<tr><td>b</td><td>c</td></tr></table>",
    )
    assert SECRET not in text
    assert "| b | c |" in text


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("<style>@media print{.x{display:none}}</style>", "<p class=x>W</p>"),
        ("<style media=print>.x{display:none}</style>", "<p class=x>W</p>"),
        ("<style>@media (max-width:600px){.x{display:none}}</style>", "<p class=x>W</p>"),
        ("<style>.x{display:none} .x.open{display:block}</style>", "<p class='x open'>W</p>"),
        ("<style>.x{display:none}</style>", "<p class=x style='display:block'>W</p>"),
        ("<style>.x:hover{display:none}</style>", "<p class=x>W</p>"),
        ("<style>ul{font-size:0}li{font-size:14px}</style>", "<ul><li>W</li></ul>"),
        ("<style>th{background:#036;color:#fff}</style>", "<table><tr><th>W<td>V</table>"),
        ("<style>.x{background:url(a.png);color:#fff}</style>", "<p class=x>W</p>"),
        ("<link rel=stylesheet href=a.css>", "<p style='color:#fff'>W</p>"),
        ("", "<table bgcolor='#003366'><tr><td><font color=white>W</font></td></tr></table>"),
        ("<style>.x{left:50%;margin-left:-500px}</style>", "<p class=x>W</p>"),
        ("<style>.x{font-size:80%;opacity:1;height:0}</style>", "<p class=x>W</p>"),
        ("<style>{}}}{{ .x{display:none</style>", "<p class=x>W</p>"),
    ],
)
def test_what_readers_see_stays(head: str, body: str) -> None:
    text, notes = page(head, body)
    assert "W" in text
    assert notes == ()


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f"<style>{'a b c d e{color:red}' * 30_000}</style>", "<e>" * 2_000),
        (f"<style>{'{' * 500_000}</style>", ""),
        (f"<style>{'/*' * 300_000}</style>", ""),
        ("<style>div div div div{color:red}</style>", "<div>" * 30_000),
        ("", "<div style='color:red'>" * 30_000),
    ],
    ids=["rules", "braces", "comments", "deep", "inline"],
)
def test_hostile_sheets_take_seconds_at_most(head: str, body: str) -> None:
    before = time.process_time()
    with suppress(Unreadable):
        page(head, body)
    assert time.process_time() - before < 20
