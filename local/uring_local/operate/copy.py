"""`uring copy`: all data of a stack into a new one, of another name or region.

    checks ─► objects, each if it is missing ─► items of tables, each if it is missing

Neither stack checks anything meanwhile. The new stack's own objects and items stay, so a copy that
dies goes on when it is repeated. The old stack is only read.
"""

import io
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Any, Final

import boto3
from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.errors import Misconfigured
from uring_local.stack.describe import StackDescription, describe, physical_ids
from uring_local.words import counted

_AT_ONCE: Final = 16
_IN_MEMORY: Final = 16_000_000
_PAGE: Final = 1_000
_SHOWN: Final = 10
_UPLOADS: Final = ("config/", "web/")
_COPIED: Final = "copied"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy did.

    Attributes:
        objects: copied, by folder.
        items: copied, by the table's logical id.
        there: objects and items that were in the new stack already.
        other: keys of objects and items that are others in the new stack, and were left there.
    """

    objects: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    there: Counter[str] = field(default_factory=Counter)
    other: list[str] = field(default_factory=list)


class _Stack:
    """A deployed stack that is quiet.

    Raises:
        Misconfigured: no such stack, or it is not quiet.
    """

    def __init__(self, name: str, region: str | None, *, is_old: bool) -> None:
        self._region = region
        self.name = name
        with translated(f"cloudformation:DescribeStacks {name}"):
            client = self.client("cloudformation")
            self.description: StackDescription = describe(client, name)
            self.queues = physical_ids(client, name, "AWS::SQS::Queue")
            self.tables = physical_ids(client, name, "AWS::DynamoDB::Table")
        self.bucket = self.description.outputs.get("BucketName", "")
        if self.description.parameters.get("ScheduleState") != "DISABLED":
            raise Misconfigured(
                f"stack {name} checks its sources: set ScheduleState=DISABLED for it in "
                "samconfig.toml and deploy, or changes between the two stacks are lost"
            )
        if not is_old:
            return
        if waiting := [queue for queue in sorted(self.queues) if self._is_waiting(queue)]:
            raise Misconfigured(
                f"stack {name} has messages in {', '.join(waiting)}, which are not copied: wait "
                "until they are done"
            )

    def client(self, service: str) -> Any:
        """Return a client in the stack's region."""
        return boto3.client(service, region_name=self._region)  # type: ignore[call-overload]

    def _is_waiting(self, queue: str) -> bool:
        if "DeadLetter" in queue:
            return False
        numbers = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
        with translated(f"sqs:GetQueueAttributes {queue}"):
            answer = self.client("sqs").get_queue_attributes(
                QueueUrl=self.queues[queue], AttributeNames=[*numbers]
            )
        return any(int(answer["Attributes"].get(name, 0)) for name in numbers)


def copy(source: str, source_region: str | None, stack: str, *, as_json: bool) -> bool:
    """Copy a stack's data and print what was copied; return whether all of it is in the new one.

    Args:
        source: the old stack's name.
        source_region: of the old stack; None takes the environment's.
        stack: the new stack's name.
        as_json: print one JSON object.

    Raises:
        Misconfigured: a stack is missing, checks its sources or has messages; nothing was copied.
        Unavailable: AWS gave no answer; repeat the command.
    """
    if (source, source_region or _here()) == (stack, _here()):
        raise Misconfigured(f"{stack} is the old stack and the new one; name another")
    old = _Stack(source, source_region, is_old=True)
    new = _Stack(stack, None, is_old=False)
    copied = Copied()
    _copy_objects(old, new, copied)
    for table in sorted(old.tables.keys() & new.tables.keys()):
        _copy_items(old, new, table, copied)
    if as_json:
        print(json.dumps(document(copied)))
    else:
        _show(copied, new)
    return not copied.other


def document(copied: Copied) -> dict[str, Any]:
    """Return a copy as JSON."""
    return {
        "objects": dict(sorted(copied.objects.items())),
        "items": dict(sorted(copied.items.items())),
        "there": dict(sorted(copied.there.items())),
        "other": copied.other,
    }


def _here() -> str | None:
    region: str | None = boto3.session.Session().region_name
    return region


