"""Responses of an HTTP API, and errors as problem details (RFC 9457).

Callers get the wrong field and the remedy, never a path, a name or a message of the code (S12).
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

from uring.errors import Retryable
from uring.runtime.telemetry import Telemetry

PROBLEM: Final = "application/problem+json"
JSON: Final = "application/json"
NO_JSON: Final = "the body is not JSON in UTF-8"
_MOST_ERRORS: Final = 10
_LONGEST_PART: Final = 60

Answer = Response[Any]


class Problem(Exception):
    """Raised when a request cannot be answered, with the body of the error response.

    Args:
        status: the HTTP status.
        title: the kind of problem, always the same for one status of one API.
        detail: a sentence for the caller: the error and the remedy.
        errors: the wrong fields, each with its problem.
        more: further members of the body (RFC 9457, 3.2).
        headers: of the response.
    """

    def __init__(
        self,
        status: int,
        title: str,
        detail: str,
        errors: Mapping[str, str] | None = None,
        *,
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(title)
        self.status = status
        self.headers = dict(headers or {})
        self.body = {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": detail,
            **({"errors": dict(errors)} if errors else {}),
            **(more or {}),
        }


class Resolver(APIGatewayHttpResolver):
    """A resolver with its own current event; powertools shares one between all of a process."""

    def _to_proxy_event(self, event: dict[str, Any]) -> Any:
        # The instance's attribute hides the class's.
        own: Any = super()._to_proxy_event(event)
        self.current_event = own
        return own


def report(telemetry: Telemetry, error: Exception) -> None:
    """Log and count a failure; callers do not see the log."""
    telemetry.problem(
        "request_failed",
        error=type(error).__name__,
        reason=str(error),
        trace=not isinstance(error, Retryable),
    )
    telemetry.count("RequestsFailed")


def shown(problem: Problem) -> Answer:
    """Return a problem as a response."""
    return Response(
        problem.status, PROBLEM, json.dumps(problem.body, ensure_ascii=False), problem.headers
    )


def answer(status: int, body: dict[str, Any]) -> Answer:
    """Return a response with a JSON body."""
    return Response(status, JSON, json.dumps(body, ensure_ascii=False))


def fields_of(errors: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return up to ten fields with their problems, for the caller.

    Args:
        errors: pydantic's list of errors.
    """
    fields: dict[str, str] = {}
    for found in errors:
        if len(fields) == _MOST_ERRORS:
            break
        name = ".".join(str(part)[:_LONGEST_PART] for part in found["loc"]) or "body"
        fields.setdefault(name, str(found["msg"]).removeprefix("Value error, "))
    return fields
