"""One typed settings model per function, read from the environment that the template sets."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from uring.errors import Misconfigured
from uring.weather.product import Kind


def _words(value: Any) -> Any:
    return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value


def _codes(value: Any) -> Any:
    # Each once: an airport that is named twice would be asked twice.
    return (
        tuple(dict.fromkeys(value.replace(",", " ").split())) if isinstance(value, str) else value
    )


Name = Annotated[str, Field(min_length=1)]
Minutes = Annotated[int, Field(ge=5, le=1440, multiple_of=5)]
Words = Annotated[frozenset[str], BeforeValidator(_words)]
Airport = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{3}$")]
Airports = Annotated[tuple[Airport, ...], BeforeValidator(_codes), Field(min_length=1)]
PushKinds = Annotated[frozenset[Kind], BeforeValidator(_words)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Read the variables named like the fields, in capitals.

        Raises:
            Misconfigured: naming every variable that is missing or wrong.
        """
        values = {
            name: environment[name.upper()]
            for name in cls.model_fields
            if name.upper() in environment
        }
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            problems = "; ".join(
                f"{str([*problem['loc'], 'all of it'][0]).upper()}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False)
            )
            raise Misconfigured(
                f"environment: {problems}; the template sets these variables"
            ) from None


class OrchestratorSettings(_Settings):
    """Settings of the orchestrator."""

    data_bucket: Name
    config_key: Name
    work_queue_url: Name
    tick_minutes: int = Field(ge=1, le=60)


class MonitorSettings(_Settings):
    """Settings of the monitor."""

    data_bucket: Name
    config_key: Name
    alarm_topic_arn: Name


class NoticeWorkerSettings(_Settings):
    """Settings of the notice worker.

    ``allowed_private_hosts`` holds ``host:port`` words that the address guard lets pass; empty in
    production. ``contact`` goes into the User-Agent, so that a site's operator can reach us; the
    template requires it in production.
    """

    data_bucket: Name
    work_dlq_url: Name
    notify_queue_url: Name
    contact: str = ""
    allowed_private_hosts: Words = frozenset()


class WeatherOrchestratorSettings(_Settings):
    """Settings of the weather orchestrator: of each product, the minutes between two runs (W1)."""

    work_queue_url: Name
    tick_minutes: int = Field(ge=1, le=60)
    metar_minutes: Minutes
    taf_minutes: Minutes
    warning_minutes: Minutes


class WeatherWorkerSettings(_Settings):
    """Settings of the weather worker.

    ``gateway_key_secret`` is the name of the secret that holds the gateway's key as plain text. A
    gateway without TLS is taken only where ``allowed_private_hosts`` names it: the key is in every
    request. ``airports`` are in the order in which readers see them; ``push_kinds`` are the events
    that are pushed (W16).
    """

    data_bucket: Name
    work_queue_url: Name
    work_dlq_url: Name
    notify_queue_url: Name
    gateway_url: str = Field(pattern=r"^https?://[^/?#\s]+[^?#\s]*$")
    gateway_key_name: Name
    gateway_key_secret: str = ""
    metar_path: Name
    taf_path: Name
    warning_path: Name
    airports: Airports
    push_kinds: PushKinds
    contact: str = ""
    allowed_private_hosts: Words = frozenset()

    @model_validator(mode="after")
    def _keeps_the_key_to_itself(self) -> Self:
        scheme, _, rest = self.gateway_url.partition("://")
        if scheme == "http" and rest.partition("/")[0] not in self.allowed_private_hosts:
            raise ValueError("GATEWAY_URL: must be https, or everybody on the way reads the key")
        return self


class NotifierSettings(_Settings):
    """Settings of the notifier.

    Empty ``fcm_project_id``: the project of the credentials. Empty ``fcm_credentials_secret``:
    application default credentials. Empty ``fcm_endpoint``: FCM itself.
    """

    ledger_table: Name
    notify_queue_url: Name
    notify_dlq_url: Name
    fcm_project_id: str = ""
    fcm_credentials_secret: str = ""
    fcm_endpoint: str = ""
    sent_retention_days: int = Field(ge=1, le=400)
