"""Secrets Manager: JSON secrets."""

import json
from typing import Any

from uring.aws.errors import translated
from uring.errors import Misconfigured


def json_secret(client: Any, name: str) -> dict[str, Any]:
    """The secret's JSON object.

    Raises:
        Misconfigured: no such secret, no permission, or it holds no JSON object. The value itself
            is never part of the message.
        Unavailable: no answer.
    """
    with translated(f"secretsmanager:GetSecretValue {name}"):
        text = client.get_secret_value(SecretId=name).get("SecretString", "")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Misconfigured(f"secret {name}: not a JSON object; store the service account's JSON")
    return value
