"""The groups of IWXXM that METAR, trend and TAF share: wind, visibility, weather, cloud."""

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeVar, get_args

from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.fields import (
    CloudAmount,
    CloudLayer,
    Operator,
    PresentWeather,
    Visibility,
    Wind,
)
from uring.weather.iwxxm.tree import Element, first_child, text_of
from uring.weather.iwxxm.values import (
    DEGREES,
    FEET,
    KNOTS,
    METRES,
    SHOWN,
    ReportReader,
    child,
    children,
    code,
    nil,
    number,
    rounded,
    true,
    whole,
)

NOTHING: Final = "nothingOfOperationalSignificance"
NOT_DETECTED: Final = "notDetectedByAutoSystem"

# 2.0 and 2.1 number them by BUFR: tables 0 20 008 and 0 20 012.
_AMOUNTS: Final[dict[str, CloudAmount]] = {
    "0": "SKC",
    "1": "FEW",
    "2": "SCT",
    "3": "BKN",
    "4": "OVC",
    **{amount: amount for amount in get_args(CloudAmount)},
}
_UNSEEN: Final = "///"
# The characters of an amount and a base, after which the type follows.
_LAYER: Final = 6
_WITH_BASE: Final = frozenset({"FEW", "SCT", "BKN", "OVC"})
_TYPES: Final = {"9": "CB", "32": "TCU", "CB": "CB", "TCU": "TCU"}
# With any other reason the station could not see whether it is CB or TCU.
_NO_TYPE: Final = frozenset({NOTHING, NOT_DETECTED, "inapplicable", "noSignificantChange"})
_GROUP: Final = re.compile(
    r"(?P<intensity>[+-]|VC)?(?:RE)?(?P<descriptor>MI|BC|PR|DR|BL|SH|TS|FZ)?"
    r"(?P<phenomena>(?:DZ|RA|SN|SG|PL|GR|GS|UP|IC|BR|FG|FU|VA|DU|SA|HZ|PO|SQ|FC|SS|DS){0,3})"
)
T = TypeVar("T")


def choice(part: Element | None, allowed: dict[str, T]) -> T | None:
    """Return the meaning of a part's text; None without text.

    Raises:
        PartRefused: the text is not allowed here.
    """
    text = "" if part is None or nil(part) else text_of(part).strip()
    if part is None or not text:
        return None
    if text not in allowed:
        raise PartRefused(
            "value", f"{part.tag} is {text[:SHOWN]!r}, not one of {', '.join(allowed)}"
        )
    return allowed[text]


_OPERATORS: Final[dict[str, Operator]] = {"ABOVE": "ABOVE", "BELOW": "BELOW"}


def operator(part: Element | None) -> Operator | None:
    """Parse ABOVE or BELOW; None without text."""
    return choice(part, _OPERATORS)


def read_wind(group: Element | None, reader: ReportReader, missing: list[str]) -> Wind | None:
    """Parse a ``surfaceWind``; None if empty. Adds the missing parts to ``missing``."""
    inner = first_child(group)
    wind = None
    if inner is not None:
        wind = reader.believed("wind", partial(_wind, inner), missing)
    if wind is None:
        missing.append("wind")
        return None
    if wind.direction is None and not wind.variable:
        missing.append("wind_direction")
    if wind.speed is None:
        missing.append("wind_speed")
    return wind


def _wind(inner: Element) -> Wind | None:
    values = _WindValues.of(inner)
    # Writers also set it with a mean direction, for a wind that varies by 60 degrees or more.
    variable = values.direction is None and true(inner, "variableWindDirection")
    wind = Wind(
        direction=rounded(values.direction),
        speed=rounded(values.speed),
        gust=rounded(values.gust),
        variable=variable,
        variable_from=rounded(values.variable_from),
        variable_to=rounded(values.variable_to),
        speed_operator=values.speed_operator,
        raw=_wind_group(inner, values, variable=variable),
    )
    told = variable or not (wind.direction is None and wind.speed is None)
    return wind if told else None


