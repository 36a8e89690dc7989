"""Puts the application on a stack: the real `sam build` and the real `sam deploy`."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import boto3

from uring.errors import Misconfigured
from uring_local.build.build import build, build_parameters, host_architecture
from uring_local.build.packages import packages
from uring_local.build.sam import Progress, run_sam, silent
from uring_local.stack.describe import describe
from uring_local.stack.http_api.gateway import make_routes
from uring_local.stack.resources import cloudformation
from uring_local.stack.stack import Endpoint
from uring_local.template.template import parse


def deploy(
    endpoint: Endpoint,
    *,
    parameters: Mapping[str, str],
    stack_name: str = "uring",
    progress: Progress = silent,
) -> Mapping[str, str]:
    """Build for this machine, unless nothing has changed, and create or update the stack.

    Args:
        endpoint: the stack's endpoint.
        parameters: those of the template; the interpreter and the architecture are added.
        stack_name: the prefix of the names of all resources.
        progress: called with every line that SAM prints.

    Returns:
        The stack's outputs, by their name in the template.

    Raises:
        StackFailed: SAM failed; the message has the last lines of its output.
    """
    architecture = host_architecture()
    built = build(architecture, progress=progress)
    values = {**parameters, **build_parameters(architecture)}
    with stamped(built / "template.yaml", packages(built), values) as template:
        run_sam(
            [
                "deploy",
                *["--template-file", str(template)],
                *["--stack-name", stack_name],
                *["--region", endpoint.region],
                *["--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
                "--resolve-s3",
                "--no-confirm-changeset",
                "--no-fail-on-empty-changeset",
                "--no-progressbar",
                "--parameter-overrides",
                *(override(name, value) for name, value in values.items()),
            ],
            cwd=built.parent,
            environment=endpoint.environment,
            progress=progress,
        )
    make_routes(_Clients(endpoint), stack_name)
    return outputs(endpoint, stack_name)


@contextmanager
def stamped(template: Path, packed: Path, values: Mapping[str, str]) -> Iterator[Path]:
    """Yield a template of packed code whose functions change when a parameter changes.

    SAM publishes no version for a changed parameter alone, and the alias would stay with the old
    one. In an account the layer's samconfig.toml prevents that; a local stack gets its parameters
    from elsewhere.
    """
    stamp = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
    document = parse(template)
    for resource in document["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["Description"] = stamp
        for name in {"CodeUri", "ContentUri"} & properties.keys():
            properties[name] = str(packed / f"{properties[name]}.zip")
    with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        yield Path(file.name)


def outputs(endpoint: Endpoint, stack_name: str) -> Mapping[str, str]:
    """Return a stack's outputs by their names in the template; empty if the stack does not exist.

    Raises:
        StackFailed: CloudFormation fails.
    """
    client = _Clients(endpoint).client("cloudformation")
    try:
        with cloudformation(stack_name):
            return describe(client, stack_name).outputs
    except Misconfigured:
        return {}


class _Clients:
    """Clients of an endpoint's services, with its credentials and not the process's."""

    def __init__(self, endpoint: Endpoint) -> None:
        variables = endpoint.environment
        self._endpoint = endpoint
        self._session = boto3.session.Session(
            aws_access_key_id=variables.get("AWS_ACCESS_KEY_ID"),
            aws_secret_access_key=variables.get("AWS_SECRET_ACCESS_KEY"),
            aws_session_token=variables.get("AWS_SESSION_TOKEN"),
            region_name=endpoint.region,
            profile_name=variables.get("AWS_PROFILE"),
        )

    def client(self, service_name: str) -> Any:
        """Return a client of this service."""
        return self._session.client(  # type: ignore[call-overload]
            service_name, endpoint_url=self._endpoint.address(service_name)
        )


def override(name: str, value: str) -> str:
    """Return a parameter in SAM's notation; quotes let a value be empty or contain spaces."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}="{escaped}"'
