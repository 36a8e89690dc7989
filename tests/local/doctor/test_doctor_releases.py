"""`uring doctor`: whether what was deployed last is what runs."""

from typing import Any

import pytest

from uring_local.doctor.finding import Diagnosis
from uring_local.doctor.releases import check_releases
from uring_local.doctor.subject import Subject

LAYER = "arn:aws:lambda:us-east-1:123456789012:layer:core:7"


class Deployed:
    """CloudFormation and Lambda of a stack with two functions."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = {}
        self.newest: dict[str, Any] = {
            "CodeSha256": "c",
            "Environment": {"Variables": {"LOG_LEVEL": "INFO"}},
            "Layers": [{"Arn": LAYER, "CodeSize": 1}],
            "MemorySize": 256,
            "Timeout": 60,
            "Version": "$LATEST",
        }
        self.live = {**self.newest, "Version": "3"}

    def client(self, service: str, **_: Any) -> Any:
        assert service in ("cloudformation", "lambda")
        return self

    def get_paginator(self, name: str) -> Any:
        assert name == "list_stack_resources"
        return self

    def paginate(self, **_: Any) -> Any:
        kind = "AWS::Lambda::Function"
        rows = [
            {"LogicalResourceId": each, "PhysicalResourceId": each.lower(), "ResourceType": kind}
            for each in ("Monitor", "Notifier")
        ]
        return [{"StackResourceSummaries": rows}]

    def get_alias(self, *, FunctionName: str, Name: str) -> Any:  # noqa: N803 - AWS's words
        assert Name == "live"
        weights = self.weights if FunctionName == "notifier" else {}
        return {"FunctionVersion": "3", "RoutingConfig": {"AdditionalVersionWeights": weights}}

    def get_function_configuration(self, *, FunctionName: str, Qualifier: str = "") -> Any:  # noqa: N803
        is_old = Qualifier == "live" and FunctionName == "notifier"
        return self.live if is_old else self.newest


def _examined(deployed: Deployed) -> Diagnosis:
    (finding,) = check_releases(Subject("made-up", deployed))
    return finding


def test_versions_that_are_what_was_deployed_last_are_well() -> None:
    finding = _examined(Deployed())
    assert (finding.status, finding.detail) == ("ok", "2 functions as deployed last")


@pytest.mark.parametrize(
    "change",
    [
        {"CodeSha256": "d"},
        {"Environment": {"Variables": {"LOG_LEVEL": "DEBUG"}}},
        {"Layers": [{"Arn": f"{LAYER[:-1]}6", "CodeSize": 1}]},
        {"MemorySize": 512},
    ],
)
def test_an_older_version_is_named(change: dict[str, Any]) -> None:
    """Put back by hand, or a parameter for which SAM published nothing: nothing else would tell."""
    deployed = Deployed()
    deployed.live |= change
    finding = _examined(deployed)
    assert finding.status == "failed"
    assert finding.detail.endswith("older than the last deployment: Notifier (3)")
    assert "deploy the wanted release" in finding.remedy


def test_a_release_that_is_taking_over_is_told() -> None:
    deployed = Deployed()
    deployed.weights = {"4": 0.3}
    deployed.live |= {"CodeSha256": "d"}
    finding = _examined(deployed)
    assert finding.status == "failed"
    assert finding.detail == "two versions at once: Notifier"
