"""Pages with the service worker of the client."""

from collections.abc import Mapping
from typing import Any

import pytest


@pytest.fixture
def permits() -> Mapping[str, Any]:
    """What a page may: have a worker."""
    return {"service_workers": "allow"}
