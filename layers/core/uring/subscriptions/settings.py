"""Settings of the subscription API."""

from uring.runtime.settings import Name, Settings


class SubscriptionApiSettings(Settings):
    """Settings of the API; those of FCM are the notifier's, see `NotifierSettings`."""

    data_bucket: Name
    fcm_project_id: str = ""
    fcm_credentials_secret: str = ""
    fcm_endpoint: str = ""
