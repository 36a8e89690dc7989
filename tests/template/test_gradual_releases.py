"""Releases: every call goes through an alias, and in prod a release takes over step by step."""

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from expanded import REQUIRED, ROOT, Stack, logical_id
from grants import statements

from uring_local.template.expansion import expand
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import ALIAS

EVERYTHING = switching_on(FAMILIES) | {
    "AlarmEmail": "ops@uring.example",
    "BudgetDollars": "20",
    "FcmCredentialsSecret": "fcm/account",
}
# What a daily tick runs: nothing of it would happen while a release takes over. And the intake, for
# which the bucket waits that is needed for the alarms.
AT_ONCE = {
    "DocumentIntake",
    "DocumentJanitor",
    "RegulationOrchestrator",
    "RegulationParser",
    "RegulationWorker",
    "SeedOrchestrator",
    "SeedWatchOrchestrator",
    "SeedWatchWorker",
    "TextExtractor",
}
# These name a function, or all its versions together.
OF_FUNCTIONS = {
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::Dashboard",
    "AWS::Lambda::Alias",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::Lambda::Version",
}
# CloudFormation's own, of a template in S3.
MOST_RESOURCES = 500
MOST_BYTES = 1_000_000


@pytest.fixture(scope="module")
def gradual(template: dict[str, Any]) -> Stack:
    """The whole stack as prod has it."""
    return Stack(template, Gradual="true", **EVERYTHING)


def _versions(template: dict[str, Any], **parameters: str) -> dict[str, str]:
    """The logical id of each function's version: another one is published anew."""
    resources = expand(template, REQUIRED | parameters)["Resources"]
    return {
        resource["Properties"]["FunctionName"]["Ref"]: name
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Lambda::Version"
    }


def test_every_function_has_the_alias(full_stack: Stack) -> None:
    aliases = full_stack.of_type("AWS::Lambda::Alias")
    assert {logical_id(alias["FunctionName"]) for alias in aliases.values()} == (
        full_stack.of_type("AWS::Lambda::Function").keys()
    )
    assert {alias["Name"] for alias in aliases.values()} == {ALIAS}


def test_whatever_calls_a_function_calls_its_alias(gradual: Stack) -> None:
    """Rules, mappings, permissions, notifications, routes, variables and roles.

    One that named the function itself would run the newest code at once, whatever takes over.
    """
    functions = gradual.of_type("AWS::Lambda::Function")
    bare = re.compile(rf"\$\{{({'|'.join(functions)})(\.Arn)?\}}")
    names = [function["FunctionName"] for function in functions.values()]
    by_name = re.compile(rf"\b({'|'.join(names)})\b(?!:{ALIAS}\b)")
    for name, resource in gradual.resources.items():
        if resource["Type"] in OF_FUNCTIONS:
            continue
        properties = resource["Properties"]
        # Its own name, and the log group's that is called like it.
        kept = {
            key: properties[key] for key in properties.keys() - {"FunctionName", "LogGroupName"}
        }
        if resource["Type"] != "AWS::Lambda::Function":
            kept |= {"FunctionName": properties.get("FunctionName")}
        text = json.dumps(kept)
        assert not bare.search(text), name
        assert not by_name.search(text), name


def test_retries_of_an_event_are_the_alias_s(full_stack: Stack) -> None:
    configured = full_stack.of_type("AWS::Lambda::EventInvokeConfig").values()
    assert {each["Qualifier"] for each in configured} == {ALIAS}


def test_old_versions_stay_and_a_new_layer_is_a_new_version(template: dict[str, Any]) -> None:
    """Going back is another version for the alias; the library is in the layer, in no function."""
    stack = Stack(template)
    for resource in stack.resources.values():
        if resource["Type"] == "AWS::Lambda::Version":
            assert resource["DeletionPolicy"] == "Retain"
    other = deepcopy(template)
    other["Resources"]["CoreLayer"]["Properties"]["Description"] = "another"
    before, after = _versions(template), _versions(other)
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())


