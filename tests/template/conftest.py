from typing import Any

import pytest
from expanded import Stack, read_template

from uring_local.template.families import FAMILIES, switching_on


@pytest.fixture(scope="session")
def template() -> dict[str, Any]:
    """template.yaml as written."""
    return read_template()


@pytest.fixture(scope="session")
def least_stack(template: dict[str, Any]) -> Stack:
    """The stack with every optional part left out: notices alone."""
    return Stack(template)


@pytest.fixture(scope="session")
def stack(template: dict[str, Any]) -> Stack:
    """The stack with every family, and every other optional part left out."""
    return Stack(template, **switching_on(FAMILIES))


@pytest.fixture(scope="session")
def full_stack(template: dict[str, Any]) -> Stack:
    """The stack with every optional part asked for."""
    return Stack(
        template,
        AlarmEmail="ops@uring.example",
        FcmCredentialsSecret="fcm/account",
        SeedDays="7",
        **switching_on(FAMILIES),
    )
