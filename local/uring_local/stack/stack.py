"""The AWS of the local commands: one that the environment names, or an embedded one."""

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

# What a service without an address gets: AWS itself is never asked.
_NOWHERE: Final = "https://no-address-was-named.invalid"
# A user's switch that would send every call to AWS itself.
_IGNORED: Final = {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"}


@dataclass(frozen=True)
class Endpoint:
    """An AWS API to talk to.

    Attributes:
        url: the address of every service that has none of its own.
        region: the region to work in.
        environment: variables that make any AWS SDK talk to it, the CLIs and the functions' boto3
            included: ``AWS_ENDPOINT_URL`` and its forms for one service, region and, unless the
            user has credentials, made-up ones.
    """

    url: str
    region: str
    environment: Mapping[str, str]

    def address(self, service: str) -> str:
        """Return the address of a service, by boto3's name of it."""
        return self.environment.get(address_variable(service), self.url)


def address_variable(service: str) -> str:
    """Return the variable that names one service's address, by boto3's name of it.

    ``logs`` is ``AWS_ENDPOINT_URL_CLOUDWATCH_LOGS``: the variable has the service's own id.
    """
    model = get_session().get_service_model(service)
    return f"{ENDPOINT_URL}_{model.service_id.hyphenize().replace('-', '_').upper()}"


def used_services(*, in_process: bool) -> tuple[str, ...]:
    """Return the services that a stack must have, by boto3's names: the functions', and its own.

    Translation and models are none of them: they cost money, and a run brings its own stand-ins.
    """
    own = ("cloudformation",) if in_process else ("cloudformation", "logs")
    return (*(name for name in get_args(Service) if name not in _STOOD_IN), *own)


def external(
    services: Iterable[str], variables: Mapping[str, str] | None = None
) -> Endpoint | None:
    """Return the stack that ``AWS_ENDPOINT_URL``, or its forms for single services, point to.

    Args:
        services: that will be called, by boto3's names.
        variables: the process's own unless given.

    Returns:
        None if neither it nor one of these services has an address: then there is no stack to be
        used.

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
            f"set {', '.join(missing)} too, or {ENDPOINT_URL}: what has no address would be AWS "
            f"itself (set so far: {', '.join(sorted(urls))})"
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
    """Return both variables of a region: the SDKs differ in which one they read."""
    return dict.fromkeys(_REGIONS, region)


def made_up_credentials() -> dict[str, str]:
    """Return root's credentials on MiniStack; other stacks check none. Signing needs some."""
    return {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
