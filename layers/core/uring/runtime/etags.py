"""Entity tags, and conditions on them: If-Match, If-None-Match (RFC 9110, 8.8.3 and 13.1)."""

import re
from collections.abc import Iterator
from typing import Final

ANY: Final = "*"

# An element of a list, which may be empty, and the comma after it.
_ELEMENT: Final = re.compile(r'[ \t]*(?:(W/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|\Z)')


def is_match(condition: str, etag: str) -> bool:
    """Return whether If-Match holds: one of its strong tags equals ``etag``, or it is ``*``.

    Args:
        condition: the header's value.
        etag: of the current version, strong, with its quotes.

    Raises:
        ValueError: the condition is neither ``*`` nor a list of tags.
    """
    if condition.strip() == ANY:
        return True
    return any(tag == etag and not is_weak for tag, is_weak in [*_tags(condition)])


def is_none_match(condition: str, etag: str) -> bool:
    """Return whether If-None-Match holds: none of its tags, weak or strong, equals ``etag``.

    ``*`` does not hold. A malformed condition holds, so that the full response is sent.
    """
    if condition.strip() == ANY:
        return False
    try:
        return all(tag != etag for tag, _ in [*_tags(condition)])
    except ValueError:
        return True


def _tags(condition: str) -> Iterator[tuple[str, bool]]:
    at, count = 0, 0
    while at < len(condition):
        found = _ELEMENT.match(condition, at)
        if found is None:
            break
        if found[2]:
            count += 1
            yield found[2], bool(found[1])
        at = found.end()
    if not count or at < len(condition):
        raise ValueError('neither * nor a list of entity tags such as "v3"')
