"""SNS: messages to people."""

from typing import Any

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.errors import Misconfigured


class SnsAlerts:
    """A topic; see `uring.watch.alerts.Alerts`."""

    def __init__(self, client: Any, topic_arn: str) -> None:
        self._client = client
        self._topic_arn = topic_arn

    def send(self, subject: str, text: str) -> None:
        """See `uring.watch.alerts.Alerts.send`. The subject is ASCII, under 100 characters."""
        what = f"sns:Publish {self._topic_arn}"
        with translated(what):
            try:
                self._client.publish(TopicArn=self._topic_arn, Subject=subject, Message=text)
            except ClientError as error:
                if code(error) == "NotFound":
                    raise Misconfigured(f"{what}: no such topic; deploy the stack") from error
                raise
