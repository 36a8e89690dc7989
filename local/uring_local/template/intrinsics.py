"""CloudFormation's YAML and its functions: template text → plain values.

What a stack makes up when it creates a resource (an ARN, a queue's URL) stays a `Physical` until
somebody knows it; text around one is a `Deferred`.
"""

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from uring.errors import Permanent


class TemplateInvalid(Permanent):
    """The template, or a parameter given to it, cannot be used. Names the path and the remedy."""


@dataclass(frozen=True)
class Physical:
    """A value known only once its resource exists: its ``Ref``, or an attribute such as ``Arn``."""

    logical_id: str
    attribute: str


@dataclass(frozen=True)
class Deferred:
    """Text with gaps, in order. No part is itself deferred."""

    parts: tuple[str | Physical, ...]


Text: TypeAlias = str | Physical | Deferred


def fill(text: Text, physical: Mapping[Physical, str], path: str) -> str:
    """Text with its gaps filled.

    Raises:
        TemplateInvalid: ``physical`` lacks a value; ``path`` says where it is needed.
    """
    parts = text.parts if isinstance(text, Deferred) else (text,)
    filled = []
    for part in parts:
        if isinstance(part, Physical):
            if part not in physical:
                raise TemplateInvalid(
                    f"{path}: nothing here provides {part.attribute} of {part.logical_id}; "
                    "without CloudFormation only the bucket, the queues and the tables exist"
                )
            filled.append(physical[part])
        else:
            filled.append(part)
    return "".join(filled)


class _Loader(yaml.SafeLoader):
    """SafeLoader that reads the short forms: ``!Ref x`` is ``{Ref: x}``."""


def _short_form(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.MappingNode):
        return {name: loader.construct_mapping(node, deep=True)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.ScalarNode)  # noqa: S101 - YAML has no fourth kind of node
    text = loader.construct_scalar(node)
    return {name: text.split(".", 1) if name == "Fn::GetAtt" else text}


_Loader.add_multi_constructor("!", _short_form)


def parse(text: str) -> dict[str, Any]:
    """A template's text as a mapping, short forms in their long spelling.

    Raises:
        TemplateInvalid: not YAML, or not a mapping.
    """
    try:
        document = yaml.load(text, Loader=_Loader)  # noqa: S506 - _Loader is a SafeLoader
    except yaml.YAMLError as error:
        raise TemplateInvalid(f"the template is not YAML: {error}") from error
    if not isinstance(document, dict):
        raise TemplateInvalid("the template is not a mapping; is this the right file?")
    return document


_NO_VALUE = object()
_SUBSTITUTION = re.compile(r"\$\{(!?)\s*([^}\s]+)\s*\}")


@dataclass(frozen=True)
class Scope:
    """What names in a template mean.

    Args:
        names: parameters and pseudo parameters with their values.
        conditions: the ``Conditions`` section, unresolved.
        resources: logical ids of the resources that exist under these parameters.
    """

    names: Mapping[str, str]
    conditions: Mapping[str, Any]
    resources: AbstractSet[str]

    def resolve(self, value: Any, path: str) -> Any:
        """A value without intrinsic functions; what is unknown yet is `Physical` or `Deferred`.

        Raises:
            TemplateInvalid: an unknown name, or a function that is not read here.
        """
        if isinstance(value, list):
            items = [self.resolve(item, f"{path}.{index}") for index, item in enumerate(value)]
            return [item for item in items if item is not _NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            name, argument = next(iter(value.items()))
            if name == "Ref" or str(name).startswith("Fn::"):
                return self._function(name, argument, path)
        resolved = {key: self.resolve(item, f"{path}.{key}") for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not _NO_VALUE}

    def holds(self, condition: Any, path: str) -> bool:
        """Whether a condition, given by name or as a function, is true.

        Raises:
            TemplateInvalid: an unknown condition, or a function that is none.
        """
        if isinstance(condition, str):
            if condition not in self.conditions:
                raise TemplateInvalid(f"{path}: there is no condition {condition!r}")
            return self.holds(self.conditions[condition], f"Conditions.{condition}")
        match condition:
            case {"Condition": str(name)}:
                return self.holds(name, path)
            case {"Fn::Equals": [left, right]}:
                return bool(self.resolve(left, path) == self.resolve(right, path))
            case {"Fn::Not": [operand]}:
                return not self.holds(operand, path)
            case {"Fn::And": [*operands]}:
                return all(self.holds(operand, path) for operand in operands)
            case {"Fn::Or": [*operands]}:
                return any(self.holds(operand, path) for operand in operands)
        raise TemplateInvalid(f"{path}: a condition is built of Equals, Not, And, Or, Condition")

    def _function(self, name: str, argument: Any, path: str) -> Any:
        functions: dict[str, Callable[[Any, str], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._attribute,
            "Fn::If": self._if,
            "Fn::Join": self._join,
            "Fn::Sub": self._substitute,
        }
        if name not in functions:
            raise TemplateInvalid(
                f"{path}: {name} is not read here; write it with {', '.join(functions)}"
            )
        return functions[name](argument, path)

    def _ref(self, name: Any, path: str) -> Any:
        if name == "AWS::NoValue":
            return _NO_VALUE
        if name in self.names:
            return self.names[name]
        if name in self.resources:
            return Physical(name, "Ref")
        raise TemplateInvalid(
            f"{path}: {name} is no parameter, and no resource that exists under these parameters"
        )

    def _attribute(self, argument: Any, path: str) -> Physical:
        match argument if isinstance(argument, list) else str(argument).split(".", 1):
            case [str(logical_id), str(attribute)] if logical_id in self.resources:
                return Physical(logical_id, attribute)
        raise TemplateInvalid(f"{path}: GetAtt {argument} does not name an existing resource")

    def _if(self, argument: Any, path: str) -> Any:
        match argument:
            case [str(condition), then, otherwise]:
                return self.resolve(then if self.holds(condition, path) else otherwise, path)
        raise TemplateInvalid(f"{path}: If takes a condition's name and two values")

    def _join(self, argument: Any, path: str) -> Text:
        match self.resolve(argument, path):
            case [str(separator), [*items]]:
                parts = [part for item in items for part in (separator, item)]
                return _joined(parts[1:], path)
        raise TemplateInvalid(f"{path}: Join takes a separator and a list")

    def _substitute(self, argument: Any, path: str) -> Text:
        text, variables = argument if isinstance(argument, list) else (argument, {})
        parts: list[Any] = []
        end = 0
        for found in _SUBSTITUTION.finditer(text):
            parts.append(text[end : found.start()])
            end = found.end()
            literal, name = found.groups()
            if literal:
                parts.append(f"${{{name}}}")
            elif name in variables:
                parts.append(self.resolve(variables[name], path))
            elif "." in name:
                parts.append(self._attribute(name, path))
            else:
                parts.append(self._ref(name, path))
        parts.append(text[end:])
        return _joined(parts, path)


def _joined(parts: list[Any], path: str) -> Text:
    """Parts as one text: plain when all is known, one bare `Physical`, or `Deferred`."""
    joined: list[str | Physical] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Deferred) else (part,):
            if isinstance(piece, Physical):
                joined.append(piece)
            elif isinstance(piece, (str, int)) and not isinstance(piece, bool):
                before = joined.pop() if joined and isinstance(joined[-1], str) else ""
                joined.append(f"{before}{piece}")
            else:
                raise TemplateInvalid(f"{path}: {piece!r} is no text")
    joined = [piece for piece in joined if piece]
    match joined:
        case []:
            return ""
        case [only]:
            return only
    return Deferred(tuple(joined))
