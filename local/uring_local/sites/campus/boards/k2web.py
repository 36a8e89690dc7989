"""The board system ``k2web``."""

import re
from collections.abc import Mapping
from typing import Any

from uring_local.sites.campus.boards.style import Style, Visit, document, text
from uring_local.sites.campus.model import Department, Notice


class K2Web(Style):
    """A table whose pinned rows are repeated in the normal list, with badges inside the anchors.

    Variants: the title has its own element (default); the title is among the badges, and links
    carry a session id (``plain``); the administrator has blinded a row (``blind``).
    """

    article = re.compile(r"/(\d+)/artclView\.do(?:[;?]|\Z)")
    no_rows = '<tr><td colspan="5">등록된 글이 없습니다.</td></tr>'
    repeats_pinned = True
    date_format = "%Y.%m.%d"

    def _board(self, department: Department) -> int:
        return 100 + department.first_id % 900

    def list_target(self, department: Department) -> str:
        """Return the path of page 1, with the board's number in it."""
        return f"/{department.site}/bbs/{self._board(department)}/artclList.do"

    def _page(self, visit: Visit, rows: str) -> str:
        return document(
            visit.department,
            '<table class="board-table horizon1">\n<thead><tr><th>번호</th><th>제목</th>'
            f"<th>작성자</th><th>작성일</th><th>조회수</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>",
        )

    def _rows(self, visit: Visit) -> list[str]:
        rows = super()._rows(visit)
        if visit.department.variant == "blind" and rows:
            cells = '<td class="td-num">블라인드</td><td class="td-subject">블라인드</td>'
            blinded = f'<tr class="blind">{cells}<td colspan="3"></td></tr>'
            rows.insert(len(visit.page.pinned) + 2, blinded)
        return rows

    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        department = visit.department
        board = self._board(department)
        title = visit.title(notice)
        session = f";jsessionid={visit.session()}" if department.variant == "plain" else ""
        target = f"/{department.site}/bbs/{board}/{notice.id}/artclView.do{session}"
        if department.variant != "plain":
            title = f"<strong>\r\n\t\t{title}\r\n\t</strong>"
        badge = "[\r\n\t\t일반공지\r\n\t]\r\n\t" if number is None else ""
        new = '<span class="new">새글</span>' if visit.is_new(notice) else ""
        return (
            f'<tr class="{"notice" if number is None else ""}">\n'
            f'<td class="td-num"><span>{number or "일반공지"}</span></td>\n'
            '<td class="td-subject">'
            f'<a href="{text(visit.link(target))}" '
            f"onclick=\"jf_viewArtcl('{department.site}', '{board}', '{notice.id}')\">\n"
            f"\t{badge}{title}\n\t{new}</a></td>\n"
            f'<td class="td-write">{text(department.name)}</td>\n'
            f'<td class="td-date">{self.date(visit, notice)}</td>\n'
            f'<td class="td-access">{notice.number % 90 + visit.nonce}</td>\n</tr>'
        )

    def _rules(self, department: Department) -> Mapping[str, Any]:
        plain = department.variant == "plain"
        title: dict[str, Any] = {"select": "td.td-subject strong"}
        if plain:
            title = {"select": "td.td-subject a", "drop": [".new"], "strip": ["[ 일반공지 ]"]}
        return {
            "rows": {"select": "table.board-table > tbody > tr", "drop": ["tr.blind"]},
            "fields": {
                "id": {
                    "select": "td.td-subject a",
                    "attribute": "onclick",
                    "pattern": r"jf_viewArtcl\('\w+', *'\d+', *'(\d+)'\)",
                },
                "title": title,
                "date": {"select": "td.td-date", "formats": [self.date_format]},
                "link": {"select": "td.td-subject a", "attribute": "href"},
            },
            "pinned": [{"select": "tr.notice"}],
        }
