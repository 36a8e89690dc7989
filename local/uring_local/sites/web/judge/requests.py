"""Judges the requests in the journal: each domain is collected exactly once, and politely.

The first request to a domain is for its robots.txt, once. A second one needs a reason: the first
got no answer, or a kill came between the request and the domain's mark. So a process does not ask a
domain that was marked when it began, and asks no domain more often than the answers require.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from uring_local.sites.web.expected import Found, may_be_asked
from uring_local.sites.web.journal import Asked, WebJournal
from uring_local.sites.web.model import SLOW, Domain, RobotsKind
from uring_local.sites.web.robots import FILES_HOST, resolved

RECEIVES: Final = 3
"""The number of times that a message about an unreachable domain is received."""
_ROBOTS: Final = "/robots.txt"
# A robots.txt that redirects to itself is asked for once and five times more. A slow one is asked
# for once with TLS and once without.
_REQUESTS: Final[Mapping[RobotsKind, int]] = {"looping": 6, "endless_head": 2, "drip": 2}
_CLOSED: Final = ("/private/", "/search/")
_SLOW: Final[frozenset[RobotsKind]] = SLOW | {"cut"}


def faults_of_requests(
    domains: Mapping[str, tuple[Domain, Found]],
    letters: Mapping[str, int],
    journal: WebJournal,
    day: int,
    date: str,
    watched: Collection[str] = (),
    late: Collection[str] = (),
) -> Iterator[str]:
    """Yield the faults of a day's requests: forbidden, repeated, unknown and missing ones.

    Args:
        domains: of the day, by name.
        letters: number of messages about each domain.
        journal: its marks are ``date/domain``.
        day: of the requests.
        date: of that day, as ``2026-03-02``.
        watched: domains that a watch asks too, once each.
        late: domains that were not read in time: each try may ask at two places.
    """
    asked: dict[str, list[Asked]] = {}
    for request in journal.asked:
        if request.day == day:
            asked.setdefault(request.domain, []).append(request)
    for request in asked.pop("", []):
        if (request.host, request.path) == (FILES_HOST, _ROBOTS):
            # Before its files are asked for.
            continue
        yield f"{request.host}{request.path}: was asked, but is not a domain of the web"
    for name in sorted(asked.keys() - domains.keys() - {*watched}):
        yield f"{name}: was asked, but is not in the dataset"
    for name, (domain, _) in domains.items():
        requests = asked.get(name, [])
        yield from _faults_of_order(name, domain, requests)
        if name in watched:
            # The collector and the watch may ask at once, or the watch after the domain's mark.
            continue
        tries = _tries(domain, letters[name])
        if name in late:
            tries = 2 * RECEIVES * letters[name]
        else:
            yield from _faults_of_concurrency(domain, requests)
        yield from _faults_of_times(domain, requests, tries, journal, f"{date}/{name}")


def repeated(journal: WebJournal) -> int:
    """Return how often a later process asked for a day's robots.txt again, after a kill."""
    processes: dict[tuple[int, str], set[int]] = {}
    for request in journal.asked:
        if request.path == _ROBOTS:
            processes.setdefault((request.day, request.domain), set()).add(request.process)
    return sum(len(each) - 1 for each in processes.values())


def _faults_of_order(name: str, domain: Domain, requests: Sequence[Asked]) -> Iterator[str]:
    if not requests:
        yield f"{name}: was never asked"
        return
    if requests[0].path != _ROBOTS:
        yield f"{name}: was asked for {requests[0].path} before its robots.txt"
    others = {request.path for request in requests if not request.path.endswith(_ROBOTS)}
    if not may_be_asked(domain):
        for path in sorted(others):
            yield f"{name}: was asked for {path}, which its robots.txt forbids"
    for path in sorted(path for path in others if path.startswith(_CLOSED)):
        yield f"{name}: was asked for {path}, which its robots.txt forbids"


def _faults_of_concurrency(domain: Domain, requests: Sequence[Asked]) -> Iterator[str]:
    if any(request.beside for request in requests) and domain.robots not in _SLOW:
        yield f"{domain.domain}: was asked twice at once"


def _faults_of_times(
    domain: Domain, requests: Sequence[Asked], tries: int, journal: WebJournal, mark: str
) -> Iterator[str]:
    name = domain.domain
    each = _REQUESTS.get(domain.robots, 1)
    times = Counter(request.process for request in requests if _is_first(request, name))
    for process, count in sorted(times.items()):
        if mark in journal.collected.get(process, ()):
            yield f"{name}: was collected before process {process} began, and asked again in it"
        # After a kill the next process sends the domains of a half-read raw file again.
        most = each * tries * (1 if domain.is_reachable else process)
        if count > most:
            yield f"{name}: was asked for its robots.txt {count} times, not {most}"
    # Each of its lines leads to the one sitemap, and nobody knows it before asking.
    lines = max(1, len(resolved(domain))) if domain.sitemap == "moved" else 1
    for path, count in _others(requests):
        if count > lines * tries:
            yield f"{name}: was asked for {path} {count} times in one process"


def _tries(domain: Domain, letters: int) -> int:
    """Return how often one process may ask; unreachable domains allow each message's every try."""
    if not domain.is_reachable:
        return RECEIVES * letters
    return 2 if domain.robots == "flaky" else 1


def _is_first(request: Asked, name: str) -> bool:
    return request.path == _ROBOTS and request.host == name


def _others(requests: Sequence[Asked]) -> list[tuple[str, int]]:
    """Return the addresses other than robots.txt, with the number of requests of one process."""
    times = Counter(
        (request.process, request.host, request.path)
        for request in requests
        if request.path != _ROBOTS
    )
    return [(f"{host}{path}", count) for (_, host, path), count in times.items()]
