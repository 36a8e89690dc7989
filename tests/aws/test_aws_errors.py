"""botocore's errors in our words: the right class, a message with the thing and the remedy."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import (
    ConnectTimeoutError,
    EndpointConnectionError,
    ReadTimeoutError,
)
from botocore.stub import Stubber
from fakes import RecordingTelemetry
from queue_harness import change, job

from uring.aws.ledger import DynamoLedger
from uring.aws.objects import S3Bucket
from uring.aws.queues import NotifyQueue, SqsSourceQueue, SqsWorkQueue
from uring.aws.secrets import KeptSecret, json_secret
from uring.errors import (
    Contended,
    InvalidRequest,
    MalformedMessage,
    Misconfigured,
    PreconditionFailed,
    Retryable,
    Unavailable,
    UringError,
)
from uring.push.ports import ClaimLost, ClaimResult
from uring.runtime.batches import BatchRecord

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
URL = "https://sqs.ap-northeast-2.amazonaws.com/1/q.fifo"
RECORD = BatchRecord("m1", "handle", "cs", "{}", 1)


def claim(ledger: DynamoLedger, owner: str) -> ClaimResult:
    lease_until = NOW + timedelta(seconds=45)
    return ledger.claim("k", owner, event_id="e" * 40, now=NOW, lease_until=lease_until)


def put(s3: Any, if_match: str | None = None) -> str:
    return S3Bucket(s3, "b").put("k", b"x", if_match=if_match, content_type="t")


def returns(sqs: Any) -> SqsSourceQueue:
    return SqsSourceQueue(
        sqs, queue_url=URL, dead_letter_url=f"{URL}-dead", telemetry=RecordingTelemetry()
    )


CALLS: dict[str, tuple[str, str, Callable[[Any], object]]] = {
    "get": ("s3", "get_object", lambda s3: S3Bucket(s3, "b").get("k")),
    "create": ("s3", "put_object", put),
    "replace": ("s3", "put_object", lambda s3: put(s3, '"e"')),
    "send": ("sqs", "send_message_batch", lambda sqs: NotifyQueue(sqs, URL).send([change(1)])),
    "dispatch": (
        "sqs",
        "send_message_batch",
        lambda sqs: SqsWorkQueue(sqs, URL).dispatch([job("cs")]),
    ),
    "reject": (
        "sqs",
        "send_message",
        lambda sqs: returns(sqs).reject(RECORD, MalformedMessage("x")),
    ),
    "claim": ("dynamodb", "update_item", lambda db: claim(DynamoLedger(db, "t"), "a")),
    "sent": (
        "dynamodb",
        "update_item",
        lambda db: DynamoLedger(db, "t").sent("k", "a", now=NOW, expires_at=NOW),
    ),
    "remove": ("s3", "delete_object", lambda s3: S3Bucket(s3, "b").remove("k")),
    "kept": ("secretsmanager", "get_secret_value", lambda sm: KeptSecret(lambda: sm, "w").text()),
    "secret": ("secretsmanager", "get_secret_value", lambda sm: json_secret(sm, "fcm")),
}

DEPLOY = "deploy the stack, or correct the environment"
ROLE = "the calling role or user lacks this permission"
TABLE: list[tuple[str, str, int, type[UringError], str]] = [
    ("get", "NoSuchBucket", 404, Misconfigured, rf"s3:GetObject b/k: NoSuchBucket; {DEPLOY}"),
    ("get", "AccessDenied", 403, Misconfigured, rf"s3:GetObject b/k: AccessDenied; {ROLE}"),
    ("get", "SlowDown", 503, Unavailable, r"s3:GetObject b/k: SlowDown"),
    ("get", "InternalError", 500, Unavailable, r"b/k: InternalError"),
    ("create", "PreconditionFailed", 412, PreconditionFailed, r"s3:PutObject b/k"),
    ("create", "ConditionalRequestConflict", 409, Contended, r"s3:PutObject b/k"),
    ("create", "OperationAborted", 409, Contended, r"b/k"),
    ("create", "NoSuchBucket", 404, Misconfigured, rf"b/k: NoSuchBucket; {DEPLOY}"),
    ("create", "NoSuchKey", 404, Unavailable, r"b/k: NoSuchKey"),
    ("replace", "PreconditionFailed", 412, PreconditionFailed, r"b/k"),
    ("replace", "NoSuchKey", 404, PreconditionFailed, r"b/k"),
    ("replace", "NoSuchBucket", 404, Misconfigured, rf"b/k: NoSuchBucket; {DEPLOY}"),
    ("replace", "ConditionalRequestConflict", 409, Contended, r"b/k"),
    ("replace", "AccessDenied", 403, Misconfigured, ROLE),
    ("replace", "ServiceUnavailable", 503, Unavailable, r"b/k"),
    (
        "send",
        "AWS.SimpleQueueService.NonExistentQueue",
        400,
        Misconfigured,
        rf"sqs:SendMessage {URL}.*{DEPLOY}",
    ),
    ("send", "QueueDoesNotExist", 400, Misconfigured, DEPLOY),
    ("send", "AccessDenied", 403, Misconfigured, ROLE),
    ("send", "RequestThrottled", 403, Unavailable, r"RequestThrottled"),
    ("send", "InternalFailure", 500, Unavailable, r"InternalFailure"),
    ("dispatch", "AccessDeniedException", 400, Misconfigured, ROLE),
    ("reject", "QueueDoesNotExist", 400, Misconfigured, rf"{URL}-dead"),
    ("claim", "ResourceNotFoundException", 400, Misconfigured, rf"dynamodb:UpdateItem t.*{DEPLOY}"),
    ("claim", "AccessDeniedException", 400, Misconfigured, ROLE),
    ("claim", "UnrecognizedClientException", 400, Misconfigured, "renew the AWS"),
    ("claim", "ExpiredTokenException", 400, Misconfigured, "renew the AWS"),
    ("claim", "ProvisionedThroughputExceededException", 400, Unavailable, "Provisioned"),
    ("claim", "InternalServerError", 500, Unavailable, "InternalServerError"),
    (
        "claim",
        "ValidationException",
        400,
        InvalidRequest,
        r"ValidationException: the service's wor",
    ),
    ("claim", "IdempotentParameterMismatchException", 400, InvalidRequest, "change it"),
    ("sent", "ConditionalCheckFailedException", 400, ClaimLost, r"k: the claim is gone's|k: "),
    ("sent", "ResourceNotFoundException", 400, Misconfigured, DEPLOY),
    ("secret", "ResourceNotFoundException", 400, Misconfigured, r"GetSecretValue fcm.*store it by"),
    ("secret", "AccessDeniedException", 400, Misconfigured, ROLE),
    ("secret", "InternalServiceError", 500, Unavailable, "fcm"),
]


@pytest.fixture(scope="module")
def clients(moto_session: boto3.Session) -> dict[str, Any]:
    """Clients that try once: their own retries are botocore's business."""
    once = Config(retries={"total_max_attempts": 1, "mode": "standard"})
    services = ("s3", "sqs", "dynamodb", "secretsmanager")
    return {name: moto_session.client(name, config=once) for name in services}


