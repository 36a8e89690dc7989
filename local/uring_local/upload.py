"""`uring config upload`: a sitemap that holds what it says, put where the orchestrator reads it."""

from pathlib import Path

import boto3
from botocore.exceptions import ClientError

from uring.aws.errors import translated
from uring.errors import Misconfigured
from uring_local.tryout import check_config

KEY = "config/sitemap.json"


def upload_config(config: Path, stack: str) -> bool:
    """Check a sitemap and upload it to a deployed stack's bucket; whether it was.

    Raises:
        Misconfigured: no such stack, or no permission.
        ConfigInvalid: the file as a whole cannot be read.
    """
    if not check_config(config, as_json=False):
        print("not uploaded: the orchestrator would skip those sources")
        return False
    with translated(f"cloudformation:DescribeStacks {stack}"):
        try:
            described = boto3.client("cloudformation").describe_stacks(StackName=stack)
        except ClientError as error:
            if "does not exist" in str(error):
                raise Misconfigured(
                    f"there is no stack {stack}; deploy it first, or name another with --stack"
                ) from error
            raise
    outputs = {o["OutputKey"]: o["OutputValue"] for o in described["Stacks"][0].get("Outputs", [])}
    bucket = outputs.get("BucketName")
    if bucket is None:
        raise Misconfigured(f"stack {stack} has no output BucketName: it is of another application")
    with translated(f"s3:PutObject {bucket}/{KEY}"):
        boto3.client("s3").put_object(
            Bucket=bucket, Key=KEY, Body=config.read_bytes(), ContentType="application/json"
        )
    print(f"uploaded to s3://{bucket}/{KEY}; the next tick reads it")
    return True
