"""The text of a parse job: the file is fetched, and read by the extractor."""

import hashlib
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.extract.extraction import Extraction
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.fetch.tls import STRICT
from uring.regulations.source import Registry
from uring.regulations.texts.job import ParseEntry
from uring.regulations.texts.state import FileValidators
from uring.sources.requests import Requests, ask_robots, obey
from uring.sources.site import request_for

READ_SECONDS: Final = 90
"""The limit for all requests of one job."""
MAX_BYTES: Final = 50_000_000
_FILE_SECONDS: Final = 60.0

Extract = Callable[[bytes, Collection[str]], Extraction]
"""A function that reads a file of one of these formats.

Raises `uring.errors.Retryable` where the extractor does not answer.
"""


class FileUnreadable(SuspectPage):
    """Raised when a fetched file has no readable text.

    ``is_permanent``: another try of the same file cannot help.
    """

    def __init__(self, reason: str, detail: str, *, is_permanent: bool) -> None:
        super().__init__(reason, detail)
        self.is_permanent = is_permanent


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file's text, the file's final address, and its validators."""

    url: str
    extraction: Extraction
    validators: FileValidators


class TextReader:
    """The reader of files: it fetches and extracts; safe to share between threads.

    Args:
        fetcher: the guarded HTTP client.
        extract: see `Extract`.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self, fetcher: Fetches, extract: Extract, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetcher = fetcher
        self._extract = extract
        self._monotonic = monotonic

    def requests(self) -> Requests:
        """Return the request budget of one job."""
        return Requests(self._fetcher, self._monotonic, READ_SECONDS)

    def read(self, entry: ParseEntry, requests: Requests, now: datetime) -> ReadFile:
        """Return the text of a regulation's file, or else of its preview.

        Raises:
            SourceTrouble: neither can be read. It is the file's trouble, or the preview's where
                the file's is permanent and the preview's may pass.
            Retryable: the extractor did not answer.
        """
        registry, troubles = entry.registry, list[SourceTrouble]()
        for url in dict.fromkeys((entry.download_url, entry.preview_url)):
            try:
                response = self._fetch(registry, FileValidators(url=url), requests, now)
                return self._read(registry, url, response)
            except SourceTrouble as trouble:
                troubles.append(trouble)
        # A served preview without text, such as a viewer, has no text tomorrow either.
        passing = (trouble for trouble in troubles[1:] if not isinstance(trouble, FileUnreadable))
        raise next(passing, troubles[0]) if is_permanent(troubles[0]) else troubles[0]

    def read_again(
        self,
        entry: ParseEntry,
        known: FileValidators,
        digest: str,
        requests: Requests,
        now: datetime,
    ) -> ReadFile | FileValidators:
        """Return the text of a file that has other bytes by now; else its validators.

        Only the address that the text came from is asked: a preview would be another text. The
        body is read whole where the site does not know the validators.

        Args:
            entry: of the job.
            known: the validators of the known file.
            digest: the SHA-256 of its bytes.
            requests: of this job.
            now: aware UTC.

        Raises:
            SourceTrouble: the file cannot be read.
            Retryable: the extractor did not answer.
        """
        if known.url not in (entry.download_url, entry.preview_url):
            known = FileValidators(url=_moved(entry, known.url))
        response = self._fetch(entry.registry, known, requests, now)
        if response.status == HTTPStatus.NOT_MODIFIED:
            if known.etag is None and known.last_modified is None:
                raise FetchFailed("protocol", "304 without a condition; ask the site's operator")
            return _validators(known.url, response)
        if hashlib.sha256(response.body).hexdigest() == digest:
            return _validators(known.url, response)
        return self._read(entry.registry, known.url, response)

    def _fetch(
        self, registry: Registry, known: FileValidators, requests: Requests, now: datetime
    ) -> Response:
        url = known.url
        obey(registry, ask_robots(registry, None, requests, now, (url, url)))
        request = _request(registry, url)
        return requests.fetch(replace(request, etag=known.etag, last_modified=known.last_modified))

    def _read(self, registry: Registry, url: str, response: Response) -> ReadFile:
        extraction = self._extract(response.body, registry.formats)
        if extraction.outcome != "text":
            raise FileUnreadable(
                extraction.outcome, extraction.reason, is_permanent=extraction.is_permanent
            )
        return ReadFile(response.url, extraction, _validators(url, response))


def _moved(entry: ParseEntry, url: str) -> str:
    """Return the new address of what had this one: keys in the query of all addresses may move."""
    is_preview = [
        urlsplit(each).path == urlsplit(url).path
        for each in (entry.download_url, entry.preview_url)
    ] == [False, True]
    return entry.preview_url if is_preview else entry.download_url


def is_permanent(trouble: SourceTrouble) -> bool:
    """Return whether another try can never help."""
    return isinstance(trouble, FileUnreadable) and trouble.is_permanent


def _validators(url: str, response: Response) -> FileValidators:
    return FileValidators(url=url, etag=response.etag, last_modified=response.last_modified)


def _request(registry: Registry, url: str) -> Request:
    """Return the request for a file.

    The entry's headers and TLS exceptions go only to the page's own host.
    """
    request = request_for(registry)
    page, file = urlsplit(registry.url), urlsplit(url)
    # Never from https to http: a header may be a password.
    own = file.netloc == page.netloc and file.scheme in (page.scheme, "https")
    return replace(
        request,
        url=url,
        method="GET",
        form=None,
        headers=request.headers if own else {},
        # An exception for one host's certificate does not hold for another host.
        tls=request.tls if own else STRICT,
        max_bytes=MAX_BYTES,
        timeout_seconds=max(request.timeout_seconds, _FILE_SECONDS),
    )
