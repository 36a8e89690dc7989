"""The dashboard shows figures that somebody writes (S13)."""

import json
import re
from typing import Any

import pytest
from expanded import ROOT, Stack

# The code that writes the metrics of each, and the queues that it shows.
DASHBOARDS = {
    "SeedDashboard": (
        "seeds",
        {"SeedQueue", "DomainQueue", "SeedDeadLetterQueue", "DomainDeadLetterQueue"},
    ),
    "DocumentDashboard": ("documents", {"DocumentQueue", "DocumentDeadLetterQueue"}),
}


def _rows(stack: Stack, name: str) -> list[list[Any]]:
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
            before = [
                old if cell == "." else cell
                for old, cell in zip(before or texts, texts, strict=True)
            ]
            rows.append(before)
    return rows


def test_no_dashboard_is_forgotten_here(stack: Stack) -> None:
    assert stack.of_type("AWS::CloudWatch::Dashboard").keys() == DASHBOARDS.keys()


@pytest.mark.parametrize("name", DASHBOARDS)
def test_its_metrics_are_written_by_the_service_that_it_names(stack: Stack, name: str) -> None:
    library = ROOT / "layers/core/uring"
    code = "\n".join(
        path.read_text("utf-8")
        for folder in (DASHBOARDS[name][0], "runtime")
        for path in (library / folder).rglob("*.py")
    )
    services = {
        function["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"]
        for function in stack.of_type("AWS::Lambda::Function").values()
    }
    own = [row for row in _rows(stack, name) if row[0] == "uRing/uring-test"]
    assert len(own) > 5
    for _, metric, dimension, service in own:
        assert f'"{metric}"' in code, metric
        assert (dimension, service in services) == ("service", True)


@pytest.mark.parametrize("name", DASHBOARDS)
def test_its_queues_are_the_template_s(stack: Stack, name: str) -> None:
    names = [row[-1] for row in _rows(stack, name) if row[0] == "AWS/SQS"]
    queues = {re.fullmatch(r"\$\{(\w+)\.QueueName\}", name) for name in names}
    assert {found[1] for found in queues if found} == DASHBOARDS[name][1]
