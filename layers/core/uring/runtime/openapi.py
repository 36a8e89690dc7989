"""An HTTP API with an OpenAPI document: the same routes make both.

    event ─► received ─► route ─► parameters and body by their types ─► handler ─► response
                └──────────┴────────────────┴──────────────────────────┴──► problem details

The arguments of a handler are declared with `Path`, `Query`, `Header` and `Body`; the first line of
its docstring is the operation's summary, the paragraphs below it are the description.
"""

import inspect
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.params import Body, Header, Path, Query

from uring.errors import MalformedMessage, Retryable
from uring.runtime.document import mended
from uring.runtime.http import (
    Answer,
    Problem,
    Resolver,
    fields_of,
    report,
    shown,
)
from uring.runtime.received import (
    HEAD,
    as_routed,
    check_address,
    check_body,
    check_integers,
    is_of,
    no_route,
)
from uring.runtime.routes import Route, RouteResponse
from uring.runtime.telemetry import Telemetry

__all__ = [
    "Body",
    "DescribedApi",
    "Header",
    "Path",
    "Query",
    "Route",
    "RouteResponse",
]

# Far more than any request has: a body is parsed, which costs time, before it is validated.
_MOST_BODY: Final = 256 * 1024
# This header missing is 428 (RFC 6585); any other missing field is 422.
_CONDITION: Final = ("header", "if-match")
_NO_CONDITION: Final = "send If-Match with the ETag of what you edit; GET it for that"
_RETRY_SECONDS: Final = "5"
_MAYBE_DONE: Final = "the request may be done in part"
_WITHOUT_BODY: Final = ("GET", HEAD)


class _Failed(Exception):
    """Raised when a handler fails; the handler's error is the cause."""


class DescribedApi:
    """An HTTP API, and its OpenAPI document; safe to share between threads.

    Args:
        routes: the routes, tried in this order.
        title: title of the document.
        version: version of the API.
        description: description of the document, in Markdown.
        most_bytes: the most bytes of a body.
        is_signed: whether API Gateway refuses unsigned requests. If not, a body must have the type
            ``application/json``: a browser sends that only to its own site, and asks another site
            for permission first.
    """

    def __init__(
        self,
        routes: Sequence[Route],
        telemetry: Telemetry,
        *,
        title: str,
        version: str,
        description: str,
        most_bytes: int = _MOST_BODY,
        is_signed: bool = True,
    ) -> None:
        self._routes = routes
        self._addresses = [(route.method, route.path) for route in routes]
        self._integers = [(route.path, route.integers) for route in routes]
        self._most_bytes = most_bytes
        self._is_signed = is_signed
        self._telemetry = telemetry
        self._info: dict[str, Any] = {
            "title": title,
            "version": version,
            "description": description,
        }
        self._of_thread = threading.local()

    def work(self, event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:  # noqa: ARG002
        """Answer one event of API Gateway.

        Raises:
            MalformedMessage: the event is not one of an HTTP API.
        """
        if "http" not in event.get("requestContext", ()):
            raise MalformedMessage(
                "event: not from an HTTP API with payload 2.0; events/ has a sample"
            )
        return self.resolve(event)

    def resolve(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response to an event of an HTTP API (payload 2.0), also for errors."""
        method = event["requestContext"]["http"]["method"]
        try:
            method, path = check_address(event, self._addresses)
            check_integers(event, self._integers_at(path))
            if method not in _WITHOUT_BODY:
                is_typed = not self._is_signed
                check_body(event, most_bytes=self._most_bytes, is_typed=is_typed)
        except Problem as problem:
            return _sent(problem, method)
        # No route uses Lambda's context.
        response = self._app().resolve(as_routed(event, method), cast("Any", None))
        return _without_body(response) if method == HEAD else response

    def document(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        document = json.loads(self._app().get_openapi_json_schema(**self._info))
        return mended(document, is_signed=self._is_signed)

    def _app(self) -> Resolver:
        # Powertools keeps the state of a request in the resolver: each thread has its own.
        app: Resolver | None = getattr(self._of_thread, "app", None)
        if app is None:
            app = self._of_thread.app = self._built()
        return app

    def _integers_at(self, path: str) -> frozenset[str]:
        """Return the integers in the queries of a path's operations, by their names."""
        names = (names for route, names in self._integers if is_of(route, path))
        return frozenset[str]().union(*names)

    def _built(self) -> Resolver:
        app = Resolver(enable_validation=True)
        for route in self._routes:
            text = inspect.cleandoc(route.handler.__doc__ or "")
            summary, _, description = text.partition("\n")
            app.route(
                route.path,
                route.method,
                summary=summary.rstrip("."),
                description=description.strip(),
                responses=route.described_replies(is_signed=self._is_signed),
                tags=[route.tag] if route.tag else None,
                operation_id=route.handler.__name__,
                deprecated=route.is_deprecated,
            )(route.handler)
        app.use([_guard])
        app.exception_handler(Problem)(shown)
        app.exception_handler(RequestValidationError)(_invalid)
        app.exception_handler(Exception)(
            lambda failure: self._failed(failure, app.current_event.http_method)
        )
        # Powertools matches no route if a path has characters that a name cannot have.
        app.not_found(lambda _: shown(no_route()))
        return app

    def _failed(self, failure: Exception, method: str) -> Answer:
        cause = failure.__cause__
        error = cause if isinstance(failure, _Failed) and isinstance(cause, Exception) else failure
        report(self._telemetry, error)
        if isinstance(error, Retryable):
            # A GET changes nothing.
            done = "a service behind it failed" if method in _WITHOUT_BODY else _MAYBE_DONE
            detail = f"{done}: send it again"
            return shown(
                Problem(503, "Unavailable", detail, headers={"Retry-After": _RETRY_SECONDS})
            )
        detail = "a fault of the service, which is in its log; sending it again does not help"
        return shown(Problem(500, "Internal Server Error", detail))


def _guard(app: Resolver, next_: Callable[[Resolver], Answer]) -> Answer:
    """Wrap the errors of handlers, to separate them from powertools' errors of parsing."""
    try:
        return next_(app)
    except Problem:
        raise
    except Exception as error:
        raise _Failed from error


def _invalid(error: RequestValidationError) -> Answer:
    found = error.errors()
    if any(each["type"] == "missing" and tuple(each["loc"]) == _CONDITION for each in found):
        return shown(Problem(428, "Precondition Required", _NO_CONDITION))
    detail = "correct these fields and send it again"
    return shown(Problem(422, "Unprocessable Content", detail, fields_of(found)))


def _sent(problem: Problem, method: str) -> dict[str, Any]:
    answer = shown(problem)
    response: dict[str, Any] = {
        "statusCode": answer.status_code,
        "headers": answer.headers,
        "body": answer.body,
        "isBase64Encoded": False,
        "cookies": [],
    }
    return _without_body(response) if method == HEAD else response


def _without_body(response: dict[str, Any]) -> dict[str, Any]:
    """Return the response to HEAD: status and headers of the GET (RFC 9110, 9.3.2)."""
    return {**response, "body": "", "isBase64Encoded": False}
