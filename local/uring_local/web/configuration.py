"""The push settings of config.json: Firebase's public values, checked before they are published.

An app's values are public: each visitor gets them. A service account's are secret: such a file is
refused, and nothing of it is shown.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from uring.errors import Misconfigured

NO_PUSH: Final[Mapping[str, Any]] = {"push": None}
LOCAL_PUSH: Final[Mapping[str, Any]] = {"push": {"events": "./push/events"}}
"""For a run on this machine: server-sent events in place of a push service."""

_FIELDS: Final = ("apiKey", "appId", "projectId", "messagingSenderId")
_WHERE: Final = (
    "copy the web app's values from Firebase's console, Project settings, General, Your apps, SDK "
    "setup and configuration, as a JSON object"
)
# An uncompressed point of P-256 (RFC 8292, 3.2).
_KEY_BYTES: Final = 65
_UNCOMPRESSED: Final = 4


def push_config(firebase: Path, vapid_key: str, project: str) -> dict[str, Any]:
    """Return the content of config.json for push to browsers.

    Args:
        firebase: the file of the web app's values.
        vapid_key: the public key of the project's web push certificates.
        project: the stack's Firebase project.

    Raises:
        Misconfigured: a value is missing, malformed or of another project.
        OSError: the file cannot be read.
    """
    values = _values(firebase)
    if values["projectId"] != project:
        raise Misconfigured(
            f"{firebase}: projectId is {values['projectId']}, the stack pushes with {project}; "
            "take the values of an app of that project, or correct FcmProjectId"
        )
    return {"push": {"firebase": values, "vapidKey": _key(vapid_key)}}


def _values(firebase: Path) -> dict[str, str]:
    try:
        document = json.loads(firebase.read_bytes())
    except ValueError:
        raise Misconfigured(f"{firebase}: is not JSON; {_WHERE}") from None
    if not isinstance(document, dict):
        raise Misconfigured(f"{firebase}: is not a JSON object; {_WHERE}")
    if "private_key" in document:
        raise Misconfigured(
            f"{firebase}: has a private key and must stay secret: put it into "
            f"FcmCredentialsSecret; for browsers {_WHERE}"
        )
    for name in _FIELDS:
        value = document.get(name)
        if not isinstance(value, str) or not value.strip():
            raise Misconfigured(f"{firebase}: {name} is missing or not a text; {_WHERE}")
    # Further values of a file from the console belong to services that the client does not use.
    return {name: document[name] for name in _FIELDS}


def _key(vapid_key: str) -> str:
    text = vapid_key.strip().rstrip("=")
    try:
        point = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        point = b""
    if len(point) != _KEY_BYTES or point[0] != _UNCOMPRESSED:
        raise Misconfigured(
            "--vapid-key: is not a public key: it has 87 characters and begins with B; copy it "
            "from Firebase's console, Project settings, Cloud Messaging, Web Push certificates"
        )
    return text
