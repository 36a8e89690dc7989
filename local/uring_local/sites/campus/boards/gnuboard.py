"""A board in CP949 whose links carry the page number, and whose pages carry a session id.

Flavours: the header names ``euc-kr`` (default); only a meta element does (``meta``); nothing does
(``silent``), so the sitemap entry has to.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice
from uring_local.sites.loopback import Request


def _target(department: Department) -> str:
    return f"/{department.site}/bbs/board.php?bo_table=notice"


def _render(visit: Visit) -> str:
    department, page = visit.department, visit.page
    rows = [_row(visit, notice, "<strong>공지</strong>", pinned=True) for notice in page.pinned]
    for place, notice in enumerate(page.normal):
        rows.append(_row(visit, notice, str(page.total - place), pinned=False))
    body = "\n".join(rows) or '<tr><td colspan="5" class="empty_table">게시물이 없습니다.</td></tr>'
    meta = '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">'
    return document(
        department,
        f'<input type="hidden" name="PHPSESSID" value="{visit.session()}">\n'
        '<table id="bo_list">\n<thead><tr><th>번호</th><th>분류</th><th>제목</th><th>날짜</th>'
        f"<th>조회</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>",
        meta="" if department.variant == "silent" else meta,
    )


def _row(visit: Visit, notice: Notice, number: str, *, pinned: bool) -> str:
    # The number of the page that one came from; it says nothing about the notice.
    page = visit.nonce % 3 or ""
    link = f"http://{visit.host}{_target(visit.department)}&wr_id={notice.id}&page={page}"
    new = '<span class="new_icon">N</span>' if visit.is_new(notice) else ""
    return (
        f'<tr class="{"bo_notice" if pinned else "even"}">\n'
        f'<td class="td_num2">\n\t\t{number}\t\t</td>\n'
        f'<td><span class="cate">\n\t\t{text(notice.category)}\t</span></td>\n'
        f'<td class="td_subject"><div class="bo_tit"><a href="{text(link)}">\n\n'
        f"\t\t{text(notice.title)}\t{new}</a></div></td>\n"
        f'<td class="td_datetime">\n\t\t{notice.date.isoformat()}</td>\n'
        f'<td class="td_num">{notice.number % 200}</td>\n</tr>'
    )


def _lists(_: Department, request: Request) -> bool:
    return request.query.get("bo_table") == "notice"


def _content_type(department: Department) -> str:
    return "text/html" if department.variant else "text/html; charset=euc-kr"


def _entry(department: Department, host: str) -> Mapping[str, Any]:
    silent = department.variant == "silent"
    return {
        "url": f"http://{host}{_target(department)}",
        **({"encoding": "euc-kr"} if silent else {}),
        "rows": {"select": "#bo_list tbody tr"},
        "fields": {
            "id": {"select": ".bo_tit a", "attribute": "href", "parameter": "wr_id"},
            "title": {"select": ".bo_tit a", "drop": [".new_icon"]},
            "date": {"select": ".td_datetime", "formats": ["%Y-%m-%d"]},
            "category": {"select": ".cate"},
            "link": {"select": ".bo_tit a", "attribute": "href"},
        },
        "pinned": [{"select": "tr.bo_notice"}, {"select": ".td_num2", "text": "공지"}],
        # Without the list, paging parameters are known noise.
        **({"link_parameters": ["bo_table", "wr_id"]} if silent else {}),
    }


GNUBOARD: Final = Style(
    repeats_pinned=False,
    list_target=_target,
    lists=_lists,
    render=_render,
    entry=_entry,
    article=re.compile(r"[?&]wr_id=(\d+)"),
    encoding="cp949",
    content_type=_content_type,
)
