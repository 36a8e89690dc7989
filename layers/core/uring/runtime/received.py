"""A request as API Gateway hands it over, judged by HTTP's own rules before any route sees it.

    path, method ─► integers ─► size ─► media type ─► JSON object without a repeated key
      404, 405        422        413       415               400, 422

Powertools folds methods to upper case, takes a media type by its beginning, a list for its first
item and a repeated key by its last value; Python's parser takes NaN. None of them is what was sent.
"""

import base64
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Never

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from uring.runtime.http import JSON, NO_JSON, Problem

GET: Final = "GET"
HEAD: Final = "HEAD"
_LONGEST_KEY: Final = 60
_CONTENT_TYPE: Final = "content-type"
_PARAMETER: Final = r'[ \t]*;[ \t]*(?:[!#-\'*+.^-z|~0-9A-Z-]+=(?:[!#-\'*+.^-z|~0-9A-Z-]+|"[^"]*"))?'
# RFC 9110, 8.3.1: type, subtype and the names of parameters are the same in any case.
_MEDIA_TYPE: Final = re.compile(rf"[ \t]*([^;, \t]+)((?:{_PARAMETER})*)[ \t]*")
_CHARSET: Final = re.compile(r';[ \t]*charset="?([^";]*)"?', re.IGNORECASE)
_INTEGER: Final = re.compile("0|-?[1-9][0-9]{0,18}")


class _RepeatedKey(Exception):
    """Raised by the parser at an object with one key twice; the message is the key."""


def methods_at(path: str, routes: Sequence[tuple[str, str]]) -> list[str]:
    """Return the methods of a path, sorted; HEAD with GET, none for an unknown path.

    Args:
        path: as the function receives it; one with a control character is unknown.
        routes: method and path of each, names in angle brackets.
    """
    if not path.isprintable():
        return []
    found = {method for method, route in routes if is_of(route, path)}
    return sorted(found | ({HEAD} if GET in found else set()))


def check_address(event: Mapping[str, Any], routes: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the method and the path of a request to a known address.

    Raises:
        Problem: 404 for another address, 405 for another method; methods are case-sensitive
            (RFC 9110, 9.1).
    """
    received = APIGatewayProxyEventV2(dict(event))
    methods = methods_at(received.path, routes)
    if not methods:
        raise no_route()
    if received.http_method not in methods:
        allow = ", ".join(methods)
        detail = f"this address answers {allow}"
        raise Problem(405, "Method Not Allowed", detail, headers={"Allow": allow})
    return received.http_method, received.path


def no_route() -> Problem:
    """Return the problem of an unknown address."""
    return Problem(404, "Not Found", "there is no such route")


def check_body(event: Mapping[str, Any], *, most_bytes: int, is_typed: bool) -> None:
    """Accept an empty body, or a JSON object in UTF-8 of the media type ``application/json``.

    Args:
        event: of a request whose route has a body.
        most_bytes: the limit of the body as it comes, in Base64 if it comes so.
        is_typed: whether a missing media type is an error.

    Raises:
        Problem: 413, 415, 400 for a body that is not JSON, 422 for JSON that is not an object or
            has one key twice.
    """
    body = event.get("body") or ""
    if len(body.encode(errors="replace")) > most_bytes:
        raise Problem(413, "Content Too Large", f"send at most {most_bytes:,} bytes")
    if not body:
        return
    if not _is_json(_media_type(event), is_typed=is_typed):
        raise Problem(415, "Unsupported Media Type", f"send the body as {JSON}")
    try:
        text = base64.b64decode(body, validate=True).decode() if _is_packed(event) else body
        document = json.loads(text, object_pairs_hook=_object, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise Problem(400, "Bad Request", NO_JSON) from None
    except _RepeatedKey as error:
        problem = {_shown(str(error)): "is there twice; leave one out"}
        raise _invalid(problem) from None
    if not isinstance(document, dict):
        raise _invalid({"body": "is not a JSON object"})


def check_integers(event: Mapping[str, Any], names: Collection[str]) -> None:
    """Accept integers of the query as JSON writes them: no sign +, blank, point, other digits.

    Raises:
        Problem: 422, with each wrong one; pydantic takes ``+5``, ``5.0`` and ``1_000``.
    """
    given: Mapping[str, str] = event.get("queryStringParameters") or {}
    wrong = [
        name for name in sorted(names) if name in given and not _INTEGER.fullmatch(given[name])
    ]
    if wrong:
        raise _invalid({f"query.{name}": "not an integer in decimal digits" for name in wrong})


def as_routed(event: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Return the event for the routes: HEAD as GET, the media type in the form they know."""
    context = event["requestContext"]
    routed = GET if method == HEAD else method
    headers = {
        name: value
        for name, value in (event.get("headers") or {}).items()
        if name.lower() != _CONTENT_TYPE
    }
    return {
        **event,
        "headers": {**headers, _CONTENT_TYPE: JSON},
        "requestContext": {**context, "http": {**context["http"], "method": routed}},
    }


def is_of(route: str, path: str) -> bool:
    """Return whether a path is one of a route, whose names are in angle brackets."""
    return re.fullmatch(re.sub(r"<\w+>", "[^/]+", route), path) is not None


def _media_type(event: Mapping[str, Any]) -> str:
    headers: Mapping[str, str] = event.get("headers") or {}
    return next((text for name, text in headers.items() if name.lower() == _CONTENT_TYPE), "")


def _is_json(media_type: str, *, is_typed: bool) -> bool:
    if not media_type.strip():
        return not is_typed
    found = _MEDIA_TYPE.fullmatch(media_type)
    if found is None or found[1].lower() != JSON:
        return False
    charsets = [text.lower() for text in _CHARSET.findall(found[2])]
    return all(charset in ("utf-8", "utf8") for charset in charsets)


def _is_packed(event: Mapping[str, Any]) -> bool:
    return bool(event.get("isBase64Encoded"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise _RepeatedKey(key)
        seen[key] = value
    return seen


def _refused(constant: str) -> Never:
    raise ValueError(constant)


def _shown(key: str) -> str:
    return f"body.{key[:_LONGEST_KEY]}" if key.isprintable() else "body"


def _invalid(fields: Mapping[str, str]) -> Problem:
    detail = "correct these fields and send it again"
    return Problem(422, "Unprocessable Content", detail, fields)
