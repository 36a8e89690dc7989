"""IWXXM's groups that METAR, trend and TAF share: wind, visibility, weather, cloud."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, Final, TypeVar, get_args

from uring.fetch.xml import Element
from uring.weather.iwxxm.errors import PartRefused
from uring.weather.iwxxm.fields import CloudAmount, CloudLayer, Operator, Visibility, Weather, Wind
from uring.weather.iwxxm.values import (
    DEGREES,
    FEET,
    KNOTS,
    METRES,
    SHOWN,
    Reader,
    child,
    children,
    code,
    nil,
    number,
    true,
    whole,
)

NOTHING: Final = "nothingOfOperationalSignificance"
NOT_DETECTED: Final = "notDetectedByAutoSystem"

# 2.0 and 2.1 number them as BUFR does: tables 0 20 008 and 0 20 012.
_AMOUNTS: Final[dict[str, CloudAmount]] = {
    "0": "SKC",
    "1": "FEW",
    "2": "SCT",
    "3": "BKN",
    "4": "OVC",
    **{amount: amount for amount in get_args(CloudAmount)},
}
_WITH_BASE: Final = frozenset({"FEW", "SCT", "BKN", "OVC"})
_TYPES: Final = {"9": "CB", "32": "TCU", "CB": "CB", "TCU": "TCU"}
_GROUP: Final = re.compile(
    r"(?P<intensity>[+-]|VC)?(?:RE)?(?P<descriptor>MI|BC|PR|DR|BL|SH|TS|FZ)?"
    r"(?P<phenomena>(?:DZ|RA|SN|SG|PL|GR|GS|UP|IC|BR|FG|FU|VA|DU|SA|HZ|PO|SQ|FC|SS|DS){0,3})"
)
T = TypeVar("T")


def choice(part: Element | None, allowed: dict[str, T]) -> T | None:
    """Return what a part's text stands for; None without one.

    Raises:
        PartRefused: it stands for nothing here.
    """
    text = "" if part is None or nil(part) else part.text.strip()
    if part is None or not text:
        return None
    if text not in allowed:
        raise PartRefused(
            "value", f"{part.name} is {text[:SHOWN]!r}, not one of {', '.join(allowed)}"
        )
    return allowed[text]


_OPERATORS: Final[dict[str, Operator]] = {"ABOVE": "ABOVE", "BELOW": "BELOW"}


def operator(part: Element | None) -> Operator | None:
    """Read ABOVE or BELOW."""
    return choice(part, _OPERATORS)


def read_wind(group: Element | None, reader: Reader, missing: list[str]) -> Wind | None:
    """Read a ``surfaceWind``; None where nothing of it is told. Adds to ``missing`` what is not."""
    inner = group.first_child if group else None
    wind = reader.believed("wind", lambda: _wind(inner), missing) if inner else None
    if wind is None:
        missing.append("wind")
        return None
    if wind.direction is None and not wind.variable:
        missing.append("wind_direction")
    if wind.speed is None:
        missing.append("wind_speed")
    return wind


def _wind(inner: Element) -> Wind | None:
    direction = whole(child(inner, "meanWindDirection"), DEGREES)
    # Writers set it with a mean direction too, of a wind that varies by 60 degrees or more.
    variable = direction is None and true(inner, "variableWindDirection")
    wind = Wind(
        direction=direction,
        speed=whole(child(inner, "meanWindSpeed"), KNOTS),
        gust=whole(child(inner, "windGustSpeed"), KNOTS),
        variable=variable,
        variable_from=whole(child(inner, "extremeCounterClockwiseWindDirection"), DEGREES),
        variable_to=whole(child(inner, "extremeClockwiseWindDirection"), DEGREES),
        speed_operator=operator(child(inner, "meanWindSpeedOperator")),
        raw=_wind_group(inner, variable=variable),
    )
    told = variable or not (wind.direction is None and wind.speed is None)
    return wind if told else None


def _wind_group(inner: Element, *, variable: bool) -> str:
    direction = number(child(inner, "meanWindDirection"), DEGREES)
    speed = child(inner, "meanWindSpeed")
    metric = speed is not None and speed.attributes.get("uom") == "m/s"
    text = "VRB" if direction is None and variable else _padded(direction, 3)
    for prefix, name in (("", "meanWindSpeed"), ("G", "windGustSpeed")):
        part = child(inner, name)
        if part is None and prefix:
            continue
        sign = {"ABOVE": "P", "BELOW": "M", None: ""}[operator(child(inner, f"{name}Operator"))]
        value = number(part, KNOTS)
        if value is not None and metric:
            value /= KNOTS["m/s"]
        text += f"{prefix}{sign}{_padded(value, 2)}"
    text += "MPS" if metric else "KT"
    extremes = [
        number(child(inner, f"extreme{side}WindDirection"), DEGREES)
        for side in ("CounterClockwise", "Clockwise")
    ]
    if None not in extremes:
        text += f" {_padded(extremes[0], 3)}V{_padded(extremes[1], 3)}"
    return text


def _padded(value: float | None, width: int) -> str:
    return "/" * width if value is None else f"{round(value):0{width}d}"


def read_visibility(
    group: Element | None, reader: Reader, missing: list[str], *, cavok: bool
) -> Visibility | None:
    """Read an element with ``prevailingVisibility``: METAR's wrapper, or the forecast itself."""
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
    name: str, groups: Iterable[Element], reader: Reader, missing: list[str]
) -> tuple[Weather, ...] | None:
    """Read weather; empty when none, or none significant, None when it could not be observed."""
    weather = reader.believed(name, lambda: _weather_groups(groups), missing)
    if weather is None:
        missing.append(name)
    return weather


