"""The OpenAPI document: bodies of error responses, and corrections to what powertools writes."""

from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

_SCHEME: Final = "sigv4"
_SCHEMES: Final = {
    _SCHEME: {
        "type": "apiKey",
        "name": "Authorization",
        "in": "header",
        "description": "AWS Signature Version 4 for execute-api, by who may execute-api:Invoke",
        "x-amazon-apigateway-authtype": "awsSigv4",
    }
}
# Powertools declares them for every API, but they are never sent.
_UNUSED: Final = ("HTTPValidationError", "ValidationError", "ResponseValidationError")


class ProblemDetails(BaseModel):
    """A problem (RFC 9457): the error, and the remedy."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="names the kind of problem; about:blank: see the status")
    title: str = Field(description="the same for each problem of this status")
    status: int = Field(description="the HTTP status")
    detail: str = Field(description="the error and the remedy, for people")


class FieldProblems(ProblemDetails):
    """A problem of some fields of a request."""

    errors: dict[str, str] = Field(
        default={}, description="up to ten fields by their paths, each with its problem"
    )


class GatewayRefusal(BaseModel):
    """A refusal by Amazon API Gateway, before the request reached the function."""

    model_config = ConfigDict(extra="allow")

    message: str = Field(description="the message of API Gateway")


def mended(document: dict[str, Any], *, is_signed: bool = True) -> dict[str, Any]:
    """Return the corrected document; it is changed in place.

    Security is added to a signed API, and schemas that are never sent are removed. Powertools gives
    a response without a body the return type of its handler, and an optional argument its
    handler's default, which may be invalid for its type: both are removed.
    """
    for operation in _operations(document):
        replies = operation["responses"]
        operation["responses"] = {status: replies[status] for status in sorted(replies)}
        for reply in replies.values():
            content = reply.get("content", {})
            if all("$ref" not in kind.get("schema", {}) for kind in content.values()):
                reply.pop("content", None)
        for parameter in operation.get("parameters", ()):
            if parameter["schema"].get("default") in ("", []):
                del parameter["schema"]["default"]
    components = document.setdefault("components", {})
    for name in _UNUSED:
        components.get("schemas", {}).pop(name, None)
    # An empty list says that nobody signs in; without one it is open what a caller needs.
    document["security"] = [{_SCHEME: []}] if is_signed else []
    if is_signed:
        components["securitySchemes"] = _SCHEMES
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from path.values()
