"""The shards of a configuration file: ``{"shards": ["g", "m"], "sources": [entry, …]}``.

The file that functions and people name is the first shard, and has the first id of each further
one. A further shard is a file of its own, such as ``config/sitemap.g.json``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from uring.changes.shard import WHOLE, Shard, is_ascending, shards_between
from uring.errors import ConfigInvalid
from uring.sources.entry import ID
from uring.sources.problems.findings import ConfigFinding

SHARDS: Final = "shards"
SHARD_LIMIT: Final = 100
"""The most bounds of a file; each shard costs two invocations a tick."""

_UNUSABLE: Final = "is not a list of ids in ascending order"
_REMEDY: Final = f"write the first id of each further file, at most {SHARD_LIMIT}"
_NAMED: Final = re.compile(rb'"shards"')


def shards_in(body: bytes) -> tuple[Shard, ...]:
    """Return the shards of a file, in order.

    Raises:
        ConfigInvalid: it is not JSON, or its bounds are unusable.
    """
    # A file of ten thousand entries is parsed for its bounds only if it has any.
    if _NAMED.search(body) is None:
        return (WHOLE,)
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ConfigInvalid(f"its {SHARDS} cannot be read: {error}") from error
    if not isinstance(document, dict) or not _is_usable(document.get(SHARDS, [])):
        raise ConfigInvalid(f"{SHARDS}: {_UNUSABLE}; {_REMEDY}")
    return shards_between(document.get(SHARDS, []))


def usable_shards(body: bytes) -> tuple[Shard, ...]:
    """Return the shards of a file, in order; one whole shard where `shards_in` raises."""
    try:
        return shards_in(body)
    except ConfigInvalid:
        return (WHOLE,)


def refused_bounds(document: Mapping[str, Any], shard: Shard) -> Iterator[ConfigFinding]:
    """Yield the finding of unusable bounds, and of bounds in a further shard's file."""
    if SHARDS not in document:
        return
    if shard.begin:
        yield ConfigFinding((SHARDS,), "is not in the first file", "write it there alone")
    elif not _is_usable(document[SHARDS]):
        yield ConfigFinding((SHARDS,), _UNUSABLE, _REMEDY)


def _is_usable(bounds: Any) -> bool:
    return (
        isinstance(bounds, list)
        and len(bounds) <= SHARD_LIMIT
        and all(isinstance(each, str) and ID.match(each) for each in bounds)
        and is_ascending(bounds)
    )
