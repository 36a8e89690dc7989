"""Pages made to exhaust the parser are refused in no time; odd but honest ones are read."""

import time
from contextlib import suppress

import pytest

from uring.errors import SuspectPage
from uring.reading.lists import html_limits
from uring.reading.lists.html_limits import parse

BOMBS = {
    "deep": "<div>" * 200_000,
    "deep behind stray closing tags": "<div></q>" * 100_000,
    "deep behind closing tags out of scope": "<div><object></div></object>" * 50_000,
    "formatting": "".join(f"<p><b id={n}>글</p>" for n in range(5_000)),
    "formatting in capitals": "".join(f"<P><FONT COLOR='{n}'>글</P>" for n in range(5_000)),
    "formatting with quoted brackets": "".join(f'<p><i t="></i>" n={n}></p>' for n in range(5_000)),
    "deep, then closing tags of nothing": "<div>" * 999 + "</x>" * 300_000 + "<div>" * 10,
    "ruby": "<rt>" * 100_000,
    "option groups": "<optgroup>" * 100_000,
    "tables": "<table><tr><td>" * 1_000,
    "attributes": "<div " + " ".join(f"a{n}" for n in range(100_000)) + ">",
    "attributes without spaces": "<a " + "".join(f'a{n}=">"' for n in range(100_000)) + ">",
    "attributes with brackets": "<p " + "".join(f" <{n}='>'" for n in range(100_000)) + ">",
}


ATTRIBUTES = " ".join(f"a{n}='>'" for n in range(6_000))
BOMBS |= {
    "attributes with a bracket in each": f"<div {ATTRIBUTES}>",
    "attributes behind what is no tag": f'< y="<div {ATTRIBUTES}>',
    "attributes behind another tag's bracket": f"<p title='<'><div {ATTRIBUTES}>",
    "attributes around a tag that is none": f"<div <x {ATTRIBUTES}>",
    "attributes, then a bracket": f"<div {'a ' * 499} b='>' {ATTRIBUTES}>",
    "attributes in a large page": f"<p>{'글 ' * 50_000}</p><div {ATTRIBUTES}>",
    "attributes in many tags": "<p a='<' b='>'>" * 30 + f"<div {ATTRIBUTES}>",
    "deep in a small page": "<div>" * 5_000,
    "tables in a small page": "<table><tr><td>" * 700,
    "formatting in a large page": "글" * 50_000 + "".join(f"<p><b id={n}>" for n in range(3_000)),
}


@pytest.mark.parametrize("html", BOMBS.values(), ids=BOMBS)
def test_a_page_that_would_exhaust_the_parser_is_refused_quickly(html: str) -> None:
    started = time.process_time()
    with pytest.raises(SuspectPage) as caught:
        parse(html)
    assert caught.value.reason == "markup_bomb"
    assert time.process_time() - started < 2


UNITS = (
    *("<a b='<", "='<", "='>", '="', "='>\"", "<a" * 400 + ">", "< =", "= ", "<a =' ", "<x a='\">"),
    *("<a", "<html", "<a=", "<a b='", '<a b="', "<b ", "<b a=\"<b a='", "<i x ", "<a\t", "<p <p "),
    *("<script ", "<script>", "<style", "<svg><style>", "<!--", "<!---", "<!-- --!", "</", "< a"),
)


