"""Build, `sam deploy` and what it is told; the reason of a failure; what is done before."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from deploy_stages import lines
from samcli.cli.types import CfnParameterOverridesType
from samcli.commands.deploy.deploy_context import DeployContext

from uring_local.deploy import release
from uring_local.deploy.finish import enable_schedules
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.release import build_release, deploy_release
from uring_local.deploy.stage import template
from uring_local.project import StackFailed

CREATED = datetime(2026, 3, 2, tzinfo=UTC)
ON = [{"ParameterKey": "ScheduleState", "ParameterValue": "ENABLED"}]
OFF = [{"ParameterKey": "ScheduleState", "ParameterValue": "DISABLED"}]
UNVERIFIED = (
    "Resource handler returned message: \"Access denied for operation 'AWS::CloudFront::"
    "Distribution: Your account must be verified before you can add new CloudFront resources."
)


class Formation:
    """CloudFormation with one stack, or none, and its events, newest first."""

    def __init__(self, status: str = "", parameters: Any = ON, events: Any = ()) -> None:
        self.status = status
        self.parameters = parameters
        self.events = [*events]
        self.changed_at = CREATED
        self.updates: list[Mapping[str, Any]] = []
        self.meta = type("Meta", (), {"region_name": "ap-northeast-2"})

    def client(self, *_: Any, **__: Any) -> "Formation":
        return self

    def describe_stacks(self, **_: Any) -> Any:
        found = {
            "StackStatus": self.status,
            "StackId": "arn:here",
            "CreationTime": self.changed_at,
            "Parameters": self.parameters,
        }
        return {"Stacks": [found] if self.status else []}

    def update_stack(self, **request: Any) -> None:
        self.updates.append(request)
        self.parameters, self.changed_at = ON, datetime.now(UTC)
        self.status = "UPDATE_COMPLETE"

    def get_paginator(self, _: str) -> Any:
        events = self.events

        class Pages:
            def paginate(self, **_: Any) -> Any:
                return [{"StackEvents": events}]

        return Pages()


class NoStack(Formation):
    """CloudFormation before the first deployment."""

    def describe_stacks(self, **request: Any) -> Any:
        if self.status:
            return super().describe_stacks(**request)
        raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")


class Sam:
    """SAM, which a test lets succeed or fail."""

    def __init__(self, formation: Formation) -> None:
        self.formation = formation
        self.commands: list[list[str]] = []
        self.environments: list[Mapping[str, str]] = []
        self.failure = ""

    def __call__(self, command: list[str], **options: Any) -> None:
        self.commands.append([*command])
        self.environments.append(options["environment"])
        if self.failure:
            raise StackFailed(self.failure)
        held = 'ScheduleState="DISABLED"' in command
        self.formation.parameters = OFF if held else ON
        self.formation.status = "CREATE_COMPLETE"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A complete build, made by nobody."""
    (tmp_path / "inputs").write_text("a digest", encoding="ascii")
    monkeypatch.setattr(release, "BUILD", tmp_path)
    monkeypatch.setattr(release, "_RECORDS", tmp_path / "deployed")
    return lambda *_, **__: tmp_path / "app"


@pytest.fixture
def sam(monkeypatch: pytest.MonkeyPatch) -> Callable[[Formation], Sam]:
    def make(formation: Formation) -> Sam:
        found = Sam(formation)
        monkeypatch.setattr(release, "run_sam", found)
        return found

    return make


Fixtures = Callable[..., Any]


