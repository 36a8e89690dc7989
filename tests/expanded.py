"""template.yaml as CloudFormation gets it: SAM expanded, parameters and conditions applied."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uring_local.template.conditions import TemplateConditions
from uring_local.template.expansion import REQUIRED, expand
from uring_local.template.template import parse
from uring_local.template.values import TemplateValues

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "template.yaml"
PSEUDO = {
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::StackName": "uring-test",
}


class Stack:
    """The resources and outputs that a deployment with some parameters creates.

    What only AWS can know stands there as ``Fn::Sub`` writes it: ``${Queue}``, ``${Bucket.Arn}/*``.
    """

    def __init__(self, template: Mapping[str, Any], **parameters: str) -> None:
        given = REQUIRED | parameters
        document = expand(template, given)
        defaults = {
            name: str(rules["Default"])
            for name, rules in document["Parameters"].items()
            if "Default" in rules
        }
        assert given.keys() <= document["Parameters"].keys()
        self._conditions = TemplateConditions(document, given)
        self._values = TemplateValues(self._conditions, defaults | given | PSEUDO)
        self.resources = self._there(document["Resources"])
        self.outputs = self._there(document["Outputs"])

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """The properties of all resources of this type by logical id; at least one."""
        found = {
            key: resource["Properties"]
            for key, resource in self.resources.items()
            if resource["Type"] == kind
        }
        assert found, f"the template has no {kind}"
        return found

    def properties(self, reference: str) -> dict[str, Any]:
        """The properties of the resource that a reference points to."""
        properties: dict[str, Any] = self.resources[logical_id(reference)]["Properties"]
        return properties

    def sources(self) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
        """Every event source mapping with its queue and its function."""
        mappings = self.of_type("AWS::Lambda::EventSourceMapping").values()
        return [
            (
                mapping,
                self.properties(mapping["EventSourceArn"]),
                self.resources[self.function(mapping["FunctionName"])]["Properties"],
            )
            for mapping in mappings
        ]

    def function(self, reference: str) -> str:
        """The function behind the alias that a reference points to."""
        return logical_id(self.properties(reference)["FunctionName"])

    def _there(self, section: Mapping[str, Any]) -> dict[str, Any]:
        """What of a section has no condition, or one that holds."""
        return {
            key: self._values.of(entry)
            for key, entry in section.items()
            if self._conditions.keep(entry)
        }


def logical_id(reference: str) -> str:
    """The resource that ``${Queue}`` or ``${Queue.Arn}`` refers to."""
    found = re.fullmatch(r"\$\{(\w+)(\.\w+)?\}", reference)
    assert found, f"{reference!r} refers to no resource"
    return found[1]


def read_template() -> dict[str, Any]:
    """template.yaml as written, short forms in their long spelling."""
    return parse(TEMPLATE)