@pytest.mark.parametrize("unit", UNITS)
def test_no_search_begins_again_at_every_tag(unit: str) -> None:
    """A search that reads the rest of the page at each of them takes minutes for this."""
    started = time.process_time()
    with suppress(SuspectPage):
        parse(unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 3


LOOP = "for (var i = 0; i<rows.length; i++) { "
WORDS = "licence text without any bracket " * 300


@pytest.mark.parametrize(
    "extra",
    [
        f"<script>{LOOP}{WORDS}</script>",
        f"<SCRIPT type='x'>if (a<b) {WORDS}</SCRIPT >",
        f"<style>/* i<n {WORDS} */</style>",
        f"<!-- a<b {WORDS} -->",
        f"<!-- a<b {WORDS} --!>",
        f"<script>{'<div>' * 1_200}</script>",
        f"<p>3 <b {'word ' * 150}</p>",
    ],
    ids=["loop", "capitals", "style", "comment", "odd comment", "markup in a script", "typed"],
)
def test_what_is_no_markup_is_no_bomb(extra: str) -> None:
    assert len(parse(extra + table("글 {n}")).css("tr")) == 1_000


@pytest.mark.parametrize(
    "around", ["<title><!--</title>{}-->", "<svg><style>{}</style></svg>", "<!-->{}-->"]
)
def test_what_only_looks_like_no_markup_has_limits_too(around: str) -> None:
    """A parser takes it for markup."""
    for what in ("<div " + " ".join(f"a{n}" for n in range(100_000)) + ">", "<div>" * 200_000):
        started = time.process_time()
        with pytest.raises(SuspectPage):
            parse(around.format(what))
        assert time.process_time() - started < 3


@pytest.mark.parametrize("size", [0, 100_000])
def test_an_ordinary_page_is_looked_over_and_not_examined(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To examine it would take as long as to parse it."""
    for name in ("_is_crowded", "_is_copied", "_is_vast", "_parts"):
        monkeypatch.setattr(html_limits, name, pytest.fail)
    cell = "<div><a href='?no={n}' title='3 > 2'><b class=x>글 {n}</b></a><br></div>"
    rows = "".join(f"<tr><td>{cell.format(n=n)}</td></tr>" for n in range(10))
    script = "<script>if (a<b && c>d) e = '<div>';</script><!-- <p -->"
    assert len(parse(f"{script}{'글' * size}<table>{rows}</table>").css("tr")) == 10


def test_formatting_elements_without_attributes_are_not_examined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Equal ones are copied three times at most, however large the list is."""
    monkeypatch.setattr(html_limits, "_is_copied", pytest.fail)
    rows = "<tr><td><strong>글</strong></td></tr>" * 600
    assert len(parse(f"{'글' * 50_000}<table>{rows}</table>").css("tr")) == 600


PARTINGS = {"space": " ", "tab": "\t", "line": "\n", "return": "\r", "feed": "\f", "slash": "/"}


@pytest.mark.parametrize("parting", PARTINGS.values(), ids=PARTINGS)
def test_whatever_parts_a_formatting_element_from_its_attributes_it_counts(parting: str) -> None:
    left_open = "".join(f"<p><B{parting}id={n}>" for n in range(3_000))
    with pytest.raises(SuspectPage, match="formatting"):
        parse("글" * 50_000 + left_open)


def test_a_page_of_too_many_elements_is_refused_unparsed() -> None:
    """Each takes 300 bytes: a page of eight megabytes would take the memory of nine others."""
    row = f"<div>{'<p>a</p>' * 99}</div>"
    with pytest.raises(SuspectPage, match="more than 100000 elements"):
        parse(row * 1_000 + "<p>")
    assert len(parse(row * 1_000).css("p")) == 99_000
    # What is written in scripts is none.
    assert parse(f"<script>{'<p>a</p>' * 150_000}</script><p>a</p>").css_first("p")


def table(cell: str, rows: int = 1_000) -> str:
    body = "".join(f"<tr><td>{cell.format(n=n)}</td></tr>" for n in range(rows))
    return f"<table>{body}</table>"


@pytest.mark.parametrize(
    "cell",
    [
        '<i class="icon n{n}"></i><b style="x">{n}</b>',
        '<font color="#{n}"> 글 {n} </font>',
        "<p>글<li>글<br><img src={n}.gif><input name=a{n}>",
        '<font color=red><b class="t">글</b></font>' * 3,
        "<a href='?no={n}'><strong>글</strong></a>" * 8,
        "<div><div><span><em>글</em></span></div></div>" * 3,
    ],
)
def test_a_long_and_untidy_list_is_read(cell: str) -> None:
    assert len(parse(table(cell)).css("tr")) == 1_000


def test_what_is_open_in_a_table_ends_with_it() -> None:
    """Many tables beside each other are no deeper than one."""
    html = "<table><tr><td><div><p><span>글</td></tr></table>" * 1_200
    assert len(parse(html).css("table")) == 1_200


def test_lone_surrogates_do_not_stop_the_parser() -> None:
    assert parse("<p>글\ud800</p>").css_first("p") is not None
