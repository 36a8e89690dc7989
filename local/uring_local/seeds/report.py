"""`uring seeds report`: a stored report of the seed engine."""

from datetime import date
from typing import Final

from rich.console import Console
from rich.markdown import Markdown

from uring.seeds.reports.report import FOLDER, Kind, report_key
from uring_local.operate.bucket import VersionedBucket, open_bucket
from uring_local.words import printable

_REMEDY: Final = "reports are made daily, for the day before, while the schedule is on (SeedDays)"


def show_report(stack: str, kind: Kind, day: date | None, *, as_json: bool) -> bool:
    """Print the report of a day, or of the day's week; return whether it exists.

    Args:
        stack: the deployed stack's name.
        kind: of the report, daily or weekly.
        day: None for the newest report.
        as_json: print its figures as JSON instead of the text.

    Raises:
        Misconfigured: no such stack, or no permission.
    """
    bucket = open_bucket(stack)
    ending = ".json" if as_json else ".md"
    key = f"{report_key(kind, day)}{ending}" if day else _newest(bucket, kind, ending)
    stored = bucket.get(key) if key else None
    if stored is None:
        of = f" of {day}" if day else ""
        print(f"there is no {kind} report{of}; {_REMEDY}")
        return False
    text = stored.body.decode(errors="replace")
    console = Console()
    if as_json or not console.is_terminal:
        print(text.rstrip("\n"))
    else:
        lines = "\n".join(map(printable, text.split("\n")))
        console.print(Markdown(lines))
    return True


def _newest(bucket: VersionedBucket, kind: Kind, ending: str) -> str:
    # Names of days and weeks sort by time.
    keys = (listed.key for listed in bucket.list(f"{FOLDER}{kind}/"))
    return max((key for key in keys if key.endswith(ending)), default="")
