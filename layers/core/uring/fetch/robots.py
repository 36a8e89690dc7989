"""The decision of a site's robots.txt on the addresses of an entry (RFC 9309).

It is fetched once a day for each entry, and the decision is kept in the source's state, so that an
unchanged check needs no second request, even after a cold start.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field

from uring.clock import Timestamp, timestamp
from uring.errors import FetchFailed
from uring.fetch.decode import decode_plain
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.fetch.tls import Tls

if TYPE_CHECKING:
    from protego import Protego

PRODUCT: Final = "uRing"
"""The product token that robots.txt may name; the User-Agent begins with it."""

_VALID_FOR: Final = timedelta(days=1)
_TIMEOUT_SECONDS: Final = 10
_MOST_REDIRECTS: Final = 8
_LONGEST_KEY: Final = 300
_MAX_BYTES: Final = 5_000_000
# RFC 9309, section 2.5: at least 500 KiB must be read; the rest does not count.
_READ_BYTES: Final = 512_000
# As long as Google's; a line with more wildcards takes too long to match.
_LONGEST_LINE: Final = 16_663
_MOST_WILDCARDS: Final = 20
# RFC 9309, section 2.2.1: a product token, whatever follows it.
_TOKEN: Final = re.compile(r"\*(?=\s|\Z)|[a-z_-]+", re.IGNORECASE)
_RULES: Final = frozenset({"allow", "disallow"})
_LINE: Final = re.compile(r"[^\r\n]+")
_UNITS: Final = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0}
_DURATION: Final = re.compile(
    r"([0-9.]{1,20})\s*(?:(ms)|(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?)\.?", re.IGNORECASE
)
_RATE: Final = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9.]{1,20}\s*[a-z]*)", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[\s_-]")
_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|head|body|script|\?xml)", re.IGNORECASE)


class RobotsDecision(BaseModel):
    """A site's robots.txt on one entry's addresses (RFC 9309).

    Attributes:
        entry: the fingerprint of the judged entry.
        allowed: whether the list may be fetched.
        paging: whether its further pages may be fetched.
        asked_at: the time of the decision, which holds for a day.
        redirects: whether an address to which the list redirects may be fetched, by
            `redirect_key`; older releases ask for none.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    entry: str
    allowed: bool
    paging: bool
    asked_at: Timestamp
    redirects: Mapping[str, bool] = Field(default_factory=dict)

    def judged(self, url: str, *, allowed: bool) -> "RobotsDecision":
        """Return a copy that has the verdict on a redirect; of nine the oldest is forgotten."""
        kept = [*self.redirects.items()][-_MOST_REDIRECTS + 1 :]
        redirects = dict(kept) | {redirect_key(url): allowed}
        return self.model_copy(update={"redirects": redirects})


