"""How our clients put a call on the wire, count it, and take it where its answer was lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import ConnectionClosedError
from fakes import VirtualClock
from urllib3 import HTTPResponse

from uring.aws.clients import Clients
from uring.aws.ledger import DynamoLedger
from uring.aws.objects import S3Bucket
from uring.changes.register import StateRegister, StateVersion
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import timestamp
from uring.errors import Misconfigured, PreconditionFailed
from uring.push.ports import Claimed
from uring.records.model import RecordState

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


def test_a_put_sends_its_body_without_asking_first() -> None:
    """By itself botocore asks with ``Expect: 100-continue``, a round trip more."""
    session = boto3.Session("key", "secret", region_name="ap-northeast-2")
    s3 = Clients(session).get("s3")
    sent: list[AWSPreparedRequest] = []

    def answer(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        sent.append(request)
        return AWSResponse(request.url, 200, {"ETag": '"e"'}, HTTPResponse(BytesIO()))

    s3.meta.events.register("before-send.s3.PutObject", answer)
    s3.put_object(Bucket="b", Key="k", Body=b"x", IfNoneMatch="*")
    assert [request.method for request in sent] == ["PUT"]
    assert "Expect" not in sent[0].headers
    assert sent[0].headers["If-None-Match"] == b"*"


@pytest.mark.parametrize("version", ["1.35.99", "0.99.0", "", "new", "1.", "9" * 5_000])
def test_a_runtime_whose_boto3_is_too_old_says_so(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its first client ends with a TypeError that names no remedy."""
    monkeypatch.setattr("botocore.__version__", version)
    with pytest.raises(Misconfigured, match=r"1\.36 is needed: deploy with a newer Python") as told:
        Clients()
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("version", ["1.36.0", "1.40.4", "2.0.0"])
def test_a_newer_boto3_will_do(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.__version__", version)
    Clients()


@contextmanager
def lost_answer(client: Any, call: str) -> Iterator[list[str]]:
    """Let the next such call take effect, and close the connection instead of answering."""
    sent: list[str] = []

    def deliver(request: Any, **_: Any) -> None:
        if not sent:
            sent.append("lost")
            client.meta.events.emit(f"before-send.{call}", request=request)
            raise ConnectionClosedError(endpoint_url=request.url)
        if sent == ["lost"] and inner:
            sent.append("answered")
        inner.append(None)

    inner: list[None] = []
    client.meta.events.register_first(f"before-send.{call}", deliver)
    try:
        yield sent
    finally:
        client.meta.events.unregister(f"before-send.{call}", deliver)


def _register(s3: Any, bucket: str) -> tuple[StateRegister[RecordState], StateVersion[RecordState]]:
    clock = VirtualClock()
    objects = S3Bucket(s3, bucket)
    register = StateRegister(
        objects, "notices", RecordState, clock=clock, backoff=Backoff(clock.sleep)
    )
    state = RecordState(source="cs", health=Health(since=timestamp(clock())))
    return register, StateVersion(state, None)


class TestLostAnswers:
    """A write takes effect, its answer is lost, botocore sends it again (its real retries)."""

    @pytest.fixture
    def clients(self, moto_session: boto3.Session, monkeypatch: pytest.MonkeyPatch) -> Clients:
        monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
        return Clients(moto_session)

    def test_the_register_recognises_its_own_first_write(self, clients: Clients, name: str) -> None:
        s3 = clients.get("s3")
        s3.create_bucket(
            Bucket=name, CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
        )
        register, first = _register(s3, name)
        created = register.write(first, first.state)
        with lost_answer(s3, "s3.PutObject") as sent:
            written = register.write(created, created.state.replace(reading="f"))
        assert sent == ["lost", "answered"]
        stored = register.read("cs")
        assert stored is not None
        assert stored == written
        assert stored.state.reading == "f"

    def test_a_claim_whose_answer_was_lost_is_granted(self, clients: Clients, name: str) -> None:
        db = clients.get("dynamodb")
        db.create_table(
            TableName=name,
            AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )
        ledger = DynamoLedger(db, name)
        with lost_answer(db, "dynamodb.UpdateItem") as sent:
            lease_until = NOW + timedelta(seconds=45)
            granted = ledger.claim("k", "a", event_id="e" * 40, now=NOW, lease_until=lease_until)
        assert sent == ["lost", "answered"]
        assert granted == Claimed(1)
        with lost_answer(db, "dynamodb.UpdateItem"):
            ledger.sent("k", "a", now=NOW, expires_at=NOW)


class TestCallCounter:
    def test_calls_are_counted_by_operation_once_however_often_botocore_tries(
        self, moto_session: boto3.Session, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
        clients = Clients(moto_session)
        s3 = clients.get("s3")
        s3.create_bucket(
            Bucket=name, CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
        )
        clients.calls.take()
        objects = S3Bucket(s3, name)
        objects.get("a")
        objects.get("b")
        with lost_answer(s3, "s3.PutObject") as sent, pytest.raises(PreconditionFailed):
            objects.put("k", b"x", if_match=None, content_type="t")
        assert sent == ["lost", "answered"]
        assert clients.calls.take() == {"s3:GetObject": 2, "s3:PutObject": 1}
        assert clients.calls.take() == {}

    @pytest.mark.parametrize(
        ("service", "call", "name"),
        [
            ("sqs", lambda c: c.list_queues(), "sqs:ListQueues"),
            ("dynamodb", lambda c: c.list_tables(), "dynamodb:ListTables"),
            ("secretsmanager", lambda c: c.list_secrets(), "secretsmanager:ListSecrets"),
        ],
    )
    def test_every_service_is_counted_under_its_iam_name(
        self, moto_session: boto3.Session, service: str, call: Callable[[Any], object], name: str
    ) -> None:
        clients = Clients(moto_session)
        call(clients.get(service))
        assert clients.calls.take() == {name: 1}

    def test_a_client_is_built_once(self, moto_session: boto3.Session) -> None:
        clients = Clients(moto_session)
        assert clients.get("s3") is clients.get("s3")
