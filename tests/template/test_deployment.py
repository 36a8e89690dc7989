"""Parameters, rules and samconfig.toml: what a deployment may and may not be (X2, X6)."""

import json
import re
import tomllib
from typing import Any

import pytest
from expanded import REQUIRED, ROOT, TEMPLATE, Stack, read_template
from samcli.lib.config.samconfig import SamConfig

SAMCONFIG = ROOT / "samconfig.toml"
STAGES = {"default": "dev", "staging": "staging", "prod": "prod"}


@pytest.fixture(scope="module")
def samconfig() -> dict[str, Any]:
    return tomllib.loads(SAMCONFIG.read_text(encoding="utf-8"))


def _overrides(samconfig: dict[str, Any], stage: str) -> dict[str, str]:
    pairs = samconfig[stage]["global"]["parameters"]["parameter_overrides"]
    return dict(pair.replace('"', "").split("=", 1) for pair in pairs)


def _accepts(rules: dict[str, Any], value: str) -> bool:
    """Whether CloudFormation takes this value for a parameter."""
    if rules["Type"] == "Number" and not (
        re.fullmatch(r"\d+(\.\d+)?", value)
        and rules.get("MinValue", 0) <= float(value) <= rules.get("MaxValue", 10**9)
    ):
        return False
    allowed = [str(each) for each in rules.get("AllowedValues", [value])]
    return value in allowed and bool(re.fullmatch(rules.get("AllowedPattern", "(?s:.*)"), value))


def test_stand_ins_and_left_out_alarms_are_refused_in_prod(template: dict[str, Any]) -> None:
    rule = template["Rules"]["Production"]
    assert rule["RuleCondition"] == {"Fn::Equals": [{"Ref": "Environment"}, "prod"]}
    assert [assertion["Assert"] for assertion in rule["Assertions"]] == [
        {"Fn::Equals": [{"Ref": "FcmEndpoint"}, ""]},
        {"Fn::Equals": [{"Ref": "AllowedPrivateHosts"}, ""]},
        {"Fn::Equals": [{"Ref": "WebStandIn"}, ""]},
        {"Fn::Equals": [{"Ref": "TranslateEndpoint"}, ""]},
        {"Fn::Equals": [{"Ref": "BedrockEndpoint"}, ""]},
        {"Fn::Equals": [{"Ref": "AwsEndpointUrl"}, ""]},
        {"Fn::Equals": [{"Ref": "Operations"}, "true"]},
    ]


def _refusals(template: dict[str, Any], **parameters: str) -> list[str]:
    """What CloudFormation says to these parameters by the template's rules."""
    rules = template["Parameters"]
    defaults = {name: str(each.get("Default", "")) for name, each in rules.items()}
    values = defaults | REQUIRED | parameters

    def holds(condition: dict[str, Any]) -> bool:
        match condition:
            case {"Fn::Equals": [{"Ref": name}, value]}:
                return values[name] == value
            case {"Fn::Not": [operand]}:
                return not holds(operand)
            case {"Fn::Or": operands}:
                return any(map(holds, operands))
        raise AssertionError(f"{condition} is not read here")

    return [
        assertion["AssertDescription"]
        for rule in template["Rules"].values()
        if "RuleCondition" not in rule or holds(rule["RuleCondition"])
        for assertion in rule["Assertions"]
        if not holds(assertion["Assert"])
    ]


def test_a_deployment_that_cannot_push_is_refused_with_the_remedy(template: dict[str, Any]) -> None:
    """Without a secret there are no credentials: a function has none of its own for Google."""
    (told,) = _refusals(template)
    assert told.startswith("FcmCredentialsSecret must name the secret")
    assert not _refusals(template, FcmCredentialsSecret="fcm/account")
    assert not _refusals(template, FcmEndpoint="http://127.0.0.1:9")


def test_a_budget_that_tells_nobody_is_refused(template: dict[str, Any]) -> None:
    given = {"FcmCredentialsSecret": "fcm/account", "BudgetDollars": "20"}
    (told,) = _refusals(template, **given)
    assert told.startswith("AlarmEmail must be given with BudgetDollars")
    assert not _refusals(template, **given, AlarmEmail="ops@uring.example")


