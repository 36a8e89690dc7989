"""The board system ``gnuboard``."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Look, Notice


class Gnuboard(Style):
    """A board in CP949 whose links carry the page number, and whose pages carry a session id.

    Variants: the header names ``euc-kr`` (default); only a meta element does (``meta``); neither
    does (``silent``), so the sitemap entry has to.
    """

    article = re.compile(r"[?&]wr_id=(\d+)")
    list_page = "bbs/board.php?bo_table=notice"
    list_query: ClassVar = {"bo_table": "notice"}
    no_rows = '<tr><td colspan="5" class="empty_table">게시물이 없습니다.</td></tr>'
    encoding = "cp949"

    def _page(self, visit: Visit, rows: str) -> str:
        department = visit.department
        meta = '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">'
        return document(
            department,
            f'<input type="hidden" name="PHPSESSID" value="{visit.session()}">\n'
            '<table id="bo_list">\n<thead><tr><th>번호</th><th>분류</th><th>제목</th><th>날짜</th>'
            f"<th>조회</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>",
            meta="" if department.variant == "silent" else meta,
        )

    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        # The number of the page that the visitor came from; it says nothing about the notice.
        page = visit.nonce % 3 or ""
        target = f"{self.list_target(visit.department)}&wr_id={notice.id}&page={page}"
        link = visit.link(target, f"http://{visit.host}{target}")
        new = '<span class="new_icon">N</span>' if visit.is_new(notice) else ""
        return (
            f'<tr class="{"even" if number else "bo_notice"}">\n'
            f'<td class="td_num2">\n\t\t{number or "<strong>공지</strong>"}\t\t</td>\n'
            f'<td><span class="cate">\n\t\t{text(notice.category)}\t</span></td>\n'
            f'<td class="td_subject"><div class="bo_tit"><a href="{text(link)}">\n\n'
            f"\t\t{visit.title(notice)}\t{new}</a></div></td>\n"
            f'<td class="td_datetime">\n\t\t{self.date(visit, notice)}</td>\n'
            f'<td class="td_num">{notice.number % 200}</td>\n</tr>'
        )

    def links(self, department: Department, look: Look) -> str:
        """Return the common part of all links; ``silent`` names the parameters to keep."""
        silent = department.variant == "silent"
        return super().links(department, replace(look, parameter="") if silent else look)

    def content_type(self, department: Department) -> str:
        """Return the header ``Content-Type``; only the default variant has a charset in it."""
        return "text/html" if department.variant else "text/html; charset=euc-kr"

    def _rules(self, department: Department) -> Mapping[str, Any]:
        silent = department.variant == "silent"
        return {
            **({"encoding": "euc-kr"} if silent else {}),
            "rows": {"select": "#bo_list tbody tr"},
            "fields": {
                "id": {"select": ".bo_tit a", "attribute": "href", "parameter": "wr_id"},
                "title": {"select": ".bo_tit a", "drop": [".new_icon"]},
                "date": {"select": ".td_datetime", "formats": [self.date_format]},
                "category": {"select": ".cate"},
                "link": {"select": ".bo_tit a", "attribute": "href"},
            },
            "pinned": [{"select": "tr.bo_notice"}, {"select": ".td_num2", "text": "공지"}],
            # Entries without this list drop the known paging parameters.
            **({"link_parameters": ["bo_table", "wr_id"]} if silent else {}),
        }
