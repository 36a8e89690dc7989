"""Wires the subscription API, which carries firebase-admin like the notifier."""

from collections.abc import Mapping
from typing import Any

from uring.functions.parts import Parts
from uring.push.fcm_client import FcmClient
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name
from uring.subscriptions.api import subscription_api
from uring.subscriptions.fcm_topics import FcmTopics
from uring.subscriptions.published import PublishedTopics
from uring.subscriptions.subscriber import Subscriber


class Settings(BaseSettings):
    """Settings of the subscription API; for those of FCM see `uring.functions.notifier`."""

    data_bucket: Name
    fcm_project_id: str = ""
    fcm_credentials_secret: str = ""
    fcm_endpoint: str = ""


def wire(
    settings: Settings, parts: Parts, *, service_account: Mapping[str, Any] | None = None
) -> Work:
    """Return the subscription API's work.

    ``service_account`` replaces the secret in a local run without Secrets Manager.
    """
    client = FcmClient(
        settings.fcm_project_id,
        parts.secret(settings.fcm_credentials_secret, service_account),
        endpoint=settings.fcm_endpoint,
    )
    return subscription_api(
        PublishedTopics(parts.bucket(settings.data_bucket), clock=parts.clock),
        Subscriber(FcmTopics(client)),
        parts.telemetry,
    ).work