def test_a_switch_without_a_budget_that_pulls_it_is_refused(template: dict[str, Any]) -> None:
    given = {"FcmCredentialsSecret": "fcm/account", "BudgetStops": "true"}
    (told,) = _refusals(template, **given)
    assert told.startswith("BudgetDollars must be given with BudgetStops")
    assert not _refusals(template, **given, BudgetDollars="20", AlarmEmail="ops@uring.example")


def test_a_plan_without_what_it_covers_is_refused(template: dict[str, Any]) -> None:
    acl = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/flood/1"
    given = {"FcmCredentialsSecret": "fcm/account", "CdnPlan": "FREE"}
    (told,) = _refusals(template, **given)
    assert told.startswith("WebAclArn must be given with CdnPlan=FREE")
    assert not _refusals(template, **given, WebAclArn=acl)
    (told,) = _refusals(template, **given, WebAclArn=acl, Cdn="DISABLED")
    assert told.startswith("Cdn must be ENABLED with CdnPlan=FREE")


def test_watches_of_domains_that_nothing_collects_are_refused(template: dict[str, Any]) -> None:
    given = {"FcmCredentialsSecret": "fcm/account", "WatchesKey": "config/watches.json"}
    (told,) = _refusals(template, **given)
    assert told.startswith("Seeds must be ENABLED with WatchesKey")
    assert not _refusals(template, **given, Seeds="ENABLED")


def test_a_stand_in_is_refused_in_prod_and_taken_elsewhere(template: dict[str, Any]) -> None:
    given = {"FcmCredentialsSecret": "fcm/account", "AwsEndpointUrl": "http://127.0.0.1:4566"}
    assert not _refusals(template, **given)
    assert _refusals(template, **given, Environment="prod") == [
        "AwsEndpointUrl must be empty in prod"
    ]


def test_stand_ins_are_off_by_default(template: dict[str, Any]) -> None:
    for name in (
        "FcmEndpoint",
        "AllowedPrivateHosts",
        "WebStandIn",
        "TranslateEndpoint",
        "BedrockEndpoint",
        "AwsEndpointUrl",
    ):
        assert template["Parameters"][name]["Default"] == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Contact", ""),
        ("Contact", "somebody"),
        ("Contact", "https://uring.example\r\nX-Evil: 1"),
        ("Contact", "학과@uring.example"),
        ("AlarmEmail", "nobody"),
        ("FcmProjectId", ""),
        ("FcmProjectId", "Projects/One"),
        ("FcmCredentialsSecret", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:x"),
        ("FcmCredentialsSecret", "*"),
        ("AlertTopics", "컴공"),
        ("AlertTopics", "a,,b"),
        ("AlertTopics", "a*b"),
        ("AlertTopics", "/topics/a"),
        ("SentRetentionDays", "34"),
        ("SentRetentionDays", "many"),
        ("Environment", "test"),
        ("PythonRuntime", "python3.10"),
        ("Architecture", "mips"),
        ("LogRetentionDays", "2"),
        ("ScheduleState", "PAUSED"),
        ("Cdn", "false"),
        ("WorkerConcurrency", "1"),
        ("BudgetDollars", "-1"),
        ("AwsEndpointUrl", "127.0.0.1:4566"),
        ("WatchesKey", "state/watches.json"),
        ("Seeds", ""),
        ("Documents", "true"),
        ("SeedDays", "-1"),
        ("SeedDailyDomains", "-1"),
        ("DomainConcurrency", "1"),
        ("DomainSpacingSeconds", "31"),
        ("DomainHomepage", "yes"),
        ("Gradual", "yes"),
        ("WebStandIn", "http://127.0.0.1:8080"),
        ("WebStandIn", "127.0.0.1"),
        ("DocumentModelId", ""),
        ("DocumentModelId", "*"),
        ("DocumentModelId", "anthropic.*"),
        ("DocumentModelId", "arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude"),
        ("DocumentTerminology", "house/style"),
        ("DocumentDailyDollars", "-1"),
        ("DocumentDailyDollars", "unlimited"),
        ("DocumentStackDollars", "-1"),
        ("WebAclArn", "arn:aws:wafv2:ap-northeast-2:123456789012:regional/webacl/flood/1"),
        ("CdnPlan", "PRO"),
    ],
)
def test_a_bad_parameter_is_refused(template: dict[str, Any], name: str, value: str) -> None:
    assert not _accepts(template["Parameters"][name], value)


