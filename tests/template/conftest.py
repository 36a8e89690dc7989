"""The template as written, and as CloudFormation gets it once SAM has expanded it."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from uring_local.intrinsics import Scope, parse
from uring_local.parameters import values_of

ROOT = Path(__file__).resolve().parents[2]
PARAMETERS = {"Contact": "https://uring.example", "FcmProjectId": "uring-example"}
PSEUDO = {
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::StackName": "uring-test",
}


class Stack:
    """What a deployment with some parameters would create, functions resolved."""

    def __init__(self, document: dict[str, Any], parameters: dict[str, str]) -> None:
        names = values_of(document["Parameters"], parameters) | PSEUDO
        conditions = document["Conditions"]
        plain = Scope(names, conditions, frozenset())
        existing = {
            key: resource
            for key, resource in document["Resources"].items()
            if "Condition" not in resource or plain.holds(resource["Condition"], key)
        }
        scope = Scope(names, conditions, existing.keys())
        self.resources: dict[str, Any] = scope.resolve(existing, "Resources")

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties of all resources of this type, by logical id; never none."""
        found = {
            key: resource["Properties"]
            for key, resource in self.resources.items()
            if resource["Type"] == kind
        }
        assert found, f"the template has no {kind}"
        return found


@pytest.fixture(scope="session")
def template() -> dict[str, Any]:
    """template.yaml as written."""
    return parse((ROOT / "template.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def expand(template: dict[str, Any]) -> Any:
    """Expands the template for some parameters, as `sam deploy` leaves it to CloudFormation."""

    def expanded(**parameters: str) -> Stack:
        packaged = deepcopy(template)
        for resource in packaged["Resources"].values():
            for location in ("CodeUri", "ContentUri"):
                if location in resource.get("Properties", {}):
                    resource["Properties"][location] = "s3://artifacts/key"
        given = PARAMETERS | parameters
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_DEFAULT_REGION", PSEUDO["AWS::Region"])
            document = Translator({}, Parser()).translate(packaged, given)
        return Stack(document, given)

    return expanded


@pytest.fixture(scope="session")
def stack(expand: Any) -> Stack:
    """The stack with every optional part switched off."""
    return expand()


@pytest.fixture(scope="session")
def full_stack(expand: Any) -> Stack:
    """The stack with every optional part switched on."""
    return expand(AlarmEmail="someone@uring.example", FcmCredentialsSecret="fcm-account")
