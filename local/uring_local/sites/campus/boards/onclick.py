"""The board system ``onclick``."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Look, Notice


class Onclick(Style):
    """A board with links behind ``onclick``: the id is a script's argument.

    The entry has a template for the links. These boards alone have validators and answer 304: one
    has an ETag, the other a date.
    """

    article = re.compile(r"[?&]seq=([0-9a-f]+)")
    list_page = "boardList.do?boardId=notice"
    list_query: ClassVar = {"boardId": "notice"}
    date_format = "%Y/%m/%d"
    paging: ClassVar = {"parameter": "pageIndex"}
    no_rows = '<tr><td colspan="4" class="nodata">조회된 자료가 없습니다.</td></tr>'

    def links(self, department: Department, look: Look) -> str:  # noqa: ARG002
        """Return the common part of all links, which the entry's template fixes."""
        return super().links(department, Look())

    def validator(self, department: Department) -> str:
        """Return the department's validator, by default ``etag``."""
        return department.variant or "etag"

    def _page(self, visit: Visit, rows: str) -> str:
        return document(
            visit.department,
            f'<table class="tb">\n<tbody>\n{rows}\n</tbody>\n</table>\n'
            "<script>function fn_view(seq) { /* opens boardView.do */ }</script>",
        )

    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        icon = '<img src="/img/icon_notice.gif" alt="">'
        return (
            f'<tr>\n<td class="td_num">{number or icon}</td>\n'
            f'<td class="td_cate">{text(notice.category)}</td>\n'
            f'<td class="td_tit"><a href="javascript:void(0)" onclick="fn_view(\'{notice.id}\'); '
            f'return false;"><span class="t">{visit.title(notice)}</span></a></td>\n'
            f'<td class="td_date">{self.date(visit, notice)}</td>\n</tr>'
        )

    def entry(self, department: Department, host: str) -> dict[str, Any]:
        """Return the entry with a template for the links, as the page has none."""
        entry = super().entry(department, host)
        view = f"http://{host}/{department.site}/boardView.do?boardId=notice&seq={{id}}"
        entry["fields"]["link"] = {"template": view}
        return entry

    def _rules(self, department: Department) -> Mapping[str, Any]:  # noqa: ARG002
        return {
            "rows": {"select": "table.tb tbody tr"},
            "fields": {
                "id": {
                    "select": "td.td_tit a",
                    "attribute": "onclick",
                    "pattern": r"fn_view\('([0-9a-f]+)'\)",
                },
                "title": {"select": "td.td_tit span.t"},
                "date": {"select": "td.td_date", "formats": [self.date_format]},
                "category": {"select": "td.td_cate"},
            },
            "pinned": [{"select": "img[src*=icon_notice]"}],
        }
