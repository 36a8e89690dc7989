"""The price of a day of abuse: what a flood costs, and the most that the ceilings let through.

A flood is a steady number of requests a second. The month's free requests and gigabytes are not
subtracted: they are for the other days.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Final

from rich.console import Console
from rich.table import Table

from uring.seeds.pace import TRIES, domains_a_batch, seconds_a_batch
from uring_local.cost.bill import make_bill
from uring_local.cost.deployment import Deployment
from uring_local.cost.prices import AS_OF, DOLLARS, UNITS
from uring_local.cost.workload import Workload

_DAY: Final = 86_400
_GB: Final = 1e9
_MILLION: Final = 1_000_000
# An entry of data/index.json. A client that accepts no compression gets all bytes.
_INDEX_BYTES: Final = 480
_REFUSAL_BYTES: Final = 600
# A line of the access log of 429s, with what CloudWatch adds to a line.
_ACCESS_LINE_BYTES: Final = 160 + 26
# AWS WAF, for each request that it looks at. CloudFront charges nothing for a blocked request.
_FIREWALL_DOLLARS: Final = 0.60 / _MILLION
_FILES: Final = 10_000
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Flood:
    """A day of abuse.

    Args:
        name: what is flooded.
        dollars: of a day without the ceiling.
        held: of a day behind the ceiling.
        ceiling: its name, with its value where the stack has one.
    """

    name: str
    dollars: float
    held: float
    ceiling: str


def price_floods(deployment: Deployment, work: Workload, region: str, rate: float) -> list[Flood]:
    """Return a day of each abuse, with the ceiling that holds it.

    Args:
        deployment: the stack, with every family.
        work: the assumptions.
        region: of the list prices.
        rate: requests a second of a flood.
    """
    requests = rate * _DAY
    return [
        *_of_readers(work, region, requests),
        *_of_subscriptions(deployment, work, region, requests),
        _of_documents(deployment, work),
        _of_seeds(deployment, work, region),
    ]


def show_floods(floods: list[Flood], region: str, rate: float) -> None:
    """Print a table of floods."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    table = Table(box=None, pad_edge=False)
    table.add_column("a day of")
    for name in ("dollars", "held at"):
        table.add_column(name, justify="right")
    table.add_column("by")
    for flood in floods:
        table.add_row(flood.name, f"{flood.dollars:,.2f}", f"{flood.held:,.2f}", flood.ceiling)
    console.print(table)
    console.print(
        f"\nA flood is {rate:,g} requests a second; list prices of {region} as of {AS_OF}, without "
        "tax.",
        markup=False,
    )


def show_floods_json(floods: list[Flood], region: str, rate: float) -> None:
    """Print floods as one JSON object."""
    document = {
        "region": region,
        "prices_as_of": AS_OF,
        "requests_a_second": rate,
        "floods": [asdict(flood) for flood in floods],
    }
    print(json.dumps(document, ensure_ascii=False, indent=1))


def _of_readers(work: Workload, region: str, requests: float) -> Iterator[Flood]:
    size = work.read_kilobytes * 1_000
    # A plan has no overage: a day costs nothing more.
    small, index = (
        f"reads of {size / 1_000:g} KB",
        f"reads of data/index.json, {_INDEX_BYTES * work.departments / 1_000:g} KB",
    )
    yield Flood(small, _of_cdn(region, requests, size), 0, "CdnPlan=FREE")
    dollars = _of_cdn(region, requests, _INDEX_BYTES * work.departments)
    yield Flood(index, dollars, 0, "CdnPlan=FREE")
    yield Flood(index, dollars, requests * _FIREWALL_DOLLARS, "WebAclArn, without a plan")


def _of_cdn(region: str, requests: float, size: float) -> float:
    return _price(region, "cdn_request", requests) + _price(region, "cdn_gb", requests * size / _GB)


def _of_subscriptions(
    deployment: Deployment, work: Workload, region: str, requests: float
) -> Iterator[Flood]:
    each = _of_one(deployment, replace(work, browsers=_MILLION, choices=1), region, "subscriptions")
    most = deployment.throttle("SubscriptionHttpApi")
    served = min(requests, most * _DAY)
    yield Flood(
        "changes of subscriptions", requests * each, served * each, f"{most:g} requests a second"
    )
    refused = requests - served
    dollars = _of_cdn(region, refused, _REFUSAL_BYTES) + _price(
        region, "log_gb", refused * _ACCESS_LINE_BYTES / _GB
    )
    yield Flood("their refusals", dollars, refused * _FIREWALL_DOLLARS, "WebAclArn")


def _of_documents(deployment: Deployment, work: Workload) -> Flood:
    read = work.analysis_tokens * deployment.number("DocumentInputDollars")
    written = work.analysis_tokens / 10 * deployment.number("DocumentOutputDollars")
    dollars = _FILES * (read + written) / _MILLION
    most = deployment.number("DocumentStackDollars")
    name = f"uploads of {_FILES:,} analysed documents"
    return Flood(name, dollars, min(dollars, most), f"DocumentStackDollars={most:g}")


def _of_seeds(deployment: Deployment, work: Workload, region: str) -> Flood:
    each = _of_one(deployment, replace(work, domains=_MILLION), region, "seeds")
    batches = deployment.concurrency("DomainWorker") * _DAY / seconds_a_batch(work.slowest_seconds)
    domains = batches * domains_a_batch(max(1, work.domain_seconds)) / TRIES
    most = deployment.number("SeedDailyDomains")
    sent = min(domains, most or domains)
    name = "lists without an end of domains"
    return Flood(name, domains * each, sent * each, f"SeedDailyDomains={most:.0f}")


def _of_one(deployment: Deployment, many: Workload, region: str, family: str) -> float:
    """Return a family's price for one more, from the bill of a million and of none."""
    none = replace(many, browsers=0, domains=0)
    dollars = [
        make_bill(deployment, each, region).families.get(family, 0.0) for each in (many, none)
    ]
    return (dollars[0] - dollars[1]) / _MILLION


def _price(region: str, unit: str, amount: float) -> float:
    return amount * DOLLARS[region][unit] / UNITS[unit].per
