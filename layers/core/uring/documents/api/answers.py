"""Answers of bounded size: pages of lists, texts in slices, ETags and what needs no body."""

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Final, TypeVar

from pydantic import BaseModel

from uring.runtime.etags import is_none_match
from uring.runtime.http import JSON, Answer, Problem

# Of a list or a text as it is sent; the whole answer stays below 1 MB.
_MOST_BYTES: Final = 900_000
# Of an attachment or an issue.
_LONGEST_NAME: Final = 128
_REVALIDATE: Final = "private, no-cache"

M = TypeVar("M", bound=BaseModel)


def sent(body: BaseModel, status: int = 200, *, etag: str = "", location: str = "") -> Answer:
    """Return an answer; one without an ETag is of the moment, and kept by no cache."""
    headers = {"Cache-Control": _REVALIDATE if etag else "no-store"}
    headers |= {"ETag": etag} if etag else {}
    headers |= {"Location": location} if location else {}
    return Answer(status, JSON, body.model_dump_json(), headers)


def unchanged(condition: str, etag: str) -> Answer | None:
    """Return a 304 where the caller has this version already; else None.

    Args:
        condition: If-None-Match, empty for none.
        etag: of what would be sent.
    """
    if not condition or is_none_match(condition, etag):
        return None
    return Answer(304, headers={"ETag": etag, "Cache-Control": _REVALIDATE})


def etag_for(*parts: object) -> str:
    """Return a strong entity tag: another one for other parts."""
    said = json.dumps(parts, default=str)
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def first_of(items: Iterable[tuple[str, M]], limit: int) -> tuple[list[M], str | None]:
    """Return the first items, and the token that goes on behind them; None at the end.

    Args:
        items: by names in their order.
        limit: at most so many; fewer where they are large, at least one.
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
    """Return the name in a token; empty for none.

    Raises:
        Problem: 422, for a token that `first_of` never made.
    """
    try:
        name = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_").decode()
    except ValueError:
        name = ""
    if _token(name) != token or not name.isprintable() or len(name) > _LONGEST_NAME:
        errors = {"query.after": "no `next` of an answer"}
        detail = "leave `after` out, or take `next` of the answer before"
        raise Problem(422, "Unprocessable Content", detail, errors)
    return name


def cut(text: str, offset: int, characters: int) -> str:
    """Return a slice of a text, shorter where it takes many bytes."""
    piece = text[offset : offset + characters]
    while len(json.dumps(piece, ensure_ascii=False).encode()) > _MOST_BYTES:
        piece = piece[: len(piece) // 2]
    return piece


def _token(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