def _weather_groups(groups: Iterable[Element]) -> tuple[Weather, ...] | None:
    weather = []
    for group in groups:
        why = nil(group)
        if why == NOTHING:
            continue
        raw = code(group)
        if raw is None:
            return None
        weather.append(_weather(raw))
    return tuple(weather)


def _weather(raw: str) -> Weather:
    if len(raw) > SHOWN or not raw.isprintable():
        raise PartRefused("value", f"a weather code is {raw[:SHOWN]!r}")
    parts = _GROUP.fullmatch(raw)
    if not parts:
        return Weather(raw=raw)
    phenomena = parts["phenomena"]
    return Weather.model_validate(
        {
            "raw": raw,
            "intensity": parts["intensity"],
            "descriptor": parts["descriptor"],
            "phenomena": tuple(phenomena[i : i + 2] for i in range(0, len(phenomena), 2)),
        }
    )


class Clouds:
    """A ``cloud`` property.

    Attributes:
        layers: empty when there is none to tell of, None when it is not told.
        vertical_visibility: ft.
        nsc: none of significance.
        ncd: none detected by an automatic station.
    """

    def __init__(self, group: Element | None, reader: Reader, missing: list[str]) -> None:
        why = nil(group)
        inner = group.first_child if group else None
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
        if not self.layers and self.vertical_visibility is None:
            missing.append("vertical_visibility")

    @property
    def is_told(self) -> bool:
        """True when anything of the sky is told."""
        return bool(self.layers or self.nsc or self.ncd) or self.vertical_visibility is not None


def read_clouds(group: Element | None, reader: Reader, missing: list[str]) -> Clouds:
    """Read a ``cloud`` property; a layer that cannot be so is left out, and ``clouds`` missing."""
    return Clouds(group, reader, missing)


def _vertical_visibility(part: Element | None) -> int | None:
    return CloudLayer(amount=None, base=whole(part, FEET), raw="").base


def _layer(group: Element) -> CloudLayer:
    inner = group.first_child
    amount_code = code(child(inner, "amount"))
    type_code = code(child(inner, "cloudType"))
    if amount_code and amount_code not in _AMOUNTS:
        raise PartRefused("value", f"a cloud amount is {amount_code[:SHOWN]!r}")
    if type_code and type_code not in _TYPES:
        raise PartRefused("value", f"a cloud type is {type_code[:SHOWN]!r}")
    amount = _AMOUNTS[amount_code] if amount_code else None
    base = whole(child(inner, "base"), FEET)
    kind = _TYPES[type_code] if type_code else None
    if amount in {"SKC", "CLR"} and base is None:
        return CloudLayer(amount=amount, base=None, raw=amount)
    hundreds = "///" if base is None else f"{round(base / 100):03d}"
    return CloudLayer.model_validate(
        {
            "amount": amount,
            "base": base,
            "type": kind,
            "raw": f"{amount or '///'}{hundreds}{kind or ''}",
        }
    )


def read_group(body: Element, reader: Reader) -> dict[str, Any]:
    """Read the fields that a change group mentions; those it does not are None."""
    missing: list[str] = []
    wind = child(body, "surfaceWind")
    weather = list(children(body, "weather", "forecastWeather"))
    cloud = child(body, "cloud")
    clouds = read_clouds(cloud, reader, missing) if cloud else None
    cavok = true(body, "cloudAndVisibilityOK")
    visibility = read_visibility(body, reader, missing, cavok=cavok)
    if visibility is None and child(body, "prevailingVisibility"):
        missing.append("visibility")
    fields = {
        "wind": read_wind(wind, reader, missing) if wind else None,
        "visibility": visibility,
        "weather": read_weather("weather", weather, reader, missing) if weather else None,
        "nsw": True if any(nil(part) == NOTHING for part in weather) else None,
        "clouds": clouds.layers if clouds else None,
        "vertical_visibility": clouds.vertical_visibility if clouds else None,
        "nsc": True if clouds and clouds.nsc else None,
    }
    return {**fields, "missing": tuple(dict.fromkeys(missing)) or None}
