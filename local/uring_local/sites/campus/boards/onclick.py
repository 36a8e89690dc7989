"""Links behind ``onclick``: the id is a script's argument, the link comes from a template.

The only boards that offer validators and answer 304: one an ETag, the other a date.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice
from uring_local.sites.loopback import Request


def _target(department: Department) -> str:
    return f"/{department.site}/boardList.do?boardId=notice"


def _render(visit: Visit) -> str:
    page = visit.page
    icon = '<img src="/img/icon_notice.gif" alt="">'
    rows = [_row(notice, icon) for notice in page.pinned]
    for place, notice in enumerate(page.normal):
        rows.append(_row(notice, str(page.total - place)))
    body = "\n".join(rows) or '<tr><td colspan="4" class="nodata">조회된 자료가 없습니다.</td></tr>'
    return document(
        visit.department,
        f'<table class="tb">\n<tbody>\n{body}\n</tbody>\n</table>\n'
        "<script>function fn_view(seq) { /* opens boardView.do */ }</script>",
    )


def _row(notice: Notice, number: str) -> str:
    return (
        f'<tr>\n<td class="td_num">{number}</td>\n'
        f'<td class="td_cate">{text(notice.category)}</td>\n'
        f'<td class="td_tit"><a href="javascript:void(0)" onclick="fn_view(\'{notice.id}\'); '
        f'return false;"><span class="t">{text(notice.title)}</span></a></td>\n'
        f'<td class="td_date">{notice.date:%Y/%m/%d}</td>\n</tr>'
    )


def _lists(_: Department, request: Request) -> bool:
    return request.query.get("boardId") == "notice"


def _entry(department: Department, host: str) -> Mapping[str, Any]:
    view = f"http://{host}/{department.site}/boardView.do?boardId=notice&seq={{id}}"
    return {
        "url": f"http://{host}{_target(department)}",
        "rows": {"select": "table.tb tbody tr"},
        "fields": {
            "id": {
                "select": "td.td_tit a",
                "attribute": "onclick",
                "pattern": r"fn_view\('([0-9a-f]+)'\)",
            },
            "title": {"select": "td.td_tit span.t"},
            "date": {"select": "td.td_date", "formats": ["%Y/%m/%d"]},
            "category": {"select": "td.td_cate"},
            "link": {"template": view},
        },
        "pinned": [{"select": "img[src*=icon_notice]"}],
    }


ONCLICK: Final = Style(
    repeats_pinned=False,
    list_target=_target,
    lists=_lists,
    render=_render,
    entry=_entry,
    article=re.compile(r"[?&]seq=([0-9a-f]+)"),
    validator=lambda department: department.variant or "etag",
)
