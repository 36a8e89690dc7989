"""A bill on a terminal, in a document and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from uring_local.cost.bill import Bill, BillLine
from uring_local.cost.prices import AS_OF
from uring_local.cost.workload import Workload
from uring_local.words import counted

WIDTH: Final = 100
"""The width of a page of text, if the output is not a terminal."""
_COUNTS: Final = {
    *("changes", "registries", "domains", "container_hours", "pages", "translated", "browsers")
}
_FEW: Final = 100
_LEAST_DOLLARS: Final = 0.005


def show_bill(bill: Bill) -> None:
    """Print the bill: its lines, its families, and its assumptions."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH)
    console.print(_lines(bill))
    console.print()
    console.print(_families(bill))
    for text in notes(bill):
        console.print(f"\n{text}", markup=False)


def show_bill_json(bill: Bill) -> None:
    """Print the bill as one JSON object."""
    document = {
        "region": bill.region,
        "prices_as_of": AS_OF,
        "deployed": bill.deployed,
        "workload": asdict(bill.workload),
        "lines": [_line(line) for line in bill.lines],
        "families": bill.families,
        "dollars": bill.total,
        "dollars_per_department": bill.per_department,
    }
    print(json.dumps(document, ensure_ascii=False, indent=1))


def _line(line: BillLine) -> dict[str, Any]:
    return {
        "service": line.unit.service,
        "unit": line.unit.name,
        "amount": line.amount,
        "dollars": line.total,
        "families": line.dollars,
        "assumed": line.assumed,
    }


def _lines(bill: Bill) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("service")
    table.add_column("a month")
    for name in ("amount", "dollars", "share"):
        table.add_column(name, justify="right")
    table.add_column("assumed")
    for line in bill.lines:
        table.add_row(
            line.unit.service,
            line.unit.name,
            _amount(line.amount),
            in_dollars(line.total),
            f"{line.total / bill.total:.0%}",
            "~" if line.assumed else "",
        )
    return table


def _families(bill: Bill) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("family")
    table.add_column("dollars", justify="right")
    table.add_column("per department", justify="right")
    rows = {**bill.families, "all": bill.total}
    for name, dollars in rows.items():
        share = dollars / bill.workload.departments
        table.add_row(name, in_dollars(dollars), f"{share:.5f}")
    return table


def notes(bill: Bill, varied: Sequence[str] = ()) -> list[str]:
    """Return what a bill is of, and its assumptions, without the options that are varied."""
    work = asdict(bill.workload)
    used = {name for line in bill.lines for name in line.assumed}
    # An assumption of 0 is in no line.
    zero = {name for name, value in work.items() if not value} - _COUNTS
    names = sorted((used | zero) - {*varied})
    assumed = ", ".join(f"--{name.replace('_', '-')} {work[name]:g}" for name in names)
    prices = f"30 days, list prices of {bill.region} as of {AS_OF}, without tax"
    return [
        f"{', '.join(bill.deployed)}: {_watched(bill.workload, varied)}; {prices}.",
        f"~ rests on assumptions: {assumed}.",
    ]


def _watched(work: Workload, varied: Sequence[str]) -> str:
    changes = counted(work.changes, "change")
    many = "departments" if varied else counted(work.departments, "department")
    parts = [f"{many} with {changes} each"]
    for number, noun in (
        (work.domains, "domain"),
        (work.container_hours, "container hour"),
        (work.pages, "page"),
        (work.translated, "translated character"),
        (work.browsers, "browser"),
    ):
        if number:
            parts.append(counted(number, noun))
    return ", ".join(parts)


def _amount(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= _FEW else f"{amount:.3g}"


def in_dollars(amount: float) -> str:
    """Return a sum of dollars as it is shown."""
    return f"{amount:,.2f}" if amount >= _LEAST_DOLLARS or not amount else "< 0.01"
