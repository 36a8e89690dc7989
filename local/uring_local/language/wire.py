"""The wire formats of both services: requests read, responses and errors written."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from uring_local.loopback import Answer, Request

JSON_1_1: Final = "application/x-amz-json-1.1"
REST_JSON: Final = "application/json"
_SIGNED: Final = re.compile(
    r"AWS4-HMAC-SHA256 Credential=[^/]+/\d{8}/[^/]+/(?P<service>[a-z-]+)/aws4_request, "
)


class ServiceRefused(Exception):
    """A request that is answered with an error.

    Args:
        status: the HTTP status.
        kind: the service's name for the error.
        message: for people.
        members: of the error's body, beside the message.
    """

    def __init__(self, status: int, kind: str, message: str, **members: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.members = members


def refusal_of_translate(error: ServiceRefused) -> Answer:
    """Return an error in awsJson1.1: only the body has its name."""
    body = {"__type": f"com.amazonaws.translate#{error.kind}", "Message": str(error)}
    return answer(error.status, {**body, **error.members}, JSON_1_1)


def refusal_of_bedrock(error: ServiceRefused) -> Answer:
    """Return an error in REST-JSON: a header has its name."""
    named = f"{error.kind}:http://internal.amazon.com/coral/com.amazon.bedrock/"
    body = {"message": str(error), **error.members}
    return answer(error.status, body, REST_JSON, {"x-amzn-ErrorType": named})


def answer(
    status: int,
    document: Mapping[str, Any],
    content_type: str,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Return a JSON response."""
    body = json.dumps(document).encode()
    return Answer(status, body, {"Content-Type": content_type, **(headers or {})})


def check_signature(request: Request, service: Literal["translate", "bedrock"]) -> None:
    """Refuse a request that is not signed for this service; the signature is not verified.

    Raises:
        Refused: it is unsigned, for another service, or has a bearer token.
    """
    match = _SIGNED.match(request.headers.get("authorization", ""))
    if match is None or match["service"] != service:
        raise ServiceRefused(
            403,
            "AccessDeniedException",
            f"the request must be signed with SigV4 for {service}; a bearer token is not accepted",
        )


def read_object(body: bytes) -> dict[str, Any]:
    """Return a request's body.

    Raises:
        Refused: it is not a JSON object.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise ServiceRefused(400, "SerializationException", "the body is not a JSON object")
    return document


def subject(*parts: str) -> str:
    """Return the subject of a request: a hash of its parts, 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
