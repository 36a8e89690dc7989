"""What every board software of the site has in common."""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from uring_local.sites.campus.model import Department, Notice, Page
from uring_local.sites.loopback import Request

_NEW_FOR_TICKS: Final = 6


@dataclass(frozen=True)
class Visit:
    """One rendering of a list.

    Args:
        nonce: differs with every request; view counters and session ids come from it.
    """

    department: Department
    page: Page
    host: str
    nonce: int

    def is_new(self, notice: Notice) -> bool:
        """Return whether the board marks the notice as recent."""
        return notice.published > 0 and self.page.tick - notice.published < _NEW_FOR_TICKS

    def session(self) -> str:
        """Return a session id as such sites put into pages and links."""
        return f"{self.nonce * 2_654_435_761 % 2**32:08x}{self.nonce:06x}"


@dataclass(frozen=True)
class Style:
    """A board software: how it lists, what it answers to, how it is described to the product.

    Args:
        repeats_pinned: pinned notices stand in the normal list too.
        list_target: path and query of page 1.
        lists: whether a request to that path gets the list; otherwise it gets an empty shell.
        render: the page as text.
        entry: everything of the sitemap entry but ``id`` and ``name``; host, department → fields.
        article: finds an article's id in a path with query.
        encoding: of the bytes on the wire.
        content_type: the header, or None where the server sends none with a charset.
        validator: ``etag``, ``last-modified`` or an empty text, by department.
    """

    repeats_pinned: bool
    list_target: Callable[[Department], str]
    lists: Callable[[Department, Request], bool]
    render: Callable[[Visit], str]
    entry: Callable[[Department, str], Mapping[str, Any]]
    article: re.Pattern[str]
    encoding: str = "utf-8"
    content_type: Callable[[Department], str] = lambda _: "text/html; charset=utf-8"
    validator: Callable[[Department], str] = lambda _: ""


def text(value: str) -> str:
    """Escape for element content and attributes."""
    return html.escape(value, quote=True)


def document(department: Department, body: str, *, meta: str = '<meta charset="utf-8">') -> str:
    """Return the frame around a board. It has a login link, as every real site does."""
    name = text(department.name)
    return (
        f'<!DOCTYPE html>\n<html lang="ko">\n<head>{meta}<title>{name} 공지사항</title></head>\n'
        '<body>\n<div id="top"><a href="/">누리솔대학교</a> '
        '<a href="/sso/login">로그인</a></div>\n'
        f'<h1>{name}</h1>\n{body}\n<div id="foot">누리솔대학교 {name}</div>\n</body>\n</html>\n'
    )


def login_page(department: Department) -> str:
    """Return what an expired session gets, with status 200."""
    return document(
        department,
        '<form action="/sso/login" method="post"><h2>로그인이 필요합니다</h2>'
        '<input name="userId"><input name="password" type="password">'
        "<button>로그인</button></form>",
    )


def article_page(department: Department, notice: Notice | None) -> str:
    """Return a notice of its own; for people who follow a link."""
    if notice is None:
        return document(department, "<p>삭제되었거나 없는 글입니다.</p>")
    return document(
        department,
        f"<h2>{text(notice.title)}</h2><p>{notice.date.isoformat()} {text(notice.category)}</p>",
    )
