"""Settings of the notifier."""

from pydantic import Field

from uring.runtime.settings import Name, Settings


class NotifierSettings(Settings):
    """Settings of the notifier.

    Empty ``fcm_project_id``: the project of the credentials. Empty ``fcm_credentials_secret``:
    application default credentials. Empty ``fcm_endpoint``: FCM itself.
    """

    ledger_table: Name
    notify_queue_url: Name
    notify_dlq_url: Name
    fcm_project_id: str = ""
    fcm_credentials_secret: str = ""
    fcm_endpoint: str = ""
    sent_retention_days: int = Field(ge=1, le=400)
