"""A list that answers only to POST with its form; a GET gets the shell without rows."""

import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice
from uring_local.sites.loopback import Request


def _target(department: Department) -> str:
    return f"/{department.site}/selectBbsNttList.do"


def _form(department: Department) -> dict[str, str]:
    return {"bbsNo": department.variant, "pageIndex": "1", "pageUnit": str(department.rows)}


def _render(visit: Visit) -> str:
    page = visit.page
    rows = [_row(visit, notice, "공지") for notice in page.pinned]
    for place, notice in enumerate(page.normal):
        rows.append(_row(visit, notice, str(page.total - place)))
    body = "\n".join(rows) or '<tr><td colspan="4">등록된 게시물이 없습니다.</td></tr>'
    return document(
        visit.department,
        f'<form id="list" method="post" action="{_target(visit.department)}"></form>\n'
        '<table class="p-table">\n<thead><tr><th>번호</th><th>제목</th><th>파일</th>'
        f"<th>작성일</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>",
    )


def _row(visit: Visit, notice: Notice, number: str) -> str:
    board = visit.department.variant
    link = f"./selectBbsNttView.do?bbsNo={board}&nttNo={notice.id}&pageUnit=15&pageIndex=1"
    return (
        f"<tr>\n\t<td>{number}</td>\n"
        f'\t<td class="p-subject">\n\t\t<a href="{text(link)}">\n\n\t\t\t'
        f"{text(notice.title)}\n\n\t\t</a>\n\t</td>\n"
        f"\t<td></td>\n\t<td>{notice.date.isoformat()}</td>\n</tr>"
    )


def _lists(department: Department, request: Request) -> bool:
    form = request.form
    return request.method == "POST" and _form(department).items() <= form.items()


def _entry(department: Department, host: str) -> Mapping[str, Any]:
    return {
        "url": f"http://{host}{_target(department)}",
        "request": {"method": "POST", "form": _form(department)},
        "rows": {"select": "table.p-table tbody tr"},
        "fields": {
            "id": {"select": "td.p-subject a", "attribute": "href", "parameter": "nttNo"},
            "title": {"select": "td.p-subject a"},
            "date": {"select": "td:last-child", "formats": ["%Y-%m-%d"]},
            "link": {"select": "td.p-subject a", "attribute": "href"},
        },
        "pinned": [{"select": "td:first-child", "text": "공지"}],
        "link_parameters": ["bbsNo", "nttNo"],
    }


EGOV: Final = Style(
    repeats_pinned=False,
    list_target=_target,
    lists=_lists,
    render=_render,
    entry=_entry,
    article=re.compile(r"[?&]nttNo=(\d+)"),
)
