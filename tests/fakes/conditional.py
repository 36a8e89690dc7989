"""A web whose servers have validators: honest ones, and those that lie."""

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fakes.seeds import SeedWeb
from uring.fetch.http import Response
from uring.fetch.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: its address and validators, and the status of its answer."""

    url: str
    etag: str | None
    last_modified: str | None
    status: int


def etag_of(body: bytes) -> str:
    """A strong ETag."""
    return f'"{hashlib.sha256(body).hexdigest()[:16]}"'


class ConditionalWeb(SeedWeb):
    """Bodies with ETags, by default; implements `Fetches`.

    Attributes:
        etag: of a body; None for none.
        last_modified: of an address; None for none.
        is_met: True if a request's validators are those of the page; by default the ETag alone
            counts, if there is one.
        confirmed: the ETag of a 304; None for the one that was sent.
        requests: all that were sent, with the status of the answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.etag: Callable[[bytes], str | None] = etag_of
        self.last_modified: Callable[[str], str | None] = lambda _: None
        self.is_met: Callable[[Request, Response], bool] = _is_met
        self.confirmed: str | None = None
        self.requests: list[Sent] = []

    def fetch(self, request: Request) -> Response:
        try:
            page = super().fetch(request)
        except Exception:
            self._note(request, 0)
            raise
        dated = self.last_modified(page.url)
        page = replace(page, etag=self.etag(page.body), last_modified=dated)
        is_conditional = bool(request.etag or request.last_modified)
        if is_conditional and self.is_met(request, page):
            etag = self.confirmed or request.etag
            dated = request.last_modified
            page = replace(page, status=304, body=b"", etag=etag, last_modified=dated)
        self._note(request, page.status)
        return page

    def _note(self, request: Request, status: int) -> None:
        self.requests.append(Sent(request.url, request.etag, request.last_modified, status))

    def statuses(self, url: str) -> list[int]:
        """The statuses of an address, in order."""
        return [sent.status for sent in self.requests if sent.url == url]


def _is_met(request: Request, page: Response) -> bool:
    if request.etag:
        return request.etag.removeprefix("W/") == (page.etag or "").removeprefix("W/")
    return request.last_modified == page.last_modified
