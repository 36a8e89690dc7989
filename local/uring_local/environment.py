"""The environment of this process, changed for the length of a block."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def patched_environment(
    values: Mapping[str, str], *, without: Collection[str] = ()
) -> Iterator[None]:
    """Set some variables, withhold others; as it was again behind the block."""
    before = {name: os.environ.pop(name, None) for name in {*values, *without}}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
