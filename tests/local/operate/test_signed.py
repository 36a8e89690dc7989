"""Requests to a stack's HTTP API: where it is, and answers that are none of a function's."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from uring.errors import Misconfigured, Unavailable
from uring_local.operate.signed import ApiAnswer, SignedApi, api_address

OUTPUTS = {"SeedApiUrl": "https://abc.execute-api.eu-west-1.amazonaws.com/"}


class Door(BaseHTTPRequestHandler):
    """Answers what it is told to, and keeps what it was sent."""

    answer: tuple[int, bytes] = (200, b"{}")
    headers_seen: dict[str, str]
    target_seen: str
    body_seen: bytes

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        Door.target_seen = self.path
        Door.headers_seen = {name.lower(): value for name, value in self.headers.items()}
        Door.body_seen = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, body = Door.answer
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("ETag", '"v3"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", "_APIGATEWAYV2"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def door() -> Iterator[str]:
    """The address of a door on loopback."""
    server = HTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_api_on_aws_is_at_its_own_host() -> None:
    address = api_address(OUTPUTS, name="SeedApi", stack="uring")
    assert address == "https://abc.execute-api.eu-west-1.amazonaws.com"


@pytest.mark.parametrize("variable", ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_APIGATEWAYV2"])
def test_an_api_on_a_local_stack_is_at_a_path(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:4566")
    address = api_address(OUTPUTS, name="SeedApi", stack="uring")
    assert address == "http://127.0.0.1:4566/_aws/execute-api/abc"


def test_a_stack_without_the_api_is_named() -> None:
    with pytest.raises(Misconfigured, match="stack uring has no output SeedApiUrl; deploy this"):
        api_address({}, name="SeedApi", stack="uring")


def test_the_signature_is_of_what_was_sent(
    door: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Somebody's ~/.netrc for this host does not take its place."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password mine", encoding="ascii")
    monkeypatch.setenv("NETRC", str(netrc))
    Door.answer = (200, b'{"files": 3}')
    answer = SignedApi(door, boto3.Session()).post("/jobs", {"country": "대한민국"})
    assert answer == ApiAnswer(200, {"files": 3})
    seen = Door.headers_seen
    signed = AWSRequest(
        method="POST",
        url=f"{door}/jobs",
        data=Door.body_seen,
        headers={"Content-Type": seen["content-type"]},
    )
    signed.context["timestamp"] = seen["x-amz-date"]
    signer = SigV4Auth(Credentials("key", "secret"), "execute-api", "eu-west-1")
    signed.headers["X-Amz-Date"] = seen["x-amz-date"]
    canonical = signer.canonical_request(signed)
    signature = signer.signature(signer.string_to_sign(signed, canonical), signed)
    assert seen["authorization"].endswith(f"Signature={signature}")


def test_a_question_is_signed_with_its_query_and_its_condition(door: str) -> None:
    Door.answer = (200, b"{}")
    query = {"b": "1 2", "a": "ü&"}
    condition = {"If-None-Match": '"v2"'}
    answer = SignedApi(door, boto3.Session()).get("/issues", query, condition)
    assert answer.headers["etag"] == '"v3"'
    seen = Door.headers_seen
    assert seen["if-none-match"] == '"v2"'
    signed = AWSRequest(method="GET", url=f"{door}{Door.target_seen}", headers=condition)
    signed.context["timestamp"] = signed.headers["X-Amz-Date"] = seen["x-amz-date"]
    signer = SigV4Auth(Credentials("key", "secret"), "execute-api", "eu-west-1")
    canonical = signer.canonical_request(signed)
    signature = signer.signature(signer.string_to_sign(signed, canonical), signed)
    assert "SignedHeaders=host;if-none-match;x-amz-date" in seen["authorization"]
    assert seen["authorization"].endswith(f"Signature={signature}")


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (
            (400, b'{"message": "date: no such day"}'),
            ApiAnswer(400, {"message": "date: no such day"}),
        ),
        ((502, b"<html>Bad gateway"), ApiAnswer(502, {}, "<html>Bad gateway")),
        ((200, b"[1]"), ApiAnswer(200, {}, "[1]")),
        ((200, b"[" * 100_000), ApiAnswer(200, {}, "[" * 500)),
        ((302, b""), ApiAnswer(302, {}, "")),
    ],
    ids=["refused", "no JSON", "no object", "deep", "elsewhere"],
)
def test_every_status_is_an_answer(door: str, answer: tuple[int, bytes], read: ApiAnswer) -> None:
    """A redirect is one too: what is signed goes to this API and nowhere else."""
    Door.answer = answer
    assert SignedApi(door, boto3.Session()).post("/jobs", {}) == read


def test_a_refusal_names_the_permission(door: str) -> None:
    Door.answer = (403, b'{"message": "Forbidden"}')
    with pytest.raises(Misconfigured, match="needs execute-api:Invoke"):
        SignedApi(door, boto3.Session()).post("/jobs", {})


def test_no_answer_is_told() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(Unavailable, match=r"no answer \(ConnectionError\); it may"):
            SignedApi(url, boto3.Session()).post("/jobs", {})


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("AWS_ACCESS_KEY_ID", "no AWS credentials"),
        ("AWS_DEFAULT_REGION", "no region; give --region"),
    ],
)
def test_nothing_leaves_unsigned(
    door: str, variable: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    Door.body_seen = b"nothing"
    with pytest.raises(Misconfigured, match=said):
        SignedApi(door, boto3.Session()).post("/jobs", {})
    assert Door.body_seen == b"nothing"
