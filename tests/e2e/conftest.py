"""Stacks for the `uring` command to run on."""

from collections.abc import Iterator

import pytest

from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint


@pytest.fixture
def stack() -> Iterator[Endpoint]:
    """An empty stack that outlives the commands run on it."""
    with MiniStack() as endpoint:
        yield endpoint
