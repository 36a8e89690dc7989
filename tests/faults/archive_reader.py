"""The archive as a reader meets it: a month's address, and the files that it says come before."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fakes.objects import Written

MONTH: Final = re.compile(r"[0-9]{6}\.jsonl")


def months(versions: Mapping[str, Sequence[Written]], folder: str) -> list[str]:
    """The keys of a source's months, the oldest first."""
    names = (key.removeprefix(folder) for key in versions if key.startswith(folder))
    return sorted(folder + name for name in names if MONTH.fullmatch(name))


def read_month(
    versions: Mapping[str, Sequence[Written]], key: str, version: Written
) -> list[dict[str, Any]]:
    """The lines of a month, the oldest first, by a reader who has this version of its address.

    Raises:
        ValueError: a line is torn, or a file that is named is not there, or was written twice.
    """
    lines: list[dict[str, Any]] = []
    body, read = version.body, {key}
    while True:
        if not body.endswith(b"\n"):
            raise ValueError(f"{key} is torn")
        own = [json.loads(text) for text in body.splitlines()]
        links = [line.pop("earlier", None) for line in own]
        if any(links[1:]):
            raise ValueError(f"{key}: another line than the first names what comes before")
        lines = own + lines
        if links[0] is None:
            return lines
        key = f"{key.rpartition('/')[0]}/{links[0]['file']}"
        there = [each for each in versions.get(key, ()) if each.order < version.order]
        if len(there) != 1 or len(versions[key]) > 1 or key in read:
            raise ValueError(f"{key} was named and written {len(there)} times before")
        read.add(key)
        body = there[0].body
