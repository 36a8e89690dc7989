"""The findings for people and for machines."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.text import Text

from uring_local.doctor.finding import Diagnosis, Status
from uring_local.words import counted

STYLES: Final[Mapping[Status, str]] = {
    "ok": "green",
    "done before": "green",
    "note": "yellow",
    "failed": "bold red",
    "off": "dim",
}
"""The colour of each status."""

_NAME: Final = 28
_STATUS: Final = 8


def show(findings: Iterable[Diagnosis]) -> bool:
    """Print each finding as it is made, with its remedy; return True if none failed."""
    console = Console(highlight=False, soft_wrap=True)
    failures = 0
    for finding in findings:
        failures += finding.status == "failed"
        line = Text(f"{finding.name:{_NAME}}")
        line.append(f"{finding.status:{_STATUS}}", style=STYLES[finding.status])
        line.append(finding.detail)
        console.print(line)
        if finding.remedy:
            console.print(Text(f"{'':{_NAME + _STATUS}}{finding.remedy}", style="bold"))
    console.print("all is well" if not failures else counted(failures, "failure"))
    return not failures


def show_json(stack: str, findings: Iterable[Diagnosis]) -> bool:
    """Print one JSON object; return True if no finding failed."""
    made = list(findings)
    is_well = all(each.status != "failed" for each in made)
    document = {"stack": stack, "is_well": is_well, "findings": [asdict(each) for each in made]}
    print(json.dumps(document, ensure_ascii=False, indent=1))
    return is_well
