"""The account's concurrency: the sum of what a stack may run at once, and numbers that fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from uring.aws.errors import translated
from uring.seeds.pace import Way, domains_per_second
from uring_local.cost.deployment import Deployment
from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.lists import sitemap_files
from uring_local.doctor.subject import Subject
from uring_local.words import counted, duration

# Lambda's minimum for an event source mapping.
_FEWEST: Final = 2
_NEW_ACCOUNT: Final = 10
_DOMAINS: Final = "DomainConcurrency"
_MILLION: Final = 1_000_000
_QUOTA: Final = "have the quota raised (Service Quotas, Lambda, L-B99A9384)"


@dataclass(frozen=True, slots=True)
class Pool:
    """The invocations that a queue may have at once.

    Args:
        function: that the queue feeds.
        parameter: with the bound; empty if it is fixed.
        most: the bound.
        each: invocations of the account for one of the queue, with the functions it waits for.
    """

    function: str
    parameter: str
    most: int
    each: int

    @property
    def total(self) -> int:
        """Invocations of the account."""
        return self.most * self.each


def pools(deployment: Deployment) -> tuple[tuple[Pool, ...], int]:
    """Return the pools of a stack, those of notices first, and the number of its other functions.

    Each other function counts once: a schedule, an upload or a request starts it.
    """
    found: list[Pool] = []
    called: set[str] = set()
    for function in sorted(deployment.functions, key=lambda name: not name.startswith("Noti")):
        parameter, most = deployment.bound(function)
        if parameter or most:
            waits_for = deployment.called(function)
            called.update(waits_for)
            most = int(deployment.concurrency(function))
            found.append(Pool(function, parameter, most, 1 + len(waits_for)))
    names = {pool.function for pool in found} | called
    return tuple(found), len(deployment.functions.keys() - names)


def fitting(found: Sequence[Pool], others: int, limit: int) -> dict[str, int]:
    """Return each parameter's share of a limit: two at least, its value at most.

    What is left goes round in the order of the pools, one to each. The sum is above a limit that
    is too small for two each.
    """
    shares = {pool.parameter: min(_FEWEST, pool.most) for pool in found if pool.parameter}
    fixed = sum(pool.total for pool in found if not pool.parameter)
    adjustable = [pool for pool in found if pool.parameter]
    left = limit - others - fixed - sum(shares[pool.parameter] * pool.each for pool in adjustable)
    while growing := [
        pool for pool in adjustable if shares[pool.parameter] < pool.most and pool.each <= left
    ]:
        for pool in growing:
            if pool.each <= left:
                shares[pool.parameter] += 1
                left -= pool.each
    return shares


def _million(concurrency: int, deployment: Deployment) -> str:
    """Return how long a million domains take: raw files wait until the domain queue has room."""
    way: Way = "ranges" if deployment.text("SeedWork") == "ranges" else "domains"
    taken = duration(_MILLION / domains_per_second(concurrency, way))
    return f"at {_DOMAINS}={concurrency} a million domains take {taken}, and none of them is lost"


def check_concurrency(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding: the account must run all that the stack may run at once."""
    client = subject.client("lambda")
    with translated("lambda:GetAccountSettings"):
        limit = int(client.get_account_settings()["AccountLimit"]["ConcurrentExecutions"])
    found, others = pools(subject.deployment)
    # Orchestrator and monitor run once more for each further shard; a new stack has no sitemap yet.
    if "BucketName" in subject.description.outputs:
        others += 2 * (sum(1 for _ in sitemap_files(subject)) - 1)
    total = others + sum(pool.total for pool in found)
    parts = ", ".join(
        f"{pool.function} {pool.most:,}" + (f" (times {pool.each})" if pool.each > 1 else "")
        for pool in found
    )
    detail = f"the account runs {limit:,} functions at once, the stack up to {total:,}: {parts}"
    detail += f", {counted(others, 'other')}"
    if total <= limit:
        yield ok("concurrency", detail)
        return
    shares = fitting(found, others, limit)
    least = others + sum(pool.each * shares.get(pool.parameter, pool.most) for pool in found)
    values = {pool.parameter: pool.most for pool in found if pool.parameter}
    changes = " ".join(f"{name}={n}" for name, n in shares.items() if n != values[name])
    remedy = f"deploy with {changes}, or {_QUOTA}" if changes else _QUOTA
    if least > limit:
        less = f"; until then deploy with {changes}" if changes else ""
        remedy = f"{_QUOTA}: the stack needs {least:,} at least{less}"
    if limit <= _NEW_ACCOUNT:
        remedy += "; a new account has ten"
    if _DOMAINS in shares:
        remedy += f"; {_million(shares[_DOMAINS], subject.deployment)}"
    yield failed("concurrency", detail, remedy)
