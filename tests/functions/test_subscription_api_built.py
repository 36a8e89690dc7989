"""The API as its function is built: real adapters, over moto and FCM's stand-in."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from fakes.document_api import http_event
from fakes.subscriptions import DEVICE, INDEX, TOPICS
from fakes.telemetry import RecordingTelemetry
from moto import mock_aws

from uring.errors import Misconfigured
from uring.functions.entry_point import build
from uring.subscriptions.api import ROUTE
from uring.subscriptions.published import INDEX_KEY
from uring_local.fcm.server import FcmStandIn

API = "uring.functions.subscription_api"
SECRET = "fcm/account"


class Context:
    """Lambda's."""

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


@pytest.fixture(scope="module")
def fcm() -> Iterator[FcmStandIn]:
    with FcmStandIn() as fcm:
        yield fcm


@pytest.fixture(scope="module")
def session(fcm: FcmStandIn) -> Iterator[boto3.Session]:
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        for name in ("", "_S3", "_SECRETS_MANAGER"):
            patch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
        session = boto3.Session("key", "secret", region_name="ap-northeast-2")
        session.client("s3").create_bucket(
            Bucket="data", CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
        )
        session.client("secretsmanager").create_secret(
            Name=SECRET, SecretString=json.dumps(fcm.service_account())
        )
        yield session


def ask(function: Any, *topics: str) -> dict[str, Any]:
    body = json.dumps({"id": DEVICE, "subscribe": topics})
    answer: dict[str, Any] = function.handle(http_event("POST", ROUTE, body, {}), Context())
    return answer


def test_the_function_reads_the_index_and_the_key_and_asks_fcm(
    session: boto3.Session, fcm: FcmStandIn
) -> None:
    environment = {
        "DATA_BUCKET": "data",
        "FCM_PROJECT_ID": fcm.project_id,
        "FCM_CREDENTIALS_SECRET": SECRET,
        "FCM_ENDPOINT": fcm.url,
    }
    telemetry = RecordingTelemetry()
    function = build(API, environment, session=session, telemetry=telemetry)
    missing = ask(function, TOPICS[0])
    assert (missing["statusCode"], missing["headers"]["Retry-After"]) == (503, "5")
    session.client("s3").put_object(Bucket="data", Key=INDEX_KEY, Body=json.dumps(INDEX).encode())
    for _ in range(2):
        assert ask(function, *TOPICS)["statusCode"] == 204
    assert fcm.topics_of(DEVICE) == sorted(TOPICS)
    fcm.devices.remove(DEVICE)
    assert ask(function, TOPICS[0])["statusCode"] == 404
    calls = [line["aws_calls"] for line in telemetry.flushed]
    assert calls == [
        {"s3:GetObject": 1},
        {"s3:GetObject": 1, "secretsmanager:GetSecretValue": 1},
        {},
        {},
    ]


def test_a_variable_that_is_missing_is_named() -> None:
    with pytest.raises(Misconfigured, match="DATA_BUCKET"):
        build(API, {})
