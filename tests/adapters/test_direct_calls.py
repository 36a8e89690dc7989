"""S3 and DynamoDB without boto3: what is sent, what is believed, and what is said of the rest."""

import datetime as dt
import hashlib
import ipaddress
import json
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import boto3
import pytest
from botocore.credentials import RefreshableCredentials
from botocore.exceptions import HTTPClientError, ParamValidationError
from botocore.session import get_session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from urllib3 import Timeout

from uring.aws.bucket import S3Bucket
from uring.aws.clients import Clients
from uring.aws.direct import pool
from uring.aws.direct.place import trust
from uring.aws.objects import S3Objects
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.errors import Contended, Misconfigured, PreconditionFailed, Unavailable
from uring.tables import NOTHING, Write
from uring_local.loopback import Connection, Listener, Request

Script = Callable[[Connection], None]
ATTEMPTS: Final = 3
FOUND: Final = b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 4\r\n\r\nbody'


class Aws(Listener):
    """Plays a script for each request; the last one serves the rest."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        self.scripts: list[Script] = [saying(FOUND)]
        super().__init__(self._play, tls=tls)

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


def refusing(status: str, body: bytes = b"", *headers: str) -> Script:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return saying("\r\n".join(lines).encode() + body)


def error(code: str) -> bytes:
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>m</Message></Error>".encode()


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    monkeypatch.setattr("uring.aws.direct.wire.time.sleep", lambda _: None)
    with Aws() as server:
        for name in ("REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE", "CURL_CA_BUNDLE"):
            monkeypatch.delenv(name, raising=False)
        for name in ("AWS_ENDPOINT_URL_S3", "AWS_PROFILE", "HTTP_PROXY", "http_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server.host}")
        monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
        yield server
    assert server.failures == []


@pytest.fixture
def session() -> boto3.Session:
    return boto3.Session("key", "secret", "token", region_name="ap-northeast-2")


@pytest.fixture
def clients(session: boto3.Session) -> Clients:
    return Clients(session)


@pytest.fixture
def objects(clients: Clients) -> S3Bucket:
    return S3Bucket(clients.get("s3"), "bucket")


@pytest.fixture
def table(clients: Clients) -> DynamoTable:
    return DynamoTable(clients.get("dynamodb"), "table", backoff=Backoff(lambda _: None))


def put(objects: S3Objects, if_match: str | None = None) -> str:
    return objects.put("k", b"text", if_match=if_match, content_type="text/plain")


class TestSent:
    @pytest.mark.parametrize(
        ("key", "target"),
        [
            ("state/notices/cs.json", "/bucket/state/notices/cs.json"),
            ("data/컴 공/a+b%2F?#&=~.json", None),
            ("a//b/../c/.", "/bucket/a//b/../c/."),
        ],
    )
    def test_a_key_is_encoded_once_and_as_botocore_does(
        self, aws: Aws, objects: S3Bucket, session: boto3.Session, key: str, target: str | None
    ) -> None:
        objects.get("first")
        objects.get(key)
        session.client("s3").get_object(Bucket="bucket", Key=key)
        ours, theirs = (request.target for request in aws.requests[-2:])
        assert ours == theirs
        assert target in (None, ours)

    def test_no_call_of_the_adapters_goes_through_boto3(
        self, aws: Aws, objects: S3Bucket, clients: Clients, table: DynamoTable
    ) -> None:
        """boto3 puts an invocation's id on all that it sends."""
        objects.get("k")
        put(objects)
        put(objects, '"e"')
        objects.put("k", b"", if_match=None, content_type="a/b", cache_control="no-cache")
        objects.write("k", b"x", "text/plain", {"domain_id": "com:sg", "file": "a b"})
        objects.head("k")
        objects.remove("k")
        aws.scripts = [saying(b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"Items":[]}')]
        table.get("p", "k")
        table.transact("p", [Write("k", {"n": 1}, NOTHING)])
        list(table.query("p", "k"))
        assert len(aws.requests) == 10
        assert not [each for each in aws.requests if "amz-sdk-invocation-id" in each.headers]
        assert clients.calls.take() == {
            "dynamodb:GetItem": 1,
            "dynamodb:Query": 1,
            "dynamodb:TransactWriteItems": 1,
            "s3:DeleteObject": 1,
            "s3:GetObject": 1,
            "s3:HeadObject": 1,
            "s3:PutObject": 4,
        }

    def test_body_and_condition_are_signed(self, aws: Aws, objects: S3Bucket) -> None:
        objects.put("k", b"text", if_match='"e"', content_type="text/plain", cache_control="c")
        headers = aws.requests[0].headers
        assert headers["if-match"] == '"e"'
        assert headers["x-amz-security-token"] == "token"
        assert headers["x-amz-content-sha256"] == hashlib.sha256(b"text").hexdigest()
        assert "Credential=key/" in headers["authorization"]
        assert "/ap-northeast-2/s3/aws4_request" in headers["authorization"]
        signed = headers["authorization"].split("SignedHeaders=")[1].split(",")[0].split(";")
        assert {"host", "if-match", "content-type", "x-amz-content-sha256"} <= set(signed)

    def test_credentials_that_are_renewed_sign_the_next_request(
        self, aws: Aws, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        numbers = count(1)

        def renew() -> dict[str, str]:
            number = next(numbers)
            return {
                "access_key": f"key{number}",
                "secret_key": "s",
                "token": f"token{number}",
                # Over at once: botocore renews it each time.
                "expiry_time": "2020-01-01T00:00:00Z" if number == 1 else "2999-01-01T00:00:00Z",
            }

        session = get_session()
        passing = RefreshableCredentials.create_from_metadata(renew(), renew, "test")
        monkeypatch.setattr(session, "get_credentials", lambda: passing)
        made = boto3.Session(botocore_session=session, region_name="ap-northeast-2")
        S3Objects(Clients(made).get("s3"), "bucket").get("k")
        assert aws.requests[0].headers["x-amz-security-token"] == "token2"

    def test_an_endpoint_of_a_virtual_host_is_asked_as_botocore_has_it(
        self, clients: Clients, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
        s3 = clients.get("s3")
        sent: list[Any] = []

        def refuse(request: Any, **_: Any) -> None:
            sent.append(request.url)
            raise AssertionError

        s3.meta.events.register("before-send.s3.GetObject", refuse)
        for bucket in ("bucket", "with.dots"):
            with pytest.raises(AssertionError):
                s3.get_object(Bucket=bucket, Key="a b")
        assert sent == [
            "https://bucket.s3.ap-northeast-2.amazonaws.com/a%20b",
            "https://s3.ap-northeast-2.amazonaws.com/with.dots/a%20b",
        ]

    @pytest.mark.parametrize(
        "params",
        [
            {"Key": "k", "Metadata": {"a": "b\r\nx-amz-acl: public-read"}},
            {"Key": "k", "ContentType": "a\r\nb"},
            {"Key": "k", "Metadata": {"a": "한글"}},
        ],
    )
    def test_what_would_break_a_request_is_refused_as_boto3_does(
        self, aws: Aws, clients: Clients, params: dict[str, Any]
    ) -> None:
        with pytest.raises((ParamValidationError, HTTPClientError)):
            clients.get("s3").put_object(Bucket="bucket", Body=b"", **params)
        assert aws.requests == []

    @pytest.mark.parametrize("call", ["get_object", "head_object", "put_object", "delete_object"])
    def test_without_a_key_nothing_is_asked(self, aws: Aws, clients: Clients, call: str) -> None:
        """It would be a question about the bucket, or its removal."""
        s3 = clients.get("s3")
        s3.get_object(Bucket="bucket", Key="k")
        with pytest.raises(ParamValidationError):
            getattr(s3, call)(Bucket="bucket", Key="")
        assert len(aws.requests) == 1

    def test_who_watches_a_client_s_events_sees_and_changes_what_was_parsed(
        self, aws: Aws, clients: Clients
    ) -> None:
        s3 = clients.get("s3")
        seen: list[str] = []

        def watch(parsed: dict[str, Any], **_: Any) -> None:
            seen.append(parsed.get("Error", {}).get("Code", "none"))
            parsed["ContentLength"] = 7

        bucket = S3Bucket(s3, "bucket")
        bucket.get("k")
        aws.requests.clear()
        s3.meta.events.register("after-call.s3.HeadObject", watch)
        aws.scripts = [refusing("200 OK", b"", 'ETag: "e"'), refusing("404 Not Found")]
        head = bucket.head("k")
        assert head is not None
        assert head.size == 7
        assert bucket.head("k") is None
        assert seen == ["none", "404"]

    def test_behind_a_proxy_boto3_asks(
        self, aws: Aws, clients: Clients, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTP_PROXY", f"http://{aws.host}")
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://s3.invalid")
        S3Objects(clients.get("s3"), "bucket").get("k")
        assert aws.requests[0].target.startswith("http://s3.invalid/")


class TestConnections:
    def test_one_connection_carries_all_calls(self, aws: Aws, objects: S3Bucket) -> None:
        for _ in range(5):
            objects.get("k")
        assert (len(aws.requests), aws.connections) == (5, 1)

    def test_a_connection_that_ended_meanwhile_costs_an_attempt_at_most(
        self, aws: Aws, objects: S3Bucket
    ) -> None:
        aws.scripts = [cutting(FOUND), saying(FOUND)]
        assert objects.get("k") == objects.get("k")
        assert aws.connections == 2

    def test_thirty_threads_at_once_are_all_served(self, objects: S3Bucket) -> None:
        read: list[object] = []
        threads = [
            threading.Thread(target=lambda: read.append(objects.get("k"))) for _ in range(30)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(read)) == 1
        assert len(read) == 30

    def test_what_follows_a_body_is_never_taken_for_the_next_answer(
        self, aws: Aws, objects: S3Bucket
    ) -> None:
        forged = b'HTTP/1.1 200 OK\r\nETag: "f"\r\nContent-Length: 6\r\n\r\nforged'
        aws.scripts = [saying(FOUND + forged), saying(FOUND)]
        bodies = [stored.body for stored in (objects.get("a"), objects.get("b")) if stored]
        assert bodies == [b"body", b"body"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a key and a self-signed certificate of loopback."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = dt.datetime.now(dt.UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = tmp_path_factory.mktemp("tls") / "loopback.pem"
    secret = key.private_bytes(pem, form, serialization.NoEncryption())
    path.write_bytes(secret + signed.public_bytes(pem))
    return path


@pytest.fixture
def guarded(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    """A server with TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Aws(context) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"https://{server.host}")
        yield server


class TestTrust:
    @pytest.mark.parametrize("name", ["AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
    def test_the_operator_s_certificates_are_trusted(
        self,
        guarded: Aws,
        clients: Clients,
        certificate: Path,
        name: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv(name, str(certificate))
        assert S3Objects(clients.get("s3"), "bucket").get("k") is not None
        assert len(guarded.requests) == 1

    def test_nobody_else_is(self, guarded: Aws, clients: Clients) -> None:
        with pytest.raises(Unavailable, match="SSL"):
            S3Objects(clients.get("s3"), "bucket").get("k")
        assert guarded.requests == []

    def test_certificates_are_read_once_for_all_connections(
        self, monkeypatch: pytest.MonkeyPatch, certificate: Path
    ) -> None:
        monkeypatch.setenv("AWS_CA_BUNDLE", str(certificate))
        assert trust() is trust()


HOSTILE: Final[dict[str, Script]] = {
    "closed without a word": cutting(b""),
    "half a head": cutting(b"HTTP/1.1 200 OK\r\nETag:"),
    "no HTTP": cutting(b"\x00\x01\x02" * 9),
    "a body that is cut": cutting(b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 9\r\n\r\nhalf'),
    "chunks that are cut": cutting(
        b'HTTP/1.1 200 OK\r\nETag: "e"\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf'
    ),
    "two lengths": saying(
        b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nbody'
    ),
    "no ETag": saying(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"),
    "503 SlowDown": refusing("503 Slow Down", error("SlowDown")),
    "500": refusing("500 Internal Server Error", error("InternalError")),
    "400 RequestTimeout": refusing("400 Bad Request", error("RequestTimeout")),
}


class TestTroubles:
    @pytest.mark.parametrize("trouble", HOSTILE.values(), ids=HOSTILE)
    def test_no_answer_is_asked_again_and_then_unavailable(
        self, aws: Aws, objects: S3Bucket, trouble: Script
    ) -> None:
        aws.scripts = [trouble]
        with pytest.raises(Unavailable, match="s3:GetObject bucket/k"):
            objects.get("k")
        assert len(aws.requests) == ATTEMPTS
        aws.requests.clear()
        aws.scripts = [trouble, saying(FOUND)]
        assert objects.get("k") is not None
        aws.requests.clear()
        aws.scripts = [trouble]
        with pytest.raises(Unavailable, match="s3:PutObject bucket/k"):
            put(objects)

    def test_nobody_there_is_asked_again_and_then_unavailable(
        self, clients: Clients, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        waits: list[float] = []
        monkeypatch.setattr("uring.aws.direct.wire.time.sleep", waits.append)
        with Aws() as gone:
            monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gone.host}")
        with pytest.raises(Unavailable, match="Could not connect"):
            S3Objects(clients.get("s3"), "bucket").get("k")
        assert len(waits) == ATTEMPTS - 1

    def test_a_server_that_is_silent_costs_its_time_out_and_no_more(
        self, aws: Aws, clients: Clients, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pool, "Timeout", lambda **_: Timeout(connect=1, read=0.05))
        objects = S3Objects(clients.get("s3"), "bucket")
        aws.scripts = [lambda connection: connection.wait() and None]
        with pytest.raises(Unavailable, match=r"(?i)timeout"):
            objects.get("k")
        assert len(aws.requests) == ATTEMPTS

    def test_a_large_body_may_take_longer_than_a_connection(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A server that reads slowly, piece by piece, gets all of it."""
        monkeypatch.setattr(pool, "Timeout", lambda **_: Timeout(connect=0.5, read=5))
        body = bytes(8 * 1024 * 1024)
        received = []

        def read_slowly(connection: Connection) -> None:
            size = int(connection.read_head().headers["content-length"])
            while sum(received) < size:
                received.append(len(connection.receive(64 * 1024)))
                connection.wait(0.01)
            connection.send(b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 0\r\n\r\n')

        with Listener(read_slowly) as server:
            monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server.host}")
            bucket = S3Bucket(
                Clients(boto3.Session("k", "s", region_name="eu-west-1")).get("s3"), "b"
            )
            bucket.write("k", body, "text/plain")
        assert sum(received) == len(body)

    def test_a_body_that_drips_ends_with_its_time(
        self, aws: Aws, objects: S3Bucket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each byte comes within the read time-out; all of them never would."""
        monkeypatch.setattr(pool, "BODY_SECONDS", 0.1)

        def drip(connection: Connection) -> None:
            connection.send(b'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 999\r\n\r\n')
            connection.drip(b"x" * 999, 0.02)

        aws.scripts = [drip, saying(FOUND)]
        assert objects.get("k") is not None
        assert len(aws.requests) == 2

    @pytest.mark.parametrize("head", ["Content-Length: 5000", "Transfer-Encoding: chunked"])
    def test_an_object_of_absurd_size_is_read_no_further(
        self, aws: Aws, objects: S3Bucket, monkeypatch: pytest.MonkeyPatch, head: str
    ) -> None:
        for module in ("pool.MOST_BYTES", "s3.MOST_BYTES"):
            monkeypatch.setattr(f"uring.aws.direct.{module}", 1_000)
        monkeypatch.setattr("uring.aws.objects.MAX_BYTES", 1_000)
        # The rest of it never comes: who waits for it finds the connection closed.
        body = b"x" * 2_000 if "Length" in head else b"1388\r\n" + b"x" * 2_000
        aws.scripts = [cutting(f'HTTP/1.1 200 OK\r\nETag: "e"\r\n{head}\r\n\r\n'.encode() + body)]
        with pytest.raises(Misconfigured, match="something else writes to this key"):
            objects.get("k")
        assert len(aws.requests) == 1

    def test_compressed_bytes_are_handed_on_as_they_are_stored(
        self, aws: Aws, objects: S3Bucket
    ) -> None:
        aws.scripts = [saying(FOUND.replace(b"ETag", b"Content-Encoding: gzip\r\nETag"))]
        stored = objects.get("k")
        assert stored is not None
        assert stored.body == b"body"
        assert aws.requests[0].headers["accept-encoding"] == "identity"

    @pytest.mark.parametrize(
        ("refusal", "kind", "said"),
        [
            (
                refusing("412 Precondition Failed", error("PreconditionFailed")),
                PreconditionFailed,
                "bucket/k",
            ),
            (refusing("404 Not Found", error("NoSuchKey")), PreconditionFailed, "bucket/k"),
            (refusing("409 Conflict", error("ConditionalRequestConflict")), Contended, "bucket/k"),
            (refusing("404 Not Found", error("NoSuchBucket")), Misconfigured, "deploy the stack"),
            (refusing("403 Forbidden", error("AccessDenied")), Misconfigured, "lacks it"),
            (refusing("403 Forbidden", error("ExpiredToken")), Misconfigured, "renew"),
            (refusing("403 Forbidden", error("RequestTimeTooSkewed")), Misconfigured, "clock"),
            (refusing("403 Forbidden"), Misconfigured, "lacks it"),
            (refusing("304 Not Modified"), Unavailable, "304"),
            (
                refusing(
                    "301 Moved Permanently",
                    error("PermanentRedirect"),
                    "Location: http://169.254.169.254/",
                    "x-amz-bucket-region: eu-west-1",
                ),
                Misconfigured,
                "it is in eu-west-1",
            ),
            (
                refusing("307 Temporary Redirect", b"", "Location: http://169.254.169.254/"),
                Misconfigured,
                "correct AWS_REGION",
            ),
        ],
    )
    def test_a_refusal_is_the_error_that_it_is_by_boto3_and_asked_once(
        self, aws: Aws, objects: S3Bucket, refusal: Script, kind: type[Exception], said: str
    ) -> None:
        aws.scripts = [refusal]
        with pytest.raises(kind, match=said):
            put(objects, '"e"')
        assert len(aws.requests) == 1

    @pytest.mark.parametrize(
        "body",
        [
            b"<!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'>" * 500 + error("&a;"),
            b"<Error>" + b"<Code>" * 100_000,
            b"<Error><Code>" + b"x" * 500_000,
            b"<" * 1_000_000,
            b"[" * 200_000,
            b'{"__type": {"a": 1}, "message": [], "Item": 7, "CancellationReasons": [3]}',
            b"\xff\xfe\x00",
            b"",
        ],
        ids=["entities", "nested", "endless name", "signs", "deep", "kinds", "bytes", "none"],
    )
    def test_a_refusal_in_no_form_is_told_by_its_status(
        self, aws: Aws, objects: S3Bucket, table: DynamoTable, body: bytes
    ) -> None:
        aws.scripts = [refusing("418 Other", body)]
        for call in (lambda: objects.get("k"), lambda: table.get("p", "k")):
            with pytest.raises(Unavailable, match=r"418|a: 1") as told:
                call()
            assert len(str(told.value)) < 300

    def test_a_refusal_without_end_is_dropped(
        self, aws: Aws, objects: S3Bucket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pool, "MOST_REFUSAL_BYTES", 1_000)
        aws.scripts = [refusing("404 Not Found", error("NoSuchKey").ljust(9_000))]
        assert objects.get("k") is None


def said(document: object, *, checksum: int | None = None, status: str = "200 OK") -> Script:
    body = json.dumps(document).encode()
    return refusing(status, body, f"x-amz-crc32: {checksum or zlib.crc32(body)}")


class TestTable:
    def test_an_answer_that_changed_on_its_way_is_asked_again(
        self, aws: Aws, table: DynamoTable
    ) -> None:
        item = {"Item": {"n": {"N": "1"}}}
        aws.scripts = [said({"Item": {"n": {"N": "9"}}}, checksum=7), said(item)]
        assert table.get("p", "k") == {"n": 1}

    def test_a_transaction_is_repeated_with_its_token(self, aws: Aws, table: DynamoTable) -> None:
        """By it the table knows the repeat of what it did, when only the answer was lost."""
        aws.scripts = [cutting(b""), said({})]
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
    def test_only_what_may_pass_is_asked_again(
        self, aws: Aws, table: DynamoTable, code: str, attempts: int
    ) -> None:
        kind = f"com.amazonaws.dynamodb.v20120810#{code}"
        aws.scripts = [said({"__type": kind, "message": "m"}, status="400 Bad Request")]
        with pytest.raises((Unavailable, Misconfigured), match=code):
            table.get("p", "k")
        assert len(aws.requests) == attempts

    @pytest.mark.parametrize("body", [b"[]", b"{", b"[" * 100_000, b"\xff"])
    def test_what_is_no_object_is_no_answer(
        self, aws: Aws, table: DynamoTable, body: bytes
    ) -> None:
        aws.scripts = [refusing("200 OK", body)]
        with pytest.raises(Unavailable):
            table.get("p", "k")