def test_a_setting_of_one_function_is_a_new_version_of_that_one(template: dict[str, Any]) -> None:
    other = deepcopy(template)
    other["Resources"]["Monitor"]["Properties"]["Timeout"] = 61
    before, after = _versions(template), _versions(other)
    assert {name for name in before if before[name] != after[name]} == {"Monitor"}


def test_a_parameter_of_a_stage_is_in_the_layer() -> None:
    """SAM publishes no version for a parameter alone: a new LogLevel would reach nobody.

    `sam build` copies what the link names, so another list of parameters is another layer.
    """
    link = ROOT / "layers/core/samconfig.toml"
    assert link.is_symlink()
    assert link.resolve() == ROOT / "samconfig.toml"


def test_nothing_is_gradual_unless_asked(stack: Stack, full_stack: Stack) -> None:
    for some in (stack, full_stack):
        kinds = {resource["Type"] for resource in some.resources.values()}
        assert not {kind for kind in kinds if "CodeDeploy" in kind}
        assert not [key for key, each in some.resources.items() if "UpdatePolicy" in each]


def test_what_runs_all_the_time_takes_over_step_by_step(gradual: Stack) -> None:
    groups = gradual.of_type("AWS::CodeDeploy::DeploymentGroup")
    functions = gradual.of_type("AWS::Lambda::Function").keys()
    assert {name.removesuffix("DeploymentGroup") for name in groups} == functions - AT_ONCE
    for name, group in groups.items():
        alias = gradual.resources[f"{name.removesuffix('DeploymentGroup')}Alias{ALIAS}"]
        update = alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
        assert update["DeploymentGroupName"] == f"${{{name}}}"
        assert (
            group["DeploymentConfigName"] == "CodeDeployDefault.LambdaLinear10PercentEvery3Minutes"
        )
        rollback = group["AutoRollbackConfiguration"]
        assert rollback["Enabled"]
        assert "DEPLOYMENT_STOP_ON_ALARM" in rollback["Events"]


def test_a_family_that_is_off_has_no_steps(template: dict[str, Any]) -> None:
    groups = Stack(template, Gradual="true").of_type("AWS::CodeDeploy::DeploymentGroup")
    functions = ("Monitor", "NoticeOrchestrator", "NoticeWorker", "Notifier")
    assert sorted(groups) == [f"{name}DeploymentGroup" for name in functions]


def test_people_are_told_of_a_release_that_goes_back(gradual: Stack) -> None:
    for group in gradual.of_type("AWS::CodeDeploy::DeploymentGroup").values():
        (trigger,) = group["TriggerConfigurations"]
        assert trigger["TriggerTargetArn"] == "${AlarmTopic}"
        assert set(trigger["TriggerEvents"]) == {"DeploymentFailure", "DeploymentRollback"}


def test_what_is_wrong_with_one_function_takes_all_back(gradual: Stack) -> None:
    """All have one library. Each failure that the engine has an alarm for, and failed checks."""
    shared = {
        "ReleaseAlarm",
        "NoticeOrchestratorErrorsAlarm",
        "NoticeWorkerErrorsAlarm",
        "NoticeDeadLetterAlarm",
        "NotifierErrorsAlarm",
        "NotifyDeadLetterAlarm",
        "ChangesStormAlarm",
        "PushStormAlarm",
    }
    for group in gradual.of_type("AWS::CodeDeploy::DeploymentGroup").values():
        assert group["AlarmConfiguration"]["Enabled"]
        names = {logical_id(each["Name"]) for each in group["AlarmConfiguration"]["Alarms"]}
        assert names == shared
        assert len(names) <= 10, "CodeDeploy takes no more"
        for name in names:
            alarm = gradual.of_type("AWS::CloudWatch::Alarm")[name]
            # It rings between two ticks, and a metric that nobody wrote takes nothing back.
            assert alarm["Period"] * alarm["EvaluationPeriods"] <= 3600
            assert alarm["TreatMissingData"] == "notBreaching"


