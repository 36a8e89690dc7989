"""Builds the notifier, the only function that carries firebase-admin."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from uring.aws.clients import Clients
from uring.aws.ledger import DynamoLedger
from uring.aws.queues import SqsSourceQueue
from uring.aws.secrets import secret_reader
from uring.clock import Clock, system_clock
from uring.families import named
from uring.push.fcm import FcmSender
from uring.push.notifier import Notifier
from uring.push.settings import NotifierSettings
from uring.runtime.invocation import Function
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
    service_account: Mapping[str, Any] | None = None,
) -> Function:
    """Return the notifier for this environment.

    ``service_account`` replaces the secret, where a local run has no Secrets Manager.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = NotifierSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    sender = FcmSender(
        settings.fcm_project_id,
        secret_reader(clients, settings.fcm_credentials_secret, service_account),
        endpoint=settings.fcm_endpoint,
    )
    notifier = Notifier(
        DynamoLedger(clients.get("dynamodb"), settings.ledger_table),
        sender,
        SqsSourceQueue(
            clients.get("sqs"),
            queue_url=settings.notify_queue_url,
            dead_letter_url=settings.notify_dlq_url,
            telemetry=telemetry,
        ),
        telemetry,
        named,
        clock=clock,
        sent_kept_for=timedelta(days=settings.sent_retention_days),
    )
    return Function(
        lambda event, time_left: notifier.run(event, time_left=time_left), clients, telemetry
    )
