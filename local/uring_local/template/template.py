"""Reads template.yaml: its functions, and the queues and schedules that feed them.

Nothing is resolved here: names and environments are CloudFormation's work.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from samtranslator.yaml_helper import intrinsics_multi_constructor

from uring_local.project import StackFailed
from uring_local.template.conditions import TemplateConditions

# libyaml's loader takes a tenth of the time.
_PARSER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ALIAS: Final = "live"
"""The alias of every function, which all callers use: the published version in service."""

_UNIT_SECONDS: Final = {"minute": 60, "hour": 3600, "day": 86400}


class _Loader(_PARSER):  # type: ignore[misc]
    """YAML with merge keys and CloudFormation's short forms; a repeated key is an error."""

    def flatten_mapping(self, node: Any) -> None:
        """Write out a mapping's merge key; PyYAML itself would keep the last of a repeated key."""
        keys: set[str] = set()
        for key, _ in node.value:
            if key.value in keys:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value} occurs twice in one mapping", key.start_mark
                )
            keys.add(key.value)
        super().flatten_mapping(node)
        # A key may be merged and have its own value in the same mapping: the last, its own, counts.
        # An anchor is flattened again by each mapping that merges it.
        node.value = list({key.value: (key, value) for key, value in node.value}.values())


_Loader.add_multi_constructor("!", intrinsics_multi_constructor)


@dataclass(frozen=True)
class QueueSource:
    """A queue, by logical id, whose messages a function receives in batches."""

    queue: str
    batch_size: int
    reports_failures: bool


@dataclass(frozen=True)
class Schedule:
    """A schedule that sends a function an EventBridge event."""

    expression: str

    @property
    def interval_seconds(self) -> int:
        """The time from one event to the next.

        Raises:
            StackFailed: the expression has another form than ``rate(10 minutes)``, ``cron(5/10 * *
                * ? *)`` and ``cron(0 16 * * ? *)``.
        """
        if found := re.fullmatch(r"rate\((\d+) (minute|hour|day)s?\)", self.expression):
            return int(found[1]) * _UNIT_SECONDS[found[2]]
        if found := re.fullmatch(r"cron\(\d+/(\d+) \* \* \* \? \*\)", self.expression):
            return int(found[1]) * _UNIT_SECONDS["minute"]
        if re.fullmatch(r"cron\(\d+ \d+ \* \* \? \*\)", self.expression):
            return _UNIT_SECONDS["day"]
        raise StackFailed(
            f"{self.expression}: has no single interval; "
            "write rate(N minutes), cron(M/N * * * ? *) "
            "or, for once a day, cron(M H * * ? *)"
        )


@dataclass(frozen=True)
class TemplateFunction:
    """A Lambda function.

    Args:
        handler: ``module.attribute`` inside ``code_dir``.
        environment: the template's values, functions of CloudFormation included.
    """

    logical_id: str
    handler: str
    code_dir: Path
    timeout_seconds: int
    memory_megabytes: int
    environment: Mapping[str, Any]
    sources: tuple[QueueSource, ...]
    schedules: tuple[Schedule, ...]


@dataclass(frozen=True)
class Template:
    """A template, and its stack.

    Args:
        document: the whole file, short forms in their long spelling.
        parameters: values for some of its parameters; the others keep their defaults.
        functions: all functions, by logical id.
    """

    document: Mapping[str, Any]
    parameters: Mapping[str, str]
    stack_name: str
    functions: Mapping[str, TemplateFunction]

    @property
    def conditions(self) -> TemplateConditions:
        """The template's conditions under these parameters."""
        return TemplateConditions(self.document, self.parameters)

    def deployed(self) -> dict[str, TemplateFunction]:
        """Return the functions that no condition leaves out, by logical id."""
        conditions, resources = self.conditions, self.document["Resources"]
        return {
            name: function
            for name, function in self.functions.items()
            if conditions.keep(resources[name])
        }

    def variables(self) -> dict[str, dict[str, str]]:
        """Return each function's variables that need no stack: texts and parameters."""
        values = self.conditions.values
        return {
            function.logical_id: {
                name: value if isinstance(value, str) else values[value["Ref"]]
                for name, value in function.environment.items()
                if isinstance(value, str) or value.get("Ref") in values
            }
            for function in self.functions.values()
        }


def parse(path: Path) -> dict[str, Any]:
    """Return a template's content, merged, short forms in their long spelling: ``{Ref: x}``.

    Raises:
        StackFailed: the file is not YAML.
    """
    try:
        document = _loaded(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise StackFailed(f"{path} is not YAML: {error}") from error
    copied: dict[str, Any] = _copied(document)
    return copied


@lru_cache(maxsize=2)  # a tenth of a second, and a doctor reads it several times
def _loaded(text: str) -> Any:
    return yaml.load(text, _Loader)  # noqa: S506 - a safe one


def _copied(value: Any) -> Any:
    """Return a deep copy of a value: no two parts are one object, as an anchor's aliases are."""
    match value:
        case dict():
            return {key: _copied(item) for key, item in value.items()}
        case list():
            return [_copied(item) for item in value]
    return value


def load(path: Path, parameters: Mapping[str, str], stack_name: str) -> Template:
    """Read a template as it would be deployed with these parameters.

    Args:
        path: the template; code directories are relative to its folder.
        parameters: values for some of its parameters.
        stack_name: the prefix of the name of every resource.

    Raises:
        StackFailed: the file is not YAML, or a function has an unsupported trigger.
    """
    document = parse(path)
    shared = document["Globals"]["Function"]
    functions = {
        name: _function(name, resource["Properties"], shared, path.parent)
        for name, resource in document["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    return Template(document, parameters, stack_name, functions)


def _function(
    name: str, own: Mapping[str, Any], shared: Mapping[str, Any], root: Path
) -> TemplateFunction:
    properties = {**shared, **own}
    sources: list[QueueSource] = []
    schedules: list[Schedule] = []
    for event in own.get("Events", {}).values():
        match event:
            case {"Type": "SQS", "Properties": trigger}:
                sources.append(_queue_source(trigger))
            case {"Type": "Schedule", "Properties": {"Schedule": expression}}:
                schedules.append(Schedule(expression))
            case {"Type": "HttpApi" | "S3"}:
                # Nothing here delivers these events: callers invoke the function themselves.
                pass
            case {"Type": kind}:
                raise StackFailed(f"{name}: nothing here delivers {kind} events; deploy the stack")
    return TemplateFunction(
        logical_id=name,
        handler=properties["Handler"],
        code_dir=root / properties["CodeUri"],
        timeout_seconds=properties["Timeout"],
        memory_megabytes=properties["MemorySize"],
        environment=_variables(shared) | _variables(own),
        sources=tuple(sources),
        schedules=tuple(schedules),
    )


def _queue_source(trigger: Mapping[str, Any]) -> QueueSource:
    queue, _ = trigger["Queue"]["Fn::GetAtt"]
    return QueueSource(
        queue=queue,
        batch_size=trigger["BatchSize"],
        reports_failures="ReportBatchItemFailures" in trigger.get("FunctionResponseTypes", []),
    )


def _variables(function: Mapping[str, Any]) -> dict[str, Any]:
    return dict(function.get("Environment", {}).get("Variables", {}))
