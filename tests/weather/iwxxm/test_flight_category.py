"""The flight category at each limit that the Aeronautical Information Manual names."""

import pytest

from uring.weather.iwxxm.category import flight_category
from uring.weather.iwxxm.reports import CloudLayer, Observation, Visibility


def observed(
    metres: int | None = 10_000,
    layers: tuple[tuple[str | None, int | None], ...] | None = (),
    *,
    vertical: int | None = None,
    cavok: bool = False,
    missing: tuple[str, ...] = (),
) -> Observation:
    return Observation(
        wind=None,
        visibility=Visibility(value=metres, cavok=cavok) if metres or cavok else None,
        weather=(),
        clouds=None
        if layers is None
        else tuple(
            CloudLayer.model_validate({"amount": amount, "base": base, "raw": ""})
            for amount, base in layers
        ),
        vertical_visibility=vertical,
        temperature=None,
        qnh=None,
        missing=missing,
    )


@pytest.mark.parametrize(
    ("metres", "category"),
    [
        (1_609, "LIFR"),
        (1_610, "IFR"),
        (4_828, "IFR"),
        (4_829, "MVFR"),
        (8_046, "MVFR"),
        (8_047, "VFR"),
    ],
)
def test_visibility_alone(metres: int, category: str) -> None:
    assert flight_category(observed(metres)) == category


@pytest.mark.parametrize(
    ("feet", "category"),
    [
        (499, "LIFR"),
        (500, "IFR"),
        (999, "IFR"),
        (1_000, "MVFR"),
        (3_000, "MVFR"),
        (3_001, "VFR"),
    ],
)
def test_a_ceiling_alone(feet: int, category: str) -> None:
    for amount in ("BKN", "OVC"):
        assert flight_category(observed(layers=((amount, feet),))) == category
        assert flight_category(observed(layers=(("OVC", 9_000), (amount, feet)))) == category
    assert flight_category(observed(vertical=feet)) == category


def test_few_and_scattered_are_no_ceiling() -> None:
    assert flight_category(observed(layers=(("FEW", 100), ("SCT", 200), ("SKC", None)))) == "VFR"


def test_the_worse_of_both_counts() -> None:
    assert flight_category(observed(2_000, (("OVC", 5_000),))) == "IFR"
    assert flight_category(observed(9_999, (("OVC", 400),))) == "LIFR"


def test_cavok_is_vfr() -> None:
    assert flight_category(observed(None, (), cavok=True)) == "VFR"


@pytest.mark.parametrize(
    "observation",
    [
        None,
        observed(None),
        observed(layers=None, missing=("clouds",)),
        observed(layers=((None, 300),), missing=("clouds",)),
        observed(layers=(("OVC", None),), missing=("cloud_base",)),
        observed(missing=("vertical_visibility",)),
    ],
    ids=["NIL", "visibility", "clouds", "amount", "base", "VV///"],
)
def test_it_is_not_told_without_what_it_follows_from(observation: Observation | None) -> None:
    assert flight_category(observation) is None


def test_cavok_that_its_own_values_contradict_is_not_believed() -> None:
    assert flight_category(observed(800, (("OVC", 300),), cavok=True)) == "LIFR"
    assert flight_category(observed(None, (("OVC", 300),), cavok=True)) is None
