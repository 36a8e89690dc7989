"""FCM and Google's token endpoint on loopback, and the sender that the notifier uses."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fcm_server import NOW, PROJECT, FcmScript, fcm_server

from uring.push.fcm import FcmSender


@pytest.fixture(scope="session")
def private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


@pytest.fixture
def fcm(monkeypatch: pytest.MonkeyPatch) -> Iterator[FcmScript]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with fcm_server() as script:
        yield script


@pytest.fixture
def account(fcm: FcmScript, private_key: str) -> dict[str, Any]:
    return {
        "type": "service_account",
        "project_id": PROJECT,
        "private_key_id": "made-up",
        "private_key": private_key,
        "client_email": f"push@{PROJECT}.example",
        "client_id": "1",
        "token_uri": f"{fcm.base_url}/token",
    }


@pytest.fixture
def sender(fcm: FcmScript, account: dict[str, Any]) -> Iterator[FcmSender]:
    sender = FcmSender(
        PROJECT,
        lambda: account,
        endpoint=fcm.base_url,
        timeout_seconds=2,
        alert_topics={"byeolha_law", "alert_*"},
        clock=lambda: NOW,
    )
    yield sender
    sender.close()


@pytest.fixture(autouse=True)
def _nobody_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        pytest.fail(f"slept for {seconds} s inside a Lambda that is paid by the second")

    monkeypatch.setattr(time, "sleep", sleep)
