"""Puts bucket and tables of a deleted stack into a new one, by CloudFormation's import.

``python -m uring_local.template.retained STACK Bucket=NAME LedgerTable=NAME …`` prints the request
of ``aws cloudformation create-change-set --cli-input-json``. A deployment creates the rest.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from uring_local.project import ROOT, StackFailed
from uring_local.template.template import parse

CHANGE_SET: Final = "import"

# The properties by which CloudFormation identifies a resource.
_IDENTIFIERS: Final = {"AWS::S3::Bucket": "BucketName", "AWS::DynamoDB::Table": "TableName"}


def retained(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the resources that outlive their stack, by logical id."""
    return {
        name: resource
        for name, resource in template["Resources"].items()
        if resource.get("DeletionPolicy", "").startswith("Retain")
    }


def import_request(
    template: Mapping[str, Any], stack: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the request that makes a stack of existing resources.

    Args:
        template: as `uring_local.template.template.parse` returns it.
        stack: the name of the new stack, which must not exist.
        names: of buckets and tables, by logical id; the deployment creates the others.

    Raises:
        StackFailed: a logical id is of a resource that does not outlive a stack, or no name is
            given.
    """
    kept = retained(template)
    if not all(names.values()) or not names or names.keys() - kept.keys():
        unknown_ids = ", ".join(sorted(names.keys() - kept.keys()))
        raise StackFailed(
            f"{unknown_ids or 'no name'}: these outlive a stack: {', '.join(kept)}; write the "
            "stack's name, then each as Bucket=NAME"
        )
    resources = {
        name: {
            "Type": kept[name]["Type"],
            "DeletionPolicy": "Retain",
            # Without its name, as in the template: CloudFormation treats a removed name as another
            # resource, and the deployment would create an empty one in its place.
            "Properties": kept[name]["Properties"],
        }
        for name in names
    }
    body = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}
    return {
        "StackName": stack,
        "ChangeSetName": CHANGE_SET,
        "ChangeSetType": "IMPORT",
        "TemplateBody": json.dumps(body),
        "ResourcesToImport": [
            {
                "ResourceType": resources[name]["Type"],
                "LogicalResourceId": name,
                "ResourceIdentifier": {_IDENTIFIERS[resources[name]["Type"]]: physical},
            }
            for name, physical in names.items()
        ],
    }


def main(arguments: list[str]) -> int:
    """Print the request; return 0, or 2 for invalid arguments."""
    stack, *pairs = arguments or [""]
    names = {name: physical for name, _, physical in (pair.partition("=") for pair in pairs)}
    try:
        request = import_request(parse(ROOT / "template.yaml"), stack, names)
    except StackFailed as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(request, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
