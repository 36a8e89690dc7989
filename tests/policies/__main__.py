"""What each function uses at AWS, what its role allows, and the difference: ``make policies``."""

import os
import sys

from exercise import PARAMETERS, Recorder, exercise, staged
from expanded import PSEUDO, Stack, read_template
from grants import PLATFORM, Use, allows, grants, idle, refused
from rich import box
from rich.console import Console
from rich.table import Table


def main() -> int:
    """Run the functions, compare, print; 1 if there is a difference."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": PSEUDO["AWS::Region"],
    }
    stack = Stack(read_template(), **PARAMETERS)
    with staged() as stage:
        recorder = Recorder(stage.resources)
        exercise(stage, recorder.session)
    table = Table("function", "allowed", "on", "used", box=box.SIMPLE_HEAD)
    differences = 0
    for function, used in recorder.uses.items():
        allowed = grants(stack, function)
        differences += len(refused(allowed, used) | idle(allowed, used))
        _rows(table, function, allowed, used)
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    Console().print(f"{differences} differences")
    return 1 if differences else 0


def _rows(table: Table, function: str, allowed: set[Use], used: set[Use]) -> None:
    for grant in sorted(allowed):
        resources = {use.resource for use in used if allows(grant, use)}
        how = PLATFORM.get(grant.action) or (
            f"by the code, {len(resources)} resources" if resources else "NEVER"
        )
        style = "red" if how == "NEVER" else None
        table.add_row(function, grant.action, grant.resource, how, style=style)
    for use in sorted(refused(allowed, used)):
        table.add_row(function, "NOT ALLOWED", use.resource, use.action, style="red")
    table.add_section()


if __name__ == "__main__":
    sys.exit(main())
