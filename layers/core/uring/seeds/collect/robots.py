"""A domain's robots.txt: where it is requested, and its outcome (RFC 9309, 2.3.1).

2xx                                                ok, or html: a page without rules
206, a part of it                                  unreachable_5xx
4xx                                                unavailable: everything is allowed
429                                                unreachable_5xx: it asks for a later retry
5xx                                                unreachable: nothing is allowed
no connection, incomplete response                 unreachable_network, as 5xx
endless redirects, or to an invalid address        redirect_limit, as unavailable
a private address, first or after a redirect       refused: nothing is requested
"""

import hashlib
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin

from uring.clock import Clock, timestamp
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.robots import read_robots
from uring.fetch.url import Target, one_line, parse_url
from uring.seeds.collect.answers import RobotsAnswer, RobotsOutcome, known_status
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.visit import BudgetSpent, DomainVisit, TurnMissed
from uring.seeds.known.files import KnownFiles

ACCEPT: Final = "text/plain, */*;q=0.5"
PERMITTING: Final[frozenset[RobotsOutcome]] = frozenset({"ok", "unavailable_4xx", "redirect_limit"})
"""The outcomes without a body that allow everything."""
_UNCONNECTED: Final = frozenset({"dns", "connect", "tls", "timeout"})
_EMPTY: Final = frozenset((HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT))


def ask_robots(
    visit: DomainVisit,
    domain: str,
    url: str,
    clock: Clock,
    limits: CollectLimits,
    known: KnownFiles | None = None,
) -> tuple[RobotsAnswer, bytes]:
    """Request robots.txt in at most four places, until one of them can be connected to.

    Args:
        visit: the domain's budget.
        domain: the registrable domain.
        url: the record's URL, which may be on another host of the domain.
        clock: aware UTC.
        limits: the limits of the domain.
        known: the files that a request may be conditional on; a robots.txt is added.

    Returns:
        The answer and the body as read. If no place can be connected to, the first failure. If no
        turn came in time, a postponed answer, unless the domain had redirected by then.
    """
    known = known or KnownFiles()
    first: RobotsAnswer | None = None
    www = f"www.{domain}"
    for place in robots_places(domain, url):
        # A domain that is silent would be so at www, too, which nobody named: the wait is paid for.
        is_guess = place == f"https://{www}/robots.txt" and _host(url) != www
        if is_guess and first is not None and first.reason == "timeout":
            continue
        try:
            response = visit.ask(
                place,
                seconds=limits.robots_seconds,
                max_bytes=limits.robots_bytes,
                accept=ACCEPT,
                any_success=True,
                known=known.by_body(),
            )
        except TurnMissed as missed:
            if first is not None and first.reason == "timeout":
                break
            return _without_turn(place, missed.hops, clock), b""
        except BudgetSpent:
            failure = FetchFailed("timeout", "the domain's time was spent")
        except FetchFailed as failed:
            failure = failed
        else:
            answer, body = _answered(place, response, domain, clock, limits, known)
            return _timed(answer, visit), body
        answer = _timed(_failed(place, failure, clock), visit)
        if failure.reason not in _UNCONNECTED or failure.hops:
            return answer, b""
        first = first or answer
    if first is None:
        raise AssertionError("a domain has a place")
    return first, b""


def robots_places(domain: str, url: str) -> Iterator[str]:
    """Yield the URLs of robots.txt: the domain's, the record's host's, www's, and without TLS.

    Each once. Many a site lives at www alone, and its list names the bare domain.
    """
    yield f"https://{domain}/robots.txt"
    host, www = _host(url), f"www.{domain}"
    if host != domain and is_within(host, domain):
        yield f"https://{host}/robots.txt"
    if host != www and not domain.startswith("www."):
        yield f"https://{www}/robots.txt"
    yield f"http://{domain}/robots.txt"


