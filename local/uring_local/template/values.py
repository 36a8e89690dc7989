"""Values of a template, resolved without a stack where possible."""

import re
from collections.abc import Mapping
from typing import Any

from uring_local.project import StackFailed
from uring_local.template.conditions import TemplateConditions

_NO_VALUE = object()


class TemplateValues:
    """Resolves a template's functions; a stack's own values stay in the form of ``Fn::Sub``.

    That is ``${Queue}`` for a reference, ``${Bucket.Arn}/*`` for an attribute.

    Args:
        conditions: of the template.
        names: values of parameters and pseudo parameters.
    """

    def __init__(self, conditions: TemplateConditions, names: Mapping[str, str]) -> None:
        self._conditions = conditions
        self._names = names

    def of(self, value: Any) -> Any:
        """Return a value without functions; `AWS::NoValue` leaves its list or mapping.

        Raises:
            StackFailed: the value has an unsupported function.
        """
        if isinstance(value, list):
            items = [self.of(item) for item in value]
            return [item for item in items if item is not _NO_VALUE]
        if not isinstance(value, dict):
            return value
        if "Ref" in value or any(key.startswith("Fn::") for key in value):
            return self._called(value)
        found = {key: self.of(item) for key, item in value.items()}
        return {key: item for key, item in found.items() if item is not _NO_VALUE}

    def _called(self, function: dict[str, Any]) -> Any:
        match function:
            case {"Ref": name}:
                is_none = name == "AWS::NoValue"
                return _NO_VALUE if is_none else self._names.get(name, f"${{{name}}}")
            case {"Fn::GetAtt": [name, attribute]}:
                return f"${{{name}.{attribute}}}"
            case {"Fn::Sub": given}:
                text, own = given if isinstance(given, list) else (given, {})
                return _substituted(text, {**self._names, **self.of(own)})
            case {"Fn::Join": [str(separator), list(parts)]}:
                return separator.join(self.of(parts))
            case {"Fn::Split": [str(separator), text]}:
                return str(self.of(text)).split(separator)
            case {"Fn::If": [condition, then, otherwise]}:
                is_met = self._conditions.keep({"Condition": condition})
                return self.of(then if is_met else otherwise)
        raise StackFailed(f"{function}: write it with Ref, GetAtt, Sub, Join, Split and If")


def _substituted(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\$\{([\w:]+)\}", lambda found: names.get(found[1], found[0]), text)
