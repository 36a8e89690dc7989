"""Answers HTTP requests from the current pages, and changes nothing."""

import hashlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.campus.boards import STYLES
from uring_local.sites.campus.boards.style import Style, Visit, article_page, login_page, text
from uring_local.sites.campus.disguise import challenge_page, cut, disguised, recoded
from uring_local.sites.campus.model import Department, Notice, Page, Redesign
from uring_local.sites.campus.trouble import Trouble

_OPENED: Final = datetime(2026, 3, 2, tzinfo=UTC)
_TICK: Final = timedelta(minutes=10)
# The status and the page that replace a list.
_INSTEAD: Mapping[str, tuple[int, Callable[[Department], str]]] = {
    "500": (500, lambda _: "<h1>500 Internal Server Error</h1>"),
    "login": (200, login_page),
    "challenge": (200, lambda _: challenge_page()),
}


class BoardServer(ABC, LoopbackServer):
    """A server of departments' boards; a subclass has their pages on the current tick.

    Args:
        port: see `LoopbackServer`.
    """

    departments: Sequence[Department]
    pages: Mapping[str, Page]
    troubles: Mapping[str, Trouble]
    redesigns: Mapping[str, Redesign]
    sites: dict[str, str]
    asked: set[str] | None

    def __init__(self, *, port: int) -> None:
        self._nonces = itertools.count(1)
        super().__init__(self._answer_to, port=port)

    @abstractmethod
    def department(self, name: str) -> Department:
        """Return a department in its current form."""

    @abstractmethod
    def article(self, department: str, notice_id: str) -> Notice | None:
        """Return a notice of any age; None if it was removed or never published."""

    def _answer_to(self, request: Request) -> Answer:
        site = request.path.split("/")[1] if request.path.startswith("/") else ""
        name = self.sites.get(site)
        if name is None:
            return self._index() if request.path == "/" else _page(404, "없는 주소입니다.")
        department = self.department(name)
        redesign = self.redesigns.get(department.id)
        style = STYLES[department.style]
        page = self.pages.get(department.id)
        article = style.article.search(request.target)
        if article is not None:
            notice = self.article(department.id, article[1])
            body = article_page(department, notice)
            return _page(200 if notice else 404, body, style, department)
        before = redesign.before if redesign is not None else department
        if page is None or not {_path(department), _path(before)} & {request.path}:
            return _page(404, "없는 주소입니다.")
        if not (_asks(department, request) or _asks(before, request)):
            # The right address with the wrong method or parameters.
            page = replace(page, pinned=(), normal=())
        if self.asked is not None:
            self.asked.add(department.id)
        return self._list(department, style, page, request)

    def _list(self, department: Department, style: Style, page: Page, request: Request) -> Answer:
        trouble = self.troubles.get(department.id)
        kind = trouble.kind if trouble else ""
        if kind in _INSTEAD:
            status, body = _INSTEAD[kind]
            return _page(status, body(department), style, department)
        host, nonce = request.headers.get("host", ""), next(self._nonces)
        shown = disguised(_further(page, style.number(request)), kind, style, nonce)
        body_text = style.render(Visit(department, shown, host, nonce))
        if kind == "cut":
            return _page(200, cut(body_text, nonce), style, department)
        if kind == "recoded":
            return recoded(body_text, style, nonce)
        answer = _page(200, body_text, style, department)
        if trouble is not None and kind == "slow":
            return replace(answer, manner="drip", seconds=trouble.seconds)
        if shown is page and page.pinned + page.normal:
            answer = _conditional(answer, style.validator(department), page, request)
        return replace(answer, seconds=trouble.seconds) if trouble else answer

    def _index(self) -> Answer:
        items = "".join(
            f'<li><a href="{text(STYLES[d.style].list_target(d))}">{text(d.name)}</a></li>'
            for d in self.departments
        )
        return _page(200, f'<meta charset="utf-8"><h1>누리솔대학교</h1><ul>{items}</ul>')


def _further(page: Page, number: int) -> Page:
    """Return a page of the list, by its number from 1; pinned rows are on each page."""
    if number == 1:
        return page
    rows = len(page.normal)
    start = (number - 2) * rows
    return replace(page, normal=page.later[start : start + rows])


def _path(department: Department) -> str:
    return STYLES[department.style].list_target(department).partition("?")[0]


def _asks(department: Department, request: Request) -> bool:
    lists = STYLES[department.style].lists
    return request.path == _path(department) and lists(department, request)


def _page(
    status: int, body: str, style: Style | None = None, department: Department | None = None
) -> Answer:
    content_type, encoding = "text/html; charset=utf-8", "utf-8"
    if style is not None and department is not None:
        content_type, encoding = style.content_type(department), style.encoding
    return Answer(status, body.encode(encoding), {"Content-Type": content_type})


def _conditional(answer: Answer, validator: str, page: Page, request: Request) -> Answer:
    """Return the answer with its validator, or 304 if the client's copy is current (RFC 9110)."""
    if validator == "etag":
        value = f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"'
        fresh = value in request.headers.get("if-none-match", "")
        header = {"ETag": value}
    elif validator == "last-modified":
        value = format_datetime(_OPENED + page.changed * _TICK, usegmt=True)
        fresh = value == request.headers.get("if-modified-since", "")
        header = {"Last-Modified": value}
    else:
        return answer
    if fresh:
        return Answer(304, headers=header)
    return replace(answer, headers={**answer.headers, **header})
