"""Locks per second and the waits for one, beside python_dynamodb_lock on the same table service.

    PYTHONPATH=bench .venv/bin/python bench/locks.py [--endpoint http://127.0.0.1:8000]

Without an endpoint a MiniStack is started. See README.md beside this file.
"""

import argparse
import json
import subprocess
import sys
import uuid
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from lock_load import SCENARIOS, measure_all
from rich.console import Console
from rich.table import Table

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.locks import Locks
from uring_local.stack.ministack import MiniStack

_HERE: Final = Path(__file__).parent
_PEER: Final = _HERE.parent / ".venv-bench" / "bin" / "python"
Figures = dict[str, dict[str, float]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="locks", description=__doc__)
    parser.add_argument("--endpoint", help="DynamoDB on loopback (default: a MiniStack)")
    parser.add_argument("--turns", type=int, default=10, help="locks of each worker (default: 10)")
    parser.add_argument("--retry", type=float, default=0.1, help="the peer's (default: 0.1 s)")
    options = parser.parse_args()
    if options.endpoint and urlsplit(options.endpoint).hostname not in ("127.0.0.1", "localhost"):
        parser.error("--endpoint: loopback alone")
    with ExitStack() as stack:
        endpoint = options.endpoint or stack.enter_context(MiniStack()).url
        ours = _ours(endpoint, options.turns)
        peer = _peer(endpoint, options.turns, options.retry)
    _print(ours, peer)


def _ours(endpoint: str, turns: int) -> Figures:
    client = boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="ap-northeast-2",
        aws_access_key_id="bench",
        aws_secret_access_key="bench",  # noqa: S106 - no secret
        config=Config(max_pool_connections=50),
    )
    name = f"ours-{uuid.uuid4().hex[:8]}"
    client.create_table(
        TableName=name,
        AttributeDefinitions=[
            {"AttributeName": key, "AttributeType": "S"} for key in ("partition", "key")
        ],
        KeySchema=[
            {"AttributeName": "partition", "KeyType": "HASH"},
            {"AttributeName": "key", "KeyType": "RANGE"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    locks = Locks(DynamoTable(client, name, backoff=Backoff()))

    def hold(thing: int) -> Any:
        return locks.hold(f"root-{thing}", ("thing",), wait_seconds=300)

    return measure_all(hold, turns)


def _peer(endpoint: str, turns: int, retry: float) -> Figures:
    if not _PEER.exists():
        sys.exit(f"{_PEER}: no such file; run `make bench` once")
    done = subprocess.run(  # noqa: S603 - a fixed program
        [_PEER, _HERE / "lock_peer.py", endpoint, str(turns), str(retry)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: Figures = json.loads(done.stdout)
    return figures


def _print(ours: Figures, peer: Figures) -> None:
    table = Table(
        "", "locks/s", "wait ms", "longest ms", "peer: locks/s", "wait", "longest", "ratio"
    )
    for name in SCENARIOS:
        cells = []
        for figures in (ours[name], peer[name]):
            cells.append(f"{figures['per_second']:.1f}")
            cells += [f"{1000 * figures[key]:.0f}" for key in ("median", "longest")]
        ratio = ours[name]["per_second"] / peer[name]["per_second"]
        table.add_row(name, *cells, f"{ratio:.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
