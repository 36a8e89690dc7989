"""`uring config upload`: a sitemap that holds what it says, put where the orchestrator reads it."""

from pathlib import Path
from typing import Final

from uring.changes.register import JSON
from uring.errors import PreconditionFailed
from uring_local.entries.commands import check_config
from uring_local.operate import bucket
from uring_local.project import SITEMAP

KEY: Final = SITEMAP.as_posix()


def upload(config: Path, stack: str) -> bool:
    """Check a sitemap and upload it to a deployed stack's bucket; return whether it was.

    Raises:
        Misconfigured: no such stack, or no permission.
        ConfigInvalid: the file as a whole cannot be read.
        PreconditionFailed: another upload at the same moment.
    """
    allowed = bucket.deployed(stack).parameters.get("AllowedPrivateHosts", "")
    if not check_config(config, allow_hosts=allowed.split(",")):
        print("not uploaded")
        return False
    target = bucket.open_bucket(stack)
    stored = target.get(KEY)
    etag = stored.etag if stored else None
    try:
        target.put(KEY, config.read_bytes(), if_match=etag, content_type=JSON)
    except PreconditionFailed:
        raise PreconditionFailed(
            f"{KEY}: another upload came first; look at what it changed, then upload again"
        ) from None
    print(f"uploaded to s3://{target.name}/{KEY}; the next tick reads it")
    return True
