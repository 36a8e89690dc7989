"""Answers HTTP requests from the pages of the moment. It changes nothing."""

import hashlib
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from uring_local.campus.boards import STYLES
from uring_local.campus.boards.style import Style, Visit, article_page, login_page, text
from uring_local.campus.model import Department, Notice, Page
from uring_local.campus.trouble import Trouble
from uring_local.loopback import Answer, Request

_OPENED = datetime(2026, 3, 2, tzinfo=UTC)
_TICK = timedelta(minutes=10)


class Responder:
    """Turns requests into answers; called from many threads at once.

    Args:
        departments: of the site.
        pages: gives the current page of every department, an object that never changes.
        troubles: gives the current trouble of every department that has one.
        article: finds a notice by department and id.
    """

    def __init__(
        self,
        departments: tuple[Department, ...],
        *,
        pages: Callable[[], Mapping[str, Page]],
        troubles: Callable[[], Mapping[str, Trouble]],
        article: Callable[[str, str], Notice | None],
    ) -> None:
        self._by_site = {department.site: department for department in departments}
        self._pages = pages
        self._troubles = troubles
        self._article = article
        self._nonces = itertools.count(1)

    def __call__(self, request: Request) -> Answer:
        """Answer one request."""
        site = request.path.split("/")[1] if request.path.startswith("/") else ""
        department = self._by_site.get(site)
        if department is None:
            return self._index() if request.path == "/" else _page(404, "없는 주소입니다.")
        style = STYLES[department.style]
        page = self._pages().get(department.id)
        article = style.article.search(request.target)
        if article is not None:
            notice = self._article(department.id, article[1])
            body = article_page(department, notice)
            return _page(200 if notice else 404, body, style, department)
        if page is None or request.path != style.list_target(department).partition("?")[0]:
            return _page(404, "없는 주소입니다.")
        return self._list(department, style, page, request)

    def _list(self, department: Department, style: Style, page: Page, request: Request) -> Answer:
        trouble = self._troubles().get(department.id)
        kind = trouble.kind if trouble else ""
        if kind == "500":
            return _page(500, "<h1>500 Internal Server Error</h1>")
        if kind == "login":
            return _page(200, login_page(department), style, department)
        if kind == "empty" or not style.lists(department, request):
            page = replace(page, pinned=(), normal=())
        host = request.headers.get("Host", "")
        body = style.render(Visit(department, page, host, next(self._nonces)))
        answer = _page(200, body, style, department)
        if kind == "empty":
            return answer
        if kind == "slow" and trouble is not None:
            return replace(answer, manner="drip", seconds=trouble.seconds)
        answer = _conditional(answer, style.validator(department), page, request)
        return replace(answer, seconds=trouble.seconds) if trouble else answer

    def _index(self) -> Answer:
        items = "".join(
            f'<li><a href="{text(STYLES[d.style].list_target(d))}">{text(d.name)}</a></li>'
            for d in self._by_site.values()
        )
        return _page(200, f'<meta charset="utf-8"><h1>누리솔대학교</h1><ul>{items}</ul>')


def _page(
    status: int, body: str, style: Style | None = None, department: Department | None = None
) -> Answer:
    content_type, encoding = "text/html; charset=utf-8", "utf-8"
    if style is not None and department is not None:
        content_type, encoding = style.content_type(department), style.encoding
    return Answer(status, body.encode(encoding), {"Content-Type": content_type})


def _conditional(answer: Answer, validator: str, page: Page, request: Request) -> Answer:
    """The answer with its validator, or 304 where the client's copy is still good (RFC 9110)."""
    if validator == "etag":
        value = f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"'
        fresh = value in request.headers.get("If-None-Match", "")
        header = {"ETag": value}
    elif validator == "last-modified":
        value = format_datetime(_OPENED + page.changed * _TICK, usegmt=True)
        fresh = value == request.headers.get("If-Modified-Since", "")
        header = {"Last-Modified": value}
    else:
        return answer
    if fresh:
        return Answer(304, headers=header)
    return replace(answer, headers={**answer.headers, **header})
