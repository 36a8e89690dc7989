"""A stage of samconfig.toml, judged as CloudFormation judges it."""

from dataclasses import replace
from pathlib import Path

import pytest

from uring.errors import Misconfigured
from uring_local.deploy.stage import SamStage, read_stage, refusals
from uring_local.project import ROOT
from uring_local.samconfig import SAMCONFIG


def test_a_stage_is_that_of_a_stack_and_the_default_one_without(file: Path) -> None:
    first, other = read_stage(None, file), read_stage("uring-there", file)
    assert (first.name, first.stack, first.region) == ("default", "uring-here", "ap-northeast-2")
    assert (other.name, other.stack, other.region) == ("prod", "uring-there", "eu-west-1")
    assert (first.confirms, other.confirms) == (False, True)
    assert other.parameters == {"Environment": "prod", "Contact": "a@b.example"}
    assert other.values["ScheduleState"] == "ENABLED"


@pytest.mark.parametrize(
    ("text", "stack", "message"),
    [
        ("[default", None, r"samconfig\.toml: .*; correct the file"),
        ("version = 0.1", None, "no stage of the stack default; it has none"),
        ('[a.global.parameters]\nstack_name = "b"', "c", "no stage of the stack c; it has b"),
        (
            '[default.global.parameters]\nparameter_overrides = ["Contact"]',
            None,
            "write each as 'Name=",
        ),
    ],
)
def test_a_file_without_the_stage_says_what_it_has(
    text: str, stack: str | None, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "samconfig.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured, match=message):
        read_stage(stack, file)
    with pytest.raises(Misconfigured, match="no such file"):
        read_stage(stack, tmp_path / "none.toml")


def test_the_stages_that_ship_lack_the_three_values_of_the_operator() -> None:
    for stack in ("uring-dev", "uring-staging", "uring-prod"):
        refused = [*refusals(read_stage(stack, SAMCONFIG))]
        assert [name for name, _ in refused] == ["Contact", "FcmProjectId", "Push"], ROOT
        assert "FcmCredentialsSecret must name the secret" in refused[-1][1]


def test_a_filled_in_stage_is_accepted(stage: SamStage) -> None:
    assert [*refusals(stage)] == []


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("Contakt", "x", "the template has no such parameter"),
        ("Contact", "nobody", "must be an http(s) URL or an e-mail address"),
        ("Cdn", "off", "must be one of ENABLED, DISABLED"),
        ("WorkerConcurrency", "1", "must be a number, at least 2, at most 1000"),
        ("WorkerConcurrency", "1001", "must be a number"),
        ("WorkerConcurrency", "many", "must be a number"),
        ("LogRetentionDays", "8", "must be one of 1, 3,"),
        ("AlertTopics", "a," * 600 + "a", "must be empty, *, or topics"),
    ],
)
def test_a_value_that_cloudformation_refuses_is_refused_before(
    name: str, value: str, reason: str, stage: SamStage
) -> None:
    ((refused, said),) = refusals(replace(stage, parameters={**stage.parameters, name: value}))
    assert refused == name
    assert reason in said


def test_a_missing_value_without_a_default_is_named(stage: SamStage) -> None:
    ((name, said),) = refusals(replace(stage, parameters=dict(list(stage.parameters.items())[1:])))
    assert name == "Contact"
    assert said.startswith("is missing: E-mail address or URL")


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"FcmCredentialsSecret": ""}, "Push"),
        ({"WatchesKey": "config/watches.json"}, "Watches"),
        ({"BudgetDollars": "5", "AlarmEmail": ""}, "Budget"),
        ({"Gradual": "true", "Operations": "false"}, "Release"),
        ({"Environment": "prod", "FcmEndpoint": "http://127.0.0.1"}, "Production"),
    ],
)
def test_a_rule_of_the_template_is_applied(
    given: dict[str, str], rule: str, stage: SamStage
) -> None:
    refused = [*refusals(replace(stage, parameters={**stage.parameters, **given}))]
    assert [name for name, _ in refused] == [rule]
