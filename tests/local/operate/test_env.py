"""`uring env`: the variables of a stack's functions, through what SAM gives a container."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import boto3
import pytest
from botocore.exceptions import ClientError
from expanded import ROOT, TEMPLATE, Stack, read_template
from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

from uring.errors import Misconfigured
from uring_local.cli import main
from uring_local.operate import env
from uring_local.operate.env import environments
from uring_local.template.families import FAMILIES, switching_on

# SAM's own, of its own libraries.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

KEYS = {"region": "eu-west-1", "key": "testing", "secret": "testing"}
WATCHES = "WatchesKey=config/watches.json"
ENDPOINT = "http://127.0.0.1:4566"


class Deployed:
    """A stack, as CloudFormation and Lambda tell of it."""

    def __init__(self) -> None:
        self.parameters = switching_on(FAMILIES)
        stack = Stack(read_template(), **self.parameters)
        self.functions = stack.of_type("AWS::Lambda::Function")
        self.error = ""

    def client(self, _: str) -> "Deployed":
        return self

    def describe_stacks(self, **_: str) -> Any:
        pairs = self.parameters.items()
        parameters = [{"ParameterKey": name, "ParameterValue": each} for name, each in pairs]
        return {"Stacks": [{"Parameters": parameters, "Outputs": []}]}

    def get_paginator(self, _: str) -> "Deployed":
        return self

    def paginate(self, **_: Any) -> Any:
        kind = "AWS::Lambda::Function"
        found = [
            {"LogicalResourceId": name, "PhysicalResourceId": name.lower(), "ResourceType": kind}
            for name in self.functions
        ]
        other = {**found[0], "LogicalResourceId": "Bucket", "ResourceType": "AWS::S3::Bucket"}
        return [{"StackResourceSummaries": [*found, other]}]

    def get_function_configuration(self, *, FunctionName: str) -> Any:  # noqa: N803 - AWS's word
        if self.error:
            raise ClientError({"Error": {"Code": self.error}}, "GetFunctionConfiguration")
        return {"Environment": {"Variables": self.variables(FunctionName)}}

    def variables(self, function: str) -> dict[str, str]:
        """What is deployed of a function: no reference is left in it."""
        own = {name.lower(): each for name, each in self.functions.items()}[function]
        values = own["Environment"]["Variables"]
        return {name: str(value).replace("${", "real-{") for name, value in values.items()}


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)


def in_container(function: str, given: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The variables that ``sam local invoke -n`` gives a container, by SAM's own resolver."""
    stacks, _ = SamLocalStackProvider.get_stacks(
        str(TEMPLATE), global_parameter_overrides={"AWS::Region": "eu-west-1"}
    )
    provider = SamFunctionProvider(stacks)
    runner = LocalLambdaRunner(Mock(), provider, str(ROOT), None, env_vars_values=given)
    runner.get_aws_creds = lambda: KEYS  # type: ignore[method-assign]
    found = provider.get(function)
    assert found is not None
    resolved: dict[str, str] = runner._make_env_vars(found).resolve()  # noqa: SLF001 - its public way needs Docker
    return resolved


def test_a_container_gets_every_variable_as_it_is_deployed() -> None:
    stack = Deployed()
    written = environments(stack, "uring-dev")
    assert written.keys() == stack.functions.keys()
    for function in ("NoticeOrchestrator", "Notifier", "DocumentWorker"):
        variables = in_container(function, written)
        assert written[function].items() <= variables.items()
        assert written[function] == stack.variables(function.lower())


def test_without_the_file_a_container_would_look_for_a_bucket_named_bucket() -> None:
    """SAM's own guess, for which the file is there."""
    assert in_container("NoticeOrchestrator", {})["DATA_BUCKET"] == "Bucket"


def test_the_address_of_a_local_stack_reaches_the_container(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SAM takes only names that the template has: without one of its own it would be dropped."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", ENDPOINT)
    written = environments(Deployed(), "uring")
    assert {each["AWS_ENDPOINT_URL"] for each in written.values()} == {ENDPOINT}
    assert in_container("Notifier", written)["AWS_ENDPOINT_URL"] == ENDPOINT


def test_on_a_real_stack_the_container_has_an_empty_address_that_means_aws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = environments(Deployed(), "uring-dev")
    assert not any("AWS_ENDPOINT_URL" in each for each in written.values())
    variables = in_container("Notifier", written)
    assert variables["AWS_ENDPOINT_URL"] == ""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    client = boto3.Session().client("s3")
    assert client.meta.endpoint_url == "https://s3.eu-west-1.amazonaws.com"


def test_the_file_is_what_sam_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stack = Deployed()
    monkeypatch.setattr(env, "boto3", stack)
    path = tmp_path / "env.json"
    assert main(["env", str(path), "--stack", "made-up"]) == 0
    (told,) = capsys.readouterr().out.splitlines()
    assert f"-n {path}" in told
    assert json.loads(path.read_text(encoding="utf-8")) == environments(stack, "made-up")
    assert main(["env", "-", "--stack", "made-up"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == stack.functions.keys()


def test_families_that_have_no_functions_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stack = Deployed()
    stack.parameters |= {"Seeds": "DISABLED", "WatchesKey": ""}
    monkeypatch.setattr(env, "boto3", stack)
    assert main(["env", str(tmp_path / "env.json"), "--stack", "made-up"]) == 0
    seeds, watches = capsys.readouterr().out.splitlines()[1:]
    assert seeds == "without the functions of seeds; build and deploy with Seeds=ENABLED"
    assert watches == f"without the functions of watches; {seeds.partition('; ')[2]} {WATCHES}"


def test_a_missing_permission_is_named() -> None:
    stack = Deployed()
    stack.error = "AccessDeniedException"
    with pytest.raises(Misconfigured, match="lambda:GetFunctionConfiguration"):
        environments(stack, "uring-dev")
