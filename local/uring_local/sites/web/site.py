"""The whole web on one port: every host by its Host header, in plain HTTP."""

import threading
import time
from collections import Counter
from pathlib import Path
from typing import Final

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.web.journal import Asked, WebJournal
from uring_local.sites.web.model import Domain, Web
from uring_local.sites.web.replies import no_page, reply
from uring_local.sites.web.robots import FILES_HOST

# A reply takes this long, so that a second request about the same domain is noticed.
_THINKING_SECONDS: Final = 0.004


class WebSite(LoopbackServer):
    """A server of a web; it is at day 0, on which no domain exists, until it is moved.

    Args:
        path: of the journal, which a later process continues; None keeps it in memory.
        port: 0 picks a free one.
    """

    def __init__(self, web: Web, *, path: Path | None = None, port: int = 0) -> None:
        self.web = web
        self.journal = WebJournal(path)
        self._day = 0
        self._under_way: Counter[str] = Counter()
        self._lock = threading.Lock()
        super().__init__(self._reply, port=port)

    @property
    def day(self) -> int:
        """The current day, from 1; 0 before the first `advance`."""
        return self._day

    def advance(self, day: int) -> None:
        """Move to a day."""
        self._day = day

    def stop(self) -> None:
        """Stop the server and close the journal."""
        super().stop()
        self.journal.close()

    def _reply(self, request: Request) -> Answer:
        day, host = self._day, request.headers.get("host", "").partition(":")[0].lower()
        domain, path = self._find(host, request.path, day)
        name = domain.domain if domain else ""
        with self._lock:
            beside = self._under_way[name]
            self._under_way[name] += 1
        tries = self.journal.robots_tries(day, name)
        found = reply(domain, host, path, tries) if domain else no_page(404)
        self.journal.ask(Asked(day, name, host, path, self.journal.process, beside))
        time.sleep(_THINKING_SECONDS)
        with self._lock:
            self._under_way[name] -= 1
        return found

    def _find(self, host: str, path: str, day: int) -> tuple[Domain | None, str]:
        """Return the domain of a host, and the path on it; None for an unknown host."""
        if host == FILES_HOST and path != "/robots.txt":
            host, _, rest = path.removeprefix("/").partition("/")
            path = f"/{rest}"
        while host:
            number = self.web.numbers.get(host)
            if number is not None:
                return self.web.domain(number, day), path
            host = host.partition(".")[2]
        return None, path
