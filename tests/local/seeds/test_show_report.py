"""`uring seeds report` against the bucket of a deployed stack."""

import io
import json
from datetime import date
from typing import Any

import pytest
from rich.console import Console

from uring.seeds.reports.markdown import markdown
from uring.seeds.reports.report import Kind, SeedReport
from uring_local.cli import main
from uring_local.seeds import report as report_module

BUCKET = "uring-data"
COMMAND = ("seeds", "report", "--stack", "uring-here")


@pytest.fixture(autouse=True)
def s3(deployed_s3: Any) -> Any:
    return deployed_s3


def store(client: Any, kind: Kind, day: str) -> SeedReport:
    """Store a report as the engine does."""
    made = SeedReport(
        kind=kind, day=day, made_at="2026-02-01T00:05:00Z", totals={"collected": 1234}
    )
    for ending, body in {".json": made.model_dump_json(indent=2), ".md": markdown(made)}.items():
        client.put_object(Bucket=BUCKET, Key=f"{made.key}{ending}", Body=body.encode())
    return made


@pytest.fixture
def reports(s3: Any) -> dict[str, SeedReport]:
    days: list[tuple[Kind, str]] = [
        ("daily", "2026-01-09"),
        ("daily", "2026-01-28"),
        ("weekly", "2025-12-28"),
        ("weekly", "2026-02-01"),
    ]
    return {day: store(s3, kind, day) for kind, day in days}


@pytest.mark.parametrize(
    ("options", "day"),
    [
        ([], "2026-01-28"),
        (["--date", "2026-01-09"], "2026-01-09"),
        (["--weekly"], "2026-02-01"),
        # The Tuesday of the week that ends on this Sunday.
        (["--weekly", "--date", "2025-12-23"], "2025-12-28"),
    ],
)
def test_a_report_is_printed_as_it_was_made(
    options: list[str], day: str, reports: dict[str, SeedReport], capsys: pytest.CaptureFixture[str]
) -> None:
    """The newest, or that of a day or of its week."""
    assert main([*COMMAND, *options]) == 0
    assert capsys.readouterr().out == markdown(reports[day])
    assert main([*COMMAND, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["day"] == day


@pytest.mark.parametrize("options", [[], ["--weekly"], ["--date", "2026-01-10"], ["--json"]])
def test_no_report_is_told(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, *options]) == 1
    said = capsys.readouterr().out
    assert "there is no" in said
    assert "made daily" in said


def test_a_terminal_shows_tables(s3: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no control of what a report holds."""
    made = store(s3, "daily", "2026-01-28")
    body = markdown(made) + "\x1b[2Jend\n"
    s3.put_object(Bucket=BUCKET, Key=f"{made.key}.md", Body=body.encode())
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(report_module, "Console", lambda: console)
    assert report_module.show_report("s", "daily", date(2026, 1, 28), as_json=False)
    said = out.getvalue()
    assert "1,234" in said
    assert "|---" not in said
    assert "\x1b[2J" not in said
