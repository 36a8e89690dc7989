"""The screen of `uring deploy`: a line a finding, its remedy below it."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring_local.doctor.finding import Diagnosis
from uring_local.doctor.show import STYLES

_NAME: Final = 15
_STATUS: Final = 11


def show(console: Console, findings: Iterable[Diagnosis], stack: str) -> bool:
    """Print each finding as it is made; return True if none failed.

    A terminal gets wrapped columns, a pipe one line for each finding and each remedy.
    """
    failures = 0
    for finding in findings:
        failures += finding.status == "failed"
        name = finding.name
        status = Text(finding.status, style=STYLES[finding.status])
        detail, remedy = Text(finding.detail), Text(finding.remedy, style="bold")
        if not console.is_terminal:
            console.print(Text(f"{name:{_NAME}} ") + status + f"{'':{_pad(finding)}}" + detail)
            if finding.remedy:
                console.print(Text(f"{'':{_NAME + _STATUS + 2}}") + remedy)
            continue
        table = Table.grid(padding=(0, 1))
        table.add_column(width=_NAME)
        table.add_column(width=_STATUS, no_wrap=True)
        table.add_column(overflow="fold")
        table.add_row(name, status, detail)
        if finding.remedy:
            table.add_row("", "", remedy)
        console.print(table)
    last = "run `uring deploy` again after each remedy: it goes on where it stopped"
    console.print(last if failures else f"{stack} is deployed")
    return not failures


def _pad(finding: Diagnosis) -> int:
    return _STATUS - len(finding.status) + 1


def show_json(findings: Iterable[Diagnosis], stack: str) -> bool:
    """Print one JSON object; return True if no finding failed."""
    made = list(findings)
    is_well = all(each.status != "failed" for each in made)
    document = {"stack": stack, "is_well": is_well, "steps": [asdict(each) for each in made]}
    print(json.dumps(document, ensure_ascii=False, indent=1))
    return is_well
