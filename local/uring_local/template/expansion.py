"""The template as CloudFormation receives it: in SAM, scanners miss some faults of the expansion.

``python -m uring_local.template.expansion`` prints it with every family, and with containers:
scanners skip resources that a condition leaves out.
"""

import json
import sys
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from uring_local.project import ROOT
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import parse

# The parameters without a default.
REQUIRED: Final = {"Contact": "https://uring.example", "FcmProjectId": "uring-example"}


def expand(template: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return the expansion of a SAM template; code locations become a made-up S3 address.

    Args:
        template: as `uring_local.template.template.parse` returns it.
        parameters: values that the expansion itself depends on.
    """
    packaged = deepcopy(dict(template))
    for resource in packaged["Resources"].values():
        for location in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][location] = "s3://artifacts/key"
    # The region only decides the partition of ARNs here.
    session = boto3.Session(region_name="ap-northeast-2")
    translator = Translator({}, Parser(), boto_session=session)
    document: dict[str, Any] = translator.translate(packaged, dict(parameters))
    return document


def with_defaults(template: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return a template with these values as its parameters' defaults."""
    changed = deepcopy(dict(template))
    for name, value in parameters.items():
        changed["Parameters"][name]["Default"] = value
    return changed


if __name__ == "__main__":
    everything = switching_on(FAMILIES) | {"Gradual": "true", "SeedContainer": "spot"}
    whole = with_defaults(parse(ROOT / "template.yaml"), everything)
    json.dump(expand(whole, REQUIRED), sys.stdout, indent=1)
