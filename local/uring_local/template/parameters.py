"""A template's parameters: defaults and rules, as CloudFormation applies them."""

import re
from collections.abc import Mapping
from typing import Any

from uring_local.template.intrinsics import TemplateInvalid


def values_of(declared: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """Every parameter's value: the given one, or its default.

    Args:
        declared: the template's ``Parameters`` section.
        given: values for some of them.

    Raises:
        TemplateInvalid: an unknown name, a missing value, or one that breaks its rules.
    """
    unknown = sorted(set(given) - set(declared))
    if unknown:
        raise TemplateInvalid(
            f"Parameters: no {', '.join(unknown)}; there are {', '.join(sorted(declared))}"
        )
    values = {}
    for name, rules in declared.items():
        value = given.get(name, rules.get("Default"))
        if value is None:
            raise TemplateInvalid(f"Parameters.{name}: has no default and needs a value")
        values[name] = text = str(value)
        allowed = [str(item) for item in rules.get("AllowedValues", [text])]
        if text not in allowed:
            raise TemplateInvalid(f"Parameters.{name}: must be one of {', '.join(allowed)}")
        pattern = rules.get("AllowedPattern", "(?s:.*)")
        if not re.fullmatch(pattern, text):
            remedy = rules.get("ConstraintDescription", f"must match {pattern}")
            raise TemplateInvalid(f"Parameters.{name}: {remedy}")
        if rules["Type"] == "Number":
            _check_range(name, rules, text)
    return values


def _check_range(name: str, rules: Mapping[str, Any], text: str) -> None:
    low, high = rules.get("MinValue", float("-inf")), rules.get("MaxValue", float("inf"))
    try:
        is_inside = low <= float(text) <= high
    except ValueError:
        is_inside = False
    if not is_inside:
        raise TemplateInvalid(f"Parameters.{name}: must be a number from {low} to {high}")
