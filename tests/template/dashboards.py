"""Dashboards as CloudWatch reads them, and whose figures each shows."""

import json
from typing import Any

from expanded import Stack

# The code that writes the metrics of each, and the queues that it shows.
DASHBOARDS = {
    "Dashboard": (
        ("changes", "push", "watch"),
        {
            "NoticeQueue",
            "NotifyQueue",
            "NoticeDeadLetterQueue",
            "NotifyDeadLetterQueue",
            "WeatherQueue",
            "WeatherDeadLetterQueue",
            "RegulationQueue",
            "RegulationParseQueue",
            "RegulationDeadLetterQueue",
            "RegulationParseDeadLetterQueue",
            "SeedWatchQueue",
            "SeedWatchDeadLetterQueue",
        },
    ),
    "SeedDashboard": (
        ("seeds",),
        {"SeedQueue", "DomainQueue", "SeedDeadLetterQueue", "DomainDeadLetterQueue"},
    ),
    "DocumentDashboard": (("documents",), {"DocumentQueue", "DocumentDeadLetterQueue"}),
}


def rows_of(stack: Stack, name: str) -> list[list[Any]]:
    """The metrics of all widgets, repetitions spelled out, expressions left out."""
    dashboard = stack.of_type("AWS::CloudWatch::Dashboard")[name]
    rows: list[list[Any]] = []
    for widget in json.loads(dashboard["DashboardBody"])["widgets"]:
        before: list[Any] = []
        for row in widget["properties"]["metrics"]:
            if isinstance(row[0], dict):
                continue
            texts = [cell for cell in row if isinstance(cell, str)]
            if texts[0] == "...":
                texts = [*before[: 1 - len(texts)], *texts[1:]]
            # What stands for the one before is in a row as long as that one.
            before = [before[place] if cell == "." else cell for place, cell in enumerate(texts)]
            rows.append(before)
    return rows
