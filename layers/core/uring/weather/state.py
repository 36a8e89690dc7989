"""``state/weather/{product}.json``: the one compare-and-swap register of a product."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from uring.changes.state import Health, OutboxEvent, SourceState
from uring.clock import Timestamp
from uring.weather.due import ReportRhythm
from uring.weather.iwxxm.fields import Icao
from uring.weather.product import Product


class WeatherOutboxEvent(OutboxEvent):
    """A weather event that the outbox still has to announce.

    Attributes:
        topic: the FCM topic, an airport.
        content: the data of the push.
    """

    topic: str
    content: dict[str, str | None]


class _Relied(BaseModel):
    """The keys of a stored airport that this release reads; others may be of another version."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Header(_Relied):
    report_type: str | None = None
    report_status: str | None = None
    observation_time: Timestamp | None = None
    issue_time: Timestamp | None = None
    issued: Timestamp | None = None
    valid_start: Timestamp | None = None
    valid_end: Timestamp | None = None
    nil: bool = False
    cancelled: bool = False
    translation_failed: bool = False


class _Report(_Relied):
    header: _Header
    raw: str | None


class _Warning(_Relied):
    wrng_type: str
    wrng_type_key: str
    wrng_type_name: str | None = None
    issued: Timestamp | None = None
    valid_start: Timestamp | None = None
    valid_end: Timestamp | None = None
    raw_message: str | None = None


class _Warned(_Relied):
    airport_name: str | None
    warnings: list[_Warning]


_SHAPES: Final[dict[Product, TypeAdapter[Any]]] = {
    "metar": TypeAdapter(dict[Icao, _Report]),
    "taf": TypeAdapter(dict[Icao, _Report]),
    "warning": TypeAdapter(dict[Icao, _Warned]),
}


class WeatherState(SourceState):
    """The state of a product.

    Attributes:
        source: the product.
        fetched_at: the time of the stored airports; names their file. None before the first commit.
        airports: by ICAO code, as readers see them (W2).
        hash: the canonical hash of the airports (W3).
        is_shown: whether the files show these airports.
        vanished: warnings that the last list lacked, although they are in force and nothing
            cancels them, each with the time: the next list decides.
        corrected: by airport, the issue time of the TAF whose correction was pushed last.
        rhythms: by ICAO code, from which the due time of the next report follows.
        specials: by ICAO code, SPECI of the last commit that came beside a newer METAR.
        categories: by ICAO code, the last known flight category of METAR and SPECI.
    """

    later: ClassVar[frozenset[str]] = frozenset(
        {"health", "vanished", "corrected", "rhythms", "specials", "categories"}
    )

    source: Product
    fetched_at: Timestamp | None = None
    airports: dict[str, dict[str, Any]] = Field(default_factory=dict)
    hash: str = ""
    is_shown: bool = Field(default=True, alias="published")
    vanished: dict[str, Timestamp] = Field(default_factory=dict)
    corrected: dict[str, Timestamp] = Field(default_factory=dict)
    rhythms: dict[str, ReportRhythm] = Field(default_factory=dict)
    specials: dict[Icao, list[dict[str, Any]]] = Field(default_factory=dict)
    categories: dict[Icao, str] = Field(default_factory=dict)
    outbox: tuple[WeatherOutboxEvent, ...] = ()
    # States of the first release have no health.
    health: Health = Health(since="1970-01-01T00:00:00Z")

    @property
    def is_published(self) -> bool:
        """True when the files show these airports."""
        return self.is_shown

    @property
    def last_change(self) -> str | None:
        """The time of the last change of a report."""
        return self.fetched_at

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """Return this state once the files show it, with ``left`` still to be announced."""
        return self.replace(outbox=tuple(left), is_shown=True)

    def problem(self) -> tuple[str, str] | None:
        """See `SourceState.problem`."""
        try:
            _SHAPES[self.source].validate_python(self.airports)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return f"airports.{'.'.join(str(part) for part in first['loc'])}", first["msg"]
        return super().problem()
