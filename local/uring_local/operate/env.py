"""`uring env`: the variables of a stack's functions, in the form of `sam local invoke`.

    stack ─► each function's configuration, by logical id ─► env.json ─► --env-vars

SAM resolves no reference to a resource by itself: ``DATA_BUCKET`` would be ``Bucket``.
"""

import json
import os
from pathlib import Path
from typing import Any, Final

import boto3

from uring.aws.errors import translated
from uring_local.stack.describe import describe, physical_ids
from uring_local.stack.stack import ENDPOINT_URL
from uring_local.template.families import FAMILIES, remedy

_FUNCTION: Final = "AWS::Lambda::Function"


def write_environments(path: Path, stack: str) -> bool:
    """Write the file, or print it for ``-``; return True.

    Raises:
        Misconfigured: no such stack, or access is denied.
        OSError: the file cannot be written.
    """
    text = json.dumps(environments(boto3, stack), indent=1, sort_keys=True)
    if path == Path("-"):
        print(text)
        return True
    path.write_text(f"{text}\n", encoding="utf-8")
    print(f"{path}: sam local invoke FUNCTION -e events/FILE -n {path} acts on the stack {stack}")
    with translated(f"cloudformation:DescribeStacks {stack}"):
        parameters = describe(boto3.client("cloudformation"), stack).parameters
    for family in FAMILIES:
        if how := remedy(family, parameters):
            print(f"without the functions of {family}; {how}")
    return True


def environments(session: Any, stack: str) -> dict[str, dict[str, str]]:
    """Return the variables of every function of a stack, by logical id.

    This process's address of AWS is passed to the functions, in a container as well.

    Raises:
        Misconfigured: no such stack, or access is denied.
        Unavailable: AWS did not answer.
    """
    with translated(f"cloudformation:ListStackResources {stack}"):
        names = physical_ids(session.client("cloudformation"), stack, _FUNCTION)
    client = session.client("lambda")
    endpoint = os.environ.get(ENDPOINT_URL, "")
    own = {ENDPOINT_URL: endpoint} if endpoint else {}
    return {
        logical: {**variables_of(client, name), **own} for logical, name in sorted(names.items())
    }


def variables_of(client: Any, name: str) -> dict[str, str]:
    """Return the variables of a function, by a client of Lambda.

    Raises:
        Misconfigured: no such function, or access is denied.
        Unavailable: AWS did not answer.
    """
    with translated(f"lambda:GetFunctionConfiguration {name}"):
        configuration = client.get_function_configuration(FunctionName=name)
    variables: dict[str, str] = configuration.get("Environment", {}).get("Variables", {})
    return variables
