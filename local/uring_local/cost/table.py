"""Bills side by side: by number of departments and by the time of sites, beside the goal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rich.console import Console
from rich.table import Table

from uring_local.cost.bill import Bill, make_bill
from uring_local.cost.deployment import Deployment
from uring_local.cost.show import WIDTH, in_dollars, notes
from uring_local.cost.workload import Workload

DEPARTMENTS: Final = (100, 1_000, 10_000, 100_000)
SITE_SECONDS: Final = (0.1, 0.3, 1.0)
GOALS: Final[Mapping[int, float]] = {1_000: 0.008, 10_000: 0.004}
"""By departments in one stack, the most that one may cost in a month."""


def show_table(deployment: Deployment, workload: Workload, region: str) -> None:
    """Print the lines of all bills in dollars; a line that waits for sites has a row by median.

    Args:
        deployment: of all bills.
        workload: of all bills, but for the departments and the median of a site.
        region: of the list prices.
    """
    bills = [_bills(deployment, workload, region, seconds) for seconds in SITE_SECONDS]
    table = Table(box=None, pad_edge=False)
    table.add_column("dollars a month")
    table.add_column("a site's median")
    for number in DEPARTMENTS:
        table.add_column(f"{number:,}", justify="right")
    lines = {line.unit: None for bill in bills[-1] for line in bill.lines}
    for unit in lines:
        rows = [[_of(bill, unit.name, unit.service) for bill in row] for row in bills]
        _add(table, f"{unit.service} {unit.name}", [[*map(in_dollars, row)] for row in rows])
    _add(table, "all", [[in_dollars(bill.total) for bill in row] for row in bills])
    _add(table, "a department", [[f"{bill.per_department:.5f}" for bill in row] for row in bills])
    table.add_row("its goal", "", *(f"{GOALS[n]:.5f}" if n in GOALS else "" for n in DEPARTMENTS))
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH)
    console.print(table)
    for text in notes(bills[1][0], ("departments", "site_seconds")):
        console.print(f"\n{text}", markup=False)


def _bills(
    deployment: Deployment, workload: Workload, region: str, seconds: float
) -> tuple[Bill, ...]:
    return tuple(
        make_bill(deployment, replace(workload, departments=number, site_seconds=seconds), region)
        for number in DEPARTMENTS
    )


def _of(bill: Bill, name: str, service: str) -> float:
    return sum(
        line.total for line in bill.lines if (line.unit.name, line.unit.service) == (name, service)
    )


def _add(table: Table, name: str, rows: list[list[str]]) -> None:
    if all(row == rows[0] for row in rows):
        table.add_row(name, "", *rows[0])
        return
    for seconds, row in zip(SITE_SECONDS, rows, strict=True):
        table.add_row(name, f"{seconds} s", *row)
