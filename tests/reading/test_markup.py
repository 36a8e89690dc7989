"""Pages made to exhaust the parser are refused in no time; odd but honest ones are read."""

import time

import pytest

from uring.errors import SuspectPage
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


@pytest.mark.parametrize("html", BOMBS.values(), ids=BOMBS)
def test_a_page_that_would_exhaust_the_parser_is_refused_quickly(html: str) -> None:
    started = time.process_time()
    with pytest.raises(SuspectPage) as caught:
        parse(html)
    assert caught.value.reason == "markup_bomb"
    assert time.process_time() - started < 2


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
