"""One Node for all tests of a module."""

from collections.abc import Iterator

import pytest
from javascript import JavaScript, javascript


@pytest.fixture(scope="session")
def uring_js() -> Iterator[JavaScript]:
    with javascript() as process:
        yield process
