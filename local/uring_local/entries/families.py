"""The families with a configuration file, and whose a file is."""

import json
from pathlib import Path
from typing import Any, Final

from uring_local.entries.family import ConfiguredFamily
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.entries.registries import REGISTRY_ENTRIES
from uring_local.entries.watches import WATCH_ENTRIES

FAMILIES: Final[tuple[ConfiguredFamily[Any], ...]] = (
    NOTICE_ENTRIES,
    REGISTRY_ENTRIES,
    WATCH_ENTRIES,
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
