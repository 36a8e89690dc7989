"""Requests in API Gateway's form for a function, and its responses (payload 2.0)."""

import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4


def request_event(
    method: str, target: str, body: bytes | None, headers: Mapping[str, str]
) -> dict[str, Any]:
    """Return the event of a request.

    Args:
        method: the HTTP method.
        target: the path, with its query.
        body: None without one; in base64 unless it is UTF-8.
        headers: names in lower case.
    """
    parts = urlsplit(target)
    text, is_encoded = _text(body)
    query = {name: ",".join(values) for name, values in parse_qs(parts.query).items()}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": parts.path,
        "rawQueryString": parts.query,
        "queryStringParameters": query,
        "headers": dict(headers),
        "requestContext": {
            "requestId": str(uuid4()),
            "http": {"method": method, "path": parts.path},
            "stage": "$default",
        },
        "body": text,
        "isBase64Encoded": is_encoded,
    }


def answered(answer: Mapping[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """Return a function's response as status, headers and body."""
    text = answer.get("body") or ""
    body = base64.b64decode(text) if answer.get("isBase64Encoded") else text.encode()
    headers = {name: str(value) for name, value in answer.get("headers", {}).items()}
    return answer["statusCode"], headers, body


def _text(body: bytes | None) -> tuple[str | None, bool]:
    if body is None:
        return None, False
    try:
        return body.decode(), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True
