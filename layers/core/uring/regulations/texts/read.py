"""The text of a parse job: the file is fetched, and read by the extractor."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from uring.errors import SourceTrouble, SuspectPage
from uring.extract.extraction import Extraction
from uring.fetch.http import Fetches
from uring.fetch.request import Request
from uring.fetch.tls import STRICT
from uring.regulations.source import Registry
from uring.regulations.texts.job import ParseEntry
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
    """A file's text, and the file's final address."""

    url: str
    extraction: Extraction


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
                obey(registry, ask_robots(registry, None, requests, now, (url, url)))
                return self._read(registry, url, requests)
            except SourceTrouble as trouble:
                troubles.append(trouble)
        # A served preview without text, such as a viewer, has no text tomorrow either.
        passing = (trouble for trouble in troubles[1:] if not isinstance(trouble, FileUnreadable))
        raise next(passing, troubles[0]) if is_permanent(troubles[0]) else troubles[0]

    def _read(self, registry: Registry, url: str, requests: Requests) -> ReadFile:
        response = requests.fetch(_request(registry, url))
        extraction = self._extract(response.body, registry.formats)
        if extraction.outcome != "text":
            raise FileUnreadable(
                extraction.outcome, extraction.reason, is_permanent=extraction.is_permanent
            )
        return ReadFile(response.url, extraction)


def is_permanent(trouble: SourceTrouble) -> bool:
    """Return whether another try can never help."""
    return isinstance(trouble, FileUnreadable) and trouble.is_permanent


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
