"""The families with a configuration file, and the family of a file."""

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
    """Return the family of a file: by its list of entries, else by its name, else notices.

    Args:
        config: the file.
        body: its bytes; None if the file does not exist.
    """
    keys = _keys(body)
    for family in FAMILIES:
        if family.key in keys:
            return family
    return next((family for family in FAMILIES if family.path.name == config.name), NOTICE_ENTRIES)


def is_configuration(config: Path, body: bytes | None) -> bool:
    """Return whether a file is a family's, or may become one: it is absent, empty or half written.

    Args:
        config: the file.
        body: its bytes; None if the file does not exist.
    """
    keys = _keys(body)
    named = any(family.path.name == config.name for family in FAMILIES)
    return named or not keys or any(family.key in keys for family in FAMILIES)


def _keys(body: bytes | None) -> frozenset[str]:
    """Return the keys of a JSON object; empty for any other text, which the loader explains."""
    try:
        document = json.loads((body or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(document) if isinstance(document, dict) else frozenset()