def _host(url: str) -> str:
    """Return the host of a URL; empty without a valid one."""
    try:
        return parse_url(url).host
    except FetchFailed:
        return ""


def is_within(host: str, domain: str) -> bool:
    """Return True if a host is the domain or below it."""
    return host == domain or host.endswith(f".{domain}")


def _answered(
    place: str,
    response: Response,
    domain: str,
    clock: Clock,
    limits: CollectLimits,
    known: KnownFiles,
) -> tuple[RobotsAnswer, bytes]:
    """Return the answer of a response and its body; of a 304 those of the known file."""
    earlier = known.confirmed(response)
    body = earlier.body if earlier else response.body
    file = read_robots(body)
    targets = _resolved(file.sitemaps, response.url, limits.sitemap_urls)
    now = timestamp(clock())
    if not (earlier or file.is_html or response.truncated):
        known.learn(response, now, body=body)
    answer = RobotsAnswer(
        outcome="html" if file.is_html else "ok",
        status_code=HTTPStatus.OK if earlier else response.status,
        url=place,
        final_url=response.url,
        hops=response.hops,
        content_length=len(body),
        truncated=response.truncated,
        fetched_at=now,
        read_at=earlier.read_at if earlier else None,
        validators=known.validators(response),
        digest=hashlib.sha256(body).hexdigest(),
        encoding=file.encoding,
        sitemap_urls=tuple(target.url for target in targets),
        sitemap_lines=len(file.sitemaps),
        sitemap_foreign=sum(not is_within(target.host, domain) for target in targets),
        crawl_delay=file.crawl_delay,
    )
    return answer, body


def _resolved(values: Iterable[str], base: str, most: int) -> list[Target]:
    """Return the first http and https addresses of Sitemap lines, each once."""
    targets: dict[str, Target] = {}
    for value in dict.fromkeys(values):
        target = resolve(value, base)
        if target is not None and len(targets) < most:
            targets.setdefault(target.url, target)
    return list(targets.values())


def resolve(reference: str, base: str) -> Target | None:
    """Return the target of a reference; None unless it is an http or https address."""
    try:
        return parse_url(urljoin(base, reference.strip()))
    except (FetchFailed, ValueError):
        return None


def _failed(place: str, failure: FetchFailed, clock: Clock) -> RobotsAnswer:
    return RobotsAnswer(
        outcome=outcome_of(failure),
        status_code=known_status(failure.status),
        url=place,
        final_url=failure.url or place,
        hops=failure.hops,
        reason=failure.reason,
        detail=one_line(failure.detail),
        fetched_at=timestamp(clock()),
        retry_after=failure.retry_after,
    )


def _without_turn(place: str, hops: tuple[str, ...], clock: Clock) -> RobotsAnswer:
    """Return a postponed answer, or a failure if the domain was asked and redirected.

    Such a domain would otherwise be asked each minute without an end.
    """
    failure = FetchFailed("busy_host", "other domains had all turns at its host or address")
    failure.hops = hops
    answer = _failed(place, failure, clock)
    return answer if hops else answer.model_copy(update={"fetched_at": None})


def outcome_of(failure: FetchFailed) -> RobotsOutcome:  # noqa: PLR0911 - a table of outcomes
    """Return the outcome of a robots.txt without a body."""
    status = failure.status
    if failure.reason == "refused_address":
        return "refused"
    if failure.reason == "bad_address":
        return "redirect_limit" if failure.hops else "refused"
    if failure.reason == "too_many_redirects" or status // 100 == 3:  # noqa: PLR2004
        return "redirect_limit"
    if status in _EMPTY:
        return "ok"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "unreachable_5xx"
    if status // 100 == 4:  # noqa: PLR2004
        return "unavailable_4xx"
    return "unreachable_5xx" if status else "unreachable_network"


def _timed(answer: RobotsAnswer, visit: DomainVisit) -> RobotsAnswer:
    return answer.model_copy(update={"duration_ms": visit.spent_milliseconds()})