class _WindValues(NamedTuple):
    """The values of a wind in degrees and KT, each None if missing."""

    direction: float | None
    speed: float | None
    gust: float | None
    variable_from: float | None
    variable_to: float | None
    speed_operator: Operator | None

    @classmethod
    def of(cls, inner: Element) -> "_WindValues":
        """Parse the values.

        Raises:
            PartRefused: one of them is impossible.
        """
        return cls(
            number(child(inner, "meanWindDirection"), DEGREES),
            number(child(inner, "meanWindSpeed"), KNOTS),
            number(child(inner, "windGustSpeed"), KNOTS),
            number(child(inner, "extremeCounterClockwiseWindDirection"), DEGREES),
            number(child(inner, "extremeClockwiseWindDirection"), DEGREES),
            operator(child(inner, "meanWindSpeedOperator")),
        )


def _wind_group(inner: Element, values: _WindValues, *, variable: bool) -> str:
    speed = child(inner, "meanWindSpeed")
    knots = 1.0
    if speed is not None and speed.get("uom") == "m/s":
        knots = KNOTS["m/s"]
    text = "VRB" if variable else _padded(values.direction, 3)
    text += _padded_speed(values.speed, values.speed_operator, knots)
    if child(inner, "windGustSpeed") is not None:
        sign = operator(child(inner, "windGustSpeedOperator"))
        text += f"G{_padded_speed(values.gust, sign, knots)}"
    text += "KT" if knots == 1 else "MPS"
    if values.variable_from is not None and values.variable_to is not None:
        text += f" {_padded(values.variable_from, 3)}V{_padded(values.variable_to, 3)}"
    return text


def _padded_speed(value: float | None, sign: Operator | None, knots: float) -> str:
    shown = {"ABOVE": "P", "BELOW": "M", None: ""}[sign]
    return shown + _padded(None if value is None else value / knots, 2)


def _padded(value: float | None, width: int) -> str:
    return "/" * width if value is None else f"{round(value):0{width}d}"


def read_visibility(
    group: Element | None, reader: ReportReader, missing: list[str], *, cavok: bool
) -> Visibility | None:
    """Parse an element with ``prevailingVisibility``: METAR's wrapper, or the forecast itself."""
    return reader.believed("visibility", lambda: _visibility(group, cavok=cavok), missing)


def _visibility(group: Element | None, *, cavok: bool) -> Visibility | None:
    value = whole(child(group, "prevailingVisibility"), METRES)
    minimum = whole(child(group, "minimumVisibility"), METRES)
    if value is None and minimum is None and not cavok:
        return None
    return Visibility(
        value=value,
        operator=operator(child(group, "prevailingVisibilityOperator")),
        minimum=minimum,
        minimum_direction=whole(child(group, "minimumVisibilityDirection"), DEGREES),
        cavok=cavok,
    )


def read_weather(
    name: str, groups: Iterable[Element], reader: ReportReader, missing: list[str]
) -> tuple[PresentWeather, ...] | None:
    """Parse weather; empty for none, or none significant, None if it could not be observed."""
    weather = reader.believed(name, lambda: _weather_groups(groups), missing)
    if weather is None:
        missing.append(name)
    return weather


def _weather_groups(groups: Iterable[Element]) -> tuple[PresentWeather, ...] | None:
    weather = []
    for group in groups:
        why = nil(group)
        if why == NOTHING:
            continue
        raw = code(group)
        if raw is None:
            return None
        if len(raw) > SHOWN or not raw.isprintable():
            raise PartRefused("value", f"a weather code is {raw[:SHOWN]!r}")
        weather.append(_weather(raw))
    return tuple(weather)


@lru_cache(maxsize=256)
def _weather(raw: str) -> PresentWeather:
    parts = _GROUP.fullmatch(raw)
    if not parts:
        return PresentWeather(raw=raw)
    phenomena = parts["phenomena"]
    return PresentWeather.model_validate(
        {
            "raw": raw,
            "intensity": parts["intensity"],
            "descriptor": parts["descriptor"],
            "phenomena": tuple(phenomena[i : i + 2] for i in range(0, len(phenomena), 2)),
        }
    )


