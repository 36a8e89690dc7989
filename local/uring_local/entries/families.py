"""The families with a configuration file, and whose a file is."""

import json
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

from uring_local import families
from uring_local.entries.family import ConfiguredFamily
from uring_local.entries.notices import NOTICE_ENTRIES

FAMILIES: Final[tuple[ConfiguredFamily[Any], ...]] = tuple(
    resolve_name(family.entries) for family in families.FAMILIES if family.entries
)


def family_of(config: Path, body: bytes | None) -> ConfiguredFamily[Any]:
    """Return the family whose list the file has, else whose file has this name, else the notices.

    Args:
        config: the file.
        body: its bytes; None where there is no such file.
    """
    keys = _keys(body)
    for family in FAMILIES:
        if family.key in keys:
            return family
    return next((family for family in FAMILIES if family.path.name == config.name), NOTICE_ENTRIES)


def _keys(body: bytes | None) -> frozenset[str]:
    """Return the keys of a JSON object; none of what is none, which its loader will explain."""
    try:
        document = json.loads((body or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(document) if isinstance(document, dict) else frozenset()
