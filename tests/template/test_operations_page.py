"""docs/operations.md has every parameter with its default, and every alarm."""

import json
import re
import shlex
from typing import Any

import botocore.session
import pytest
from botocore.validate import ParamValidator
from expanded import ROOT

from uring_local.project import StackFailed
from uring_local.template.retained import import_request, main, retained

DOCS = ROOT / "docs"


def rows(page: str, heading: str) -> list[tuple[list[str], str]]:
    """The rows of a table: the words of the first cell, and the second cell."""
    _, _, table = (DOCS / page).read_text("utf-8").partition(f"| {heading} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [(re.findall("`([^`]+)`", first), second) for first, second, *_ in cells]


def test_every_alarm_has_its_remedy(template: dict[str, Any]) -> None:
    alarms = [name for names, _ in rows("operations.md", "alarm") for name in names]
    kind = "AWS::CloudWatch::Alarm"
    there = [name for name, each in template["Resources"].items() if each["Type"] == kind]
    assert sorted(alarms) == sorted(there)


def test_every_parameter_is_there(template: dict[str, Any]) -> None:
    pages = ("operations.md", "weather.md")
    named = [name for page in pages for names, _ in rows(page, "parameter") for name in names]
    assert sorted(named) == sorted(template["Parameters"])


def test_the_defaults_are_those_of_the_template(template: dict[str, Any]) -> None:
    for (name,), cell in rows("operations.md", "parameter"):
        default = template["Parameters"][name].get("Default")
        shown = "to be given" if default is None else f"`{default}`" if default != "" else ""
        assert cell == shown, name


def commands() -> list[list[str]]:
    """The words of every command of AWS's own on the page."""
    blocks = re.findall(
        r"```bash\n(.*?)```", (DOCS / "operations.md").read_text("utf-8"), re.DOTALL
    )
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("aws ")]


def model(service: str, operation: str) -> Any:
    """What AWS takes for an operation, written as the command line has it."""
    name = "".join(part.title() for part in operation.split("-"))
    return botocore.session.Session().get_service_model(service).operation_model(name).input_shape


def option(member: str) -> str:
    """``FunctionName`` as the command line has it."""
    return "--" + re.sub(r"(?<!^)([A-Z])", r"-\1", member).lower()


# The command line's own; a switch is one member, true or false.
GENERAL = {"--query", "--cli-input-json", "--region"}


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[1:3]))
def test_a_command_of_aws_has_options_that_there_are(words: list[str]) -> None:
    """Those that change an account cannot be tried; a misspelt one fails when it is needed."""
    if words[2] == "wait":
        waiters = botocore.session.Session().get_waiter_model(words[1]).waiter_names
        assert "".join(part.title() for part in words[3].split("-")) in waiters
        return
    shape = model(*words[1:3])
    given = {word for word in words[3:] if word.startswith("--")}
    known = {option(member) for member in shape.members}
    assert given - GENERAL <= known, sorted(known)
    required = {option(member) for member in shape.required_members}
    assert "--cli-input-json" in given or required <= given


def test_the_stack_policy_keeps_what_holds_data(template: dict[str, Any]) -> None:
    (words,) = (each for each in commands() if "set-stack-policy" in each)
    allowed, denied = json.loads(words[words.index("--stack-policy-body") + 1])["Statement"]
    assert (allowed["Effect"], allowed["Action"], allowed["Resource"]) == ("Allow", "Update:*", "*")
    assert denied["Effect"] == "Deny"
    patterns = [each.removeprefix("LogicalResourceId/") for each in denied["Resource"]]
    covered = {
        name
        for name in template["Resources"]
        if any(re.fullmatch(each.replace("*", ".*"), name) for each in patterns)
    }
    assert covered == retained(template).keys()


def test_what_is_left_of_a_stack_is_imported_with_all_its_settings(
    template: dict[str, Any],
) -> None:
    """A setting that the import had otherwise would be changed by the deployment after it.

    So would a name: what the template names by nothing would be replaced by an empty one.
    """
    names = {name: f"left-{name.lower()}" for name in retained(template)}
    assert len(names) == 5
    request = import_request(template, "uring-prod", names)
    report = ParamValidator().validate(request, model("cloudformation", "create-change-set"))
    assert not report.has_errors(), report.generate_report()
    body = json.loads(request["TemplateBody"])["Resources"]
    for name, resource in body.items():
        assert resource["Properties"] == template["Resources"][name]["Properties"]
        # CloudFormation imports nothing that it might delete.
        assert resource["DeletionPolicy"] == "Retain"
    told = {
        each["LogicalResourceId"]: {*each["ResourceIdentifier"].values()}
        for each in request["ResourcesToImport"]
    }
    assert told == {name: {physical} for name, physical in names.items()}
    assert "Ref" not in request["TemplateBody"], "the parameters are the deployment's"


@pytest.mark.parametrize(
    "arguments", [[], ["uring-prod"], ["uring-prod", "Bucket"], ["uring-prod", "AlarmTopic=x"]]
)
def test_an_import_of_something_else_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "Bucket=NAME" in capsys.readouterr().err


def test_only_what_outlives_a_stack_is_imported(template: dict[str, Any]) -> None:
    with pytest.raises(StackFailed, match=r"AlarmTopic: these outlive a stack: Bucket, .*Ledger"):
        import_request(template, "uring-prod", {"AlarmTopic": "x"})
