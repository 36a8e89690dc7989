"""The board system ``modelist``."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice


class Modelist(Style):
    """A board with links of a query only, and view counters that change with every request."""

    article = re.compile(r"[?&]articleNo=(\d+)")
    list_page = "notice.do?mode=list"
    list_query: ClassVar = {"mode": "list"}
    keeps_parameters = False
    paging: ClassVar = {"parameter": "article.offset", "first": 0, "step": 15}
    no_rows = '<tr><td colspan="5">등록된 게시글이 없습니다.</td></tr>'

    def date(self, visit: Visit, notice: Notice) -> str:
        """Return a notice's day in the department's format, or the variant's; ``yy`` is short."""
        return visit.day(notice, self._date_format(visit.department))

    def _date_format(self, department: Department) -> str:
        return "%y.%m.%d" if department.variant == "yy" else self.date_format

    def _page(self, visit: Visit, rows: str) -> str:
        return document(
            visit.department,
            f'<input type="hidden" name="_csrf" value="{visit.session()}">\n'
            '<table class="board-table">\n<thead><tr><th>번호</th><th>분류</th><th>제목</th>'
            f"<th>조회</th><th>등록일</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>",
        )

    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        pinned = number is None
        title = visit.title(notice)
        limit = len(visit.page.normal)
        query = f"?mode=view&articleNo={notice.id}&article.offset=0&articleLimit={limit}"
        link = visit.link(f"/{visit.department.site}/notice.do{query}", query)
        badge = '<span class="b-notice">[공지]</span> ' if pinned else ""
        return (
            f'<tr class="{" b-top-box" if pinned else ""}">\n'
            f'<td class="b-num-box{" num-notice" if pinned else ""}">'
            f"<span>{number or '공지'}</span></td>\n"
            f'<td class="b-cate">{text(notice.category)}</td>\n'
            f'<td class="b-td-left"><div class="b-title-box">'
            f'<a href="{text(link)}" title="{title} 자세히 보기">{badge}{title}</a></div></td>\n'
            f"<td>{notice.number % 300 + visit.nonce}</td>\n"
            f"<td>{self.date(visit, notice)}</td>\n</tr>"
        )

    def _rules(self, department: Department) -> Mapping[str, Any]:
        title: Mapping[str, Any] = {"select": ".b-title-box > a", "drop": ["span.b-notice"]}
        if department.variant == "yy":
            title = {"select": ".b-title-box > a", "attribute": "title", "strip": ["자세히 보기"]}
        return {
            "rows": {"select": "table.board-table tbody tr"},
            "fields": {
                "id": {"select": ".b-title-box > a", "attribute": "href", "parameter": "articleNo"},
                "title": title,
                "date": {"select": "td:last-child", "formats": [self._date_format(department)]},
                "category": {"select": "td.b-cate"},
                "link": {"select": ".b-title-box > a", "attribute": "href"},
            },
            "pinned": [{"select": "tr.b-top-box"}],
            "link_parameters": ["mode", "articleNo"],
        }
