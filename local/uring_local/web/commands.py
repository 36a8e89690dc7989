"""`uring web upload`: the client of a deployed stack."""

from pathlib import Path

from uring_local.options import Json
from uring_local.project import WEB


def upload_client(
    folder: Path = WEB,
    /,
    *,
    stack: str,
    firebase: Path | None = None,
    vapid_key: str = "",
    modules: bool = False,
    as_json: Json = False,
) -> None:
    """Upload the client to a deployed stack; unchanged files are not put again.

    A hundred modules become a few files, so a slow connection waits for few responses. Earlier
    releases stay. Readers see the new release once all of its files are uploaded. Push keeps its
    uploaded settings, unless Firebase's values are given.

    Args:
        folder: of the client.
        stack: the deployed stack's name.
        firebase: a JSON file of a Firebase web app's public values.
        vapid_key: the public key of the project's web push certificates.
        modules: upload each module as it is, if one cannot be joined with the others.
        as_json: print one JSON object.
    """
    from uring_local.web.upload import upload

    upload(
        folder,
        stack,
        firebase=firebase,
        vapid_key=vapid_key,
        are_joined=not modules,
        as_json=as_json,
    )
