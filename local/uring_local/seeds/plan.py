"""What a collection would take, before it is begun: files, domains, time and dollars.

Records are counted by `meta` of the largest files, and for the other files estimated by their
sizes. Every record may be a domain of its own, and none of them collected: the plan is the
most. Time and dollars come from `uring.seeds.pace` and `uring cost`.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from uring.errors import Misconfigured
from uring.seeds.messages import OrchestrateRequest
from uring.seeds.pace import SLOWEST_SECONDS, Way, domains_per_second
from uring.seeds.partition import SUCCESS, RawFile
from uring_local.cost.bill import make_bill
from uring_local.cost.deployment import Deployment, deployment
from uring_local.cost.prices import DOLLARS
from uring_local.cost.workload import Workload
from uring_local.seeds.moves import Object
from uring_local.words import counted, duration

HEAD_BYTES: Final = 4_096
"""The bytes of a raw file in which its ``record_count`` is looked for."""

_MOST_HEADS: Final = 20
_COUNT: Final = re.compile(rb'"record_count"\s*:\s*(\d{1,10})\b')
# A record has an address and its key; a larger count is not believed.
_LEAST_BYTES: Final = 16
_MEAN_BYTES: Final = 200
_MILLION: Final = 1_000_000
_PARAMETERS: Final = ("DomainConcurrency", "SeedWork", "Evidence")
_ELSEWHERE: Final = "us-east-1"


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """A collection that was not begun yet.

    Args:
        files: raw files to read.
        finished: raw files of the filter that have a mark, and are not read again.
        records: of the files to read, at most about.
        stated: of these files, those whose ``meta`` states the number.
        most: the budget in domains; None without one.
        concurrency: of the domain worker.
        dollars_each: of a domain.
        way: what a message names.
    """

    files: int
    finished: int
    records: int
    stated: int
    most: int | None
    concurrency: int
    dollars_each: float
    way: Way = "domains"

    @property
    def domains(self) -> int:
        """The number of domains, at most."""
        return self.records if self.most is None else min(self.records, self.most)

    @property
    def seconds(self) -> float:
        """The time that they take, at the assumed pace: at least that of the slowest ones."""
        seconds = self.domains / domains_per_second(self.concurrency, self.way)
        return max(seconds, SLOWEST_SECONDS) if self.domains else 0.0

    @property
    def dollars(self) -> float:
        """Their price."""
        return self.domains * self.dollars_each

    def lines(self) -> list[str]:
        """Return the plan in words."""
        known = counted(self.stated, "file")
        budget = "" if self.most is None else f", the budget is {counted(self.most, 'domain')}"
        pace = f"{duration(self.seconds)} at DomainConcurrency={self.concurrency}"
        return [
            f"plan: {counted(self.files, 'raw file')} to read, {self.finished:,} finished",
            f"  {self.records:,} records at most (stated by {known}, else by size){budget}",
            f"  {self.domains:,} domains at most: {pace}, {self.dollars:,.2f} dollars",
        ]

    def document(self) -> dict[str, int | float | None]:
        """Return the plan as a JSON object."""
        return {
            "files": self.files,
            "finished": self.finished,
            "records": self.records,
            "domains": self.domains,
            "most": self.most,
            "seconds": round(self.seconds),
            "dollars": round(self.dollars, 2),
        }


def make_plan(
    listed: Iterable[Object],
    head: Callable[[str], bytes],
    request: OrchestrateRequest,
    *,
    concurrency: int,
    dollars_each: float,
    way: Way = "domains",
    goes_on: bool = False,
) -> CollectionPlan:
    """Return the plan of a request.

    Args:
        listed: the objects of the datasets.
        head: returns the first `HEAD_BYTES` of an object by its key.
        request: the filter, and the budget.
        concurrency: of the domain worker.
        dollars_each: of a domain.
        way: what a message names.
        goes_on: the partition was stopped: its finished files are read again.
    """
    sizes: dict[str, int] = {}
    marked: set[str] = set()
    for each in listed:
        raw = RawFile.at(each.key.removesuffix(SUCCESS))
        if raw is None or not request.takes(raw.partition):
            continue
        if each.key.endswith(SUCCESS):
            marked.add(raw.path)
        else:
            sizes[each.key] = each.size
    finished = set() if request.force or goes_on else marked & sizes.keys()
    unread = sorted(sizes.keys() - finished, key=lambda key: -sizes[key])
    stated = {
        key: count
        for key in unread[:_MOST_HEADS]
        if (count := _stated(head(key))) is not None and count * _LEAST_BYTES <= sizes[key]
    }
    known, records = sum(sizes[key] for key in stated), sum(stated.values())
    mean = known / records if records else _MEAN_BYTES
    estimated = sum(math.ceil(sizes[key] / mean) for key in unread if key not in stated)
    return CollectionPlan(
        files=len(unread),
        finished=len(finished),
        records=records + estimated,
        stated=len(stated),
        most=request.most,
        concurrency=concurrency,
        dollars_each=dollars_each,
        way=way,
    )


def budget(most: int | None, dollars: float | None, dollars_each: float) -> int | None:
    """Return the domains that both budgets allow; None without a budget.

    Raises:
        Misconfigured: the dollars pay for no domain.
    """
    paid = None if dollars is None else int(dollars / dollars_each)
    if paid == 0:
        raise Misconfigured(f"--dollars: a domain costs {dollars_each:.6f} dollars; give more")
    given = [each for each in (most, paid) if each is not None]
    return min(given, default=None)


def dollars_of_a_domain(deployed: Deployment, region: str | None) -> float:
    """Return the price of a domain by the cost model; unknown regions have us-east-1's prices."""
    work = Workload(domains=_MILLION)
    priced = region if region and region in DOLLARS else _ELSEWHERE
    return make_bill(deployed, work, priced).families["seeds"] / _MILLION


def deployed_as(parameters: Mapping[str, str]) -> Deployment:
    """Return a deployment that collects domains as a stack with these parameters does."""
    own = {name: parameters[name] for name in _PARAMETERS if name in parameters}
    return deployment(("seeds",), **own)


def way_of(deployed: Deployment) -> Way:
    """Return what a message of the domain queue names."""
    return "ranges" if deployed.text("SeedWork") == "ranges" else "domains"


def _stated(head: bytes) -> int | None:
    found = _COUNT.search(head)
    return int(found[1]) if found else None
