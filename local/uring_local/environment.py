"""The environment variables of this process, changed for the length of a block."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def patched_environment(
    values: Mapping[str, str], *, without: Collection[str] = ()
) -> Iterator[None]:
    """Set ``values`` and remove ``without`` in a block; restore all of them at its end.

    A name that is in both is set.
    """
    before = {name: os.environ.pop(name, None) for name in {*values, *without}}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
