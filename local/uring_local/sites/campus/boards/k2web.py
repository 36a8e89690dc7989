"""A table whose pinned rows are repeated in the normal list, with badges inside the anchors.

Flavours: the title is an element of its own (default); it stands among the badges, and links carry
a session id (``plain``); one row was blinded by the administrator (``blind``).
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice
from uring_local.sites.loopback import Request


def _board(department: Department) -> int:
    return 100 + department.first_id % 900


def _target(department: Department) -> str:
    return f"/{department.site}/bbs/{_board(department)}/artclList.do"


def _render(visit: Visit) -> str:
    page = visit.page
    rows = [_row(visit, notice, "일반공지", pinned=True) for notice in page.pinned]
    for place, notice in enumerate(page.normal):
        rows.append(_row(visit, notice, str(page.total - place), pinned=False))
    if visit.department.variant == "blind" and rows:
        cells = "".join(f'<td class="{name}">블라인드</td>' for name in ("td-num", "td-subject"))
        rows.insert(len(page.pinned) + 2, f'<tr class="blind">{cells}<td colspan="3"></td></tr>')
    body = "\n".join(rows) or '<tr><td colspan="5">등록된 글이 없습니다.</td></tr>'
    return document(
        visit.department,
        '<table class="board-table horizon1">\n<thead><tr><th>번호</th><th>제목</th><th>작성자</th>'
        f"<th>작성일</th><th>조회수</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>",
    )


def _row(visit: Visit, notice: Notice, number: str, *, pinned: bool) -> str:
    department = visit.department
    board = _board(department)
    title = text(notice.title)
    session = f";jsessionid={visit.session()}" if department.variant == "plain" else ""
    if department.variant != "plain":
        title = f"<strong>\r\n\t\t{title}\r\n\t</strong>"
    badge = "[\r\n\t\t일반공지\r\n\t]\r\n\t" if pinned else ""
    new = '<span class="new">새글</span>' if visit.is_new(notice) else ""
    return (
        f'<tr class="{"notice" if pinned else ""}">\n'
        f'<td class="td-num"><span>{number}</span></td>\n'
        '<td class="td-subject">'
        f'<a href="/{department.site}/bbs/{board}/{notice.id}/artclView.do{session}" '
        f"onclick=\"jf_viewArtcl('{department.site}', '{board}', '{notice.id}')\">\n"
        f"\t{badge}{title}\n\t{new}</a></td>\n"
        f'<td class="td-write">{text(department.name)}</td>\n'
        f'<td class="td-date">{notice.date:%Y.%m.%d}</td>\n'
        f'<td class="td-access">{notice.number % 90 + visit.nonce}</td>\n</tr>'
    )


def _lists(_: Department, request: Request) -> bool:
    return request.method in {"GET", "HEAD", "POST"}


def _entry(department: Department, host: str) -> Mapping[str, Any]:
    plain = department.variant == "plain"
    title: dict[str, Any] = {"select": "td.td-subject strong"}
    if plain:
        title = {"select": "td.td-subject a", "drop": [".new"], "strip": ["[ 일반공지 ]"]}
    return {
        "url": f"http://{host}{_target(department)}",
        "rows": {"select": "table.board-table > tbody > tr", "drop": ["tr.blind"]},
        "fields": {
            "id": {
                "select": "td.td-subject a",
                "attribute": "onclick",
                "pattern": r"jf_viewArtcl\('\w+', *'\d+', *'(\d+)'\)",
            },
            "title": title,
            "date": {"select": "td.td-date", "formats": ["%Y.%m.%d"]},
            "link": {"select": "td.td-subject a", "attribute": "href"},
        },
        "pinned": [{"select": "tr.notice"}],
    }


K2WEB: Final = Style(
    repeats_pinned=True,
    list_target=_target,
    lists=_lists,
    render=_render,
    entry=_entry,
    article=re.compile(r"/(\d+)/artclView\.do(?:;|\Z)"),
)
