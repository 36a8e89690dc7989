"""Which AWS the local commands talk to: one that the environment names, or an embedded one."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True)
class Endpoint:
    """An AWS API to talk to.

    Attributes:
        url: the address for all services.
        region: the region to work in.
        environment: variables that make any AWS SDK talk to it, the CLIs and the functions' boto3
            included: ``AWS_ENDPOINT_URL`` and its forms for one service, region and, unless the
            user has credentials, made-up ones.
    """

    url: str
    region: str
    environment: Mapping[str, str]


def external(variables: Mapping[str, str] | None = None) -> Endpoint | None:
    """Return the stack that ``AWS_ENDPOINT_URL`` points to.

    Args:
        variables: the process's own unless given.

    Returns:
        None if neither it nor a form like ``AWS_ENDPOINT_URL_S3`` is set: then there is no stack
        to be used.

    Raises:
        Misconfigured: only some services have an address.
    """
    given = os.environ if variables is None else variables
    urls = {
        name: value
        for name, value in given.items()
        if value and (name == ENDPOINT_URL or name.startswith(f"{ENDPOINT_URL}_"))
    }
    if not urls:
        return None
    if ENDPOINT_URL not in urls:
        raise Misconfigured(
            f"{', '.join(sorted(urls))} is set and {ENDPOINT_URL} is not: all other services "
            f"would be AWS itself; set {ENDPOINT_URL}"
        )
    region = next((given[name] for name in _REGIONS if given.get(name)), DEFAULT_REGION)
    credentials = {name: value for name, value in given.items() if name in CREDENTIALS}
    return Endpoint(
        url=urls[ENDPOINT_URL],
        region=region,
        environment={**urls, **regional(region), **(credentials or made_up_credentials())},
    )


def at(url: str, region: str = DEFAULT_REGION) -> Endpoint:
    """Return an endpoint that accepts anybody."""
    return Endpoint(
        url=url,
        region=region,
        environment={ENDPOINT_URL: url, **regional(region), **made_up_credentials()},
    )


def regional(region: str) -> dict[str, str]:
    """Return both variables of a region: the SDKs differ in which one they read."""
    return dict.fromkeys(_REGIONS, region)


def made_up_credentials() -> dict[str, str]:
    """Credentials for a stack that checks none. Signing needs some."""
    return {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
