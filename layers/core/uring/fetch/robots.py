"""What a site's robots.txt says about the addresses of an entry (RFC 9309).

It is asked once a day for each entry, and the answer is kept in the source's state, so that an
unchanged check needs no second request, on a cold start neither.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from pydantic import BaseModel, ConfigDict

from uring.clock import Timestamp, timestamp
from uring.errors import FetchFailed
from uring.fetch import Request, Response
from uring.fetch.tls import Tls

if TYPE_CHECKING:
    from protego import Protego

PRODUCT: Final = "uRing"
"""The product token that robots.txt may name; the User-Agent begins with it."""

_VALID_FOR: Final = timedelta(days=1)
_TIMEOUT_SECONDS: Final = 10
_MAX_BYTES: Final = 5_000_000
# RFC 9309, section 2.5: at least 500 KiB are to be read; the rest does not count.
_READ_BYTES: Final = 512_000
# As long as Google's; with many wildcards it takes too long to match.
_LONGEST_LINE: Final = 16_664
_MOST_WILDCARDS: Final = 20
# RFC 9309, section 2.2.1: a product token, whatever follows it.
_TOKEN: Final = re.compile(r"\*(?=\s|\Z)|[a-z_-]+", re.IGNORECASE)
_RULES: Final = frozenset({"allow", "disallow"})
_LINE_END: Final = re.compile(r"[\r\n]+")
_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|head|body|script|\?xml)", re.IGNORECASE)


class RobotsDecision(BaseModel):
    """A site's robots.txt on one entry's addresses (RFC 9309).

    Attributes:
        entry: the fingerprint of the entry that was judged.
        allowed: whether the list may be asked for.
        paging: whether its further pages may be.
        asked_at: when; it holds for a day.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    entry: str
    allowed: bool
    paging: bool
    asked_at: Timestamp


def is_due(decision: RobotsDecision | None, entry: str, now: datetime) -> bool:
    """Return whether robots.txt has to be asked: a day has passed, or the entry is another."""
    if decision is None or decision.entry != entry:
        return True
    return now - datetime.fromisoformat(decision.asked_at) >= _VALID_FOR


def ask(
    fetch: Callable[[Request], Response],
    entry: str,
    urls: tuple[str, str],
    now: datetime,
    *,
    timeout_seconds: float,
    tls: Tls,
) -> RobotsDecision:
    """Ask the robots.txt of a host through ``fetch``.

    No such file, or one that we may not see, allows everything (RFC 9309, section 2.3.1.3).

    Args:
        fetch: sends a request.
        entry: the fingerprint of the entry.
        urls: of page 1 and of a further page.
        now: aware UTC.
        timeout_seconds: of an ordinary request to the site.
        tls: how the site is trusted.

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
        rules = _rules(fetch(request).body)
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
        allowed=rules is None or rules.can_fetch(first, PRODUCT),
        paging=rules is None or rules.can_fetch(further, PRODUCT),
        asked_at=timestamp(now),
    )


def _rules(body: bytes) -> "Protego | None":
    text = body[:_READ_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    if _MARKUP.match(text):
        # A page of the site, sent with 200 for whatever is not there.
        return None
    # 30 ms that an ordinary check need not pay.
    from protego import Protego  # noqa: PLC0415

    return Protego.parse("\n".join(_of_ours(text)))


def _of_ours(text: str) -> Iterator[str]:
    """The groups of ours and of everybody; the library takes the product of agents and rules."""
    agents: list[str] = []
    naming = False
    for line in _LINE_END.split(text):
        name, colon, value = line.partition("#")[0][:_LONGEST_LINE].partition(":")
        if not colon or value.count("*") > _MOST_WILDCARDS:
            continue
        kind = re.sub(r"[\s_-]", "", name).lower()
        if kind != "useragent":
            # A line of another kind is no end of the names: only a rule is.
            naming = naming and kind not in _RULES
            if agents and kind in _RULES:
                yield f"{kind}:{value}"
            continue
        if not naming:
            agents, naming = [], True
        token = _TOKEN.match(value.strip())
        agent = token[0].lower() if token else ""
        if agent in (PRODUCT.lower(), "*") and agent not in agents:
            agents.append(agent)
            yield f"User-agent: {agent}"
