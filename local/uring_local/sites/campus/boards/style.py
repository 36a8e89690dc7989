"""The common part of the site's board systems."""

import html
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from uring_local.loopback import Request
from uring_local.sites.campus.model import Department, Look, Notice, Page

_NEW_FOR_TICKS: Final = 6
_HIDDEN: Final = '<tr class="blind"><td colspan="5">관리자가 숨긴 글입니다.</td></tr>'


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

    def link(self, target: str, written: str = "") -> str:
        """Return a link in the board's style.

        Args:
            target: path and query.
            written: another way to write it, relative to the list.
        """
        look, page = self.page.look, self.page
        parameters = [look.parameter, f"p_auth={page.token}" if page.token else ""]
        if look.scheme or look.host:
            written = f"{look.scheme or 'http'}://{look.host or self.host}{target}"
        written = written or target
        for parameter in filter(None, parameters):
            written = f"{written}{'&' if '?' in written else '?'}{parameter}"
        return written

    def title(self, notice: Notice) -> str:
        """Return a notice's title in the board's style, escaped."""
        return text(self.page.title(notice))

    def day(self, notice: Notice, style: str) -> str:
        """Return a notice's day in the department's format, or in the style's."""
        formats = self.department.formats or (style,)
        is_current = notice.date.year == self.page.day.year
        return notice.date.strftime(formats[-1 if is_current else 0])

    def session(self) -> str:
        """Return a session id for pages and links; it differs with every request."""
        return f"{self.nonce * 2_654_435_761 % 2**32:08x}{self.nonce:06x}"


class Style(ABC):
    """A board system: its pages, the requests it answers, and its sitemap entry.

    Attributes:
        article: finds an article's id in a path with query.
        list_page: path and query of page 1, below the department's first segment.
        list_query: parameters that a request for the list needs; others get a page without rows.
        no_rows: replaces the rows of an empty list.
        date_format: as in ``strftime``, unless the department has its own.
        keeps_parameters: whether its entry keeps unknown parameters of links.
        paging: the entry's rule for further pages.
        repeats_pinned: whether pinned notices are in the normal list too.
        encoding: of the bytes on the wire.
    """

    article: re.Pattern[str]
    list_page: str
    list_query: ClassVar[Mapping[str, str]] = {}
    no_rows: str
    date_format = "%Y-%m-%d"
    keeps_parameters = True
    paging: ClassVar[Mapping[str, Any]] = {"parameter": "page"}
    repeats_pinned = False
    encoding = "utf-8"

    def list_target(self, department: Department) -> str:
        """Return the path and query of page 1."""
        return f"/{department.site}/{self.list_page}"

    def lists(self, department: Department, request: Request) -> bool:  # noqa: ARG002
        """Return whether a request to the list's path gets the list."""
        return self.list_query.items() <= request.query.items()

    def render(self, visit: Visit) -> str:
        """Return the page as text."""
        return self._page(visit, "\n".join(self._rows(visit)) or self.no_rows)

    def entry(self, department: Department, host: str) -> dict[str, Any]:
        """Return the sitemap entry without ``id`` and ``name``."""
        url = f"http://{host}{self.list_target(department)}"
        entry = {"url": url, **self._rules(department)}
        if department.paged:
            entry["paging"] = {**self.paging, "most": 3}
        if department.dates:
            entry["fields"]["date"]["formats"] = [*department.formats]
        return entry

    def links(self, department: Department, look: Look) -> str:
        """Return the part that all links have in common, as the entry reads them, for a look."""
        return "/".join(
            (
                look.scheme or "http",
                look.host,
                type(self).__name__,
                department.site,
                look.parameter if self.keeps_parameters else "",
            )
        )

    def number(self, request: Request) -> int:
        """Return the number of the requested page, from 1; 1 for a missing or malformed number."""
        values = {**request.query, **request.form}
        given = values.get(self.paging["parameter"], "")
        first, step = self.paging.get("first", 1), self.paging.get("step", 1)
        return (int(given) - first) // step + 1 if given.isdecimal() else 1

    def date(self, visit: Visit, notice: Notice) -> str:
        """Return a notice's day in the department's format, or else the board's."""
        return visit.day(notice, self.date_format)

    def content_type(self, department: Department) -> str:  # noqa: ARG002
        """Return the header ``Content-Type``."""
        return "text/html; charset=utf-8"

    def validator(self, department: Department) -> str:  # noqa: ARG002
        """Return the kind of validator: ``etag``, ``last-modified``, or empty for none."""
        return ""

    def _rows(self, visit: Visit) -> list[str]:
        page = visit.page
        numbered: list[tuple[Notice, int | None]] = [(notice, None) for notice in page.pinned]
        numbered += [(notice, page.total - place) for place, notice in enumerate(page.normal)]
        return [
            _HIDDEN if notice.id in page.hidden else self._row(visit, notice, number)
            for notice, number in numbered
        ]

    @abstractmethod
    def _row(self, visit: Visit, notice: Notice, number: int | None) -> str:
        """Return a row; the number is None for a pinned one."""

    @abstractmethod
    def _page(self, visit: Visit, rows: str) -> str:
        """Return the page around its rows."""

    @abstractmethod
    def _rules(self, department: Department) -> Mapping[str, Any]:
        """Return the sitemap entry's rules for reading the page."""


def text(value: str) -> str:
    """Escape a text for element content and attributes."""
    return html.escape(value, quote=True)


def document(department: Department, body: str, *, meta: str = '<meta charset="utf-8">') -> str:
    """Return a page with the site's frame; like every real site's, it has a login link."""
    name = text(department.name)
    return (
        f'<!DOCTYPE html>\n<html lang="ko">\n<head>{meta}<title>{name} 공지사항</title></head>\n'
        '<body>\n<div id="top"><a href="/">누리솔대학교</a> '
        '<a href="/sso/login">로그인</a></div>\n'
        f'<h1>{name}</h1>\n{body}\n<div id="foot">누리솔대학교 {name}</div>\n</body>\n</html>\n'
    )


def login_page(department: Department) -> str:
    """Return the page of an expired session, which sites send with status 200."""
    return document(
        department,
        '<form action="/sso/login" method="post"><h2>로그인이 필요합니다</h2>'
        '<input name="userId"><input name="password" type="password">'
        "<button>로그인</button></form>",
    )


def article_page(department: Department, notice: Notice | None) -> str:
    """Return a notice's own page, for people who follow a link; None gives "deleted"."""
    if notice is None:
        return document(department, "<p>삭제되었거나 없는 글입니다.</p>")
    return document(
        department,
        f"<h2>{text(notice.title)}</h2><p>{notice.date.isoformat()} {text(notice.category)}</p>",
    )
