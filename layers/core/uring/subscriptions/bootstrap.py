"""Builds the subscription API, which carries firebase-admin as the notifier does."""

from collections.abc import Mapping
from typing import Any

from uring.aws.secrets import secret_reader
from uring.clock import Clock, system_clock
from uring.push.fcm_client import FcmClient
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.subscriptions.api import SubscriptionApi
from uring.subscriptions.fcm_topics import FcmTopics
from uring.subscriptions.published import PublishedTopics
from uring.subscriptions.settings import SubscriptionApiSettings
from uring.subscriptions.subscriber import Subscriber


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
    service_account: Mapping[str, Any] | None = None,
) -> Function:
    """Return the API for this environment.

    ``service_account`` replaces the secret, where a local run has no Secrets Manager.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = SubscriptionApiSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    client = FcmClient(
        settings.fcm_project_id,
        secret_reader(parts.clients, settings.fcm_credentials_secret, service_account),
        endpoint=settings.fcm_endpoint,
    )
    api = SubscriptionApi(
        PublishedTopics(parts.objects(settings.data_bucket), clock=clock),
        Subscriber(FcmTopics(client)),
        parts.telemetry,
    )
    return Function(api.work, parts.clients, parts.telemetry)
