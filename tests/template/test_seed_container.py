"""Containers of the domain worker: a switch, the worker's rights and settings, none that runs."""

import subprocess
import sys
from typing import Any

import pytest
from expanded import ROOT, Stack, logical_id
from grants import statements

from uring_local.template.families import FAMILIES

GIVEN = {
    "SeedContainer": "spot",
    "SeedContainerImage": "123456789012.dkr.ecr.eu-west-1.amazonaws.com/uring:1",
    "SeedContainerSubnets": "subnet-0a1b2c3d,subnet-1b2c3d4e",
}
SEEDS = FAMILIES["seeds"]
IMAGE = ROOT / "containers" / "seed-worker"
# urllib3, botocore and importlib.metadata use these where they find them; uring is copied.
OPTIONAL = {"awscrt", "certifi", "cffi", "cryptography", "pyopenssl", "setuptools", "uring"}


@pytest.fixture(scope="module")
def containers(template: dict[str, Any]) -> Stack:
    return Stack(template, **SEEDS, **GIVEN)


def ecs(stack: Stack) -> set[str]:
    return {name for name, each in stack.resources.items() if each["Type"].startswith("AWS::ECS")}


def only(stack: Stack, kind: str) -> dict[str, Any]:
    (found,) = stack.of_type(f"AWS::ECS::{kind}").values()
    return found


def container(stack: Stack) -> dict[str, Any]:
    (found,) = only(stack, "TaskDefinition")["ContainerDefinitions"]
    assert isinstance(found, dict)
    return found


def test_there_is_none_by_default_and_none_without_the_seed_engine(
    template: dict[str, Any], full_stack: Stack
) -> None:
    assert not ecs(full_stack)
    plain, alone = Stack(template, **SEEDS), Stack(template, **GIVEN)
    assert not ecs(plain)
    assert not ecs(alone)
    assert not [name for name in alone.resources if name.startswith("SeedContainer")]


def test_nothing_runs_until_somebody_says_so(template: dict[str, Any], containers: Stack) -> None:
    assert str(only(containers, "Service")["DesiredCount"]) == "0"
    more = Stack(template, **SEEDS, **GIVEN, SeedContainerCount="4")
    assert str(only(more, "Service")["DesiredCount"]) == "4"


def test_it_runs_on_spot_alone_in_the_stack_s_architecture(
    template: dict[str, Any], containers: Stack
) -> None:
    assert only(containers, "Cluster")["CapacityProviders"] == ["FARGATE_SPOT"]
    (chosen,) = only(containers, "Service")["CapacityProviderStrategy"]
    assert chosen["CapacityProvider"] == "FARGATE_SPOT"
    for given, said in (("arm64", "ARM64"), ("x86_64", "X86_64")):
        stack = Stack(template, **SEEDS, **GIVEN, Architecture=given)
        assert only(stack, "TaskDefinition")["RuntimePlatform"]["CpuArchitecture"] == said


def test_it_may_do_what_the_worker_may_but_write_its_log(containers: Stack) -> None:
    worker = containers.properties(
        containers.of_type("AWS::Lambda::Function")["DomainWorker"]["Role"]
    )
    task = containers.properties(only(containers, "TaskDefinition")["TaskRoleArn"])
    log, *rest = statements(worker)
    assert log["Action"] == ["logs:CreateLogStream", "logs:PutLogEvents"]
    assert [*statements(task)] == rest


def test_its_role_to_start_pulls_an_image_and_writes_its_log(containers: Stack) -> None:
    start = containers.properties(only(containers, "TaskDefinition")["ExecutionRoleArn"])
    log, token, pull = statements(start)
    group = container(containers)["LogConfiguration"]["Options"]["awslogs-group"]
    assert logical_id(log["Resource"]) == logical_id(group)
    assert (token["Action"], token["Resource"]) == ("ecr:GetAuthorizationToken", "*")
    assert all(action.startswith("ecr:") for action in pull["Action"])
    for role in (start, containers.properties(only(containers, "TaskDefinition")["TaskRoleArn"])):
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": "ecs-tasks.amazonaws.com"}
        assert trust["Condition"]["StringEquals"].keys() == {"aws:SourceAccount"}


def test_its_settings_are_the_function_s(containers: Stack) -> None:
    function = containers.of_type("AWS::Lambda::Function")["DomainWorker"]
    own = {each["Name"]: each["Value"] for each in container(containers)["Environment"]}
    assert own.pop("AWS_DEFAULT_REGION") == "eu-west-1"
    theirs = {
        name: value
        for name, value in function["Environment"]["Variables"].items()
        # A local stack's address, which an account's has not.
        if name != "AWS_ENDPOINT_URL"
    }
    assert own == theirs


def test_it_has_time_to_end_before_spot_takes_it_away(containers: Stack) -> None:
    """A domain takes 55 seconds at most; ECS kills after ``StopTimeout``, two minutes at most."""
    command = container(containers)["Command"]
    grace = float(command[command.index("--grace") + 1])
    assert 55 < grace < container(containers)["StopTimeout"] <= 120


def test_the_budget_s_switch_stops_it_too(template: dict[str, Any]) -> None:
    budget = {"BudgetDollars": "20", "AlarmEmail": "ops@uring.example", "BudgetStops": "true"}
    stack = Stack(template, **SEEDS, **GIVEN, **budget, Operations="true")
    (action,) = stack.of_type("AWS::Budgets::BudgetsAction").values()
    assert "${SeedContainerRole}" in action["Definition"]["IamActionDefinition"]["Roles"]
    role = stack.properties(action["ExecutionRoleArn"])
    (statement,) = role["Policies"][0]["PolicyDocument"]["Statement"]
    assert "${SeedContainerRole.Arn}" in statement["Resource"]


@pytest.mark.parametrize("without", ["SeedContainerImage", "SeedContainerSubnets"])
def test_a_rule_refuses_it_without_image_or_subnets(template: dict[str, Any], without: str) -> None:
    rule = template["Rules"]["Containers"]
    (switched, given) = rule["Assertions"]
    assert switched["Assert"] == {"Fn::Equals": [{"Ref": "Seeds"}, "ENABLED"]}
    wanted = [each["Fn::Not"][0]["Fn::Equals"] for each in given["Assert"]["Fn::And"]]
    assert [{"Ref": without}, ""] in wanted


def test_the_image_copies_what_is_there() -> None:
    lines = (IMAGE / "Dockerfile").read_text("utf-8").splitlines()
    copied = [line.split()[1] for line in lines if line.startswith("COPY ")]
    assert copied
    assert all((ROOT / each).exists() for each in copied)


def test_the_image_has_what_the_command_loads() -> None:
    """Of the libraries of a checkout it has a few; what others load if it is there, it need not."""
    code = (
        "import sys, uring_local.cli, uring_local.seeds.work as work\n"
        "from importlib.metadata import packages_distributions as names\n"
        "from contextlib import suppress\n"
        "with suppress(SystemExit): uring_local.cli.main(['seeds', 'work', '--help'])\n"
        "found = names()\n"
        "print(*{each for name in sys.modules for each in found.get(name, ())})"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {_plain(name) for name in run.stdout.splitlines()[-1].split()}
    lock = (IMAGE / "requirements.txt").read_text("utf-8")
    locked = {_plain(line.split("==")[0]) for line in lock.splitlines() if "==" in line}
    assert {"boto3", "cyclopts", "pydantic"} <= loaded
    assert loaded - locked <= OPTIONAL


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
