"""Requests as API Gateway hands them over: the caller's ARN, and paths in any script."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import quote, unquote

from uring.runtime.openapi import DescribedApi

_LONGEST: Final = 512
_KEPT: Final = "/-._~()'!*:@,;=+&$"
_CALLER: Final = ContextVar("caller", default="")


class DocumentApi(DescribedApi):
    """The HTTP API; while it answers, `caller` returns who asked."""

    def resolve(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """See `DescribedApi.resolve`."""
        token = _CALLER.set(caller_of(event))
        try:
            return super().resolve({**event, "rawPath": escaped(event.get("rawPath"))})
        finally:
            _CALLER.reset(token)


def escaped(path: Any) -> str:
    """Return a path with all letters but ASCII's escaped, decoded by API Gateway or not.

    Powertools' routes match ASCII alone. Names in paths have no per cent sign: a path that is
    decoded twice is the same.
    """
    return quote(unquote(path), _KEPT, errors="replace") if isinstance(path, str) else ""


def caller() -> str:
    """Return the ARN of the present request's caller; empty if it is unknown."""
    return _CALLER.get()


def caller_of(event: Mapping[str, Any]) -> str:
    """Return the ARN in an event of an HTTP API, or of a REST API; empty without one.

    At most 512 characters; characters that cannot be printed are left out.
    """
    context = event.get("requestContext")
    for path in (("authorizer", "iam", "userArn"), ("identity", "userArn")):
        found: Any = context
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(found, str):
            return "".join(filter(str.isprintable, found))[:_LONGEST]
    return ""
