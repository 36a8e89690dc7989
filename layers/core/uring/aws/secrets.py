"""Secrets Manager: JSON secrets, and a plain text that is kept until it is refused."""

import json
import threading
from collections.abc import Callable
from typing import Any

from uring.aws.errors import translated
from uring.errors import Misconfigured


def json_secret(client: Any, name: str) -> dict[str, Any]:
    """Return the JSON object of a secret.

    Raises:
        Misconfigured: no such secret, no permission, or its value is not a JSON object. The value
            itself is never part of the message.
        Unavailable: no answer.
    """
    try:
        value = json.loads(_text(client, name))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Misconfigured(f"secret {name}: not a JSON object; store the service account's JSON")
    return value


class KeptSecret:
    """A secret of plain text, read once and kept; safe to share between threads.

    Args:
        client: returns Secrets Manager's client.
        name: name of the secret; empty for none.
    """

    def __init__(self, client: Callable[[], Any], name: str) -> None:
        self._client = client
        self._name = name
        self._text: str | None = None
        self._lock = threading.Lock()

    def text(self) -> str:
        """Return the secret, without white space around it.

        Raises:
            Misconfigured: the name is empty, no such secret, no permission, or the secret is empty.
            Unavailable: no answer.
        """
        if not self._name:
            raise Misconfigured("no secret is named in the settings; the template has its name")
        with self._lock:
            if self._text is None:
                self._text = _text(self._client(), self._name).strip() or None
            if self._text is None:
                raise Misconfigured(f"secret {self._name}: is empty; store the key as its text")
            return self._text

    def forget(self) -> None:
        """Read the secret again next time: it was refused, and may have been replaced."""
        with self._lock:
            self._text = None


def _text(client: Any, name: str) -> str:
    # A deployment does not create secrets.
    absent = "store it by this name in the stack's region, or correct the parameter that names it"
    with translated(f"secretsmanager:GetSecretValue {name}", absent):
        return str(client.get_secret_value(SecretId=name).get("SecretString", ""))