def test_who_breaks_a_pattern_is_told_in_words_what_must_be(template: dict[str, Any]) -> None:
    for name, rules in template["Parameters"].items():
        if "AllowedPattern" in rules:
            assert rules["ConstraintDescription"].startswith("must be "), name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Contact", "https://uring.example/about?who=us"),
        ("Contact", "crawler@uring.example"),
        ("AlarmEmail", "ops@uring.example"),
        ("FcmCredentialsSecret", "prod/fcm_account+1@x"),
        ("AlertTopics", "*"),
        ("AlertTopics", "konkuk_cse, RK*,kw.%EC%9E%A5"),
        ("SentRetentionDays", "35"),
        ("PythonRuntime", "python3.11"),
        ("WatchesKey", "config/watches.json"),
        ("Seeds", "ENABLED"),
        ("Documents", "DISABLED"),
        ("SeedDays", "3650"),
        ("SeedDailyDomains", "0"),
        ("DomainSpacingSeconds", "0"),
        ("Cdn", "DISABLED"),
        ("WorkerConcurrency", "20"),
        ("BudgetDollars", "20"),
        ("AwsEndpointUrl", "http://host.docker.internal:4566"),
        ("WebStandIn", "127.0.0.1:8080"),
        ("DocumentModelId", "anthropic.claude-3-5-sonnet-20241022-v2:0"),
        ("DocumentModelId", "amazon.titan-text-lite-v1:0:4k"),
        ("DocumentModelId", "apac.anthropic.claude-sonnet-4-20250514-v1:0"),
        ("DocumentTerminology", "house_style-2"),
        ("DomainName", "data.example.org"),
        ("CertificateArn", "arn:aws:acm:us-east-1:123456789012:certificate/0a-1b"),
        ("DocumentDailyDollars", "0"),
        ("DocumentStackDollars", "20"),
        ("WebAclArn", "arn:aws:wafv2:us-east-1:123456789012:global/webacl/flood/1"),
        ("DocumentInputDollars", "3.3"),
    ],
)
def test_a_good_parameter_is_taken(template: dict[str, Any], name: str, value: str) -> None:
    assert _accepts(template["Parameters"][name], value)


def test_every_parameter_is_used(template: dict[str, Any]) -> None:
    used = json.dumps({name: template[name] for name in ("Conditions", "Globals", "Resources")})
    for name in template["Parameters"]:
        assert f'{{"Ref": "{name}"}}' in used or f"${{{name}}}" in used, name


def test_outputs_repeat_no_ids_but_those_that_a_person_types(template: dict[str, Any]) -> None:
    """Queues, functions and tables are in the list of a stack's resources, by logical id."""
    repeating = {
        name for name, output in template["Outputs"].items() if output["Value"].keys() == {"Ref"}
    }
    assert repeating == {"BucketName", "AlarmTopicArn"}


def test_every_condition_is_used(template: dict[str, Any]) -> None:
    used = json.dumps({name: template[name] for name in ("Conditions", "Globals", "Resources")})
    for name in template["Conditions"]:
        assert f'"Condition": "{name}"' in used or f'{{"Fn::If": ["{name}"' in used, name


def test_every_default_is_taken(template: dict[str, Any]) -> None:
    for name, rules in template["Parameters"].items():
        assert "Default" not in rules or _accepts(rules, str(rules["Default"])), name


def test_who_runs_the_crawler_and_where_pushes_go_must_be_said(template: dict[str, Any]) -> None:
    without_default = {
        name for name, rules in template["Parameters"].items() if "Default" not in rules
    }
    assert without_default == REQUIRED.keys()


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_deploys_a_stack_of_its_own(samconfig: dict[str, Any], stage: str) -> None:
    parameters = samconfig[stage]["deploy"]["parameters"]
    assert samconfig[stage]["global"]["parameters"]["stack_name"] == f"uring-{STAGES[stage]}"
    assert parameters["resolve_s3"] is True
    assert parameters["capabilities"] == "CAPABILITY_IAM"
    assert f"environment={STAGES[stage]}" in parameters["tags"]
    assert _overrides(samconfig, stage)["Environment"] == STAGES[stage]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_with_its_blanks_filled_in_is_deployable(
    samconfig: dict[str, Any], template: dict[str, Any], stage: str
) -> None:
    """The blanks are exactly the parameters that must be said, and those that may stay empty."""
    overrides = _overrides(samconfig, stage)
    given = {name: value for name, value in overrides.items() if value}
    blanks = REQUIRED | {"FcmCredentialsSecret": "fcm/account"}
    assert blanks.keys() <= overrides.keys() - given.keys()
    for name, value in (blanks | given).items():
        assert _accepts(template["Parameters"][name], value), name
    assert _refusals(template, **overrides)
    assert not _refusals(template, **(overrides | blanks))