def _copy_objects(old: _Stack, new: _Stack, copied: Copied) -> None:
    s3, target = old.client("s3"), new.client("s3")

    def one(key: str) -> tuple[str, str]:
        return key, _copy_object(s3, old.bucket, target, new.bucket, key)

    keys = _keys(s3, old.bucket)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while page := [*islice(keys, _PAGE)]:
            for key, outcome in pool.map(one, page):
                if outcome == "other":
                    copied.other.append(key)
                else:
                    place = key.partition("/")[0]
                    (copied.objects if outcome == "copied" else copied.there)[place] += 1
            if sys.stderr.isatty():
                print(f"\r{copied.objects.total():,} objects", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _keys(s3: Any, bucket: str) -> Iterator[str]:
    with translated(f"s3:ListBucket {bucket}"):
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
            for each in page.get("Contents", ()):
                yield each["Key"]


def _copy_object(s3: Any, bucket: str, target: Any, new_bucket: str, key: str) -> str:
    """Copy one object with what describes it; return ``copied``, ``there`` or ``other``.

    Lists and the client are uploads, which a new stack may have of its own: the old ones replace
    them. Anything else is written only if it is missing.
    """
    with translated(f"s3:GetObject {bucket}/{key}"):
        answer = s3.get_object(Bucket=bucket, Key=key)
        more = {
            name: answer[name]
            for name in ("CacheControl", "ContentType", "ContentEncoding", "Metadata")
            if answer.get(name)
        }
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as body:
            shutil.copyfileobj(answer["Body"], body)
            body.seek(0)
            with translated(f"s3:PutObject {new_bucket}/{key}"):
                try:
                    target.put_object(
                        Bucket=new_bucket, Key=key, Body=body, IfNoneMatch="*", **more
                    )
                except ClientError as error:
                    if code(error) != "PreconditionFailed":
                        raise
                else:
                    return "copied"
                if _is_same(target, new_bucket, key, body):
                    return "there"
                if not key.startswith(_UPLOADS):
                    return "other"
                body.seek(0)
                target.put_object(Bucket=new_bucket, Key=key, Body=body, **more)
                return "copied"


def _is_same(target: Any, bucket: str, key: str, body: IO[bytes]) -> bool:
    """Compare by bytes: the ETag of an object that was uploaded in parts is of its parts."""
    size = body.seek(0, io.SEEK_END)
    body.seek(0)
    with translated(f"s3:GetObject {bucket}/{key}"):
        there = target.get_object(Bucket=bucket, Key=key)
        if there["ContentLength"] != size:
            return False
        while chunk := there["Body"].read(_IN_MEMORY):
            if chunk != body.read(len(chunk)):
                return False
    return True


def _copy_items(old: _Stack, new: _Stack, table: str, copied: Copied) -> None:
    source, target = old.client("dynamodb"), new.client("dynamodb")
    name, new_name = old.tables[table], new.tables[table]
    with translated(f"dynamodb:DescribeTable {new_name}"):
        schema = target.describe_table(TableName=new_name)["Table"]["KeySchema"]
    partition = next(each["AttributeName"] for each in schema if each["KeyType"] == "HASH")

    def put(item: Mapping[str, Any]) -> str:
        with translated(f"dynamodb:PutItem {new_name}"):
            try:
                target.put_item(
                    TableName=new_name,
                    Item=item,
                    ConditionExpression="attribute_not_exists(#key)",
                    ExpressionAttributeNames={"#key": partition},
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as error:
                if code(error) != "ConditionalCheckFailedException":
                    raise
                there: Any = error.response
                if there.get("Item") == item:
                    return ""
                return " ".join(str(*item[each["AttributeName"]].values()) for each in schema)
        return _COPIED

    with translated(f"dynamodb:Scan {name}"), ThreadPoolExecutor(_AT_ONCE) as pool:
        for page in source.get_paginator("scan").paginate(TableName=name, ConsistentRead=True):
            _count(copied, table, pool.map(put, page["Items"]))


def _count(copied: Copied, table: str, outcomes: Iterator[str]) -> None:
    """Count the items: copied, there already (empty), or the key of another one."""
    for outcome in outcomes:
        if outcome and outcome != _COPIED:
            copied.other.append(f"{table} {outcome}")
        else:
            (copied.items if outcome else copied.there)[table] += 1


def _show(copied: Copied, new: _Stack, say: Callable[[str], None] = print) -> None:
    for place, number in sorted(copied.objects.items()):
        say(f"{place}/: {counted(number, 'object')} copied")
    for table, number in sorted(copied.items.items()):
        say(f"{table}: {counted(number, 'item')} copied")
    if there := copied.there.total():
        say(f"{there:,} were there already")
    for key in copied.other[:_SHOWN]:
        say(f"{key}: is another one in {new.name}, and was left as it is")
    if len(copied.other) > _SHOWN:
        say(f"and {len(copied.other) - _SHOWN} more")