@pytest.mark.parametrize(
    ("call", "code", "status", "expected", "message"),
    TABLE,
    ids=[f"{row[0]}-{row[1]}" for row in TABLE],
)
def test_answers_of_aws(
    clients: dict[str, Any],
    call: str,
    code: str,
    status: int,
    expected: type[UringError],
    message: str,
) -> None:
    service, operation, run = CALLS[call]
    with Stubber(clients[service]) as stub:
        stub.add_client_error(operation, code, "the service's words", status)
        with pytest.raises(expected, match=message) as caught:
            run(clients[service])
    assert caught.value.__cause__ is not None, "the original error must stay visible"


NO_ANSWER = [
    ReadTimeoutError(endpoint_url="https://x"),
    ConnectTimeoutError(endpoint_url="https://x"),
    EndpointConnectionError(endpoint_url="https://x"),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("failure", NO_ANSWER, ids=lambda error: type(error).__name__)
def test_no_answer_at_all_is_unavailable_and_retryable(
    clients: dict[str, Any], call: str, failure: Exception
) -> None:
    service, _, run = CALLS[call]

    def fail(**_: Any) -> None:
        raise failure

    events = clients[service].meta.events
    events.register_first(f"before-send.{service}", fail)
    try:
        with pytest.raises(Unavailable) as caught:
            run(clients[service])
    finally:
        events.unregister(f"before-send.{service}", fail)
    assert isinstance(caught.value, Retryable)


def test_an_absent_key_is_an_answer_and_no_error(clients: dict[str, Any]) -> None:
    with Stubber(clients["s3"]) as stub:
        stub.add_client_error("get_object", "NoSuchKey", "", 404)
        assert S3Bucket(clients["s3"], "b").get("k") is None


def test_no_credentials_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    bare = boto3.Session(region_name="ap-northeast-2").client("s3")
    with pytest.raises(Misconfigured, match=r"run with a role or with AWS_\* variables"):
        S3Bucket(bare, "b").get("k")


class TestPartialAnswers:
    """SendMessageBatch answers 200 and fails single entries."""

    @pytest.mark.parametrize("refused", [0, 1, 4], ids=["first", "middle", "last"])
    def test_behind_a_refusal_nothing_of_its_topic_is_sent(
        self, clients: dict[str, Any], refused: int
    ) -> None:
        """In one call SQS might take the fifth and refuse the fourth."""
        changes = [change(number) for number in range(5)]
        sqs = clients["sqs"]
        with Stubber(sqs) as stub:
            for _ in range(refused):
                stub.add_response("send_message_batch", _accepted(range(1)))
            stub.add_response("send_message_batch", _accepted(range(0), failed=[0]))
            accepted = NotifyQueue(sqs, URL).send(changes)
            stub.assert_no_pending_responses()
        assert accepted == {c.event_id for c in changes[:refused]}

    def test_a_refusal_holds_back_its_own_topic_alone(self, clients: dict[str, Any]) -> None:
        topics = ["rksi", "rkss", "rkpc", "rkss", "rksi"]
        changes = [change(number, topic) for number, topic in enumerate(topics)]
        sqs = clients["sqs"]
        with Stubber(sqs) as stub:
            stub.add_response("send_message_batch", _accepted(range(0, 3, 2), failed=[1]))
            stub.add_response("send_message_batch", _accepted(range(1)))
            accepted = NotifyQueue(sqs, URL).send(changes)
            stub.assert_no_pending_responses()
        assert accepted == {changes[number].event_id for number in (0, 2, 4)}

    def test_many_topics_are_sent_ten_a_call(self, clients: dict[str, Any]) -> None:
        changes = [change(number, f"t{number}") for number in range(15)]
        sqs = clients["sqs"]
        with Stubber(sqs) as stub:
            stub.add_response("send_message_batch", _accepted(range(10)))
            stub.add_response("send_message_batch", _accepted(range(5)))
            assert len(NotifyQueue(sqs, URL).send(changes)) == 15
            stub.assert_no_pending_responses()

    def test_refused_jobs_are_counted_and_the_others_go_on(self, clients: dict[str, Any]) -> None:
        jobs = [job(f"d{number}") for number in range(12)]
        sqs = clients["sqs"]
        with Stubber(sqs) as stub:
            stub.add_response("send_message_batch", _accepted(range(8), failed=[8, 9]))
            stub.add_response("send_message_batch", _accepted(range(2)))
            assert SqsWorkQueue(sqs, URL).dispatch(jobs) == 2
            stub.assert_no_pending_responses()

    def test_many_jobs_are_sent_four_calls_at_a_time(self) -> None:
        """Ten thousand are a thousand calls: one after the other took half of a tick's minute."""
        together = threading.Barrier(4, timeout=30)

        class Client:
            def send_message_batch(self, **sent: Any) -> dict[str, Any]:
                together.wait()
                return {"Successful": [{"Id": entry["Id"]} for entry in sent["Entries"]]}

        assert (
            SqsWorkQueue(Client(), URL).dispatch([job(f"d{number}") for number in range(80)]) == 0
        )

    def test_jobs_with_long_entries_go_into_calls_that_sqs_takes(self) -> None:
        """Several calls are under way at once, in any order."""
        long = [
            job(f"d{number}").model_copy(update={"entry": {"text": "가" * 26_000}})
            for number in range(7)
        ]
        sizes: list[int] = []

        class Client:
            def send_message_batch(self, **sent: Any) -> dict[str, Any]:
                sizes.append(len(sent["Entries"]))
                return {"Successful": [{"Id": entry["Id"]} for entry in sent["Entries"]]}

        assert SqsWorkQueue(Client(), URL).dispatch(long) == 0
        assert sorted(sizes) == [1, 3, 3]

    @pytest.mark.parametrize("answer", ["entry", "call"])
    def test_a_failed_deferral_is_reported_and_costs_nothing_else(
        self, clients: dict[str, Any], answer: str
    ) -> None:
        telemetry = RecordingTelemetry()
        sqs = clients["sqs"]
        port = SqsSourceQueue(sqs, queue_url=URL, dead_letter_url=URL, telemetry=telemetry)
        with Stubber(sqs) as stub:
            if answer == "entry":
                failed = {"Id": "0", "SenderFault": True, "Code": "x", "Message": "not in flight"}
                stub.add_response(
                    "change_message_visibility_batch", {"Successful": [], "Failed": [failed]}
                )
            else:
                stub.add_client_error("change_message_visibility_batch", "AccessDenied", "", 403)
            port.defer([RECORD], 10)
        assert len(telemetry.named("defer_failed")) == 1

    def test_a_queue_whose_records_are_never_deferred_is_not_called(
        self, clients: dict[str, Any]
    ) -> None:
        sqs = clients["sqs"]
        port = SqsSourceQueue(
            sqs, queue_url=None, dead_letter_url=URL, telemetry=RecordingTelemetry()
        )
        with Stubber(sqs):
            port.defer([RECORD], 10)

    def test_a_deferral_longer_than_sqs_allows_is_cut(self, clients: dict[str, Any]) -> None:
        sqs = clients["sqs"]
        entry = {"Id": "0", "ReceiptHandle": "handle", "VisibilityTimeout": 43_200}
        with Stubber(sqs) as stub:
            stub.add_response(
                "change_message_visibility_batch",
                {"Successful": [{"Id": "0"}], "Failed": []},
                {"QueueUrl": URL, "Entries": [entry]},
            )
            returns(sqs).defer([RECORD], 90_000)
            stub.assert_no_pending_responses()


def _accepted(positions: range, failed: list[int] | None = None) -> dict[str, Any]:
    return {
        "Successful": [
            {"Id": str(position), "MessageId": f"m{position}", "MD5OfMessageBody": "x"}
            for position in positions
        ],
        "Failed": [
            {"Id": str(position), "SenderFault": False, "Code": "InternalError"}
            for position in failed or []
        ],
    }
