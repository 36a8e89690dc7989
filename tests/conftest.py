"""The order of all tests, and what they share."""

from functools import cache
from pathlib import Path

import boto3
import botocore.session
import pytest
from order import longest_first

TESTS = Path(__file__).parent

# Each session reads the models of its services anew, some 0.1 s each; here they are read once.
botocore.session.create_loader = cache(botocore.session.create_loader)  # type: ignore[attr-defined]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    prefix = TESTS.relative_to(config.rootpath).as_posix() + "/"
    items[:] = longest_first([each.nodeid.removeprefix(prefix) for each in items], items, workers)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Let boto3's own session go: it keeps the credentials that another test's stack had."""
    boto3.DEFAULT_SESSION = None
