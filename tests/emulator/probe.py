"""A function that tells what it can import; put under the emulator as its ``app.py``."""

from importlib.util import find_spec
from typing import Any


def handler(event: dict[str, Any], _: object) -> dict[str, str]:
    """Where each of the modules ``names`` would come from; those it cannot have are left out."""
    found = {name: find_spec(name) for name in event["names"]}
    return {
        # A namespace package has places and no origin.
        name: spec.origin or next(iter(spec.submodule_search_locations or ()), "")
        for name, spec in found.items()
        if spec
    }
