"""A function behind an HTTP API: routes, and errors as problem details (RFC 9457).

Callers hear which field is wrong and what to do, never a path, a name or a message of ours (S12).
"""

import json
from collections.abc import Callable
from typing import Any, Final, TypeVar

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from pydantic import BaseModel, ValidationError

from uring.errors import Retryable
from uring.runtime.telemetry import Telemetry

_PROBLEM: Final = "application/problem+json"
_JSON: Final = "application/json"
_MOST_ERRORS: Final = 10

M = TypeVar("M", bound=BaseModel)
Answer = Response[str]


class Problem(Exception):
    """A request that cannot be answered as it stands.

    Args:
        status: of HTTP.
        title: the kind of problem, always the same for one status of one API.
        detail: a sentence for whoever called: what is wrong, and the remedy.
        errors: the fields that are wrong, each with its problem.
    """

    def __init__(
        self, status: int, title: str, detail: str, errors: dict[str, str] | None = None
    ) -> None:
        super().__init__(title)
        self.status = status
        self.body = {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": detail,
            **({"errors": errors} if errors else {}),
        }


def api(telemetry: Telemetry) -> APIGatewayHttpResolver:
    """Return a resolver whose errors are problem details, and which hides what is ours."""
    app = APIGatewayHttpResolver()

    def failed(error: Exception) -> Answer:
        telemetry.problem(
            "request_failed",
            error=type(error).__name__,
            reason=str(error),
            trace=not isinstance(error, Retryable),
        )
        telemetry.count("RequestsFailed")
        return _shown(Problem(503, "Unavailable", "it may be done in part: send it again"))

    def no_route(_: Exception) -> Answer:
        return _shown(Problem(404, "Not Found", "there is no such route"))

    app.exception_handler(Problem)(_shown)
    app.exception_handler(Exception)(failed)
    app.not_found(no_route)
    return app


def _shown(problem: Problem) -> Answer:
    return Response(problem.status, _PROBLEM, json.dumps(problem.body, ensure_ascii=False))


def answer(status: int, body: dict[str, Any]) -> Answer:
    """Return a response of JSON."""
    return Response(status, _JSON, json.dumps(body, ensure_ascii=False))


def read_body(read: Callable[[], str | None], model: type[M]) -> M:
    """Read the body of a request; one without a body is an empty object.

    Args:
        read: returns the body as text; powertools raises for one that is none.
        model: of the body.

    Raises:
        Problem: 400, naming up to ten fields.
    """
    try:
        text = read() or "{}"
        return model.model_validate_json(text)
    except ValidationError as error:
        errors = {
            ".".join(str(part)[:60] for part in found["loc"]) or "body": found["msg"]
            for found in error.errors(include_url=False, include_input=False)[:_MOST_ERRORS]
        }
        raise Problem(
            400, "Bad Request", "correct these fields and send it again", errors
        ) from None
    except (ValueError, RecursionError):
        raise Problem(400, "Bad Request", "the body is no JSON in UTF-8") from None