def test_the_stages_name_the_same_parameters(samconfig: dict[str, Any]) -> None:
    """What one stage lets people fill in, the others do."""
    named = [list(_overrides(samconfig, stage)) for stage in STAGES]
    assert named[0] == named[1] == named[2]
    assert [list(samconfig[stage]) for stage in STAGES] == 3 * [list(samconfig["default"])]


@pytest.mark.parametrize("stage", STAGES)
def test_a_first_deployment_is_quiet(samconfig: dict[str, Any], stage: str) -> None:
    """No function asks for sources, and no alarm for ticks, before there is a list of them."""
    overrides = _overrides(samconfig, stage)
    stack = Stack(read_template(), **{name: value for name, value in overrides.items() if value})
    rules = stack.of_type("AWS::Events::Rule").values()
    assert {rule["State"] for rule in rules} == {"DISABLED"}
    alarms = stack.of_type("AWS::CloudWatch::Alarm")
    assert not [name for name, each in alarms.items() if each["TreatMissingData"] == "breaching"]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("command", ["build", "validate", "deploy", "local_invoke", "sync"])
def test_build_and_deployment_cannot_drift_apart(stage: str, command: str) -> None:
    """SAM itself reads one list and one region for all its commands.

    An architecture or a Python that only one of them had would break every import of the layer.
    """
    config = SamConfig(str(ROOT))
    shared = config.get_all(["global"], "parameters", env=stage)
    found = config.get_all([command], "parameters", env=stage)
    for name in ("parameter_overrides", "region", "stack_name"):
        assert found[name] == shared[name]
    overrides = dict(pair.split("=", 1) for pair in found["parameter_overrides"])
    assert overrides.keys() >= {"PythonRuntime", "Architecture"}


def test_a_release_takes_over_step_by_step_where_it_is_rehearsed_and_in_prod(
    samconfig: dict[str, Any],
) -> None:
    told = {STAGES[stage]: _overrides(samconfig, stage)["Gradual"] for stage in STAGES}
    assert told == {"dev": "false", "staging": "true", "prod": "true"}


def test_there_are_no_other_stages(samconfig: dict[str, Any], template: dict[str, Any]) -> None:
    assert samconfig.keys() - {"version"} == STAGES.keys()
    assert template["Parameters"]["Environment"]["AllowedValues"] == list(STAGES.values())


def test_names_fit_for_a_stack_s_name_of_40_characters(template: dict[str, Any]) -> None:
    """As docs/operations.md has it: a name that is too long fails in the middle of a deployment."""
    longest = {"FunctionName": 64, "QueueName": 80}
    for resource in template["Resources"].values():
        for key, most in longest.items():
            if key in resource.get("Properties", {}):
                text = resource["Properties"][key]["Fn::Sub"]
                assert len(text.replace("${AWS::StackName}", 40 * "x")) <= most, text


@pytest.mark.parametrize("path", [TEMPLATE, SAMCONFIG], ids=lambda path: path.name)
def test_no_secret_stands_in_a_file(path: Any) -> None:
    """Access keys, private keys and API keys have shapes; none of them is here."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(AKIA|ASIA)[0-9A-Z]{16}\b|PRIVATE KEY|AIza[\w-]{35}", text)


def test_a_name_without_a_certificate_or_a_distribution_is_refused(
    template: dict[str, Any],
) -> None:
    pushes = {"FcmCredentialsSecret": "fcm/account"}
    own = {**pushes, "DomainName": "data.example.org"}
    (told,) = _refusals(template, **own)
    assert told.startswith("CertificateArn must be given with DomainName")
    certificate = "arn:aws:acm:us-east-1:123456789012:certificate/0a-1b"
    (told,) = _refusals(template, **own, CertificateArn=certificate, Cdn="DISABLED")
    assert told.startswith("Cdn must be ENABLED with DomainName")
    assert not _refusals(template, **own, CertificateArn=certificate)
    assert not _refusals(template, **pushes, CertificateArn=certificate)
