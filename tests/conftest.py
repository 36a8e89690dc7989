"""The order of all tests."""

from pathlib import Path

import pytest
from order import longest_first

TESTS = Path(__file__).parent


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    prefix = TESTS.relative_to(config.rootpath).as_posix() + "/"
    items[:] = longest_first([each.nodeid.removeprefix(prefix) for each in items], items, workers)
