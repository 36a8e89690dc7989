"""A deployed stack behind the shim: each request is signed and sent on."""

from typing import Any
from urllib.parse import quote

import boto3
import requests
from shim import Handler

from uring_local.operate.bucket import deployed
from uring_local.operate.signed import SigV4, api_address

_TIMEOUT = 35
_HANDED_ON = ("content-type", "if-match", "if-none-match")


def forwarded(stack: str, page: str) -> tuple[Handler, dict[str, list[str]]]:
    """Return what sends events on to a stack's API, and what there is on a page of it."""
    base = api_address(deployed(stack).outputs, name="DocumentApi", stack=stack)
    auth = SigV4(boto3.Session())

    def handler(event: dict[str, Any]) -> dict[str, Any]:
        query = event["rawQueryString"]
        body = event.get("body")
        answer = requests.request(
            event["requestContext"]["http"]["method"],
            f"{base}{quote(event['rawPath'])}" + (f"?{query}" if query else ""),
            data=None if body is None else body.encode(),
            headers={name: value for name, value in event["headers"].items() if name in _HANDED_ON},
            auth=auth,
            timeout=_TIMEOUT,
            allow_redirects=False,
        )
        headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        return {"statusCode": answer.status_code, "headers": headers, "body": answer.text}

    with requests.Session() as session:
        listed = [
            session.get(f"{base}/api/v1/pages/{page}/{kind}", auth=auth, timeout=_TIMEOUT).json()
            for kind in ("policies", "issues")
        ]
    sources = [each["source"] for each in listed[0].get("policies", [])]
    issues = [each["id"] for each in listed[1].get("issues", [])]
    return handler, {"page": [page], "source": sources, "issue": issues}


_KEPT = ("Content-Type", "ETag", "Location", "Retry-After", "Allow")
