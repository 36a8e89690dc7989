"""The known files of one domain, by address: what is sent for them, and what a 304 stands for.

A 304 counts only for the address that gave the validators, after redirects too, and only if its own
validators do not name another file. Everything else is read whole.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from uring.fetch.http import Response
from uring.fetch.request import Validators
from uring.seeds.collect.sitemap import SitemapFile
from uring.seeds.known.urls import SitemapUrls

_NONE: Final = Validators()


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file that was read whole.

    Attributes:
        validators: of that response.
        read_at: when that was, in ISO 8601.
        body: as read; empty if the file is known as ``sitemap`` alone.
        sitemap: a sitemap as parsed; None if ``body`` is to be parsed.
        is_false: True if its validators stayed the same while it changed: they are not sent.
        sent: the validators to be sent, if not all; empty if it is to be read whole this time.
    """

    validators: Validators
    read_at: str
    body: bytes = b""
    sitemap: SitemapFile | None = None
    is_false: bool = False
    sent: Validators | None = None

    @property
    def conditions(self) -> Validators:
        """The validators to be sent; empty if the file is to be read whole."""
        if self.is_false:
            return _NONE
        sent = self.validators if self.sent is None else self.sent
        return sent.sendable()

    def is_as(self, other: "KnownFile") -> bool:
        """Return True if both are the same file, by their bytes where those are known."""
        digests = (_digest(self), _digest(other))
        if all(digests):
            return digests[0] == digests[1]
        return _shape(self.sitemap) == _shape(other.sitemap)


class KnownFiles:
    """The known files of one domain, for one visit; not to be shared between threads.

    Args:
        earlier: by address, the files that a request may be conditional on.
        urls: collects the URLs of all sitemaps that are read; None if nobody needs them.

    Attributes:
        urls: see above.
        read: by address, the files of this visit that have validators; confirmed files are as they
            were.
        replaced: the addresses that were read whole.
    """

    def __init__(
        self, earlier: Mapping[str, KnownFile] | None = None, urls: SitemapUrls | None = None
    ) -> None:
        self._earlier = dict(earlier or {})
        self.urls = urls
        self.read: dict[str, KnownFile] = {}
        self.replaced: set[str] = set()

    def conditions(self, url: str) -> Validators:
        """Return the validators to be sent to an address; none for an unknown one."""
        file = self._earlier.get(url)
        return _NONE if file is None else file.conditions

    def by_body(self) -> "KnownFiles":
        """Return the files whose body is known: a sitemap as parsed is not a robots.txt."""
        return KnownFiles({url: file for url, file in self._earlier.items() if not file.sitemap})

    def confirms(self, response: Response) -> bool:
        """Return True if a 304 is about the known file of its address."""
        conditions = self.conditions(response.url)
        is_it = bool(conditions) and not response.is_other
        return is_it and conditions.are_of(response.validators)

    def confirmed(self, response: Response) -> KnownFile | None:
        """Return the known file that a 304 stands for; None for a response with a body.

        `DomainVisit` returns a 304 only if it confirms a file.
        """
        if response.status != HTTPStatus.NOT_MODIFIED:
            return None
        file = self._earlier[response.url]
        self.read[response.url] = file
        return file

    def validators(self, response: Response) -> Validators | None:
        """Return the validators to be stored with a file of this visit; None for none."""
        file = self.read.get(response.url)
        return None if file is None or file.is_false else file.validators

    def learn(
        self, response: Response, at: str, *, body: bytes = b"", sitemap: SitemapFile | None = None
    ) -> None:
        """Note a file that was read whole.

        Args:
            response: with its address and validators.
            at: the time, in ISO 8601.
            body: to be known by its body.
            sitemap: to be known as parsed; its content is dropped.
        """
        url = response.url
        self.replaced.add(url)
        self.read.pop(url, None)
        parsed = None if sitemap is None else replace(sitemap, content=b"")
        file = KnownFile(response.validators, at, body, parsed)
        before = self._earlier.get(url)
        if before is not None and before.validators == file.validators:
            file = replace(file, is_false=before.is_false or not file.is_as(before))
        if response.status == HTTPStatus.OK and file.validators:
            self.read[url] = file


def _digest(file: KnownFile) -> str:
    """Return the SHA-256 of a file; empty for a sitemap whose numbers alone are known."""
    if file.sitemap is not None:
        return file.sitemap.digest
    return hashlib.sha256(file.body).hexdigest()


def _shape(file: SitemapFile | None) -> tuple[object, ...]:
    return () if file is None else (file.kind, file.url_count, file.truncated, file.locs)
