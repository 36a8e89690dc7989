"""The dashboards show figures that somebody writes (S13)."""

import json
import re
from typing import Any

import pytest
from dashboards import DASHBOARDS, rows_of
from expanded import ROOT, Stack


def test_there_are_no_more_than_are_free(full_stack: Stack) -> None:
    assert len(full_stack.of_type("AWS::CloudWatch::Dashboard")) == 3


def test_the_stack_s_dashboard_has_the_families_that_the_stack_has(
    template: dict[str, Any], least_stack: Stack
) -> None:
    def titles(some: Stack) -> set[str]:
        body = some.of_type("AWS::CloudWatch::Dashboard")["Dashboard"]["DashboardBody"]
        found = (each["properties"]["title"] for each in json.loads(body)["widgets"])
        return {title.partition(":")[0] for title in found if ":" in title}

    assert titles(least_stack) == set()
    assert titles(Stack(template, RegistriesKey="config/registries.json")) == {"Regulations"}
    assert titles(Stack(template, WeatherKeySecret="weather/key")) == {"Weather"}
    assert titles(Stack(template, WatchesKey="config/watches.json")) == {"Watched domains"}


def test_no_dashboard_is_forgotten_here(full_stack: Stack) -> None:
    assert full_stack.of_type("AWS::CloudWatch::Dashboard").keys() == DASHBOARDS.keys()


@pytest.mark.parametrize("name", DASHBOARDS)
def test_its_metrics_are_written_by_the_service_that_it_names(full_stack: Stack, name: str) -> None:
    library = ROOT / "layers/core/uring"
    code = "\n".join(
        path.read_text("utf-8")
        for folder in (*DASHBOARDS[name][0], "runtime")
        for path in (library / folder).rglob("*.py")
    )
    services = {
        function["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"]
        for function in full_stack.of_type("AWS::Lambda::Function").values()
    }
    own = [row for row in rows_of(full_stack, name) if row[0] == "uRing/uring-test"]
    assert len(own) > 5
    for _, metric, dimension, service in own:
        assert f'"{metric}"' in code, metric
        assert (dimension, service in services) == ("service", True)


@pytest.mark.parametrize("name", DASHBOARDS)
def test_its_queues_are_the_template_s(full_stack: Stack, name: str) -> None:
    names = [row[-1] for row in rows_of(full_stack, name) if row[0] == "AWS/SQS"]
    queues = {re.fullmatch(r"\$\{(\w+)\.QueueName\}", name) for name in names}
    assert {found[1] for found in queues if found} == DASHBOARDS[name][1]
