"""`uring config upload`: a sitemap that holds what it says, put where the orchestrator reads it."""

from pathlib import Path
from typing import Final

import boto3

from uring.aws.errors import translated
from uring_local.entries.commands import check_config
from uring_local.operate.deployed_stack import bucket_of
from uring_local.project import SITEMAP

KEY: Final = SITEMAP.as_posix()


def upload(config: Path, stack: str) -> bool:
    """Check a sitemap and upload it to a deployed stack's bucket; return whether it was.

    Raises:
        Misconfigured: no such stack, or no permission.
        ConfigInvalid: the file as a whole cannot be read.
    """
    if not check_config(config):
        print("not uploaded: the orchestrator would skip those sources")
        return False
    bucket = bucket_of(stack)
    with translated(f"s3:PutObject {bucket}/{KEY}"):
        boto3.client("s3").put_object(
            Bucket=bucket, Key=KEY, Body=config.read_bytes(), ContentType="application/json"
        )
    print(f"uploaded to s3://{bucket}/{KEY}; the next tick reads it")
    return True
