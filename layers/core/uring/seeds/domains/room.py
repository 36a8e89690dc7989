"""Room for large bodies: the memory that all domains in flight have for them.

    body over 1 MB ─► five times its size is free? ─► read on ─► parsed: once its size, until stored
                          └─► no ─► the domain ends, waits for the most it can need, begins again

A body takes five times its size while it is read and parsed, and a range has 200 domains in
flight. Nobody waits within a request: its site would be taken for slow.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from uring.errors import FetchFailed
from uring.fetch.http import Fetches, Response
from uring.fetch.request import LARGE_BYTES, Request
from uring.seeds.collect.gunzip import gunzip
from uring.seeds.collect.limits import LIMITS

MOST_BYTES: Final = 200_000_000
"""The room of a process, by default."""

# Not a reason of a source: the domain is collected again.
_NO_ROOM: Final = "no_room"

# 51 MB for a sitemap of 10, in UTF-16 with characters of four bytes.
_WHILE_PARSED: Final = 5
_MOST_NEEDED: Final = _WHILE_PARSED * LIMITS.sitemap_bytes


class Share:
    """The room of one domain.

    Attributes:
        is_refused: True if a body was not read for want of room: what was collected is not true.
        kept_bytes: the size of its largest body so far, which may have to be stored.
    """

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._bytes = 0
        self.kept_bytes = 0
        self._is_reserved = False
        self.is_refused = False

    @property
    def is_taken(self) -> bool:
        """True while it has room."""
        return self._bytes > 0

    def grow(self, size: int) -> bool:
        """Make room for a body of this size that is read and parsed; return whether there is."""
        need = min(_WHILE_PARSED * size, _MOST_NEEDED)
        if not (self._is_reserved or need <= self._bytes or self._take(need, 0.0)):
            self.is_refused = True
        return not self.is_refused

    def shrink(self, size: int) -> None:
        """Keep room for a body of this size that is parsed; what was reserved stays."""
        if not self._is_reserved and size < self._bytes:
            self._room.give(self._bytes - size)
            self._bytes = size

    def reserve(self, seconds: float) -> bool:
        """Take the most that a domain can need, if it is free in time; return whether it is."""
        self.release()
        self._is_reserved = self._take(min(_MOST_NEEDED, self._room.most_bytes), seconds)
        self.is_refused = not self._is_reserved
        return self._is_reserved

    def release(self) -> None:
        """Give all back; nothing happens without any."""
        self._room.give(self._bytes)
        self._bytes, self._is_reserved = 0, False

    def _take(self, need: int, seconds: float) -> bool:
        is_free = self._room.take(need - self._bytes, seconds)
        if is_free:
            self._bytes = need
        return is_free


class Room:
    """The room of a process; safe to share between threads.

    Args:
        most_bytes: its size.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._free = most_bytes
        self._change = threading.Condition()
        self._thread = threading.local()

    def take(self, size: int, seconds: float) -> bool:
        """Take some of it, if that gets free within these seconds; return whether it did."""
        with self._change:
            is_free = self._change.wait_for(lambda: self._free >= size, max(0.0, seconds))
            if is_free:
                self._free -= size
            return is_free

    def give(self, size: int) -> None:
        """Give some of it back."""
        with self._change:
            self._free += size
            self._change.notify_all()

    @contextmanager
    def visit(self) -> Iterator[Share]:
        """Yield the share of the domain that this thread collects; an error gives it back."""
        share = self._thread.share = Share(self)
        try:
            yield share
        except BaseException:
            share.release()
            raise
        finally:
            self._thread.share = None

    @property
    def share(self) -> Share | None:
        """The share of the domain that this thread collects; None if it collects none."""
        share: Share | None = getattr(self._thread, "share", None)
        return share


class RoomyFetches:
    """A client whose large bodies need room; a domain that was refused asks for no more of them."""

    def __init__(self, fetches: Fetches, room: Room) -> None:
        self._fetches = fetches
        self._room = room

    def fetch(self, request: Request) -> Response:
        """See `Fetches.fetch`."""
        share = self._room.share
        if share is None or request.max_bytes <= LARGE_BYTES:
            return self._fetches.fetch(request)
        if share.is_refused:
            raise _no_room()
        # The body before this one is parsed.
        share.shrink(share.kept_bytes)

        def grow(size: int) -> None:
            if not share.grow(size):
                raise _no_room()

        response = self._fetches.fetch(replace(request, grows=grow))
        size = len(response.body)
        if gunzip(response.body, LARGE_BYTES).truncated:
            # It is inflated when it is parsed.
            size = request.max_bytes
            grow(size)
        share.kept_bytes = max(share.kept_bytes, size if size > LARGE_BYTES else 0)
        return response


def _no_room() -> FetchFailed:
    return FetchFailed(_NO_ROOM, "other domains have all room for large files")
