"""Headwind and crosswind by runway, against the decomposition by complex numbers."""

import cmath
from math import radians
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, BeforeValidator, ValidationError

from uring.weather.runways import Runway, Runways, read_runways, wind_on

EAST = [Runway("09", 90)]


class Model(BaseModel):
    runways: Annotated[Runways, BeforeValidator(read_runways)]


def wind(direction: int | None, speed: int | None, **more: Any) -> dict[str, Any]:
    return {"direction": direction, "speed": speed, "gust": None, "variable": False, **more}


@pytest.mark.parametrize(
    ("direction", "headwind", "crosswind"),
    [(90, 20, 0), (270, -20, 0), (180, 0, 20), (360, 0, -20), (0, 0, -20), (120, 17, 10)],
)
def test_a_wind_from_ahead_is_positive_and_from_the_right(
    direction: int, headwind: int, crosswind: int
) -> None:
    [told] = wind_on(wind(direction, 20, gust=30), EAST)
    assert (told["headwind"], told["crosswind"]) == (headwind, crosswind)
    assert told["gust_crosswind"] == round(1.5 * 20 * crosswind / 20) or direction == 120


@given(
    direction=st.integers(0, 360),
    heading=st.integers(0, 360),
    speed=st.integers(0, 200),
    gust=st.integers(0, 200),
)
def test_the_components_are_those_of_the_complex_plane(
    direction: int, heading: int, speed: int, gust: int
) -> None:
    turned = cmath.rect(1, radians(direction)) / cmath.rect(1, radians(heading))
    [told] = wind_on(wind(direction, speed, gust=gust), [Runway("x", heading)])
    assert abs(told["headwind"] - speed * turned.real) <= 0.5 + 1e-9
    assert abs(told["crosswind"] - speed * turned.imag) <= 0.5 + 1e-9
    assert abs(told["gust_crosswind"] - gust * turned.imag) <= 0.5 + 1e-9


@pytest.mark.parametrize(
    "unknown", [wind(None, 5), wind(90, None), wind(None, 3, variable=True), {}]
)
def test_an_unknown_direction_or_speed_has_no_components(unknown: dict[str, Any]) -> None:
    """Zero would be read as "no crosswind"."""
    assert wind_on(unknown, EAST) == []


def test_a_calm_has_none_and_a_missing_gust_is_null() -> None:
    assert wind_on(wind(0, 0), EAST) == [
        {"runway": "09", "headwind": 0, "crosswind": 0, "gust_crosswind": None}
    ]


def test_runways_are_read_in_the_order_of_the_settings() -> None:
    read = Model.model_validate({"runways": " RKSI:15L=144, 33R=324 ;RKSS:14R=135;"}).runways
    assert read == {"RKSI": (Runway("15L", 144), Runway("33R", 324)), "RKSS": (("14R", 135),)}
    assert Model.model_validate({"runways": ""}).runways == {}


@pytest.mark.parametrize(
    "bad",
    [
        "RKSI",
        "RKSI:",
        "rksi:15L=144",
        "RKSI:15L",
        "RKSI:15L=",
        "RKSI:37=10",
        "RKSI:00=360",
        "RKSI:15X=144",
        "RKSI:15L=144,15L=145",
        "RKSI:15L=144;RKSI:33R=324",
        "RKSI:15L=324",
        "RKSI:36=400",
        "RKSI:15L=-144",
        "RKSI:15L=١٤٤",
        "RKSI:15L=144 RKSS:14R=135",
    ],
)
def test_what_cannot_be_right_is_refused_and_the_parameter_named(bad: str) -> None:
    with pytest.raises(ValidationError, match="WeatherRunways: "):
        Model.model_validate({"runways": bad})


def test_a_heading_across_north_is_near_its_number() -> None:
    read = Model.model_validate({"runways": "RKSI:36=5,01=352,35=12"}).runways
    assert [runway.heading for runway in read["RKSI"]] == [5, 352, 12]
