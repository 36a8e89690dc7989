"""Functions: code, environment, logs, schedule (N1, X1, X2)."""

import json
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from expanded import REQUIRED, ROOT, TEMPLATE, Stack
from samcli.yamlhelper import yaml_dump, yaml_parse

from uring.documents.names import PAGES
from uring.functions.families import FAMILIES
from uring.notices.family import Notices
from uring.notices.watched import NoticeMonitorSettings
from uring.regulations.family import Regulations
from uring.regulations.registration import RegulationMonitorSettings
from uring.regulations.texts.family import RegulationTexts
from uring.runtime.invocation import MARGIN_SECONDS
from uring.runtime.settings import BaseSettings
from uring.seeds.registration import SeedMonitorSettings
from uring.weather.family import Weather
from uring.weather.plan import WeatherMonitorSettings
from uring_local.template.families import FAMILIES as DEPLOYED
from uring_local.template.families import switching_on
from uring_local.template.template import load

COMMON = {
    "ENVIRONMENT",
    "LOG_LEVEL",
    "MALLOC_ARENA_MAX",
    "METRICS",
    "POWERTOOLS_METRICS_NAMESPACE",
    "POWERTOOLS_SERVICE_NAME",
}
# What each function reads beside its own settings: the monitor has each family's part read by that
# family.
BESIDE: dict[str, tuple[type[BaseSettings], ...]] = {
    "Monitor": (
        NoticeMonitorSettings,
        RegulationMonitorSettings,
        WeatherMonitorSettings,
        SeedMonitorSettings,
    ),
}
# Read by the SDK itself.
STAND_INS = {
    "DocumentWorker": {"AWS_ENDPOINT_URL_TRANSLATE", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"},
}
# Their ticks are a day: one may come late, for its job finds its work done and is dropped.
DAILY = ("DocumentJanitor", "RegulationOrchestrator", "SeedOrchestrator", "SeedWatchOrchestrator")


def _functions(stack: Stack) -> dict[str, dict[str, Any]]:
    return stack.of_type("AWS::Lambda::Function")


def _ticks(stack: Stack) -> dict[str, dict[str, Any]]:
    """The rules that send an event at a time."""
    rules = stack.of_type("AWS::Events::Rule")
    return {name: rule for name, rule in rules.items() if "ScheduleExpression" in rule}


def _settings(function: str) -> tuple[type[BaseSettings], ...]:
    """The models that a function's environment is read with."""
    folder = load(TEMPLATE, REQUIRED, "uring-test").functions[function].code_dir.name
    own: type[BaseSettings] = import_module(f"uring.functions.{folder}").Settings
    return (own, *BESIDE.get(function, ()))


def test_the_environment_is_what_the_settings_read(stack: Stack) -> None:
    """No variable is missing, and none is set that nobody reads."""
    for name, function in _functions(stack).items():
        variables = function["Environment"]["Variables"]
        fields = {field.upper() for model in _settings(name) for field in model.model_fields}
        assert variables.keys() == COMMON | fields | STAND_INS.get(name, set()), name


def test_a_metric_tells_its_stack(stack: Stack) -> None:
    """Stages dev and prod in one account would otherwise add up in one metric."""
    for function in _functions(stack).values():
        variables = function["Environment"]["Variables"]
        assert variables["POWERTOOLS_METRICS_NAMESPACE"] == "uRing/uring-test"
    names = [
        function["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"]
        for function in _functions(stack).values()
    ]
    assert len(set(names)) == len(names)


def test_every_function_logs_to_a_group_with_a_retention(stack: Stack) -> None:
    logs = stack.of_type("AWS::Logs::LogGroup")
    for api in ("SeedApiLogGroup", "DocumentHttpApiLogGroup", "SubscriptionHttpApiLogGroup"):
        assert int(logs.pop(api)["RetentionInDays"]) > 0
    groups = set()
    for function in _functions(stack).values():
        group = stack.properties(function["LoggingConfig"]["LogGroup"])
        assert group["LogGroupName"] == f"/aws/lambda/{function['FunctionName']}"
        assert int(group["RetentionInDays"]) > 0
        groups.add(group["LogGroupName"])
    assert len(groups) == len(_functions(stack)) == len(logs)


def test_every_function_runs_the_chosen_runtime_with_the_layer(template: dict[str, Any]) -> None:
    chosen = Stack(template, PythonRuntime="python3.11", Architecture="x86_64")
    (layer,) = chosen.of_type("AWS::Lambda::LayerVersion").values()
    assert layer["CompatibleRuntimes"] == ["python3.11"]
    for function in _functions(chosen).values():
        assert function["Runtime"] == "python3.11"
        assert function["Architectures"] == ["x86_64"]
        assert function["Handler"] == "app.handler"
        (attached,) = function["Layers"]
        assert chosen.properties(attached) == layer
    assert template["Resources"]["CoreLayer"]["Metadata"]["BuildMethod"] == {"Ref": "PythonRuntime"}


def test_the_default_runtime_is_python_3_13_on_arm64(stack: Stack) -> None:
    for function in _functions(stack).values():
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == ["arm64"]


def test_every_function_folder_is_deployed_and_has_its_manifest() -> None:
    """A folder nobody deploys, or a function without a folder, is a mistake in the template."""
    application = load(TEMPLATE, REQUIRED, "uring-test")
    folders = {function.code_dir.resolve() for function in application.functions.values()}
    assert folders == {path.parent for path in ROOT.glob("functions/*/requirements.txt")}


def test_the_schedule_ticks_every_ten_minutes_and_the_orchestrator_knows_it() -> None:
    """N1; the orchestrator tells from TICK_MINUTES which sources are due."""
    orchestrator = load(TEMPLATE, REQUIRED, "uring-test").functions["NoticeOrchestrator"]
    schedule, _ = orchestrator.schedules
    assert schedule.interval_seconds == 600
    assert orchestrator.environment["TICK_MINUTES"] == "10"


@pytest.mark.parametrize(
    ("rhythm", "state", "hours"),
    [("uniform", "DISABLED", ""), ("sooner", "ENABLED", "23,0-10"), ("thrifty", "ENABLED", "1-3")],
)
def test_a_rhythm_has_a_tick_in_every_odd_minute_of_busy_hours(
    template: dict[str, Any], rhythm: str, state: str, hours: str
) -> None:
    """The orchestrator knows the hours; both schedules never tick in one minute."""
    stack = Stack(template, Rhythm=rhythm, **({"BusyHours": hours} if hours else {}))
    tick = _ticks(stack)["NoticeOrchestratorTick"]["ScheduleExpression"]
    busy = _ticks(stack)["NoticeOrchestratorBusyTick"]
    variables = _functions(stack)["NoticeOrchestrator"]["Environment"]["Variables"]
    assert busy["State"] == state
    assert (variables["RHYTHM"], variables["BUSY_HOURS"]) == (rhythm, hours)
    minutes, asked, *rest = busy["ScheduleExpression"][5:-1].split(" ")
    assert (asked, rest) == (hours or "23,0-10", ["*", "*", "?", "*"])
    assert tick == "cron(5/10 * * * ? *)"
    assert sorted([*map(int, minutes.split(",")), *range(5, 60, 10)]) == [*range(1, 60, 2)]


@pytest.mark.parametrize("state", ["ENABLED", "DISABLED"])
def test_the_schedules_can_be_switched_off(template: dict[str, Any], state: str) -> None:
    stack = Stack(
        template,
        ScheduleState=state,
        SeedDays="7",
        **switching_on(DEPLOYED),
    )
    states = {key: rule["State"] for key, rule in _ticks(stack).items()}
    assert states.pop("NoticeOrchestratorBusyTick") == "DISABLED"
    assert [*states.values()] == [state] * 7


def test_notices_alone_have_two_schedules(least_stack: Stack) -> None:
    states = {key: rule["State"] for key, rule in _ticks(least_stack).items()}
    assert states == {
        "NoticeOrchestratorTick": "ENABLED",
        "NoticeOrchestratorBusyTick": "DISABLED",
        "MonitorWatch": "ENABLED",
    }


def test_the_products_are_run_every_10_30_and_5_minutes(stack: Stack) -> None:
    """W1; the schedule's period divides each, and the orchestrator knows it."""
    orchestrator = load(TEMPLATE, REQUIRED, "uring-test").functions["WeatherOrchestrator"]
    (schedule,) = orchestrator.schedules
    variables = _functions(stack)["WeatherOrchestrator"]["Environment"]["Variables"]
    minutes = {key: int(value) for key, value in variables.items() if "MINUTES" in key}
    assert minutes.pop("TICK_MINUTES") * 60 == schedule.interval_seconds == 300
    assert minutes == {"METAR_MINUTES": 10, "TAF_MINUTES": 30, "WARNING_MINUTES": 5}


@pytest.mark.parametrize(
    ("function", "family"),
    [
        ("NoticeWorker", Notices),
        ("WeatherWorker", Weather),
        ("RegulationWorker", Regulations),
        ("RegulationParser", RegulationTexts),
    ],
)
def test_a_check_ends_before_its_worker_s_timeout(function: str, family: Any) -> None:
    worker = load(TEMPLATE, REQUIRED, "uring-test").functions[function]
    assert worker.timeout_seconds - MARGIN_SECONDS > family.seconds


def test_the_monitor_watches_every_family_that_is_checked(least_stack: Stack, stack: Stack) -> None:
    """What is not deployed is checked by nobody, and is not down."""
    families = {family.name for family in FAMILIES}
    for some, watched in ((stack, families), (least_stack, {"notices"})):
        variables = _functions(some)["Monitor"]["Environment"]["Variables"]
        assert set(variables["WATCHED_FAMILIES"].split()) == watched


def test_a_service_has_its_own_address_unless_a_stand_in_is_named(
    template: dict[str, Any], stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK takes an empty variable for none."""
    url = "http://127.0.0.1:9"
    replaced = Stack(template, TranslateEndpoint=url, BedrockEndpoint=url, **DEPLOYED["documents"])
    for some, wanted in ((stack, "amazonaws.com"), (replaced, url)):
        variables = _functions(some)["DocumentWorker"]["Environment"]["Variables"]
        for service in ("translate", "bedrock-runtime"):
            name = f"AWS_ENDPOINT_URL_{service.replace('-', '_').upper()}"
            monkeypatch.setenv(name, variables[name])
            client = boto3.session.Session().client(service, region_name="eu-west-1")
            assert wanted in client.meta.endpoint_url


def test_the_bucket_tells_the_intake_of_pages_and_nobody_of_anything_else(stack: Stack) -> None:
    """Every write of every family would be an event of EventBridge, a dollar a million."""
    told = stack.of_type("AWS::S3::Bucket")["Bucket"]["NotificationConfiguration"]
    assert told.keys() == {"LambdaConfigurations"}
    for each in told["LambdaConfigurations"]:
        assert stack.function(each["Function"]) == "DocumentIntake"
        assert each["Filter"] == {"S3Key": {"Rules": [{"Name": "prefix", "Value": PAGES}]}}
    kinds = [each["Event"] for each in told["LambdaConfigurations"]]
    assert kinds == ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]


def test_this_account_s_buckets_alone_may_invoke_the_intake(stack: Stack) -> None:
    """Its own bucket's name would be a circle: the bucket needs the permission first."""
    ((name, permission),) = (
        (name, each)
        for name, each in stack.of_type("AWS::Lambda::Permission").items()
        if stack.function(each["FunctionName"]) == "DocumentIntake"
    )
    assert permission["Principal"] == "s3.amazonaws.com"
    assert permission["SourceAccount"] == "123456789012"
    # SAM's way to depend on what a condition may leave out: a tag that names it.
    tags = {each["Value"] for each in stack.resources["Bucket"]["Properties"]["Tags"]}
    assert f"${{{name}}}" in tags


def test_the_monitor_and_the_orchestrators_have_the_same_plan(full_stack: Stack) -> None:
    variables = {
        name: function["Environment"]["Variables"]
        for name, function in _functions(full_stack).items()
    }
    monitor = variables["Monitor"]
    for name in ("METAR_MINUTES", "TAF_MINUTES", "WARNING_MINUTES"):
        assert monitor[name] == variables["WeatherOrchestrator"][name]
    assert monitor["AIRPORTS"] == variables["WeatherWorker"]["AIRPORTS"]
    assert monitor["CONFIG_KEY"] == variables["NoticeOrchestrator"]["CONFIG_KEY"]
    assert monitor["REGISTRIES_KEY"] == variables["RegulationOrchestrator"]["CONFIG_KEY"]
    assert monitor["WATCHES_KEY"] == variables["SeedWatchOrchestrator"]["CONFIG_KEY"]


def test_a_tick_is_delivered_again_only_while_the_queue_recognises_its_jobs(stack: Stack) -> None:
    """SQS forgets a deduplication id after five minutes."""
    rules = _ticks(stack)
    for function in DAILY:
        assert rules.pop(f"{function}Tick")
    for rule in rules.values():
        (target,) = rule["Targets"]
        assert target["RetryPolicy"]["MaximumEventAgeInSeconds"] <= 300
    for name, asynchronous in stack.of_type("AWS::Lambda::EventInvokeConfig").items():
        # The intake makes the same job of the same event, which finds its work done.
        if not name.startswith((*DAILY, "TextExtractor", "DocumentIntake")):
            assert asynchronous["MaximumEventAgeInSeconds"] <= 300


def test_the_rule_sends_the_plain_event(stack: Stack) -> None:
    """The orchestrator reads `time`, which a constant input would replace."""
    for rule in stack.of_type("AWS::Events::Rule").values():
        assert rule["Targets"][0].keys() == {"Arn", "Id", "RetryPolicy"}


def test_the_monitor_watches_in_the_minute_before_the_tick() -> None:
    """By then the last tick's checks are done."""
    functions = load(TEMPLATE, REQUIRED, "uring-test").functions
    (watch,), (tick, _) = functions["Monitor"].schedules, functions["NoticeOrchestrator"].schedules
    first = [int(each.expression.removeprefix("cron(").partition("/")[0]) for each in (watch, tick)]
    assert watch.interval_seconds == tick.interval_seconds
    assert first[1] - first[0] == 1


def test_the_template_is_commented_and_described(template: dict[str, Any]) -> None:
    """One line above each resource says why it exists; every parameter has a description."""
    lines = TEMPLATE.read_text(encoding="utf-8").splitlines()
    body = lines[lines.index("Resources:") : lines.index("Outputs:")]
    for previous, line in pairwise(body):
        if re.fullmatch(r"  \w+:", line):
            assert previous.startswith("  # "), f"{line.strip()} has no comment"
    for section in ("Parameters", "Outputs"):
        for name, entry in template[section].items():
            assert entry["Description"].endswith("."), name


def test_shared_blocks_are_merged_and_name_what_every_stack_has(template: dict[str, Any]) -> None:
    """CloudFormation gets them, too: a block may name no resource that a condition leaves out."""
    text = TEMPLATE.read_text(encoding="utf-8")
    anchors = set(re.findall(r"&([\w-]+)$", text, re.MULTILINE))
    assert len(anchors) == len(template["Metadata"]) - 1
    assert anchors == set(re.findall(r"[ \[{]\*([a-z-]+)", text))
    blocks = json.dumps(template["Metadata"])
    always = {
        name for name, resource in template["Resources"].items() if "Condition" not in resource
    }
    known = always | template["Parameters"].keys()
    named = re.findall(r'"Ref": "(\w+)"|"Fn::GetAtt": \["(\w+)"|\$\{(\w+)', blocks)
    assert {"".join(each) for each in named} - {"AWS"} <= known


def test_sam_writes_the_merged_blocks_out() -> None:
    """CloudFormation refuses a template with aliases or merge keys."""
    written = yaml_dump(yaml_parse(TEMPLATE.read_text(encoding="utf-8")))
    events = yaml.parse(written, Loader=yaml.SafeLoader)
    assert not any(
        isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) for event in events
    )
    assert "<<:" not in written
    assert yaml_parse(written) == yaml_parse(TEMPLATE.read_text(encoding="utf-8"))


def test_the_layer_is_the_library(template: dict[str, Any]) -> None:
    layer = template["Resources"]["CoreLayer"]["Properties"]
    assert (ROOT / layer["ContentUri"] / "uring" / "__init__.py").is_file()
    assert Path(ROOT / layer["ContentUri"] / "requirements.txt").is_file()
