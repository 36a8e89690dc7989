"""The resources of a stack that hold something, and what would replace or delete them.

``python tests/template/stateful.py > tests/fixtures/stack/release_before.json`` keeps those of a
release, for the upgrade to the next.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from expanded import PSEUDO, read_template

from uring_local.template.conditions import TemplateConditions
from uring_local.template.expansion import REQUIRED, expand
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.values import TemplateValues

# By type: the properties that CloudFormation cannot change in place, and what goes with a resource.
_KINDS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    "AWS::S3::Bucket": (
        frozenset({"BucketName"}),
        "its objects: lists, states, published data, documents",
    ),
    "AWS::DynamoDB::Table": (
        frozenset({"TableName", "AttributeDefinitions", "KeySchema", "LocalSecondaryIndexes"}),
        "its items",
    ),
    "AWS::SQS::Queue": (frozenset({"QueueName", "FifoQueue"}), "the messages in it"),
    "AWS::Logs::LogGroup": (frozenset({"LogGroupName"}), "its log lines"),
    "AWS::SNS::Topic": (frozenset({"TopicName", "FifoTopic"}), "subscriptions made by hand"),
    "AWS::SNS::Subscription": (
        frozenset({"TopicArn", "Protocol", "Endpoint"}),
        "the confirmed address: it has to be confirmed again",
    ),
    "AWS::CloudFront::Distribution": (frozenset(), "the address that clients have"),
    "AWS::ApiGatewayV2::Api": (frozenset({"ProtocolType"}), "the address that callers have"),
    "AWS::Lambda::Function": (
        frozenset({"FunctionName", "PackageType"}),
        "the events that wait for it, and its name for callers",
    ),
}
_POLICIES: Final = ("DeletionPolicy", "UpdateReplacePolicy")


def stateful(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the resources of every way to deploy a template that hold something, by logical id.

    Each has its type, its policies, the properties that replace it, and under ``families`` the
    families that have it; ``notices`` are in every stack.
    """
    document = expand(template, REQUIRED)
    found: dict[str, dict[str, Any]] = {}
    for family in FAMILIES:
        given = REQUIRED | {"AlarmEmail": "ops@uring.example"} | switching_on([family])
        conditions = TemplateConditions(document, given)
        values = TemplateValues(conditions, conditions.values | PSEUDO)
        for name, resource in document["Resources"].items():
            if resource["Type"] in _KINDS and conditions.keep(resource):
                entry = found.setdefault(name, _entry(values.of(resource)) | {"families": []})
                entry["families"].append(family)
    for entry in found.values():
        if "notices" in entry["families"]:
            entry["families"] = ["notices"]
    return found


def losses(
    before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return what an upgrade takes from an operator, a sentence a resource, by logical id.

    Args:
        before: the deployed release, as `stateful` returns it.
        now: the release that is to be deployed.
    """
    return [
        f"{name} ({was['Type']}) {what}; lost: {_KINDS[was['Type']][1]}"
        for name, was in sorted(before.items())
        if (what := _change(was, now.get(name)))
    ]


def _entry(resource: Mapping[str, Any]) -> dict[str, Any]:
    names, _ = _KINDS[resource["Type"]]
    properties = resource.get("Properties", {})
    return {
        "Type": resource["Type"],
        **{key: resource[key] for key in _POLICIES if key in resource},
        "Properties": {key: properties[key] for key in sorted(names & properties.keys())},
    }


def _change(was: Mapping[str, Any], now: Mapping[str, Any] | None) -> str:
    """Return what happens to a resource; empty if it stays, in every family that had it."""
    if now is None:
        return "is deleted"
    if was["Type"] != now["Type"]:
        return f"becomes an {now['Type']}, another resource"
    if "notices" not in now["families"] and (left := {*was["families"]} - {*now["families"]}):
        return f"is deleted from a stack with {' or '.join(sorted(left))} alone"
    for key in _POLICIES:
        if was.get(key) != now.get(key):
            return f"has {key} {now.get(key)} instead of {was.get(key)}"
    other = [
        f"{key} {now['Properties'].get(key)} instead of {was['Properties'].get(key)}"
        for key in sorted(was["Properties"].keys() | now["Properties"].keys())
        if was["Properties"].get(key) != now["Properties"].get(key)
    ]
    return f"is replaced by {', '.join(other)}" if other else ""


if __name__ == "__main__":
    resources = stateful(read_template())
    lines = (f" {json.dumps(name)}: {json.dumps(each)}" for name, each in sorted(resources.items()))
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")
