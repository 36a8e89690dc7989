"""`uring config upload`: a valid configuration file, put where its orchestrator reads it."""

from collections.abc import Mapping
from pathlib import Path

from uring.changes.register import JSON
from uring.errors import PreconditionFailed
from uring_local.entries.commands import check_config
from uring_local.entries.files import open_config
from uring_local.operate import bucket
from uring_local.template.families import FAMILIES, remedy


def upload(config: Path, stack: str) -> bool:
    """Check a configuration file and upload it to a stack's bucket; return True if uploaded.

    Raises:
        Misconfigured: no such stack, or access is denied.
        ConfigInvalid: the file as a whole cannot be read.
        PreconditionFailed: another upload came at the same time.
    """
    parameters = bucket.deployed(stack).parameters
    allowed = parameters.get("AllowedPrivateHosts", "")
    if not check_config(config, allow_hosts=allowed.split(",")):
        print("not uploaded")
        return False
    file = open_config(config)
    key = file.family.path.as_posix()
    target = bucket.open_bucket(stack)
    stored = target.get(key)
    etag = stored.etag if stored else None
    try:
        target.put(key, file.body, if_match=etag, content_type=JSON)
    except PreconditionFailed:
        raise PreconditionFailed(
            f"{key}: another upload came first; look at what it changed, then upload again"
        ) from None
    print(f"uploaded to s3://{target.name}/{key}; {what_reads(key, parameters)}")
    return True


def what_reads(key: str, parameters: Mapping[str, str]) -> str:
    """Return a sentence: the next reader of a list, or the deployment that it needs."""
    family = next((name for name, on in FAMILIES.items() if key in on.values()), "notices")
    if how := remedy(family, parameters):
        return f"nothing reads it yet: {how}"
    return "the next tick reads it"
