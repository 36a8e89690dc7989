"""Other implementations of S3, SQS and DynamoDB that the contracts are held against, where named.

    URING_CONTRACT_DYNAMODB=http://127.0.0.1:8000 pytest tests/aws      # DynamoDB Local
    URING_CONTRACT_S3=… URING_CONTRACT_SQS=… pytest tests/aws           # LocalStack, MiniStack

Only loopback: the contracts create buckets, queues and tables and leave them.
"""

import os
from typing import Any, Literal
from urllib.parse import urlsplit

import boto3

from uring.aws.clients import Clients

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def params(service: str, *always: str) -> list[str]:
    """What a contract runs on: ``always``, and ``elsewhere`` if the environment names it."""
    return [*always, "elsewhere"] if _endpoint(service) else list(always)


def made(service: Literal["s3", "dynamodb"], kind: str, moto_session: boto3.Session) -> Any:
    """A function's client, over moto or over what the environment names."""
    return Clients(moto_session if kind == "moto" else _Elsewhere()).get(service)


class _Elsewhere:
    """A session of the implementation that the environment names."""

    def client(self, service: str, **options: Any) -> Any:
        return boto3.client(
            service,  # type: ignore[call-overload]
            endpoint_url=_endpoint(service),
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            region_name="ap-northeast-2",
            **options,
        )


def client(service: str) -> Any:
    """boto3's client of the implementation that the environment names."""
    return _Elsewhere().client(service)


def _endpoint(service: str) -> str | None:
    name = f"URING_CONTRACT_{service.upper()}"
    url = os.environ.get(name)
    if url and urlsplit(url).hostname not in _LOOPBACK:
        raise ValueError(f"{name}: {url} is not on loopback")
    return url
