"""The AWS of the local commands: named by the environment, or embedded."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from botocore.session import get_session

from uring.aws.clients import Service
from uring.errors import Misconfigured

DEFAULT_REGION: Final = "ap-northeast-2"

ENDPOINT_URL: Final = "AWS_ENDPOINT_URL"
_REGIONS: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
CREDENTIALS: Final = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
)
_STOOD_IN: Final = frozenset({"bedrock-runtime", "translate"})
# A user's token would be sent to Bedrock's address in place of a signature.
BEARER_TOKEN: Final = "AWS_BEARER_TOKEN_BEDROCK"  # noqa: S105 - a variable's name

# The address of a service without one: AWS itself is never called.
_NOWHERE: Final = "https://no-address-was-named.invalid"
# A user's switch that would send every call to AWS itself.
_IGNORED: Final = {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"}


@dataclass(frozen=True)
class Endpoint:
    """An AWS API.

    Attributes:
        url: the address of every service without its own.
        region: the region to work in.
        environment: variables that direct any AWS SDK to it, the CLIs and the functions' boto3
            included: ``AWS_ENDPOINT_URL`` and its forms for one service, the region and, unless the
            user has credentials, made-up ones.
    """

    url: str
    region: str
    environment: Mapping[str, str]

    def address(self, service: str) -> str:
        """Return the address of a service, by its name in boto3."""
        return self.environment.get(address_variable(service), self.url)


def address_variable(service: str) -> str:
    """Return the variable for one service's address, by the service's name in boto3.

    ``logs`` is ``AWS_ENDPOINT_URL_CLOUDWATCH_LOGS``: the variable has the service's own id.
    """
    model = get_session().get_service_model(service)
    return f"{ENDPOINT_URL}_{model.service_id.hyphenize().replace('-', '_').upper()}"


def used_services(*, in_process: bool) -> tuple[str, ...]:
    """Return the services that a stack must have, by boto3's names: the functions' and its own.

    Translation and models are excluded: they cost money, and a run brings its own stand-ins.
    """
    own = ("cloudformation",) if in_process else ("cloudformation", "logs")
    return (*(name for name in get_args(Service) if name not in _STOOD_IN), *own)


def external(
    services: Iterable[str], variables: Mapping[str, str] | None = None
) -> Endpoint | None:
    """Return the stack that ``AWS_ENDPOINT_URL``, or its forms for single services, name.

    Args:
        services: the services in use, by boto3's names.
        variables: by default those of the process.

    Returns:
        None if neither the general address nor one for these services is set: the user names no
        stack.

    Raises:
        Misconfigured: only some services have an address.
    """
    given = os.environ if variables is None else variables
    urls = {
        name: value
        for name, value in given.items()
        if value and (name == ENDPOINT_URL or name.startswith(f"{ENDPOINT_URL}_"))
    }
    needed = {address_variable(service) for service in services}
    if urls.keys().isdisjoint({ENDPOINT_URL, *needed}):
        return None
    missing = sorted(needed - urls.keys())
    if ENDPOINT_URL not in urls and missing:
        raise Misconfigured(
            f"set {', '.join(missing)} too, or {ENDPOINT_URL}: services without an address would "
            f"use AWS itself (set so far: {', '.join(sorted(urls))})"
        )
    region = next((given[name] for name in _REGIONS if given.get(name)), DEFAULT_REGION)
    credentials = {name: value for name, value in given.items() if name in CREDENTIALS}
    url = urls.get(ENDPOINT_URL, _NOWHERE)
    return Endpoint(url, region, _variables({**urls, ENDPOINT_URL: url}, region, credentials))


def at(url: str, region: str = DEFAULT_REGION) -> Endpoint:
    """Return an endpoint where the commands are root; MiniStack enforces policies on functions."""
    return Endpoint(url, region, _variables({ENDPOINT_URL: url}, region, {}))


def _variables(
    urls: Mapping[str, str], region: str, credentials: Mapping[str, str]
) -> dict[str, str]:
    return {**urls, **_IGNORED, **regional(region), **(credentials or made_up_credentials())}


def regional(region: str) -> dict[str, str]:
    """Return both variables of a region: SDKs differ in the one they read."""
    return dict.fromkeys(_REGIONS, region)


def made_up_credentials() -> dict[str, str]:
    """Return root's credentials on MiniStack; other stacks check none. Signing needs some."""
    return {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
