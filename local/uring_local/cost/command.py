"""`uring cost`: the bill of a month.

The template's reader and rich are imported when the command runs: the other commands, and `--help`,
do not need them.
"""

from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from uring.errors import Misconfigured
from uring_local.cost.workload import DEFAULT, Workload
from uring_local.options import Families, Json

Rate = Annotated[float, Parameter(validator=Number(gt=0, lte=10**6))]
SeedWork = Literal["domains", "ranges"]
EvidenceKind = Literal["objects", "segments", "none"]
Region = Literal["us-east-1", "ap-northeast-2"]


def show_cost(
    *,
    workload: Workload = DEFAULT,
    families: Families = ("notices",),
    region: Region = "us-east-1",
    seed_work: SeedWork = "domains",
    evidence: EvidenceKind = "objects",
    abuse: bool = False,
    flood: Rate = 1_000,
    as_json: Json = False,
    table: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Show what a month costs at AWS's list prices, by line and by family.

    Calls are counted by the tests, CPU is measured. Memory, schedules, alarms and retention are
    those of the template. Nothing asks AWS. Marked lines rest on assumptions; each has an option.

    Args:
        workload: the month's work, and the assumptions.
        families: that the stack has.
        region: of the list prices.
        seed_work: what a message names that asks for domains.
        evidence: where the bodies of domains are kept.
        abuse: show what a day of abuse costs instead, of every family, and what its ceilings hold.
        flood: requests a second of the abuse.
        as_json: print one JSON object, with the dollars of each line by family.
        table: print the bills of 100 to 100,000 departments whose sites take 0.1, 0.3 and 1 s.
    """
    if abuse:
        _show_abuse(workload, region, flood, as_json=as_json)
        return
    seeds = {"SeedWork": seed_work, "Evidence": evidence}
    from uring_local.cost.bill import make_bill
    from uring_local.cost.deployment import deployment
    from uring_local.cost.show import show_bill, show_bill_json

    for name, number, family in (
        ("--domains", workload.domains, "seeds"),
        ("--pages", workload.pages, "documents"),
        ("--translated", workload.translated, "documents"),
        ("--browsers", workload.browsers, "subscriptions"),
    ):
        if number and family not in families:
            wanted = ",".join(dict.fromkeys([*families, family]))
            raise Misconfigured(f"{name}: the stack has no {family}; add --families {wanted}")
    if table:
        from uring_local.cost.table import show_table

        if as_json:
            raise Misconfigured("--table: has no JSON; leave out --table or --json")
        show_table(deployment(families, **seeds), workload, region)
        return
    bill = make_bill(deployment(families, **seeds), workload, region)
    show = show_bill_json if as_json else show_bill
    show(bill)


def _show_abuse(workload: Workload, region: Region, flood: float, *, as_json: bool) -> None:
    from uring_local.cost.abuse import price_floods, show_floods, show_floods_json
    from uring_local.cost.deployment import deployment
    from uring_local.template.families import FAMILIES

    floods = price_floods(deployment(FAMILIES), workload, region, flood)
    show = show_floods_json if as_json else show_floods
    show(floods, region, flood)