def test_a_new_stack_is_deployed_with_its_schedules_off(
    plan: Fixtures, built: Fixtures, sam: Fixtures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole list is given again: SAM replaces it by what a command line has."""
    monkeypatch.setenv("AWS_PROFILE", "work")
    run = sam(NoStack())
    made = lines(deploy_release(plan(run.formation, built=built)))
    assert made[0][0] == "ok"
    assert "ScheduleState=DISABLED until the doctor passes" in made[0][1]
    (command,) = run.commands
    overrides = command[command.index("--parameter-overrides") + 1 :]
    assert 'ScheduleState="DISABLED"' in overrides
    assert 'FcmCredentialsSecret="uring/fcm"' in overrides
    assert command[: command.index("--parameter-overrides")] == [
        "deploy",
        *("--config-file", command[2], "--config-env", "default"),
        *("--template-file", str(built() / "template.yaml"), "--stack-name", "uring-here"),
        *("--region", "ap-northeast-2"),
        *("--no-confirm-changeset", "--no-fail-on-empty-changeset", "--no-progressbar"),
    ]
    assert run.environments[0]["AWS_PROFILE"] == "work"


def test_a_stack_at_work_is_deployed_as_its_stage_says(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    run = sam(Formation("UPDATE_COMPLETE", ON))
    lines(deploy_release(plan(run.formation, built=built)))
    assert 'ScheduleState="ENABLED"' in run.commands[0]
    # The stage wants silence: nothing is enabled.
    run = sam(Formation("UPDATE_COMPLETE", ON))
    quiet = plan(run.formation, {"ScheduleState": "DISABLED"}, built=built)
    lines(deploy_release(quiet))
    assert 'ScheduleState="DISABLED"' in run.commands[0]
    ((status, detail),) = lines(enable_schedules(quiet))
    assert (status, detail.partition(" ")[0]) == ("off", "ScheduleState=DISABLED")
    assert run.formation.updates == []


def test_a_line_that_was_removed_gives_its_default_again(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    """SAM leaves a parameter that it is not given as the stack has it: a family would stay on.

    A hidden value need not stand in a file, so it stays as it is until its line says another.
    """
    known = template()["Parameters"]
    run = sam(Formation("UPDATE_COMPLETE", ON))
    lines(deploy_release(plan(run.formation, built=built)))
    given = CfnParameterOverridesType().convert(_overrides(run.commands[0]), None, None)
    assert merged(known, given) == {
        name: None if name == "AlarmUrl" else plan(run.formation).stage.values[name]
        for name in known
    }
    assert given["WeatherKeySecret"] == ""

    run = sam(Formation("UPDATE_COMPLETE", ON))
    lines(deploy_release(plan(run.formation, {"AlarmUrl": ""}, built=built)))
    assert 'AlarmUrl=""' in run.commands[0]


def merged(known: Any, given: dict[str, str]) -> dict[str, str | None]:
    """The value of each parameter as SAM asks CloudFormation for it; None for the previous one."""
    asked = DeployContext.merge_parameters({"Parameters": known}, given)
    return {each["ParameterKey"]: each.get("ParameterValue") for each in asked}


def _overrides(command: list[str]) -> list[str]:
    return command[command.index("--parameter-overrides") + 1 :]


def test_what_this_machine_has_deployed_is_not_deployed_twice(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    """Another build, other parameters, another's update or a failed one deploy again."""
    run = sam(NoStack())
    mine = plan(run.formation, built=built)
    lines(deploy_release(mine))
    assert lines(deploy_release(mine))[0][0] == "done before"
    lines(enable_schedules(mine))
    assert lines(deploy_release(mine))[0][0] == "done before"
    assert len(run.commands) == 1

    lines(deploy_release(replace(mine, stage=replace(mine.stage, settings="others"))))
    assert len(run.commands) == 2
    lines(deploy_release(mine))
    run.formation.changed_at = datetime(2026, 3, 3, tzinfo=UTC)
    lines(deploy_release(mine))
    assert len(run.commands) == 4
    run.formation.status = "UPDATE_ROLLBACK_COMPLETE"
    lines(deploy_release(mine))
    assert len(run.commands) == 5
    (built().parent / "inputs").write_text("another digest", encoding="ascii")
    lines(deploy_release(mine))
    assert len(run.commands) == 6


def test_schedules_are_enabled_by_their_parameter_alone(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    run = sam(Formation("CREATE_COMPLETE", [*OFF, {"ParameterKey": "A", "ParameterValue": "b"}]))
    mine = plan(run.formation, built=built)
    assert lines(enable_schedules(mine))[0][0] == "ok"
    (update,) = run.formation.updates
    assert update["UsePreviousTemplate"] is True
    assert update["Parameters"] == [
        {"ParameterKey": "ScheduleState", "ParameterValue": "ENABLED"},
        {"ParameterKey": "A", "UsePreviousValue": True},
    ]
    assert lines(enable_schedules(mine)) == [("done before", "ScheduleState is ENABLED")]


def event(resource: str, status: str, reason: str = "") -> dict[str, str]:
    physical = "arn:here" if resource == "uring-here" else resource
    return {
        "StackId": "arn:here",
        "LogicalResourceId": resource,
        "PhysicalResourceId": physical,
        "ResourceStatus": status,
        "ResourceStatusReason": reason,
    }


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        (UNVERIFIED, "Cdn=DISABLED"),
        ("You must wait 60 seconds after deleting a queue before", "run again in a minute"),
        ("User: x is not authorized to perform: sqs:CreateQueue", "this permission"),
        ("Something else", "correct that, and run again"),
    ],
)
def test_a_failed_deployment_is_explained_by_the_first_failure_of_its_events(
    reason: str, remedy: str, plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    run = sam(
        Formation(
            "ROLLBACK_COMPLETE",
            events=[
                event("uring-here", "ROLLBACK_COMPLETE"),
                event("Another", "CREATE_FAILED", "Resource creation cancelled"),
                event("Second", "CREATE_FAILED", "a later failure"),
                event("Distribution", "CREATE_FAILED", reason),
                event("uring-here", "CREATE_IN_PROGRESS", "User Initiated"),
                event("Older", "CREATE_FAILED", "of another deployment"),
            ],
        )
    )
    run.failure = "sam deploy failed (1):\nError: Failed to create/update the stack"
    (finding,) = deploy_release(plan(run.formation, built=built))
    assert finding.status == "failed"
    assert finding.detail.startswith(f"Distribution: {reason[:40]}")
    assert remedy in finding.remedy


def test_a_failure_before_cloudformation_is_explained_by_sam(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    run = sam(NoStack())
    run.failure = "sam deploy failed (1):\nError: Unable to upload artifact\nmore"
    (finding,) = deploy_release(plan(run.formation, built=built))
    assert finding.detail == "Error: Unable to upload artifact"


def test_a_stage_that_confirms_is_updated_after_a_question_only(
    plan: Fixtures, built: Fixtures, sam: Fixtures
) -> None:
    run = sam(Formation("UPDATE_COMPLETE"))
    mine = plan(run.formation, built=built, ask=lambda _: False)
    asking = replace(mine, stage=replace(mine.stage, confirms=True))
    assert lines(deploy_release(asking)) == [("failed", "not deployed")]
    assert run.commands == []
    lines(deploy_release(replace(asking, ask=lambda _: True)))
    # Nothing is in service before the first deployment.
    first = sam(NoStack())
    lines(deploy_release(replace(asking, session=first.formation)))
    assert len(run.commands) == len(first.commands) == 1


def test_a_build_is_for_the_runtime_and_the_processor_of_the_stage(plan: Fixtures) -> None:
    asked: list[Any] = []

    def built(*how: str, **_: Any) -> Path:
        asked.append(how)
        return Path("/somewhere/app")

    given = {"Architecture": "x86_64", "PythonRuntime": "python3.12"}
    assert lines(build_release(plan(None, given, built=built))) == [
        ("ok", "/somewhere for x86_64, python3.12")
    ]
    assert asked == [("x86_64", "python3.12")]


def test_a_record_that_is_damaged_is_none(
    plan: Callable[..., DeployPlan], built: Fixtures, sam: Fixtures
) -> None:
    run = sam(NoStack())
    mine = plan(run.formation, built=built)
    lines(deploy_release(mine))
    (record,) = (built().parent / "deployed").iterdir()
    assert json.loads(record.read_text(encoding="utf-8"))[1] == "arn:here"
    record.write_text("[", encoding="utf-8")
    assert lines(deploy_release(mine))[0][0] == "ok"