def redirect_key(url: str) -> str:
    """Return origin and path of a redirect: its query may change at every request."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path.partition(';')[0]}"[:_LONGEST_KEY]


def verdict_on(redirects: Mapping[str, bool], url: str) -> bool | None:
    """Return whether a redirect's address may be fetched; None if its robots.txt must be asked.

    Where the path changes at every request, the last verdict on its host holds for the day.
    """
    key = redirect_key(url)
    if key in redirects or len(redirects) < _MOST_REDIRECTS:
        return redirects.get(key)
    origin = "/".join(key.split("/")[:3]) + "/"
    return next((redirects[old] for old in reversed([*redirects]) if old.startswith(origin)), None)


def is_due(decision: RobotsDecision | None, entry: str, now: datetime) -> bool:
    """Return whether robots.txt must be fetched: no decision yet, a new entry, or a day later."""
    return decision is None or decision.entry != entry or now >= holds_until(decision)


def holds_until(decision: RobotsDecision) -> datetime:
    """Return the time, in UTC, at which a decision expires."""
    return datetime.fromisoformat(decision.asked_at) + _VALID_FOR


def ask(
    fetch: Callable[[Request], Response],
    entry: str,
    urls: tuple[str, str],
    now: datetime,
    *,
    timeout_seconds: float,
    tls: Tls,
) -> RobotsDecision:
    """Fetch the robots.txt of a host and judge an entry by it.

    A missing or forbidden file allows everything (RFC 9309, section 2.3.1.3).

    Args:
        fetch: sends a request.
        entry: the fingerprint of the entry.
        urls: of page 1 and of a further page.
        now: aware UTC.
        timeout_seconds: of an ordinary request to the site; robots.txt gets at most ten seconds.
        tls: the demands on the site's certificate.

    Raises:
        FetchFailed: ``robots_unreachable``: no answer, or 5xx, which forbids everything for now.
    """
    first, further = urls
    request = Request(
        url=urljoin(first, "/robots.txt"),
        timeout_seconds=min(_TIMEOUT_SECONDS, timeout_seconds),
        max_bytes=_MAX_BYTES,
        tls=tls,
    )
    try:
        rules = read_robots(fetch(request).body[:_READ_BYTES])
    except FetchFailed as trouble:
        if trouble.reason not in ("not_found", "forbidden", "rejected"):
            raise FetchFailed(
                "robots_unreachable",
                f"{request.url}: {trouble}; nothing is fetched until it answers",
                retry_after=trouble.retry_after,
            ) from trouble
        rules = None
    return RobotsDecision(
        entry=entry,
        allowed=rules is None or rules.allows(first),
        paging=rules is None or rules.allows(further),
        asked_at=timestamp(now),
    )


@dataclass(frozen=True)
class RobotsFile:
    """A parsed robots.txt: the rules for us, and its Sitemap lines, which are for all.

    Attributes:
        encoding: the codec that read it.
        is_html: a page of the site was sent in place of a missing file: it has no rules.
        lines: the number of lines that are not blank.
        crawl_delay: the seconds to wait between two requests, or None.
        sitemaps: the unchanged values of the Sitemap lines, in their order, repeated ones too.
        rules: the groups for us and for everybody, to be parsed by the library.
    """

    encoding: str
    is_html: bool
    lines: int = 0
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    rules: str = ""

    def allows(self, url: str) -> bool:
        """Return whether we may fetch a URL of this host; a file without rules allows all."""
        return self._matcher is None or self._matcher.can_fetch(url, PRODUCT)

    @cached_property
    def _matcher(self) -> "Protego | None":
        if not self.rules:
            return None
        # The import takes 30 ms, which an ordinary check need not pay.
        from protego import Protego  # noqa: PLC0415

        return Protego.parse(self.rules)


def read_robots(body: bytes) -> RobotsFile:
    """Parse the bytes of any file as a robots.txt.

    An HTML page gives a file without rules, and malformed lines are skipped. Rules beyond the first
    500 KiB do not count.
    """
    decoded = decode_plain(body)
    if _MARKUP.match(decoded.text):
        return RobotsFile(decoded.encoding, is_html=True)
    groups = _Groups()
    sitemaps: list[str] = []
    lines = 0
    for line in _LINE.finditer(decoded.text):
        text = line[0][:_LONGEST_LINE].partition("#")[0].strip()
        lines += bool(text or line[0].strip())
        if values := _sitemaps(text):
            sitemaps += values
        elif text and line.start() < _READ_BYTES:
            groups.read(text)
    if decoded.text.lstrip()[:1] == "<" and not groups.is_known and not sitemaps:
        return RobotsFile(decoded.encoding, is_html=True)
    return RobotsFile(
        decoded.encoding,
        is_html=False,
        lines=lines,
        crawl_delay=groups.crawl_delay,
        sitemaps=tuple(sitemaps),
        rules="\n".join(groups.rules),
    )


def _sitemaps(text: str) -> list[str]:
    """Return the values of a Sitemap line; empty for any other line or a missing value.

    As crawlers read it, the colon may be missing, and quotes, angle brackets and commas are no part
    of a value. Only the first word counts, and whole addresses behind it.
    """
    if not text[:8].lower().startswith(("sitemap", "site-map")):
        return []
    name, colon, value = text.partition(":")
    if not colon or len(name.split()) > 1:
        # "Sitemap https://…": the colon belongs to the address.
        value = text.partition(" ")[2] or text.partition("\t")[2]
    words = [word.strip("\"'<>,") for word in value.split()]
    further = [word for word in words[1:] if word.lower().startswith(("http://", "https://"))]
    return [word for word in (*words[:1], *further) if word]


class _Groups:
    """The lines of the groups for us and for everybody.

    Other groups are left out: the library's cost is the number of agents times that of rules.

    Attributes:
        rules: the lines to parse.
        is_known: any line of any group was seen.
    """

    def __init__(self) -> None:
        self.rules: list[str] = []
        self.is_known = False
        self._agents: list[str] = []
        self._naming = False
        self._delays: dict[str, dict[str, float]] = {}

    @property
    def crawl_delay(self) -> float | None:
        """The delay of our own group, or of everybody's where there is no group for us.

        Of Crawl-delay and Request-rate the longer one, of each the first.
        """
        delays = self._delays.get(PRODUCT.lower(), self._delays.get("*", {}))
        return max(delays.values(), default=None)

    def read(self, text: str) -> None:
        """Read a line without its comment; blank and Sitemap lines are not passed here."""
        name, colon, value = text.partition(":")
        if not colon:
            # As Google does, between two words it is added.
            name, *values = text.split()
            value = values[0] if len(values) == 1 else ""
            if not value:
                return
        if value.count("*") > _MOST_WILDCARDS:
            return
        kind = _SEPARATORS.sub("", name).lower()
        if kind == "useragent":
            self._name(value)
        elif kind in _RULES:
            # Only a rule ends the names of a group; other lines do not.
            self._naming, self.is_known = False, True
            if self._agents:
                self.rules.append(f"{kind}:{value}")
        elif kind in _DELAYS and (seconds := _DELAYS[kind](value)) is not None:
            for agent in self._agents:
                self._delays[agent].setdefault(kind, seconds)

    def _name(self, value: str) -> None:
        self.is_known = True
        if not self._naming:
            self._agents, self._naming = [], True
        token = _TOKEN.match(value.strip())
        agent = token[0].lower() if token else ""
        if agent in (PRODUCT.lower(), "*") and agent not in self._agents:
            self._agents.append(agent)
            self._delays.setdefault(agent, {})
            self.rules.append(f"User-agent: {agent}")


def _seconds(value: str) -> float | None:
    """Return a number of seconds, with or without a unit; None if it is not one."""
    number, unit = value.strip(), ""
    if found := _DURATION.fullmatch(number):
        number, unit = found[1], (found[2] or found[3] or found[4]).lower()
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def _seconds_each(value: str) -> float | None:
    """Return the seconds for one request of a rate such as ``1/10``, ``2/1m 0600-0845``."""
    found = _RATE.match(value)
    requests = int(found[1]) if found else 0
    seconds = _seconds(found[2]) if found else None
    return seconds / requests if requests and seconds is not None else None


_DELAYS: Final[Mapping[str, Callable[[str], float | None]]] = {
    "crawldelay": _seconds,
    "requestrate": _seconds_each,
}
