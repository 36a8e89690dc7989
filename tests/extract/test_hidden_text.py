"""Text that a page surely hides is not read, and a note says how much; all else is read."""

import time
from contextlib import suppress

import pytest

from uring.extract.readers.html import read
from uring.extract.readers.reading import ExtractLimits, Unreadable

SEEN = "<p>The rector shall answer within seven days of a request, in writing.</p>"
READ = SEEN[3:-4]
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
        "<!-- .x{display:none} -->",
        "body .x b{visibility:hidden}",
        ".x > b, .z{display:none}",
        "#i>b{opacity:0}",
        "@charset 'utf-8'; .x{display:none}",
        "@media print{.x{color:red}} .y{display:none}",
        ".x::before{display:block;content:'}'} .x{display:none}",
        ".x{position:absolute;left:-9999px}",
        ".x{position:fixed;text-indent:-999px}",
        ".x{position:absolute;clip:rect(0 0 0 0)}",
        ".x{position:absolute!important;clip:rect(1px, 1px, 1px, 1px)}",
        ".x{font-size:0}",
        ".x{font:0/0 a}",
        ".x{font-size:0em} b{font-size:120%}",
        ".x{font-size:0px} b{font-size:inherit}",
        ".x{color:#fff}",
        ".x{color:white}",
        ".x{color:rgb(254, 254, 254)}",
        ".x{background:#222;color:#222222}",
        ".x{color:#f00!important;background-color:rgb(255,0,0)}",
        ".x{display:block} div.x.y{display:none}",
    ],
)
def test_it_is_left_out_whatever_surely_hides_it(rule: str) -> None:
    text, notes = page(f"<style>{rule}</style>", f"<div class='x y' id=i><b>{SECRET}</b></div>")
    assert text == f"{READ}\n"
    assert notes == ("18 characters that the page hides from its readers are left out",)


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "font-size:0",
        "color:#FFF",
        "position:absolute;left:-9999px",
        "opacity:0.0",
        "background-color:#036;color:#003366",
    ],
)
def test_a_style_of_its_own_hides_it_too(style: str) -> None:
    text, notes = page("", f"<div style='{style}'>{SECRET}</div>")
    assert SECRET not in text
    assert notes


@pytest.mark.parametrize("attribute", ["hidden", "style='display:none'", "style=visibility:hidden"])
def test_these_hide_beside_any_sheet_and_script(attribute: str) -> None:
    head = "<link rel=stylesheet href=a.css><script></script><style>:root{display:block}</style>"
    text, _ = page(head, f"<div {attribute}>{SECRET}</div>")
    assert text == f"{READ}\n"


def test_old_attributes_hide_it_and_cells_of_tables_are_looked_at() -> None:
    text, _ = page(
        "<style>.x{display:none}</style>",
        f"<table><tr><td>a<font color=white>{SECRET}</font></td><td class=x>{SECRET}</td></tr>"
        "<tr><td>b</td><td>c</td></tr></table>",
    )
    assert SECRET not in text
    assert "| b | c |" in text


@pytest.mark.parametrize(
    "rows",
    [
        "<tr hidden><td>{0}<td>x</tr>",
        "<tr style='display:none'><td>{0}</td><td>x</td></tr>",
        "<tbody style='display:none'><tr><td>{0}</td><td>x</td></tr></tbody>",
        "<thead hidden><tr><td>{0}</td><td>x</td></tr></thead>",
        "<tr class=x><td>{0}</td><td>x</td></tr>",
    ],
)
def test_hidden_rows_are_no_rows(rows: str) -> None:
    body = f"<table><tr><td>a</td><td>b</td></tr>{rows.format(SECRET)}</table>"
    text, notes = page("<style>.x{display:none}</style>", body)
    assert text == f"{READ}\n\n| a | b |\n|---|---|\n"
    assert notes == ("19 characters that the page hides from its readers are left out",)


def test_a_hidden_cell_is_no_cell() -> None:
    rows = "<tr><td>a<td hidden>z<td>b</tr>".replace("<td hidden>z", "</td><td hidden>z</td>")
    text, _ = page("", f"<table>{rows}</table>")
    assert "| a | b |" in text


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


