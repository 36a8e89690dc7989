"""template.yaml as CloudFormation gets it: SAM expanded, parameters and conditions applied."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uring_local.template.expansion import REQUIRED, expand
from uring_local.template.intrinsics import Physical, Scope, parse
from uring_local.template.parameters import values_of

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "template.yaml"
PSEUDO = {
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::StackName": "uring-test",
}


class Stack:
    """The resources that a deployment with some parameters creates.

    What only AWS can know stands there as a `Physical`. AWS_DEFAULT_REGION has to be set.
    """

    def __init__(self, template: Mapping[str, Any], **parameters: str) -> None:
        given = REQUIRED | parameters
        document = expand(template, given)
        names = values_of(document["Parameters"], given) | PSEUDO
        existing = self._existing(document, Scope(names, document["Conditions"], frozenset()))
        scope = Scope(names, document["Conditions"], existing.keys())
        self.resources: dict[str, Any] = scope.resolve(existing, "Resources")

    @staticmethod
    def _existing(document: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
        return {
            key: resource
            for key, resource in document["Resources"].items()
            if "Condition" not in resource or scope.holds(resource["Condition"], key)
        }

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """The properties of all resources of this type by logical id; at least one."""
        found = {
            key: resource["Properties"]
            for key, resource in self.resources.items()
            if resource["Type"] == kind
        }
        assert found, f"the template has no {kind}"
        return found

    def properties(self, reference: Any) -> dict[str, Any]:
        """The properties of the resource that a reference points to."""
        assert isinstance(reference, Physical), f"{reference!r} refers to no resource"
        properties: dict[str, Any] = self.resources[reference.logical_id]["Properties"]
        return properties

    def sources(self) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
        """Every event source mapping with its queue and its function."""
        mappings = self.of_type("AWS::Lambda::EventSourceMapping").values()
        return [
            (
                mapping,
                self.properties(mapping["EventSourceArn"]),
                self.properties(mapping["FunctionName"]),
            )
            for mapping in mappings
        ]


def read_template() -> dict[str, Any]:
    """template.yaml as written, short forms in their long spelling."""
    return parse(TEMPLATE.read_text(encoding="utf-8"))
