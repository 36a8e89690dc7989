"""`uring config upload`, `uring push test` and `uring state`: for whoever runs a deployed stack.

What these need (boto3, google-auth, rich) is imported where it is needed: the other commands, and
`--help`, do without it.
"""

from pathlib import Path
from typing import Literal

from uring_local.options import SITEMAP, Bucket, Json, Stack, Topic


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


def show_state(
    source_id: str,
    /,
    *,
    stack: Stack = None,
    bucket: Bucket = None,
    family: Literal["notices"] = "notices",
    as_json: Json = False,
) -> bool:
    """Show what a state says, and whether it agrees with what was published.

    Holds a source's state against its archive and latest.json. Exit code 1 if something is wrong
    with them; trouble of the site is shown and is none.

    Args:
        source_id: the source's id.
        stack: a deployed stack.
        bucket: the bucket itself.
        family: the source's family.
        as_json: print one JSON document.
    """
    from uring_local.operate.bucket import open_bucket
    from uring_local.operate.state import show_state as show

    return show(open_bucket(stack=stack, bucket=bucket), family, source_id, as_json=as_json)


def repair_state(
    source_id: str,
    /,
    *,
    stack: Stack = None,
    bucket: Bucket = None,
    family: Literal["notices"] = "notices",
    skip_damaged: bool = False,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Rebuild a state from what was published.

    Rebuilds a source's state from its archive and latest.json. A check that runs meanwhile is never
    overwritten, and what is replaced is kept beside it as ….broken-….

    Args:
        source_id: the source's id.
        stack: a deployed stack.
        bucket: the bucket itself.
        family: the source's family.
        skip_damaged: pass over lines of the archive that are broken.
        yes: do it; without it nothing is written.
        as_json: print one JSON document.
    """
    from uring_local.operate.bucket import open_bucket
    from uring_local.operate.state import repair_state as repair

    return repair(
        open_bucket(stack=stack, bucket=bucket),
        family,
        source_id,
        skip_damaged=skip_damaged,
        write=yes,
        as_json=as_json,
    )
