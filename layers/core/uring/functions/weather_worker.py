"""Wires the weather worker."""

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from uring.aws.secrets import KeptSecret
from uring.functions.parts import Parts
from uring.functions.web import fetcher
from uring.functions.workers import WorkerSettings, worker
from uring.runtime.invocation import Work
from uring.runtime.settings import words
from uring.weather.events import EventKind
from uring.weather.family import Weather
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.collect import Gateway
from uring.weather.gateway.retry import GatewayPaths
from uring.weather.plan import Airports
from uring.weather.runways import Runways, read_runways
from uring.weather.state import WeatherState

# They go into an address unchanged: a ? or # would send the key to the wrong place.
Parameter = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
Path = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/-]+$")]
PushKinds = Annotated[frozenset[EventKind], BeforeValidator(words)]
KnownRunways = Annotated[Runways, BeforeValidator(read_runways)]


class Settings(WorkerSettings):
    """Settings of the weather worker.

    ``gateway_key_secret`` is the name of the secret with the gateway's key as plain text. A gateway
    without TLS is accepted only if ``allowed_private_hosts`` names it: the key is in every request.
    ``airports`` are in the order of the published documents; ``push_kinds`` are the pushed events
    (W16); ``runways`` have the true headings of runways whose wind components are published.
    """

    gateway_url: str = Field(pattern=r"^https?://[^/?#\s]+[^?#\s]*$")
    gateway_key_name: Parameter
    gateway_key_secret: str = ""
    metar_path: Path
    taf_path: Path
    warning_path: Path
    airports: Airports
    push_kinds: PushKinds
    runways: KnownRunways = Field(default_factory=dict)

    @model_validator(mode="after")
    def _keeps_the_key_to_itself(self) -> Self:
        scheme, _, rest = self.gateway_url.partition("://")
        if scheme == "http" and rest.partition("/")[0] not in self.allowed_private_hosts:
            raise ValueError("GATEWAY_URL: must be https: otherwise the key is sent in clear text")
        return self


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the weather worker's work."""
    http = fetcher(settings)
    key = KeptSecret(lambda: parts.clients.get("secretsmanager"), settings.gateway_key_secret)
    operations = GatewayPaths(settings.metar_path, settings.taf_path, settings.warning_path)

    def gateway() -> GatewayClient:
        return GatewayClient(
            http,
            settings.gateway_url,
            settings.gateway_key_name,
            key.text(),
            operations=operations,
            sleep=parts.sleep,
            clock=parts.clock,
        )

    weather = Weather(
        Gateway(gateway, key.forget),
        parts.bucket(settings.data_bucket),
        airports=settings.airports,
        push_kinds=settings.push_kinds,
        runways=settings.runways,
        backoff=parts.backoff,
    )
    # One product after the other: the gateway fails under parallel requests.
    return worker(weather, WeatherState, settings, parts, groups=1)
