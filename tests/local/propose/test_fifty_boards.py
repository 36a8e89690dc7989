"""`uring add` on invented boards that no preset knows: read right, or refused with the reason."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from test_add import add

URL = "https://reed.example.ac.kr/news/list.do"
NOTICES = [
    ("5831", "갈대밭 산책로 보수 공사 안내", "2026-02-20", "학사"),
    ("5827", "겨울 철새 사진 공모전 결과", "2026-02-11", "행사"),
    ("5790", "호수 수위 조절에 따른 출입 제한", "2026-02-02", "학사"),
    ("5788", "오리 관찰 수칙을 새로 정합니다", "2026-01-29", "행사"),
    ("5761", "물가 쉼터 이용 시간 변경", "2026-01-15", "학사"),
    ("5750", "생태 해설사 양성 과정 모집", "2026-01-05", "행사"),
]
MENU = "".join(f'<li><a href="/m/{n}">학과 소개와 연혁 그리고 전망 {n}</a></li>' for n in range(7))


@dataclass
class Board:
    """A page, and what is right: a link by id, or the words of the refusal."""

    page: str
    link: str = ""
    refused: str = ""
    url: str = URL
    ids: tuple[str, ...] = tuple(key for key, *_ in NOTICES)
    more: tuple[str, ...] = ()


def html(body: str, head: str = "") -> str:
    return (
        f"<html><head><title>갈대학과</title>{head}</head><body>"
        f'<nav class="gnb"><ul>{MENU}</ul></nav>{body}</body></html>'
    )


def each(template: str, join: str = "") -> str:
    """The template for each notice: {id}, {t}itle, {d}ate, {c}ategory, {n}umber from 20 down."""
    return join.join(
        template.replace("{id}", key)
        .replace("{t}", title)
        .replace("{d}", day)
        .replace("{dot}", day.replace("-", "."))
        .replace("{c}", category)
        .replace("{n}", str(20 - at))
        .replace("{at}", str(at))
        .replace("{w}", "abcdef"[at] * 4)
        for at, (key, title, day, category) in enumerate(NOTICES)
    )


def rows(template: str, head: str = "") -> str:
    return html(f'<table class="t1"><tbody>{each(f"<tr>{template}</tr>")}</tbody></table>', head)


def objects(**names: str) -> list[dict[str, Any]]:
    return [
        {
            name: int(part) if part.isdigit() else part
            for name, text in names.items()
            for part in [each(text, "\n").split("\n")[at]]
        }
        for at in range(len(NOTICES))
    ]


def seconds(day: str) -> int:
    """Noon in Korea, as a Unix time."""
    return int(datetime.fromisoformat(f"{day}T12:00:00+09:00").timestamp())


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


TD = "<td>{t}</td><td>{d}</td>"
LINK = '<td>{n}</td><td><a href="view.do?idx={id}">{t}</a></td><td>{d}</td>'
API = objects(seq="{id}", title="{t}", regDate="{d}", cate="{c}", url="/news/{id}")
NO_LINK = objects(nttId="{id}", nttSj="{t}", frstRegistPnttm="{d} 09:10:11", ntcrNm="홍갈대")
TWENTY = tuple(str(20 - at) for at in range(6))
VIEW = "https://reed.example.ac.kr/news/view.do?"
FORM = (
    '<form name="frm" action="view.do"><input type="hidden" name="bbsId" value="B7">'
    '<input type="hidden" name="pageIndex" value="1"><input type="hidden" name="nttId" value="">'
    "</form>"
)
STATE = {"props": {"pageProps": {"posts": API, "menu": [{"name": "a"}] * 4}}}

BOARDS: dict[str, Board] = {
    # Numbers that are shown, and ids.
    "number in cell and address": Board(
        rows('<td>{n}</td><td><a href="v?no={n}">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/v?no={id}",
        ids=TWENTY,
    ),
    "number in cell and path": Board(
        rows('<td>{n}</td><td><a href="/news/{n}">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/{id}",
        ids=TWENTY,
    ),
    "number in address beside another id": Board(
        rows('<td>{n}</td><td><a href="v?no={n}&amp;sn={id}">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/v?no={n}&sn={id}",
    ),
    "number in address beside a place": Board(
        rows('<td>{n}</td><td><a href="v?no={n}&amp;rn={at}">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/v?no={id}&rn={at}",
        ids=TWENTY,
    ),
    "number in a click alone": Board(
        rows('<td>{n}</td><td><a href="#" onclick="go({n})">{t}</a></td><td>{d}</td>'),
        refused="argument 1 of go() is the number that the list shows",
    ),
    "year and number": Board(
        rows('<td><a href="v?year=2026&amp;no={at}1">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/v?year=2026&no={at}1",
        ids=tuple(f"{at}1/2026" for at in range(6)),
    ),
    "section and number": Board(
        rows('<td><a href="v?sec={c}&amp;no=X">{t}</a></td><td>{d}</td>')
        .replace("sec=학사", "sec=a")
        .replace("sec=행사", "sec=b")
        .replace("no=X", "no=1", 2)
        .replace("no=X", "no=2", 2)
        .replace("no=X", "no=3", 2),
        ids=("1/a", "1/b", "2/a", "2/b", "3/a", "3/b"),
    ),
    "path of section and number": Board(
        rows('<td><a href="/{c}/X/">{t}</a></td><td>{d}</td>')
        .replace("/학사/", "/hak/")
        .replace("/행사/", "/haeng/")
        .replace("/X/", "/1/", 2)
        .replace("/X/", "/2/", 2)
        .replace("/X/", "/3/", 2),
        ids=("1/hak", "1/haeng", "2/hak", "2/haeng", "3/hak", "3/haeng"),
    ),
    "one link for all": Board(
        rows('<td><a href="v?bo=notice">{t}</a></td><td>{d}</td>'), refused="unique like an id"
    ),
    "number in cell and address, with a year": Board(
        rows('<td>{n}</td><td><a href="v?yyyy=2026&amp;sn={n}">{t}</a></td><td>{d}</td>'),
        ids=tuple(f"{number}/2026" for number in TWENTY),
    ),
    "a year in the path": Board(
        rows('<td>-</td><td><a href="/n/2026/{n}">{t}</a></td><td>{d}</td>'),
        ids=tuple(f"{number}/2026" for number in TWENTY),
    ),
    "anchors that count the rows": Board(
        html("<ul class=l>" + each('<li><a href="?x=1#a{at}">{t}</a><i>{d}</i></li>') + "</ul>"),
        refused="unique like an id",
    ),
    "slugs": Board(
        rows('<td><a href="/news/{w}-word/">{t}</a></td><td>{d}</td>'),
        "https://reed.example.ac.kr/news/{id}/",
        ids=tuple(f"{letter * 4}-word" for letter in "abcdef"),
    ),
    # Links made by the page.
    "form with a function": Board(
        rows('<td><a href="#" onclick="fnView(\'{id}\')">{t}</a></td><td>{d}</td>').replace(
            "</body>",
            f"{FORM}<script>function fnView(no) {{ document.frm.nttId.value = no;"
            " document.frm.submit(); }</script></body>",
        ),
        VIEW + "bbsId=B7&nttId={id}",
    ),
    "form with jQuery": Board(
        rows('<td><a href="javascript:fnView({id})">{t}</a></td><td>{d}</td>').replace(
            "</body>",
            f"{FORM.replace('view.do', 'list.do')}<script>var fnView = function(a) {{"
            ' $("input[name=nttId]").val(a); $("#frm").attr("action", "/news/view.do").submit();'
            "};</script></body>",
        ),
        VIEW + "bbsId=B7&nttId={id}",
    ),
    "form without a function": Board(
        rows('<td><a href="#" onclick="fnView({id})">{t}</a></td><td>{d}</td>').replace(
            "</body>", f"{FORM}</body>"
        ),
        VIEW + "bbsId=B7&nttId={id}",
    ),
    "two arguments": Board(
        rows('<td><a href="#" onclick="go(\'B7\', {id})">{t}</a></td><td>{d}</td>').replace(
            "</body>",
            "<script>function go(b, n) { location.href = '/news/view.do?b=' + b + '&n=' + n; }"
            "</script></body>",
        ),
        VIEW + "b=B7&n={id}",
    ),
    "an argument that the address does not use": Board(
        rows("<td><a href='#' onclick=\"go('{id}', 'N', '{n}')\">{t}</a></td><td>{d}</td>").replace(
            "</body>",
            "<script>function go(id, type, rn) { $('#f input[name=id]').val(id);"
            "$('#f').attr('action', 'view.do').submit(); }</script><form id=f method=post>"
            "<input type=hidden name=id></form></body>",
        ),
        VIEW + "id={id}",
    ),
    "an arrow and a template": Board(
        rows('<td><a href="#" onclick="go({id})">{t}</a></td><td>{d}</td>').replace(
            "</body>",
            "<script>const root = '/news'; const go = (n) => { window.open(`${root}/${n}`); }"
            "</script></body>",
        ),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "an unknown function": Board(
        rows('<td><a href="#" onclick="go({id})">{t}</a></td><td>{d}</td>'), refused="is a guess"
    ),
    "an unknown function, a given link": Board(
        rows('<td><a href="#" onclick="go({id})">{t}</a></td><td>{d}</td>'),
        VIEW + "n={id}",
        more=("--link", "view.do?n={id}"),
    ),
    "a search form only": Board(
        rows('<td><a href="#" onclick="go({id})">{t}</a></td><td>{d}</td>').replace(
            "</body>",
            '<form action="list.do"><input type="hidden" name="searchId" value=""></form></body>',
        ),
        refused="is a guess",
    ),
    "cards with role=button": Board(
        html(
            '<div class="cards">'
            + each(
                '<div class="card" role="button" tabindex="0" data-id="{id}"><strong>{t}</strong>'
                "<span>{d}</span></div>"
            )
            + "</div>"
        ),
        VIEW + "nttId={id}",
        more=("--link", "view.do?nttId={id}"),
    ),
    "cards with role=button, no link": Board(
        html(each('<li role="link" data-no="{id}"><b>{t}</b> <i>{d}</i></li>')),
        refused="is a guess",
    ),
    # Downloads.
    "a long download beside the title": Board(
        rows(
            '<td><a href="view.do?idx={id}">{t}</a></td><td class="f"><a href="/down.do?f={id}1">'
            "아주_긴_이름의_붙임_파일_최종본_수정_{id}.hwp</a></td><td>{d}</td>"
        ),
        VIEW + "idx={id}",
    ),
    "a download with an attribute": Board(
        rows(
            '<td><a download href="/x/{id}">아주 긴 이름의 붙임 파일 최종본을 여기에서 받으십시오'
            '</a></td><td><a href="view.do?idx={id}">{t}</a></td><td>{d}</td>'
        ),
        VIEW + "idx={id}",
    ),
    "a preview of a file": Board(
        rows(
            '<td><a href="view.do?idx={id}">{t}</a></td><td><a href="/files/a{id}.pdf?v=1">긴 이름'
            " 붙임 파일 최종본을 여기에서 받으십시오 {id}</a></td><td>{d}</td>"
        ),
        VIEW + "idx={id}",
    ),
    # Shapes of lists.
    "a fragment of rows": Board(each(f"<tr>{LINK}</tr>"), VIEW + "idx={id}"),
    "a fragment with a counter": Board(
        f'<input type="hidden" id="total" value="6">{each(f"<tr class=row>{LINK}</tr>")}',
        VIEW + "idx={id}",
    ),
    "dt and dd": Board(
        html(
            "<dl class=news>"
            + each('<dt><a href="view.do?idx={id}">{t}</a></dt><dd>사무실</dd><dd class=d>{d}</dd>')
            + "</dl>"
        ),
        VIEW + "idx={id}",
    ),
    "a row of the title, a row of the date": Board(
        html(
            "<table class=t2>"
            + each(
                '<tr><td><a href="view.do?idx={id}">{t}</a></td></tr>'
                "<tr><td>사무실</td><td>{d}</td></tr>"
            )
            + "</table>"
        ),
        VIEW + "idx={id}",
    ),
    "two rows with classes": Board(
        html(
            "<table class=t1>"
            + each(
                '<tr class="ti"><td><a href="view.do?idx={id}">{t}</a></td></tr>'
                '<tr class="in"><td>{d}</td></tr>'
            )
            + "</table>"
        ),
        VIEW + "idx={id}",
    ),
    "headings and paragraphs": Board(
        html(
            "<section class=s>"
            + each(
                '<article class=h><a href="view.do?idx={id}">{t}</a></article><p class=m>{dot}</p>'
            )
            + "</section>"
        ),
        VIEW + "idx={id}",
    ),
    "dt of the date, dd of the title": Board(
        html("<dl>" + each('<dt>{d}</dt><dd><a href="view.do?idx={id}">{t}</a></dd>') + "</dl>"),
        VIEW + "idx={id}",
    ),
    "a row of the date, a row of the title": Board(
        html(
            "<table>"
            + each(
                '<tr class="d"><td>{d}</td></tr>'
                '<tr class="t"><td><a href="view.do?idx={id}">{t}</a></td></tr>'
            )
            + "</table>"
        ),
        VIEW + "idx={id}",
    ),
    "a date above several notices": Board(
        html(
            "<h4>2026-02-20</h4><ul class=l>"
            + each('<li><a href="view.do?idx={id}">{t}</a></li>')
            + "</ul>"
        ),
        refused="above the notices is outside their rows",
    ),
    "links with their own text": Board(
        html(
            "<div class=l>"
            + each('<a class=i href="view.do?idx={id}">{t} <span class=d>{d}</span></a>')
            + "</div>"
        ),
        VIEW + "idx={id}",
    ),
    "dates without a class": Board(
        html(
            "<div class=l>"
            + each(
                '<div class=c role=button data-id="{id}"><div class=tt>{t}</div>'
                "<div class=w>홍갈대</div><div>{d}</div></div>"
            )
            + "</div>"
        ),
        VIEW + "id={id}",
        more=("--link", "view.do?id={id}"),
    ),
    "buttons with the id": Board(
        html(
            "<ul class=l>" + each("<li><button data-seq={id}>{t}</button><i>{d}</i></li>") + "</ul>"
        ),
        VIEW + "seq={id}",
        more=("--link", "view.do?seq={id}"),
    ),
    "rows with the id and no link": Board(
        rows("<td>{n}</td><td>{t}</td><td>{d}</td>").replace("<tr>", "<tr data-no=X>"),
        refused="unique like an id",
    ),
    "rows with an id and no link": Board(
        html(
            "<table class=t3>"
            + each("<tr data-no={id}><td>{n}</td><td>{t}</td><td>{d}</td></tr>")
            + "</table>"
        ),
        VIEW + "no={id}",
        more=("--link", "view.do?no={id}"),
    ),
    "fragments of one page": Board(
        html("<ul class=l>" + each('<li><a href="#n{id}">{t}</a> <i>{d}</i></li>') + "</ul>"),
        URL + "#{id}",
        ids=tuple(f"n{key}" for key, *_ in NOTICES),
    ),
    "routes of an application": Board(
        html(
            "<ul class=l>" + each('<li><a href="/app/#/n/{id}">{t}</a> <i>{d}</i></li>') + "</ul>"
        ),
        "https://reed.example.ac.kr/app/#/n/{id}",
    ),
    "noise fragments": Board(
        html(
            "<ul class=l>"
            + each('<li><a href="view.do?idx={id}#content">{t}</a> <i>{d}</i></li>')
            + "</ul>"
        ),
        VIEW + "idx={id}",
    ),
    "divisions as a table": Board(
        html(
            '<div class="tbl">'
            + each(
                '<div class="tr"><span class="no">{n}</span><span class="sj">'
                '<a href="view.do?idx={id}">{t}</a></span><span class="dt">{dot}</span></div>'
            )
            + "</div>"
        ),
        VIEW + "idx={id}",
    ),
    "whole rows as links": Board(
        html(
            '<div class="feed">'
            + each('<a class="item" href="view.do?idx={id}"><h3>{t}</h3><time>{d}</time></a>')
            + "</div>"
        ),
        VIEW + "idx={id}",
    ),
    "figures with captions": Board(
        html(
            '<ul class="photo">'
            + each(
                '<li><figure><a href="view.do?idx={id}"><img src="/t{id}.jpg"></a><figcaption>'
                '<a href="view.do?idx={id}">{t}</a><em>{d}</em></figcaption></figure></li>'
            )
            + "</ul>"
        ),
        VIEW + "idx={id}",
    ),
    "only a menu": Board(html("<main><p>준비 중</p></main>"), refused="give the address"),
    "a login": Board(html("<form><input type=password></form>"), refused="asks for a password"),
    # JSON.
    "json": Board(
        dumped({"result": {"list": API, "total": 6}}), "https://reed.example.ac.kr/news/{id}"
    ),
    "json without links": Board(dumped({"resultList": NO_LINK}), refused="is a guess"),
    "json with a given link": Board(
        dumped({"resultList": NO_LINK}), VIEW + "nttId={id}", more=("--link", "view.do?nttId={id}")
    ),
    "jsonp": Board(f"cb({dumped(API)});", "https://reed.example.ac.kr/news/{id}"),
    "a guard before json": Board(f")]}}'\n{dumped(API)}", "https://reed.example.ac.kr/news/{id}"),
    "an object of objects": Board(
        dumped(
            {"posts": {row["seq"]: {k: v for k, v in row.items() if k != "seq"} for row in API}}
        ),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "json in a text": Board(dumped({"d": dumped(API)}), "https://reed.example.ac.kr/news/{id}"),
    "markup in json": Board(
        dumped({"ok": True, "html": each(f"<tr>{LINK}</tr>")}), VIEW + "idx={id}"
    ),
    "json of counted rows": Board(
        dumped(objects(rowNum="{n}", title="{t}", regDate="{d}")), refused="as an id does"
    ),
    "json with dates of seconds": Board(
        dumped([{**row, "regDate": seconds(row["regDate"])} for row in API]),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "json with a pinned copy": Board(
        dumped([*API[:1], *API]), "https://reed.example.ac.kr/news/{id}"
    ),
    "json of one id for all": Board(
        dumped([{**row, "seq": 7} for row in API]), refused="differs in every object"
    ),
    "json of edges and nodes": Board(
        dumped({"data": {"posts": {"edges": [{"cursor": "a", "node": row} for row in API]}}}),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "json of pinned and plain notices": Board(
        dumped({"notice": [{**API[0], "seq": 1}] * 2, "list": API}),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "json without titles": Board(
        dumped(objects(id="{id}", size="{n}", regDate="{d}")),
        refused="none of their keys has titles",
    ),
    "json of other dates": Board(
        dumped(objects(id="{id}", title="{t}", regDate="{d}", endDate="2026-12-31", url="/v/{id}")),
        "https://reed.example.ac.kr/v/{id}",
    ),
    "json of an error": Board(
        dumped({"code": 500, "message": "점검"}), refused="no list of at least"
    ),
    "state of Next": Board(
        html(
            '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">'
            f"{dumped(STATE)}</script>"
        ),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "state in a variable": Board(
        html(f"<div id=app></div><script>window.__STATE__ = {dumped(STATE)};</script>"),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "state in an attribute": Board(
        html(f"<div id='app' data-page='{dumped(STATE)}'></div>"),
        "https://reed.example.ac.kr/news/{id}",
    ),
    "state made by a function": Board(
        html("<div id=app></div><script>window.__NUXT__=(function(a){return {b:a}}(1))</script>"),
        refused="look in its network panel",
    ),
}


def test_there_are_fifty() -> None:
    assert len(BOARDS) >= 50


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_read_right_or_refused_with_the_reason(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = BOARDS[name]
    code, answer = add(tmp_path, capsys, board.page, *board.more, url=board.url)
    if board.refused:
        assert code == 1
        assert board.refused in json.dumps(answer, ensure_ascii=False)
        return
    assert code == 0, answer
    seen = [(item["id"], item["title"], item["date"]) for item in answer["items"]]
    assert seen == [
        (key, title, day) for key, (_, title, day, _) in zip(board.ids, NOTICES, strict=True)
    ]
    if board.link:
        assert [item["link"] for item in answer["items"]] == [
            board.link.replace("{id}", key).replace("{n}", str(20 - at)).replace("{at}", str(at))
            for at, key in enumerate(board.ids)
        ]
