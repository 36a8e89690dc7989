"""A stage of samconfig.toml: the stack, region and parameters of a deployment."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from samcli.cli.types import CfnParameterOverridesType

from uring.errors import Misconfigured
from uring_local.project import ROOT
from uring_local.template.conditions import TemplateConditions
from uring_local.template.template import parse

DEFAULT_STAGE: Final = "default"
"""The stage of `sam deploy` without an option."""


@dataclass(frozen=True, slots=True)
class SamStage:
    """A stage.

    Args:
        file: it is in.
        name: as for `sam deploy --config-env`.
        stack: its stack.
        region: empty if the file has none.
        parameters: in the file; the others have the template's defaults.
        confirms: True if a person is to see a change set before it is executed.
        settings: the whole stage, to notice a change.
    """

    file: Path
    name: str
    stack: str
    region: str
    parameters: Mapping[str, str]
    confirms: bool
    settings: str

    @property
    def values(self) -> dict[str, str]:
        """All parameters of the template, with their defaults."""
        return TemplateConditions(template(), self.parameters).values


@cache
def template() -> Mapping[str, Any]:
    """Return the project's template, which takes a while to read."""
    return parse(ROOT / "template.yaml")


def read_stage(stack: str | None, file: Path) -> SamStage:
    """Return the stage of a stack; without a stack the first one, `DEFAULT_STAGE`.

    Raises:
        Misconfigured: no such file or stage, or it is not TOML.
    """
    try:
        stages = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Misconfigured(f"{file}: no such file; restore it, or name one") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{file.name}: {error}; correct the file") from error
    found = [_stage(file, name, each) for name, each in stages.items() if isinstance(each, dict)]
    for stage in found:
        if stage.stack == stack or (stack is None and stage.name == DEFAULT_STAGE):
            return stage
    known = ", ".join(stage.stack for stage in found if stage.stack) or "none"
    raise Misconfigured(
        f"{file.name} has no stage of the stack {stack or DEFAULT_STAGE}; it has {known}: name "
        "one of them, or add a stage with its stack_name"
    )


def _stage(file: Path, name: str, stage: Mapping[str, Any]) -> SamStage:
    settings = _settings(stage)
    given = settings.get("parameter_overrides", [])
    parameters = given if isinstance(given, dict) else _parsed(name, given)
    return SamStage(
        file,
        name,
        str(settings.get("stack_name", "")),
        str(settings.get("region", "")),
        {key: str(value) for key, value in parameters.items()},
        settings.get("confirm_changeset") is True,
        repr(sorted(settings.items())),
    )


def _settings(stage: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for command in ("global", "deploy"):
        found |= stage.get(command, {}).get("parameters", {})
    return found


def _parsed(stage: str, given: Any) -> dict[str, str]:
    """Return parameters as SAM reads them."""
    pairs = [given] if isinstance(given, str) else given
    try:
        parsed: dict[str, str] = CfnParameterOverridesType().convert(pairs, None, None)
    except Exception as error:
        raise Misconfigured(
            f"[{stage}] parameter_overrides: {error}; write each as 'Name=\"value\"'"
        ) from error
    return parsed


def refusals(stage: SamStage) -> Iterator[tuple[str, str]]:
    """Yield what CloudFormation would refuse: a parameter or a rule, and the reason."""
    known: Mapping[str, Any] = template()["Parameters"]
    for name in stage.parameters.keys() - known.keys():
        yield name, "the template has no such parameter: correct its name, or remove it"
    for name, rules in known.items():
        value = stage.parameters.get(name, rules.get("Default"))
        if value is None:
            yield name, f"is missing: {rules['Description']}"
        elif not _accepts(rules, str(value)):
            yield name, f"{value!r} is refused: {name} {_asked(rules)}"
    conditions = TemplateConditions(template(), stage.parameters)
    for name, rule in template()["Rules"].items():
        if not conditions.holds(rule.get("RuleCondition", _ALWAYS)):
            continue
        for each in rule["Assertions"]:
            if not conditions.holds(each["Assert"]):
                yield name, each["AssertDescription"]


_ALWAYS: Final = {"Fn::Equals": ["", ""]}


def _accepts(rules: Mapping[str, Any], value: str) -> bool:
    """Return True if CloudFormation takes a value for a parameter with these rules."""
    if rules["Type"] == "Number":
        if not re.fullmatch(r"-?\d+(\.\d+)?", value, re.ASCII):
            return False
        number = float(value)
        if number < rules.get("MinValue", number) or number > rules.get("MaxValue", number):
            return False
    allowed = rules.get("AllowedValues")
    if allowed is not None and value not in map(str, allowed):
        return False
    if not rules.get("MinLength", 0) <= len(value) <= rules.get("MaxLength", len(value)):
        return False
    return re.fullmatch(rules.get("AllowedPattern", "(?s:.*)"), value) is not None


def _asked(rules: Mapping[str, Any]) -> str:
    if "ConstraintDescription" in rules:
        return str(rules["ConstraintDescription"])
    if "AllowedValues" in rules:
        return f"must be one of {', '.join(map(str, rules['AllowedValues']))}"
    bounds = [
        f"{word} {rules[name]}"
        for name, word in (("MinValue", "at least"), ("MaxValue", "at most"))
        if name in rules
    ]
    return f"must be a number, {', '.join(bounds)}" if bounds else str(rules["Description"])