def test_checks_that_fail_by_exceptions_take_a_release_back(gradual: Stack, stack: Stack) -> None:
    """They are no error of the function, and the release before does them: no dead letter tells."""
    alarm = gradual.of_type("AWS::CloudWatch::Alarm")["ReleaseAlarm"]
    worker = gradual.of_type("AWS::Lambda::Function")["NoticeWorker"]["Environment"]["Variables"]
    assert alarm["MetricName"] == "RecordsFailed"
    assert alarm["Dimensions"] == [{"Name": "service", "Value": worker["POWERTOOLS_SERVICE_NAME"]}]
    assert (alarm["Period"], alarm["Threshold"]) == (300, 2)
    assert "ReleaseAlarm" not in stack.resources, "it costs, and nothing would go back"


def test_failed_checks_mail_nobody_while_no_release_takes_over(gradual: Stack) -> None:
    """An outage of S3 passes by itself; a release that goes back has a message of its own."""
    alarms = gradual.of_type("AWS::CloudWatch::Alarm")
    silent = {name for name, alarm in alarms.items() if not alarm["AlarmActions"]}
    assert silent == {"ReleaseAlarm"}
    assert alarms["ReleaseAlarm"]["OKActions"] == []
    assert alarms["ReleaseAlarm"].get("ActionsEnabled", True)


def test_a_release_that_no_alarm_takes_back_is_refused(template: dict[str, Any]) -> None:
    rule = template["Rules"]["Release"]
    assert rule["RuleCondition"] == {"Fn::Equals": [{"Ref": "Gradual"}, "true"]}
    (assertion,) = rule["Assertions"]
    assert assertion["Assert"] == {"Fn::Equals": [{"Ref": "Operations"}, "true"]}


def test_codedeploy_moves_the_aliases_of_this_stack_alone(gradual: Stack) -> None:
    """AWS's own policy allows every alias and every topic of the account."""
    roles = gradual.of_type("AWS::IAM::Role")
    assert "CodeDeployServiceRole" not in roles
    for group in gradual.of_type("AWS::CodeDeploy::DeploymentGroup").values():
        assert group["ServiceRoleArn"] == "${ReleaseRole.Arn}"
    role = roles["ReleaseRole"]
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "codedeploy.amazonaws.com"}
    allowed = {
        (action, statement["Resource"])
        for statement in statements(role)
        for action in _listed(statement["Action"])
    }
    functions = "arn:aws:lambda:eu-west-1:123456789012:function:uring-test-*"
    assert allowed == {
        ("lambda:GetAlias", functions),
        ("lambda:GetProvisionedConcurrencyConfig", functions),
        ("lambda:UpdateAlias", functions),
        ("cloudwatch:DescribeAlarms", "*"),
        ("sns:Publish", "${AlarmTopic}"),
        ("s3:GetObject", "arn:aws:s3:::*/CodeDeploy/*"),
        ("s3:GetObjectVersion", "arn:aws:s3:::*/CodeDeploy/*"),
    }


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_nothing_waits_for_itself(gradual: Stack) -> None:
    """An alias waits for its deployment group, that for its alarms, those for their functions.

    CloudFormation refuses a circle, on an account alone: what has aliases and steps is not tried
    on a local stack.
    """
    needed = {
        name: _references(resource, set(gradual.resources))
        for name, resource in gradual.resources.items()
    }
    while needed:
        free = {name for name, others in needed.items() if not others & needed.keys()}
        assert free, f"a circle among {sorted(needed)}"
        needed = {name: others for name, others in needed.items() if name not in free}


def _references(resource: dict[str, Any], names: set[str]) -> set[str]:
    found = set(re.findall(r"\$\{(\w+)[.\w]*\}", json.dumps(resource)))
    after = resource.get("DependsOn", [])
    return (found | set([after] if isinstance(after, str) else after)) & names


@pytest.mark.parametrize("value", ["true", "false"])
def test_the_whole_stack_is_within_cloudformation_s_limits(
    template: dict[str, Any], value: str
) -> None:
    given = REQUIRED | EVERYTHING | {"Gradual": value}
    document = expand(template, given)
    assert len(document["Resources"]) < MOST_RESOURCES * 0.8, "room for the next family"
    assert len(document["Outputs"]) <= 200
    assert len(document["Parameters"]) <= 200
    assert len(json.dumps(document)) < MOST_BYTES / 2
