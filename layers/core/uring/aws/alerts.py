"""SNS: messages to people."""

from typing import Any

from uring.aws.errors import translated


class SnsAlerts:
    """A topic; see `uring.notices.monitor.Alerts`."""

    def __init__(self, client: Any, topic_arn: str) -> None:
        self._client = client
        self._topic_arn = topic_arn

    def send(self, subject: str, text: str) -> None:
        """See `uring.notices.monitor.Alerts.send`. The subject is ASCII, under 100 characters."""
        with translated(f"sns:Publish {self._topic_arn}"):
            self._client.publish(TopicArn=self._topic_arn, Subject=subject, Message=text)
