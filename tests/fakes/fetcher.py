"""A department's site as a script: pages of one made-up board, answers in turn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from uring.fetch.http import Response
from uring.fetch.request import Request

ENTRY: dict[str, Any] = {
    "id": "cs",
    "name": "컴퓨터공학부",
    "url": "https://cs.example.ac.kr/board/notice",
    "request": {"honour_robots": False},
    "rows": "table.board tr.row",
    "fields": {
        "id": {"attribute": "data-no"},
        "title": "td.subject a",
        "link": "td.subject a",
        "date": "td.date",
    },
    "pinned": [{"select": "td.no", "text": "공지"}],
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A row of the board."""

    id: str
    title: str
    is_pinned: bool = False
    date: str = "2026-03-01"
    category: str = ""


def page_of(notices: Sequence[Notice], *, decoration: str = "") -> str:
    """The board's list page, newest first as given."""
    rows = "".join(
        f'<tr class="row" data-no="{escape(notice.id)}">'
        f'<td class="no">{"공지" if notice.is_pinned else escape(notice.id)}</td>'
        f'<td class="subject"><a href="view?no={escape(notice.id)}">{escape(notice.title)}</a></td>'
        f'<td class="date">{notice.date}</td>'
        + (f'<td class="kind">{escape(notice.category)}</td>' if notice.category else "")
        + "</tr>"
        for notice in notices
    )
    return f'<!doctype html><p>{decoration}</p><table class="board">{rows}</table>'


Answer = str | Exception | Response


class ScriptedFetcher:
    """Implements `uring.fetch.Fetches`: each fetch takes the answer of the moment.

    Args:
        answer: called for each fetch; text becomes a page in UTF-8, an exception is raised.
    """

    def __init__(self, answer: Callable[[], Answer]) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    def fetch(self, request: Request) -> Response:
        self.requests.append(request)
        answer = self.answer()
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Response) else response(answer)


def response(text: str, **more: Any) -> Response:
    """A page as the fetcher hands it over."""
    fields: dict[str, Any] = {
        "status": 200,
        "url": ENTRY["url"],
        "body": text.encode(),
        "content_type": "text/html; charset=utf-8",
        "etag": None,
        "last_modified": None,
        "requests": 1,
    }
    return Response(**fields | more)
