"""Domains, collected now from this machine, as the domain worker does it."""

import json
from collections.abc import Collection as Hosts
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.clock import system_clock
from uring.errors import Permanent
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.fetch.url import one_line
from uring.seeds.collect.answers import Collection, SitemapAnswer
from uring.seeds.collect.collector import Collector
from uring.seeds.names import InvalidDomain
from uring.seeds.normalize import normalize_domain
from uring_local.words import counted


@dataclass(frozen=True, slots=True)
class CollectedDomain:
    """A domain as it was given, and its collection, or the reason for its absence."""

    given: str
    domain: str
    collection: Collection | None = None
    reason: str = ""
    detail: str = ""

    @property
    def well(self) -> bool:
        """True if the domain has answered."""
        return self.collection is not None and self.collection.robots.is_reachable


def collector(allow_hosts: Hosts[str], stand_in: str, contact: str) -> Collector:
    """Return a collector.

    Args:
        allow_hosts: private hosts that may be asked.
        stand_in: a loopback address that answers for the whole web; empty for the web itself.
        contact: an address for operators, in the User-Agent; empty for none.

    Raises:
        Permanent: the stand-in is not a loopback address.
    """
    try:
        fetcher = Fetcher(
            user_agent=user_agent(contact), allowed_private_hosts=allow_hosts, stand_in=stand_in
        )
    except ValueError as error:
        raise Permanent(f"--stand-in: {error}") from error
    return Collector(fetcher, clock=system_clock, addresses=fetcher.address)


def collect_domain(collector: Collector, given: str) -> CollectedDomain:
    """Collect the registrable domain of a URL or bare host; an invalid one has a reason only."""
    url = given if "://" in given else f"https://{given}"
    try:
        # The country only changes the id, which is not shown.
        domain = normalize_domain(url, "SG").registrable_domain
    except InvalidDomain as error:
        return CollectedDomain(given, "", None, error.reason, error.detail)
    robots = collector.robots(domain, url)
    return CollectedDomain(given, domain, collector.collect(domain, url, robots))


def show_json(collected: CollectedDomain) -> None:
    """Print one line of JSON."""
    document: dict[str, object] = {"given": one_line(collected.given), "domain": collected.domain}
    if (found := collected.collection) is None:
        document |= {"reason": collected.reason, "detail": collected.detail}
    else:
        document |= {
            "robots": found.robots.model_dump(),
            "sitemap": found.sitemap.model_dump(),
            "homepage": found.homepage.model_dump() if found.homepage else None,
            "feeds": [feed.model_dump() for feed in found.feeds],
            "requests": found.requests,
        }
    print(json.dumps(document, ensure_ascii=False))


def show_text(collected: CollectedDomain) -> None:
    """Print a domain's answers, a row each, or the reason why it was not asked."""
    console = Console(highlight=False)
    if (found := collected.collection) is None:
        console.print(
            f"[bold]{escape(one_line(collected.given))}[/]  [red]{collected.reason}[/]  "
            f"{escape(one_line(collected.detail))}"
        )
        return
    robots, sitemap = found.robots, found.sitemap
    console.print(f"[bold]{escape(collected.domain)}[/]")
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(4):
        table.add_column(overflow="fold")
    _row(
        table,
        "robots.txt",
        robots.outcome,
        counted(robots.sitemap_lines, "Sitemap line"),
        robots.final_url or robots.url,
    )
    _row(table, "sitemap", sitemap.kind or sitemap.reason, _urls(sitemap), sitemap.final_url)
    if (children := sitemap.children) is not None:
        read = f"{children.read} of {children.listed:,} read"
        _row(table, "children", children.ended_by or "all", read, "")
    if (whole := found.sitemaps) is not None:
        figure = counted(whole.url_count, "URL") + ("" if whole.is_complete else " at least")
        _row(table, "all sitemaps", whole.files.ended_by or "all", figure, "")
    if (home := found.homepage) is not None:
        _row(table, "home page", home.reason or "ok", home.title, home.final_url)
    for feed in found.feeds:
        items = counted(feed.items, "item") if feed.items is not None else ""
        _row(table, "feed", feed.reason or ("ok" if feed.is_read else "not asked"), items, feed.url)
    console.print(table)


def _row(table: Table, name: str, outcome: str, figure: str, url: str) -> None:
    table.add_row(*(escape(one_line(cell)) for cell in (f"  {name}", outcome, figure, url)))


def _urls(sitemap: SitemapAnswer) -> str:
    if sitemap.url_count is None:
        return ""
    qualifiers = [
        "" if sitemap.is_complete else "incomplete",
        "recovered" if sitemap.parse_mode == "recovered" else "",
    ]
    return ", ".join([counted(sitemap.url_count, "URL"), *filter(None, qualifiers)])
