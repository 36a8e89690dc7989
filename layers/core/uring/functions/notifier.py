"""Wires the notifier. Only it and the subscription API carry firebase-admin."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pydantic import Field

from uring.aws.ledger import DynamoLedger
from uring.functions.families import named
from uring.functions.parts import Parts
from uring.push.fcm import FcmSender
from uring.push.notifier import Notifier
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name, Words


class Settings(BaseSettings):
    """Settings of the notifier.

    Empty ``fcm_project_id``: the project of the credentials. Empty ``fcm_credentials_secret``:
    application default credentials. Empty ``fcm_endpoint``: FCM itself. ``alert_topics``: see
    `uring.push.payload.is_alert`.
    """

    ledger_table: Name
    notify_queue_url: Name
    notify_dlq_url: Name
    fcm_project_id: str = ""
    fcm_credentials_secret: str = ""
    fcm_endpoint: str = ""
    alert_topics: Words = frozenset()
    sent_retention_days: int = Field(ge=1, le=400)


def wire(
    settings: Settings, parts: Parts, *, service_account: Mapping[str, Any] | None = None
) -> Work:
    """Return the notifier's work.

    ``service_account`` replaces the secret in a local run without Secrets Manager.
    """
    return Notifier(
        DynamoLedger(parts.clients.get("dynamodb"), settings.ledger_table),
        FcmSender(
            settings.fcm_project_id,
            parts.secret(settings.fcm_credentials_secret, service_account),
            endpoint=settings.fcm_endpoint,
            alert_topics=settings.alert_topics,
            clock=parts.clock,
        ),
        parts.source_queue(settings.notify_queue_url, settings.notify_dlq_url),
        parts.telemetry,
        named,
        clock=parts.clock,
        sent_kept_for=timedelta(days=settings.sent_retention_days),
    ).run
