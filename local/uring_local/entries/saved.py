"""A site that is one saved page."""

from uring.fetch.http import Response
from uring.fetch.request import Request


class SavedSite:
    """Implements `uring.fetch.Fetches`: every address answers with the same bytes."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def fetch(self, request: Request) -> Response:
        """Return the page."""
        return Response(200, request.url, self._body, None, None, None, 1)