class Clouds:
    """A ``cloud`` property, without impossible layers, which make ``clouds`` missing.

    Attributes:
        layers: empty for a clear sky, None if missing.
        vertical_visibility: ft.
        nsc: no significant cloud.
        ncd: no cloud detected by an automatic station.
    """

    def __init__(self, group: Element | None, reader: ReportReader, missing: list[str]) -> None:
        why = nil(group)
        inner = first_child(group)
        self.nsc = why == NOTHING
        self.ncd = why == NOT_DETECTED
        self.layers: tuple[CloudLayer, ...] | None = () if self.nsc or self.ncd else None
        self.vertical_visibility: int | None = None
        if self.layers is None and (why or inner is None):
            missing.append("clouds")
            return
        if inner is None:
            return
        height = child(inner, "verticalVisibility")
        read = partial(_vertical_visibility, height)
        self.vertical_visibility = reader.believed("vertical_visibility", read, missing)
        layers = [
            reader.believed("clouds", partial(_layer, part), missing)
            for part in children(inner, "layer")
        ]
        self.layers = tuple(layer for layer in layers if layer is not None)
        if layers and not self.layers:
            self.layers = None
            return
        if any(layer.amount is None for layer in self.layers):
            missing.append("clouds")
        if any(layer.amount in _WITH_BASE and layer.base is None for layer in self.layers):
            missing.append("cloud_base")
        if any(layer.raw.endswith(_UNSEEN, _LAYER) for layer in self.layers):
            missing.append("cloud_type")
        if not self.layers and self.vertical_visibility is None:
            missing.append("vertical_visibility")

    @property
    def is_told(self) -> bool:
        """True when the sky is known."""
        return bool(self.layers or self.nsc or self.ncd) or self.vertical_visibility is not None


def _vertical_visibility(part: Element | None) -> int | None:
    base = whole(part, FEET)
    return None if base is None else CloudLayer(amount=None, base=base, raw="").base


def _layer(group: Element) -> CloudLayer:
    inner = first_child(group)
    amount_code = code(child(inner, "amount"))
    kind = child(inner, "cloudType")
    type_code = code(kind)
    if amount_code and amount_code not in _AMOUNTS:
        raise PartRefused("value", f"a cloud amount is {amount_code[:SHOWN]!r}")
    if type_code and type_code not in _TYPES:
        raise PartRefused("value", f"a cloud type is {type_code[:SHOWN]!r}")
    amount = _AMOUNTS[amount_code] if amount_code else None
    base = whole(child(inner, "base"), FEET)
    unseen = _UNSEEN if type_code is None and (nil(kind) or NOTHING) not in _NO_TYPE else None
    return _cloud_layer(amount, base, _TYPES[type_code] if type_code else unseen)


@lru_cache(maxsize=1024)
def _cloud_layer(amount: CloudAmount | None, base: int | None, kind: str | None) -> CloudLayer:
    """Return a layer; a type of ``///`` could not be seen.

    Raises:
        ValidationError: it is impossible.
    """
    if amount in {"SKC", "CLR"} and base is None:
        return CloudLayer(amount=amount, base=None, raw=amount)
    hundreds = "///" if base is None else f"{round(base / 100):03d}"
    return CloudLayer.model_validate(
        {
            "amount": amount,
            "base": base,
            "type": None if kind == _UNSEEN else kind,
            "raw": f"{amount or '///'}{hundreds}{kind or ''}",
        }
    )


def read_group(body: Element, reader: ReportReader) -> dict[str, Any]:
    """Parse the fields that a change group mentions; the other fields are None."""
    missing: list[str] = []
    wind = child(body, "surfaceWind")
    weather = list(children(body, "weather", "forecastWeather"))
    cloud = child(body, "cloud")
    clouds = None if cloud is None else Clouds(cloud, reader, missing)
    cavok = true(body, "cloudAndVisibilityOK")
    visibility = read_visibility(body, reader, missing, cavok=cavok)
    if visibility is None and child(body, "prevailingVisibility") is not None:
        missing.append("visibility")
    fields = {
        "wind": None if wind is None else read_wind(wind, reader, missing),
        "visibility": visibility,
        "weather": read_weather("weather", weather, reader, missing) if weather else None,
        "nsw": True if any(nil(part) == NOTHING for part in weather) else None,
        "clouds": clouds.layers if clouds else None,
        "vertical_visibility": clouds.vertical_visibility if clouds else None,
        "nsc": True if clouds and clouds.nsc else None,
    }
    return {**fields, "missing": tuple(dict.fromkeys(missing)) or None}
