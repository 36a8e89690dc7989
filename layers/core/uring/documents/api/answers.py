"""Responses of bounded size: pages of lists, slices of texts, ETags, and 304 without a body."""

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import BaseModel

from uring.runtime.etags import is_none_match
from uring.runtime.http import JSON, Answer, Problem

# The limit for a list or a text in JSON; the whole response stays below 1 MB.
_MOST_BYTES: Final = 900_000
# Of an object, or an item, in bytes: a list goes on behind any object, named well or not.
_LONGEST_KEY: Final = 1024
MOST_LOOKED_AT: Final = 2_000
"""The most entries that one request for a list looks at."""
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


@dataclass(frozen=True, slots=True)
class ListRow(Generic[M]):
    """An entry that a list looks at.

    Attributes:
        name: its name; the rows are in the order of the names.
        item: its body; None for an entry that is left out.
        is_unreadable: whether its stored item cannot be read.
    """

    name: str
    item: M | None
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class ListPart(Generic[M]):
    """A part of a list.

    Attributes:
        items: the bodies.
        next: token of the next part, which begins behind the last row of this one; None at the end.
        unreadable: the number of rows that could not be read.
    """

    items: list[M]
    next: str | None
    unreadable: int


def first_of(
    rows: Iterable[ListRow[M]], limit: int, *, most_looked_at: int = MOST_LOOKED_AT
) -> ListPart[M]:
    """Return the first part of a list.

    Args:
        rows: in the order of their names.
        limit: the most items; fewer are returned when they are large, but at least one.
        most_looked_at: the most rows; a part of rows that are all left out has no item.
    """
    taken: list[M] = []
    size = unreadable = 0
    last = ""
    for looked_at, row in enumerate(rows):
        if row.item is not None:
            size += len(row.item.model_dump_json().encode())
            is_full = taken and (len(taken) == limit or size > _MOST_BYTES)
            if is_full:
                return ListPart(taken, _token(last), unreadable)
        if looked_at == most_looked_at:
            return ListPart(taken, _token(last), unreadable)
        if row.item is not None:
            taken.append(row.item)
        unreadable += row.is_unreadable
        last = row.name
    return ListPart(taken, None, unreadable)


def name_in(token: str, folder: str) -> str:
    """Return the name in a token; empty for an empty token.

    Args:
        token: from a request.
        folder: the beginning of the key; with the name it must be a possible key.

    Raises:
        Problem: 422, the token was not made by `first_of`.
    """
    try:
        name = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_").decode()
    except ValueError:
        name = ""
    is_key = len(f"{folder}{name}".encode()) <= _LONGEST_KEY and "\0" not in name
    if _token(name) != token or not is_key:
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
