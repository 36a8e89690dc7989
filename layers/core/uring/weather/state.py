"""``state/weather/{product}.json``: the one compare-and-swap register of a product."""

from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from uring.errors import CorruptState
from uring.records.model import Timestamp
from uring.weather.iwxxm.reports import Icao
from uring.weather.product import Product


class Told(BaseModel):
    """A happening that the outbox still has to announce."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event_id: str = Field(pattern=r"^[0-9a-f]{40}$")
    topic: str
    kind: str
    id: str
    detected_at: Timestamp
    content: dict[str, str | None]


class _Stored(BaseModel):
    """What is relied on of a stored airport; its other fields may be those of another version."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Header(_Stored):
    report_type: str | None = None
    report_status: str | None = None
    observation_time: Timestamp | None = None
    issue_time: Timestamp | None = None
    issued: Timestamp | None = None
    valid_start: Timestamp | None = None
    nil: bool = False
    cancelled: bool = False
    translation_failed: bool = False


class _Report(_Stored):
    header: _Header
    raw: str | None


class _Warning(_Stored):
    wrng_type: str
    wrng_type_key: str
    wrng_type_name: str | None = None
    issued: Timestamp | None = None
    valid_start: Timestamp | None = None
    valid_end: Timestamp | None = None
    raw_message: str | None = None


class _Warned(_Stored):
    airport_name: str | None
    warnings: list[_Warning]


_SHAPES: Final[dict[Product, TypeAdapter[Any]]] = {
    "metar": TypeAdapter(dict[Icao, _Report]),
    "taf": TypeAdapter(dict[Icao, _Report]),
    "warning": TypeAdapter(dict[Icao, _Warned]),
}


class WeatherState(BaseModel):
    """What is stored of a product.

    Attributes:
        source: the product.
        seq: grows with every write.
        writer: fresh for every write.
        fetched_at: of the stored airports; names their file. None before the first.
        airports: by ICAO code, as readers see them (W2).
        hash: canonical, of the airports (W3).
        published: whether the files show these airports.
        outbox: what has to be announced.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    source: Product
    seq: int = Field(default=0, ge=0)
    writer: str = ""
    fetched_at: Timestamp | None = None
    airports: dict[str, dict[str, Any]] = {}
    hash: str = ""
    published: bool = True
    outbox: tuple[Told, ...] = ()

    @classmethod
    def from_json(cls, body: bytes, *, key: str, source: str) -> Self:
        """Read a stored state.

        Raises:
            CorruptState: the object is not a state of this product. It is left as it is.
        """
        try:
            state = cls.model_validate_json(body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the object"
            raise _corrupt(key, f"{place}: {first['msg']}") from error
        if missing := sorted(cls.model_fields.keys() - state.model_fields_set):
            raise _corrupt(key, f"{missing[0]}: is missing")
        if state.source != source:
            raise _corrupt(key, f"source: is {state.source!r}, expected {source!r}")
        try:
            _SHAPES[state.source].validate_python(state.airports)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise _corrupt(key, f"airports.{place}: {first['msg']}") from error
        return state

    def to_json(self) -> bytes:
        """Compact JSON, keys in the order of the schema."""
        return self.model_dump_json(by_alias=True).encode()

    def replace(self, **changes: Any) -> Self:
        """A copy with these fields changed; the rest is shared."""
        return self.model_copy(update=changes)


def _corrupt(key: str, what: str) -> CorruptState:
    return CorruptState(
        f"{key}: {what}; restore an earlier version of the object (the bucket is versioned), or "
        "delete it: the next run stores all airports anew and announces nothing"
    )
