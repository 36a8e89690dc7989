"""The template as CloudFormation gets it: scanners miss in SAM what is plain in its expansion.

``python -m uring_local.template.expansion`` prints it.
"""

import json
import os
import sys
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from uring_local.project import ROOT
from uring_local.stack.stack import DEFAULT_REGION
from uring_local.template.intrinsics import parse

# The parameters without a default.
REQUIRED = {"Contact": "https://uring.example", "FcmProjectId": "uring-example"}


def expand(template: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    """The expansion of a SAM template; code is said to lie in S3. AWS_DEFAULT_REGION must be set.

    Args:
        template: as parsed by `uring_local.template.intrinsics.parse`.
        parameters: values that the expansion itself depends on.
    """
    packaged = deepcopy(dict(template))
    for resource in packaged["Resources"].values():
        for location in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][location] = "s3://artifacts/key"
    document: dict[str, Any] = Translator({}, Parser()).translate(packaged, dict(parameters))
    return document


def main() -> None:
    """Print the expansion of template.yaml."""
    os.environ.setdefault("AWS_DEFAULT_REGION", DEFAULT_REGION)
    template = parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
    json.dump(expand(template, REQUIRED), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
