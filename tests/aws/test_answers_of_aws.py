"""Answers of S3 and DynamoDB as they come over the wire, in this library's errors."""

import json
from collections.abc import Callable, Iterator
from typing import Final

import boto3
import pytest

from uring.aws.clients import Clients
from uring.aws.objects import S3Bucket
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.errors import Contended, InvalidRequest, Misconfigured, PreconditionFailed, Unavailable
from uring.tables import NOTHING, Write
from uring_local.loopback import Connection, Listener, Request

Script = Callable[[Connection], None]
ATTEMPTS: Final = 3
FOUND: Final = b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 4\r\n\r\nbody'


class Aws(Listener):
    """Plays a script for each request; the last one serves the rest."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.scripts: list[Script] = [saying(FOUND)]
        super().__init__(self._play)

    def _play(self, connection: Connection) -> None:
        while True:
            connection.read_head()
            self.requests.append(connection.read_body())
            self.scripts[min(len(self.requests), len(self.scripts)) - 1](connection)


def saying(data: bytes) -> Script:
    return lambda connection: connection.send(data)


def cutting(data: bytes) -> Script:
    def script(connection: Connection) -> None:
        connection.send(data)
        raise OSError

    return script


def refusing(status: str, body: bytes = b"") -> Script:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n"
    return saying(head.encode() + body)


def error(code: str) -> bytes:
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>m</Message></Error>".encode()


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    with Aws() as server:
        for name in ("AWS_ENDPOINT_URL_S3", "AWS_PROFILE", "HTTP_PROXY", "http_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server.host}")
        monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
        yield server
    assert server.failures == []


@pytest.fixture
def clients() -> Clients:
    return Clients(boto3.Session("key", "secret", "token", region_name="ap-northeast-2"))


@pytest.fixture
def bucket(clients: Clients) -> S3Bucket:
    return S3Bucket(clients.get("s3"), "bucket")


@pytest.fixture
def table(clients: Clients) -> DynamoTable:
    return DynamoTable(clients.get("dynamodb"), "table", backoff=Backoff(lambda _: None))


def put(bucket: S3Bucket) -> str:
    return bucket.put("k", b"text", if_match='"e"', content_type="text/plain")


@pytest.mark.parametrize(
    "trouble",
    [
        cutting(b""),
        cutting(b"\x00\x01\x02" * 9),
        refusing("503 Slow Down", error("SlowDown")),
        refusing("500 Internal Server Error", error("InternalError")),
    ],
    ids=["closed without a word", "no HTTP", "SlowDown", "InternalError"],
)
def test_a_call_without_an_answer_is_repeated_and_then_unavailable(
    aws: Aws, bucket: S3Bucket, trouble: Script
) -> None:
    aws.scripts = [trouble]
    with pytest.raises(Unavailable, match="s3:GetObject bucket/k"):
        bucket.get("k")
    assert len(aws.requests) == ATTEMPTS
    aws.requests.clear()
    with pytest.raises(Unavailable, match="s3:PutObject bucket/k"):
        put(bucket)
    aws.requests.clear()
    aws.scripts = [trouble, saying(FOUND)]
    assert bucket.get("k") is not None


@pytest.mark.parametrize(
    "head", [b"Content-Length: 9\r\n\r\nhalf", b"Content-Length: 9000\r\n\r\nhalf"]
)
def test_half_a_body_is_no_object(aws: Aws, bucket: S3Bucket, head: bytes) -> None:
    aws.scripts = [cutting(b'HTTP/1.1 200 OK\r\nETag: "e"\r\n' + head)]
    with pytest.raises(Unavailable, match="s3:GetObject bucket/k"):
        bucket.get("k")
    aws.requests.clear()
    aws.scripts = [
        cutting(b'HTTP/1.1 206 OK\r\nETag: "e"\r\nContent-Range: bytes 0-8/9\r\n' + head)
    ]
    with pytest.raises(Unavailable, match="s3:GetObject bucket/k"):
        bucket.open("k")


def test_the_rest_of_an_absurdly_large_object_is_not_awaited(
    aws: Aws, bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uring.aws.objects.MAX_BYTES", 1_000)
    body = b"x" * 2_000
    aws.scripts = [cutting(b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 5000\r\n\r\n' + body)]
    with pytest.raises(Misconfigured, match="something else writes to this key"):
        bucket.get("k")
    assert len(aws.requests) == 1


def test_a_service_that_does_not_listen_is_unavailable(
    clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Aws() as gone:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gone.host}")
    with pytest.raises(Unavailable, match="Could not connect"):
        S3Bucket(clients.get("s3"), "bucket").get("k")


@pytest.mark.parametrize(
    ("status", "code", "kind", "said"),
    [
        ("412 Precondition Failed", "PreconditionFailed", PreconditionFailed, "bucket/k"),
        ("404 Not Found", "NoSuchKey", PreconditionFailed, "bucket/k"),
        ("409 Conflict", "ConditionalRequestConflict", Contended, "bucket/k"),
        ("404 Not Found", "NoSuchBucket", Misconfigured, "deploy the stack"),
        ("403 Forbidden", "AccessDenied", Misconfigured, "lacks this permission"),
        ("403 Forbidden", "", Misconfigured, "lacks this permission"),
        ("403 Forbidden", "ExpiredToken", Misconfigured, "renew"),
        ("403 Forbidden", "RequestTimeTooSkewed", Misconfigured, "clock"),
        ("418 Other", "", Unavailable, "418"),
    ],
)
def test_a_refusal_is_sent_once_and_names_the_remedy(
    aws: Aws, bucket: S3Bucket, status: str, code: str, kind: type[Exception], said: str
) -> None:
    aws.scripts = [refusing(status, error(code) if code else b"")]
    with pytest.raises(kind, match=said):
        put(bucket)
    assert len(aws.requests) == 1


def test_a_bucket_of_another_region_names_the_region(aws: Aws, bucket: S3Bucket) -> None:
    """The SDK signs for the other region and asks again, once."""
    body = b"<Error><Code>PermanentRedirect</Code><Region>eu-west-1</Region></Error>"
    head = f"x-amz-bucket-region: eu-west-1\r\nContent-Length: {len(body)}\r\n\r\n"
    aws.scripts = [saying(b"HTTP/1.1 301 Moved Permanently\r\n" + head.encode() + body)]
    with pytest.raises(Misconfigured, match="it is in eu-west-1: correct AWS_REGION"):
        put(bucket)
    signed = [request.headers["authorization"] for request in aws.requests]
    assert ["/eu-west-1/" in each for each in signed] == [False, True]


def answering(document: object, status: str = "200 OK") -> Script:
    return refusing(status, json.dumps(document).encode())


def test_a_repeated_transaction_has_the_token_of_the_first(aws: Aws, table: DynamoTable) -> None:
    """By it the table knows the repeat of what it did, when only the answer was lost."""
    aws.scripts = [cutting(b""), answering({})]
    assert table.transact("p", [Write("k", {"n": 1}, NOTHING)])
    tokens = [json.loads(request.body)["ClientRequestToken"] for request in aws.requests]
    assert len(tokens) == 2
    assert len(set(tokens)) == 1
    assert table.transact("p", [Write("k", {"n": 2}, NOTHING)])
    assert json.loads(aws.requests[-1].body)["ClientRequestToken"] != tokens[0]


@pytest.mark.parametrize(
    ("code", "attempts"),
    [("ThrottlingException", 3), ("ResourceNotFoundException", 1), ("ValidationException", 1)],
)
def test_only_a_refusal_that_may_pass_is_repeated(
    aws: Aws, table: DynamoTable, code: str, attempts: int
) -> None:
    kind = f"com.amazonaws.dynamodb.v20120810#{code}"
    aws.scripts = [answering({"__type": kind, "message": "m"}, "400 Bad Request")]
    with pytest.raises((InvalidRequest, Unavailable, Misconfigured), match=code):
        table.get("p", "k")
    assert len(aws.requests) == attempts
