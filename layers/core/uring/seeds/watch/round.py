"""Asks the domains of a shard, many at once, until time is up."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from uring.seeds.collect.answers import Collection, RobotsAnswer
from uring.seeds.known.files import KnownFiles
from uring.seeds.watch.kept import drop_long
from uring.seeds.watch.sight import DomainSight, sight_of, sight_of_robots
from uring.seeds.watch.watch import Compare


class CollectsDomains(Protocol):
    """Collects a domain; failures are part of the answer. Safe to share between threads."""

    def robots(self, domain: str, url: str, known: KnownFiles, /) -> tuple[RobotsAnswer, bytes]:
        """Return the answer of a domain's robots.txt, and its body."""
        ...

    def collect(
        self, domain: str, url: str, robots: tuple[RobotsAnswer, bytes], known: KnownFiles, /
    ) -> Collection:
        """Return a domain's collection; without requests if its robots.txt is unreachable."""
        ...


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The sights of a round.

    Attributes:
        sights: by domain; without the domains that time did not reach.
        errors: by domain, unexpected errors: a bug of uRing, not a fault of the site.
    """

    sights: Mapping[str, DomainSight]
    errors: Mapping[str, str]


class WatchRound:
    """Asks domains in parallel; safe to share between threads.

    Args:
        collector: collects each domain.
        at_once: the number of domains in parallel.
        seconds: no further domain begins after them.
        monotonic: returns the seconds of a clock that never goes back.
    """

    def __init__(
        self,
        collector: CollectsDomains,
        *,
        at_once: int,
        seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._collector = collector
        self._seconds = seconds
        self._monotonic = monotonic
        # One at a time needs no thread.
        pool = ThreadPoolExecutor(at_once, thread_name_prefix="domain") if at_once > 1 else None
        self._in_turn = pool.map if pool else map

    def ask(
        self,
        domains: Sequence[str],
        compare: Compare,
        known: Callable[[str], KnownFiles],
        *,
        robots_only: bool = False,
    ) -> RoundResult:
        """Ask each domain, in this order, until time is up.

        Args:
            domains: registrable domains.
            compare: of the watch.
            known: returns the files of a domain that its requests may be conditional on.
            robots_only: ask each for its robots.txt alone.
        """
        deadline = self._monotonic() + self._seconds
        errors = dict[str, str]()

        def ask(domain: str) -> DomainSight | None:
            if self._monotonic() >= deadline:
                return None
            try:
                return self._ask(domain, compare, known(domain), robots_only=robots_only)
            except Exception as error:  # noqa: BLE001 - a bug costs its own domain, not the shard
                errors[domain] = f"{type(error).__name__}: {error}"
                return DomainSight.nothing("error")

        asked = zip(domains, self._in_turn(ask, domains), strict=True)
        sights = {domain: sight for domain, sight in asked if sight is not None}
        return RoundResult(sights, errors)

    def _ask(
        self, domain: str, compare: Compare, known: KnownFiles, *, robots_only: bool
    ) -> DomainSight:
        # If the domain itself has no address, its www is asked.
        url = f"https://www.{domain}/"
        robots = self._collector.robots(domain, url, known)
        if robots_only:
            sight = sight_of_robots(domain, *robots)
        else:
            collection = self._collector.collect(domain, url, robots, known)
            sight = sight_of(domain, collection, compare)
        drop_long(known)
        return replace(sight, known=known)