VISIBLE = {
    "black body": "<body bgcolor='#000' text='#fff'><p>W",
    "black cell": "<table><tr><td bgcolor='#000'><a href=x>W</a></td></tr></table>",
    "cell with a picture": "<table><tr><td background=d.gif><font color=white>W</font></table>",
    "alpha": "<style>.x{background:rgba(0,0,0,.08)}</style><p class=x>W",
    "alpha in digits": "<p style='background:#00000014'>W",
    "picture": "<p style='background-image:url(a.jpg);color:#fff'>W",
    "picture in a sheet": "<style>.x{background-image:url(a.jpg);color:#fff}</style><p class=x>W",
    "gradient": "<p style='background:linear-gradient(rgba(0,0,0,0),red);color:#fff'>W",
    "gradient text": "<style>p{background-clip:text;color:transparent}</style><p>W",
    "ground by place": "<style>tr:first-child{background:#036} th{color:#fff}</style>"
    "<table><tr><th>W</th><th>V</th></tr></table>",
    "theme": "<style>[data-theme=dark]{background:#111}p{color:#fff}</style>"
    "<body data-theme=dark><p>W",
    "ground before": "<style>p{color:#fff}p::before{content:'';background:#123}</style><p>W",
    "ground before a ground": "<style>p{color:#fff;background:#fff}p::before{background:#123}"
    "</style><p>W",
    "picture beside": "<div><img src=a.jpg><p style='position:absolute;color:white'>W</div>",
    "shadow": "<p style='background:#fff;color:#fff;text-shadow:0 0 2px #000'>W",
    "dark": "<meta name=color-scheme content=dark><p style='color:#fff'>W",
    "nested": "<style>.x{color:#fff; &.y{background:#123}}</style><p class='x y'>W",
    "import": "<style>@import url(a.css); p{color:#fff}</style><p>W",
    "import hides nothing": "<style>@import 'a.css'; p{display:none}</style><p>W",
    "linked sheet hides nothing": "<link rel=stylesheet href=a.css><style>p{display:none}</style>"
    "<p>W",
    "linked sheet": "<link rel=stylesheet href=a.css><body bgcolor='#fff'><p class=x>"
    "<font color=white>W</font>",
    "link": "<div style='color:#fff'><a href=x>W</a></div>",
    "noscript": "<noscript><style>#app{display:none}</style></noscript><p id=app>W",
    "template": "<template><style>p{display:none}</style></template><p>W",
    "svg": "<svg><style>p{display:none}</style></svg><p>W",
    "no media": "<style media='not all'>p{display:none}</style><p>W",
    "narrow media": "<style media='screen and (max-width:600px)'>p{display:none}</style><p>W",
    "other language": "<style type=text/less>p{display:none}</style><p>W",
    "child": "<style>.x > span{display:none}</style><div class=x><p><span>W</span></p></div>",
    "mobile first": "<style>.x{display:none}@media(min-width:640px){.x{display:table-cell}}"
    "</style><table><tr><td>a<td class=x>W</table>",
    "utilities": "<style>.hidden{display:none}@media(min-width:9px){.md\\:block{display:block}}"
    "</style><p class='hidden md:block'>W",
    "first child": "<style>.x{display:none}.x:first-child{display:block}</style><p class=x>W",
    "checked": "<style>.x{display:none}#a:checked ~ .x{display:block}</style><input id=a>"
    "<p class=x>W",
    "not": "<style>.x{display:none}body:not(.js) .x{display:block}</style><p class=x>W",
    "malformed": "<style>.x, b:-x-y{display:none}</style><p class=x>W",
    "root": "<style>* html p{display:none}</style><p>W",
    "no body": "<style>p{display:none}body p{display:block}</style><p>W",
    "no tbody": "<style>table > tr{display:none}</style><table><tr><td>W<td>V</table>",
    "click jack": "<style>body{display:none!important}</style><script>1</script><body><p>W",
    "click jack by class": "<style>.x{display:none}</style><script>1</script><body class=x><p>W",
    "reveal": "<style>.x{opacity:0}</style><script>1</script><p class=x>W",
    "reveal of its own": "<script>1</script><p style='opacity:0'>W",
    "reveal by frames": "<style>.x{opacity:0}@keyframes a{to{opacity:1}}</style><p class=x>W",
    "clip": "<p style='position:absolute;clip:rect(0px,600px,400px,0px)'>W",
    "clip in its place": "<p style='clip:rect(0,0,0,0)'>W",
    "left in its place": "<p style='left:-9999px'>W",
    "left by another rule": "<style>.x{left:-9999px}p{position:absolute}</style><p class=x>W",
    "inset": "<p style='clip-path:inset(50% 0 0 0)'>W",
    "least height": "<p style='height:0;min-height:100vh;overflow:hidden'>W",
    "inline width": "<span style='width:0;overflow:hidden'>W</span>",
    "percentage": "<style>.x{position:absolute;left:-100%}</style><p class=x>W",
    "small": "<p style='font-size:.1rem'>W",
    "size of a child": "<div style='font-size:0'><p style='font:400 12pt/1.5 a'>W</p></div>",
    "size of a child in doubt": "<style>li:nth-child(n){font-size:9px}</style>"
    "<ul style='font-size:0'><li>W</ul>",
    "visible child": "<div style='visibility:hidden'><p style='visibility:visible'>W</p></div>",
    "ended by the next": "<style>.x{display:none}</style><p class=x>a<p>W",
    "item ended by the next": "<ul><li hidden>a<li>W</ul>",
    "style ended by the next": "<table><tr><td style='font-size:0'>a<tr><td>W</table>",
}


