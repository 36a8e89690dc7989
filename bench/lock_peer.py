"""python_dynamodb_lock under the same load; run by `locks.py`, with the benchmark's interpreter.

Arguments: the endpoint, turns, seconds between two tries. Prints the figures as JSON.
"""

import json
import sys
import uuid
from datetime import timedelta

import boto3
from lock_load import measure_all
from python_dynamodb_lock.python_dynamodb_lock import DynamoDBLockClient


def main() -> None:
    """Measure and print."""
    endpoint, turns, retry = sys.argv[1:]
    service = {
        "endpoint_url": endpoint,
        "region_name": "ap-northeast-2",
        "aws_access_key_id": "bench",
        "aws_secret_access_key": "bench",
    }
    table = f"peer-{uuid.uuid4().hex[:8]}"
    DynamoDBLockClient.create_dynamodb_table(boto3.client("dynamodb", **service), table)
    client = DynamoDBLockClient(boto3.resource("dynamodb", **service), table_name=table)
    period = timedelta(seconds=float(retry))
    figures = measure_all(
        lambda thing: client.acquire_lock(
            f"thing-{thing}", retry_period=period, retry_timeout=timedelta(minutes=5)
        ),
        int(turns),
    )
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
