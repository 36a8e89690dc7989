"""`uring config upload` and `uring push test`: for whoever runs a deployed stack.

What these need (boto3, google-auth) is imported where it is needed: the other commands, and
`--help`, do without it.
"""

from pathlib import Path

from uring_local.options import Json, Topic
from uring_local.project import SITEMAP


def upload_config(config: Path = SITEMAP, /, *, stack: str) -> bool:
    """Check the sitemap and put it into a deployed stack's bucket.

    Exit code 1 if it has a problem: then it is not uploaded.

    Args:
        config: the sitemap.
        stack: the deployed stack's name.
    """
    from uring_local.operate.upload import upload

    return upload(config, stack)


def push_test(
    *,
    topic: Topic,
    stack: str | None = None,
    project: str = "",
    credentials_secret: str = "",
    endpoint: str = "",
    as_json: Json = False,
) -> bool:
    """Ask FCM whether it would take a push now. Nothing is delivered.

    Has FCM validate one message through the notifier's own sender: key, project, topic and message.
    Exit code 1 if it refuses, with the remedy.

    Args:
        topic: the topic to ask about, without /topics/.
        stack: a deployed stack whose project, secret and endpoint are used.
        project: the Firebase project.
        credentials_secret: the service account's name in Secrets Manager; without one,
            Google's application default credentials are used.
        endpoint: the address of a stand-in for FCM.
        as_json: print one JSON object.
    """
    from uring_local.operate.push_test import Destination, ask

    destination = Destination(project, credentials_secret, endpoint)
    return ask(topic, destination, stack=stack, as_json=as_json)
