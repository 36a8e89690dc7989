"""``?mode=list``: query-only links, and view counters that change with every request."""

import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice
from uring_local.sites.loopback import Request


def _target(department: Department) -> str:
    return f"/{department.site}/notice.do?mode=list"


def _date_format(department: Department) -> str:
    return "%y.%m.%d" if department.variant == "yy" else "%Y-%m-%d"


def _render(visit: Visit) -> str:
    page = visit.page
    rows = [_row(visit, notice, "공지", pinned=True) for notice in page.pinned]
    for place, notice in enumerate(page.normal):
        rows.append(_row(visit, notice, str(page.total - place), pinned=False))
    body = "\n".join(rows) or '<tr><td colspan="5">등록된 게시글이 없습니다.</td></tr>'
    return document(
        visit.department,
        f'<input type="hidden" name="_csrf" value="{visit.session()}">\n'
        '<table class="board-table">\n<thead><tr><th>번호</th><th>분류</th><th>제목</th>'
        f"<th>조회</th><th>등록일</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>",
    )


def _row(visit: Visit, notice: Notice, number: str, *, pinned: bool) -> str:
    title = text(notice.title)
    link = (
        f"?mode=view&articleNo={notice.id}&article.offset=0&articleLimit={len(visit.page.normal)}"
    )
    badge = '<span class="b-notice">[공지]</span> ' if pinned else ""
    return (
        f'<tr class="{" b-top-box" if pinned else ""}">\n'
        f'<td class="b-num-box{" num-notice" if pinned else ""}"><span>{number}</span></td>\n'
        f'<td class="b-cate">{text(notice.category)}</td>\n'
        f'<td class="b-td-left"><div class="b-title-box">'
        f'<a href="{text(link)}" title="{title} 자세히 보기">{badge}{title}</a></div></td>\n'
        f"<td>{notice.number % 300 + visit.nonce}</td>\n"
        f"<td>{notice.date.strftime(_date_format(visit.department))}</td>\n</tr>"
    )


def _lists(_: Department, request: Request) -> bool:
    return request.query.get("mode") == "list"


def _entry(department: Department, host: str) -> Mapping[str, Any]:
    title: Mapping[str, Any] = {"select": ".b-title-box > a", "drop": ["span.b-notice"]}
    if department.variant == "yy":
        title = {"select": ".b-title-box > a", "attribute": "title", "strip": ["자세히 보기"]}
    return {
        "url": f"http://{host}{_target(department)}",
        "rows": {"select": "table.board-table tbody tr"},
        "fields": {
            "id": {"select": ".b-title-box > a", "attribute": "href", "parameter": "articleNo"},
            "title": title,
            "date": {"select": "td:last-child", "formats": [_date_format(department)]},
            "category": {"select": "td.b-cate"},
            "link": {"select": ".b-title-box > a", "attribute": "href"},
        },
        "pinned": [{"select": "tr.b-top-box"}],
        "link_parameters": ["mode", "articleNo"],
    }


MODELIST: Final = Style(
    repeats_pinned=False,
    list_target=_target,
    lists=_lists,
    render=_render,
    entry=_entry,
    article=re.compile(r"[?&]articleNo=(\d+)"),
)
