"""Responses of bounded size: pages of lists, slices of texts, ETags, and 304 without a body."""

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Final, TypeVar

from pydantic import BaseModel

from uring.runtime.etags import is_none_match
from uring.runtime.http import JSON, Answer, Problem

# The limit for a list or a text in JSON; the whole response stays below 1 MB.
_MOST_BYTES: Final = 900_000
# The longest name of an attachment or an issue.
_LONGEST_NAME: Final = 128
_REVALIDATE: Final = "private, no-cache"

M = TypeVar("M", bound=BaseModel)


def sent(body: BaseModel, status: int = 200, *, etag: str = "", location: str = "") -> Answer:
    """Return a response in JSON; without an ETag, caches must not store it."""
    headers = {"Cache-Control": _REVALIDATE if etag else "no-store"}
    headers |= {"ETag": etag} if etag else {}
    headers |= {"Location": location} if location else {}
    return Answer(status, JSON, body.model_dump_json(), headers)


def unchanged(condition: str, etag: str) -> Answer | None:
    """Return a 304 if the caller has the current version; else None.

    Args:
        condition: If-None-Match; empty for a request without it.
        etag: the ETag of the full response.
    """
    if not condition or is_none_match(condition, etag):
        return None
    return Answer(304, headers={"ETag": etag, "Cache-Control": _REVALIDATE})


def etag_for(*parts: object) -> str:
    """Return a strong entity tag; different parts have different tags."""
    said = json.dumps(parts, default=str)
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def first_of(items: Iterable[tuple[str, M]], limit: int) -> tuple[list[M], str | None]:
    """Return the first items, and the token of the next page; None at the end.

    Args:
        items: items with their names, in the order of the names.
        limit: the most items; fewer are returned when they are large, but at least one.
    """
    taken: list[M] = []
    size, last = 0, ""
    for name, item in items:
        size += len(item.model_dump_json().encode())
        if taken and (len(taken) == limit or size > _MOST_BYTES):
            return taken, _token(last)
        taken.append(item)
        last = name
    return taken, None


def name_in(token: str) -> str:
    """Return the name in a token; empty for an empty token.

    Raises:
        Problem: 422, the token was not made by `first_of`.
    """
    try:
        name = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_").decode()
    except ValueError:
        name = ""
    if _token(name) != token or not name.isprintable() or len(name) > _LONGEST_NAME:
        errors = {"query.after": "not a `next` of a response"}
        detail = "leave `after` out, or send `next` of the response before"
        raise Problem(422, "Unprocessable Content", detail, errors)
    return name


def key_reused(what: str) -> Problem:
    """Return the problem, a 422, for an Idempotency-Key that belongs to another request."""
    errors = {"header.idempotency-key": f"was sent before with another {what}"}
    detail = "send another request with another Idempotency-Key"
    return Problem(422, "Unprocessable Content", detail, errors)


def cut(text: str, offset: int, characters: int) -> str:
    """Return a slice of a text; it is halved until its JSON has at most 900,000 bytes."""
    piece = text[offset : offset + characters]
    while len(json.dumps(piece, ensure_ascii=False).encode()) > _MOST_BYTES:
        piece = piece[: len(piece) // 2]
    return piece


def _token(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
