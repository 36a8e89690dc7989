"""Conditions of a template, evaluated as by CloudFormation."""

from collections.abc import Mapping
from typing import Any

from uring_local.project import StackFailed


class TemplateConditions:
    """The conditions of a template under some parameters.

    Args:
        document: the template, short forms in their long spelling.
        parameters: values for some of its parameters; the others keep their defaults.
    """

    def __init__(self, document: Mapping[str, Any], parameters: Mapping[str, str]) -> None:
        given = document.get("Parameters", {})
        self.values = {name: str(each.get("Default", "")) for name, each in given.items()}
        self.values |= parameters
        self._conditions: Mapping[str, Any] = document.get("Conditions", {})

    def keep(self, entry: Mapping[str, Any]) -> bool:
        """Return True if a resource or an output is created.

        Raises:
            StackFailed: the condition has an unsupported form.
        """
        name = entry.get("Condition")
        return name is None or self.holds({"Condition": name})

    def chosen(self, value: Any) -> Any:
        """Return the branch of a value with ``Fn::If``, and any other value as it is.

        Raises:
            StackFailed: the condition has an unsupported form.
        """
        while isinstance(value, dict) and "Fn::If" in value:
            name, if_true, if_false = value["Fn::If"]
            value = if_true if self.holds({"Condition": name}) else if_false
        return value

    def holds(self, condition: Any) -> bool:
        """Return True if a condition is met, such as a rule's assertion.

        Raises:
            StackFailed: the condition has an unsupported form.
        """
        match condition:
            case {"Condition": name}:
                return self.holds(self._conditions[name])
            case {"Fn::Equals": [left, right]}:
                return self._value(left) == self._value(right)
            case {"Fn::Not": [operand]}:
                return not self.holds(operand)
            case {"Fn::And": operands}:
                return all(self.holds(operand) for operand in operands)
            case {"Fn::Or": operands}:
                return any(self.holds(operand) for operand in operands)
        raise StackFailed(f"{condition}: write this condition with Equals, Not, And and Or")

    def _value(self, operand: Any) -> str:
        return self.values[operand["Ref"]] if isinstance(operand, dict) else str(operand)
