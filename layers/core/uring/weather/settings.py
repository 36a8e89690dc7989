"""Settings of the functions of aviation weather."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from uring.runtime.settings import Settings, TickSettings, WorkerSettings, words
from uring.weather.events import EventKind


def _codes(value: Any) -> Any:
    # Each once: an airport that is named twice would be asked twice.
    return (
        tuple(dict.fromkeys(value.replace(",", " ").split())) if isinstance(value, str) else value
    )


Minutes = Annotated[int, Field(ge=5, le=1440, multiple_of=5)]
Airport = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{3}$")]
Airports = Annotated[tuple[Airport, ...], BeforeValidator(_codes), Field(min_length=1)]
# Put into an address as they are: with a ? or # the key would go astray.
Parameter = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
Path = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/-]+$")]
PushKinds = Annotated[frozenset[EventKind], BeforeValidator(words)]


class Intervals(Settings):
    """The minutes between two runs of each product (W1)."""

    metar_minutes: Minutes
    taf_minutes: Minutes
    warning_minutes: Minutes


class WeatherOrchestratorSettings(Intervals, TickSettings):
    """Settings of the weather orchestrator."""


class WeatherWatchSettings(Intervals):
    """The monitor's settings of aviation weather: when it is due, and its topics."""

    airports: Airports


class WeatherWorkerSettings(WorkerSettings):
    """Settings of the weather worker.

    ``gateway_key_secret`` is the name of the secret that holds the gateway's key as plain text. A
    gateway without TLS is taken only where ``allowed_private_hosts`` names it: the key is in every
    request. ``airports`` are in the order in which readers see them; ``push_kinds`` are the events
    that are pushed (W16).
    """

    gateway_url: str = Field(pattern=r"^https?://[^/?#\s]+[^?#\s]*$")
    gateway_key_name: Parameter
    gateway_key_secret: str = ""
    metar_path: Path
    taf_path: Path
    warning_path: Path
    airports: Airports
    push_kinds: PushKinds

    @model_validator(mode="after")
    def _keeps_the_key_to_itself(self) -> Self:
        scheme, _, rest = self.gateway_url.partition("://")
        if scheme == "http" and rest.partition("/")[0] not in self.allowed_private_hosts:
            raise ValueError("GATEWAY_URL: must be https, or everybody on the way reads the key")
        return self