@pytest.mark.parametrize("body", VISIBLE.values(), ids=VISIBLE)
def test_what_is_visible_is_read_in_full(body: str) -> None:
    text = read(f"{SEEN}{body}".encode(), ExtractLimits()).text
    assert READ in text
    assert "W" in text.removeprefix(READ)


def test_styles_that_hide_more_than_half_of_a_page_hide_nothing() -> None:
    body = f"<div class=x>{'A rule that is long. ' * 9}</div><p hidden>{SECRET}</p>"
    text, notes = page("<style>.x{display:none}</style>", body)
    assert "A rule that is long." in text
    assert SECRET not in text
    count, doubt = notes
    assert count == "18 characters that the page hides from its readers are left out"
    assert doubt.startswith("styles of the page would hide more than half of its text; all of it")


@pytest.mark.parametrize(
    ("head", "body", "seconds"),
    [
        (f"<style>{'a b c d e{color:red}' * 30_000}</style>", "<e>" * 2_000, 20),
        (f"<style>{'{' * 500_000}</style>", "", 20),
        (f"<style>{'/*' * 300_000}</style>", "", 20),
        ("<style>div div div div{color:red}</style>", "<div>" * 30_000, 20),
        ("<style>x > div div div{color:red}</style>", "<div>" * 30_000, 20),
        ("", "<div style='color:red'>" * 30_000, 20),
        (f"<style>{'url(' * 300_000}</style>", "", 20),
        ("<div>" * 30_000 + "<style>x{}</style>" * 30_000, "", 20),
        (f"<style>{'@layer{' * 20_000}{'}' * 20_000}</style>", "", 1),
        (
            f"<style>{''.join(f'.c{number} td{{color:#f11}}' for number in range(15))}</style>",
            f"<table>{('<tr>' + '<td>x</td>' * 5 + '</tr>') * 4_000}</table>",
            3,
        ),
    ],
    ids=[
        *("rules", "braces", "comments", "deep", "deeper", "inline", "pictures", "sheets"),
        *("nested", "cells"),
    ],
)
def test_hostile_sheets_take_seconds_at_most(head: str, body: str, seconds: float) -> None:
    before = time.process_time()
    with suppress(Unreadable):
        page(head, body)
    assert time.process_time() - before < seconds
