"""A stack with one checked board, in moto; as a program it runs a `uring` command on it.

python watched_stack.py top --stack uring-watched
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld
from moto import mock_aws
from queue_stack import fifo

from uring.clock import timestamp
from uring.media import JSON
from uring_local.cli import main
from uring_local.operate.bucket import VersionedBucket

STACK, BUCKET = "uring-watched", "uring-data"
HOSTILE = "bad\x1b[2J\x1b]0;t\x07\u202e한글" + "가" * 300
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_CONFIG_FILE": "/nonexistent",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def create() -> NoticeWorld:
    """Create the stack; the board cs has an edited notice, and a broken board is beside it."""
    policy = {
        "deadLetterTargetArn": {"Fn::GetAtt": ["NoticeDeadLetterQueue", "Arn"]},
        "maxReceiveCount": 1,
    }
    template = {
        "Resources": {
            "Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": BUCKET}},
            "NoticeDeadLetterQueue": fifo("dead.fifo", {}),
            "NoticeQueue": fifo("notices.fifo", {"RedrivePolicy": policy}),
        },
        "Outputs": {"BucketName": {"Value": BUCKET}},
    }
    cloudformation: Any = boto3.client("cloudformation")
    cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(template))
    s3: Any = boto3.client("s3")
    entry = {"id": "cs", "name": "컴퓨터공학과", "preset": "k2web"}
    entry["url"] = "https://cs.example.ac.kr/bbs/cs/1/artclList.do"
    put(s3, "config/sitemap.json", {"sources": [entry]})
    begun = datetime.now(UTC) - timedelta(hours=1)
    world = NoticeWorld(VirtualClock(begun), objects=lambda _: VersionedBucket(s3, BUCKET))
    for title in ("장학금 신청", "장학금 신청 연장"):
        world.show(Notice("1", title))
        world.check()
        world.clock.advance(600)
    publish(s3)
    return world


def publish(s3: Any, **changes: Any) -> None:
    """Write the index and the health of the board as the monitor does."""
    at = timestamp(datetime.now(UTC) - timedelta(minutes=50))
    cs = {
        "id": "cs",
        "name": "컴퓨터공학과",
        "status": "ok",
        "last_success": at,
        "consecutive_failures": 0,
        "interval_minutes": 10,
        "health": "cs/health.json",
        **changes,
    }
    bad = {"id": HOSTILE, "name": HOSTILE, "status": HOSTILE, "consecutive_failures": 7}
    families = {"departments": {"family": "notices"}}
    index = {"generated_at": at, "families": families, "departments": [cs, bad]}
    put(s3, "data/index.json", index)
    beats = [{"at": at, "outcome": each} for each in ("baseline", "unchanged", "changed", "failed")]
    put(s3, "data/cs/health.json", {**cs, "beats": beats})


def put(s3: Any, key: str, document: Any) -> None:
    """Write an object."""
    s3.put_object(Bucket=BUCKET, Key=key, Body=json.dumps(document), ContentType=JSON)


if __name__ == "__main__":
    with mock_aws():
        create()
        sys.exit(main())
