from typing import Any

import pytest
from expanded import Stack, read_template


@pytest.fixture(scope="session")
def template() -> dict[str, Any]:
    """template.yaml as written."""
    return read_template()


@pytest.fixture(scope="session")
def stack(template: dict[str, Any]) -> Stack:
    """The stack with every optional part left out."""
    return Stack(template)


@pytest.fixture(scope="session")
def full_stack(template: dict[str, Any]) -> Stack:
    """The stack with every optional part asked for."""
    return Stack(
        template,
        AlarmEmail="ops@uring.example",
        FcmCredentialsSecret="fcm/account",
        WeatherKeySecret="weather/key",
        RegistriesKey="config/registries.json",
        WatchesKey="config/watches.json",
        SeedDays="7",
    )
