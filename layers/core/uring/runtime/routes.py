"""The operations of an HTTP API: their routes, and all their responses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, cast, get_args, get_origin, get_type_hints

from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse
from pydantic import BaseModel

from uring.runtime.document import FieldProblems, GatewayRefusal, ProblemDetails
from uring.runtime.http import JSON, PROBLEM, Answer


@dataclass(frozen=True, slots=True)
class RouteResponse:
    """A possible response of a route.

    Attributes:
        description: when the route gives it.
        model: model of its body; None for no body. A problem is sent as problem details.
        or_model: model of the body that API Gateway sends with this status; None if it sends none.
        headers: names of headers, with their descriptions.
    """

    description: str
    model: type[BaseModel] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    or_model: type[BaseModel] | None = None

    def described(self) -> OpenAPIResponse:
        """Return the response in powertools' form."""
        said: dict[str, Any] = {"description": self.description}
        models = [model for model in (self.model, self.or_model) if model is not None]
        if models:
            said["content"] = {
                PROBLEM if issubclass(model, ProblemDetails) else JSON: {"model": model}
                for model in models
            }
        if self.headers:
            said["headers"] = {
                name: {"description": text, "schema": {"type": "string"}}
                for name, text in self.headers.items()
            }
        return cast("OpenAPIResponse", said)


@dataclass(frozen=True, slots=True)
class Route:
    """An operation.

    Attributes:
        method: the HTTP method.
        path: has names in angle brackets, each an argument of the handler.
        handler: its name is the operation's id, its docstring the description.
        replies: the responses by status, except those common to all routes.
        tag: groups operations.
        is_deprecated: whether another route replaces it.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Callable[..., Answer]
    replies: Mapping[int, RouteResponse]
    tag: str = ""
    is_deprecated: bool = False

    @property
    def integers(self) -> frozenset[str]:
        """The names of the integers in the query."""
        hints = get_type_hints(self.handler, include_extras=True)
        return frozenset(
            name
            for name, hint in hints.items()
            if get_origin(hint) is Annotated
            and get_args(hint)[0] is int
            and any(isinstance(each, Query) for each in get_args(hint)[1:])
        )

    def described_replies(self, *, is_signed: bool = True) -> dict[int, OpenAPIResponse]:
        """Return all responses of the route by status, in powertools' form."""
        common = _EVERY | (_WITH_BODY if self.method == "POST" else {})
        common |= _SIGNED if is_signed else {}
        replies = sorted({**common, **self.replies}.items())
        return {status: reply.described() for status, reply in replies}


_SIGNED: Final = {
    403: RouteResponse("API Gateway refuses the signature or the caller", GatewayRefusal)
}
_EVERY: Final = {
    404: RouteResponse("no such address", ProblemDetails),
    405: RouteResponse(
        "another method; methods are case-sensitive", ProblemDetails, {"Allow": "the methods"}
    ),
    422: RouteResponse("a field of the request is invalid", FieldProblems),
    429: RouteResponse("API Gateway: too many requests, wait a second or two", GatewayRefusal),
    500: RouteResponse("a fault of the service; it is in its log", ProblemDetails),
    503: RouteResponse(
        "a service behind it failed; the request may be done all the same",
        ProblemDetails,
        {"Retry-After": "seconds to wait"},
    ),
}
_WITH_BODY: Final = {
    400: RouteResponse("the body is not JSON in UTF-8", ProblemDetails),
    413: RouteResponse("the body is too large", ProblemDetails),
    415: RouteResponse("the body is not sent as application/json", ProblemDetails),
}
