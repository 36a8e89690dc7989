"""The board system ``egov``."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from uring_local.loopback import Request
from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice


class Egov(Style):
    """A board whose list needs a POST with its form; a GET gets the page without rows."""

    article = re.compile(r"[?&]nttNo=(\d+)")
    list_page = "selectBbsNttList.do"
    keeps_parameters = False
    paging: ClassVar = {"parameter": "pageIndex"}
    no_rows = '<tr><td colspan="4">등록된 게시물이 없습니다.</td></tr>'

    def _form(self, department: Department) -> dict[str, str]:
        return {"bbsNo": department.variant, "pageIndex": "1", "pageUnit": str(department.rows)}

    def _page(self, visit: Visit, rows: str) -> str:
        return document(
            visit.department,
            f'<form id="list" method="post" action="{self.list_target(visit.department)}"></form>\n'
            '<table class="p-table">\n<thead><tr><th>번호</th><th>제목</th><th>파일</th>'
            f"<th>작성일</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>",
        )

    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        board = visit.department.variant
        view = f"selectBbsNttView.do?bbsNo={board}&nttNo={notice.id}&pageUnit=15&pageIndex=1"
        link = visit.link(f"/{visit.department.site}/{view}", f"./{view}")
        return (
            f"<tr>\n\t<td>{number or '공지'}</td>\n"
            f'\t<td class="p-subject">\n\t\t<a href="{text(link)}">\n\n\t\t\t'
            f"{visit.title(notice)}\n\n\t\t</a>\n\t</td>\n"
            f"\t<td></td>\n\t<td>{self.date(visit, notice)}</td>\n</tr>"
        )

    def lists(self, department: Department, request: Request) -> bool:
        """Return whether the request is a POST with the whole form; any page number will do."""
        form = request.form
        wanted = {**self._form(department), "pageIndex": form.get("pageIndex", "1")}
        return request.method == "POST" and wanted.items() <= form.items()

    def _rules(self, department: Department) -> Mapping[str, Any]:
        return {
            "request": {"method": "POST", "form": self._form(department)},
            "rows": {"select": "table.p-table tbody tr"},
            "fields": {
                "id": {"select": "td.p-subject a", "attribute": "href", "parameter": "nttNo"},
                "title": {"select": "td.p-subject a"},
                "date": {"select": "td:last-child", "formats": [self.date_format]},
                "link": {"select": "td.p-subject a", "attribute": "href"},
            },
            "pinned": [{"select": "td:first-child", "text": "공지"}],
            "link_parameters": ["bbsNo", "nttNo"],
        }
