"""CPU of one call to S3 and DynamoDB: boto3's client, and ours in its place.

    PYTHONPATH=tests .venv/bin/python bench/aws_calls.py [--calls 500] [--rounds 5] [--json]

Both ask the same stand-in over connections that are kept, one after the other in each round.
"""

import argparse
import json
import os
import statistics
from collections.abc import Callable
from typing import Any, Final

import boto3
from botocore.config import Config
from lines import Child
from measured import cpu_seconds

from uring.aws.clients import Clients

_BODY: Final = b"x" * 14_000
_WARM_UP: Final = 30
_AT: Final = {"Bucket": "bench", "Key": "state/notices/bench.json"}
_ITEM: Final[dict[str, Any]] = {"TableName": "bench", "Key": {"key": {"S": "bench"}}}
_CALLS: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "S3 put 14 KB": ("s3", lambda s3: s3.put_object(**_AT, Body=_BODY, ContentType="text/plain")),
    "S3 get 14 KB": ("s3", lambda s3: s3.get_object(**_AT)["Body"].read()),
    "S3 head": ("s3", lambda s3: s3.head_object(**_AT)),
    "DynamoDB get": ("dynamodb", lambda db: db.get_item(**_ITEM)),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with Child("serve", dict(os.environ)) as world:
        figures = _measure(world.ask(web=0)["aws"], options.calls, options.rounds)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{'CPU µs a call':16}{'boto3':>8}{'ours':>8}{'ratio':>8}")
    for name, (theirs, ours) in figures.items():
        print(f"{name:16}{theirs:>8.0f}{ours:>8.0f}{ours / theirs:>8.2f}")


def _measure(endpoint: str, calls: int, rounds: int) -> dict[str, tuple[float, float]]:
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_SECRET_ACCESS_KEY": "bench",
        "BOTO_DISABLE_CRT": "true",
    }
    ours, theirs = Clients(), boto3.Session()
    # As our clients have been set up all along.
    config = Config(
        user_agent="uRing",
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        retries={"mode": "standard"},
    )
    figures = {}
    for name, (service, call) in _CALLS.items():
        boto = theirs.client(service, config=config)
        boto.meta.events.register_last("before-call.s3", _send_at_once)
        pair = (boto, ours.get(service))
        spent = [[_spent(call, client, calls) for client in pair] for _ in range(rounds)]
        figures[name] = tuple(statistics.median(each) for each in zip(*spent, strict=True))
    return figures


def _send_at_once(params: dict[str, Any], **_: Any) -> None:
    params["headers"].pop("Expect", None)


def _spent(call: Callable[[Any], Any], client: Any, calls: int) -> float:
    """Return the microseconds of one call."""
    for _ in range(_WARM_UP):
        call(client)
    began = cpu_seconds()
    for _ in range(calls):
        call(client)
    return (cpu_seconds() - began) / calls * 1e6


if __name__ == "__main__":
    main()
