"""The bill of a month: units times list prices."""

from collections.abc import Mapping
from dataclasses import dataclass

from uring_local.cost.deployment import Deployment
from uring_local.cost.families import USES, use_stack
from uring_local.cost.prices import DOLLARS, UNITS, Unit
from uring_local.cost.usage import Usage
from uring_local.cost.workload import Workload


@dataclass(frozen=True, slots=True)
class BillLine:
    """A line of the bill.

    Args:
        unit: the unit that is billed.
        amount: units of the month, the free ones included.
        dollars: by family.
        assumed: the assumptions that the amount rests on.
    """

    unit: Unit
    amount: float
    dollars: Mapping[str, float]
    assumed: tuple[str, ...]

    @property
    def total(self) -> float:
        """Dollars of all families."""
        return sum(self.dollars.values())


@dataclass(frozen=True, slots=True)
class Bill:
    """The bill of a month.

    Args:
        deployed: the families that the stack has.
        lines: in the order of `uring_local.cost.prices.UNITS`; units without an amount are left
            out.
    """

    region: str
    workload: Workload
    deployed: tuple[str, ...]
    lines: tuple[BillLine, ...]

    @property
    def total(self) -> float:
        """Dollars of a month."""
        return sum(line.total for line in self.lines)

    @property
    def per_department(self) -> float:
        """Dollars of a month, divided by the number of departments."""
        return self.total / self.workload.departments

    @property
    def families(self) -> dict[str, float]:
        """Dollars by family."""
        names = dict.fromkeys(name for line in self.lines for name in line.dollars)
        return {name: sum(line.dollars.get(name, 0) for line in self.lines) for name in names}


def make_bill(deployment: Deployment, workload: Workload, region: str) -> Bill:
    """Return the bill of a month; families that the stack lacks cost nothing."""
    usage = Usage(deployment, workload)
    use_stack(usage)
    for name, use in USES.items():
        if name in deployment.families:
            use(usage)
    usage.count_metrics()
    prices = {**DOLLARS[region], **_of_template(deployment)}
    lines = (_line(usage, name, unit, prices) for name, unit in UNITS.items())
    return Bill(region, workload, deployment.families, tuple(line for line in lines if line.amount))


def _of_template(deployment: Deployment) -> dict[str, float]:
    return {
        "translate_character": deployment.number("DocumentCharacterDollars"),
        "bedrock_input": deployment.number("DocumentInputDollars"),
        "bedrock_output": deployment.number("DocumentOutputDollars"),
    }


def _line(usage: Usage, name: str, unit: Unit, prices: Mapping[str, float]) -> BillLine:
    amounts = {family: each for (family, of), each in usage.amounts.items() if of == name}
    amount = sum(amounts.values())
    paid = max(0.0, amount - unit.free) / amount if amount else 0.0
    price = prices.get(name, 0.0) / unit.per
    dollars = {family: each * paid * price for family, each in amounts.items() if each}
    return BillLine(unit, amount, dollars, tuple(sorted(usage.assumed[name])))
