"""The flight category at each limit that the Aeronautical Information Manual names."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from uring.weather.iwxxm.category import flight_category, forecast_categories
from uring.weather.iwxxm.fields import CloudLayer, Visibility
from uring.weather.iwxxm.reports import Base, ChangeGroup, MetarObservation


def observed(
    metres: int | None = 10_000,
    layers: tuple[tuple[str | None, int | None], ...] | None = (),
    *,
    vertical: int | None = None,
    cavok: bool = False,
    missing: tuple[str, ...] = (),
) -> MetarObservation:
    return MetarObservation(
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
        observed(None, (("OVC", 4_000),)),
        observed(layers=(("OVC", None),), missing=("cloud_base",)),
        observed(missing=("vertical_visibility",)),
    ],
    ids=["NIL", "visibility", "clouds", "amount", "high", "base", "VV///"],
)
def test_it_is_not_told_without_what_it_follows_from(observation: MetarObservation | None) -> None:
    assert flight_category(observation) is None


def test_cavok_that_its_own_values_contradict_is_not_believed() -> None:
    assert flight_category(observed(800, (("OVC", 300),), cavok=True)) == "LIFR"
    assert flight_category(observed(None, (("OVC", 300),), cavok=True)) == "LIFR"


@pytest.mark.parametrize(
    ("observation", "category"),
    [
        (observed(100, missing=("vertical_visibility",)), "LIFR"),
        (observed(1_400, layers=None, missing=("clouds",)), "LIFR"),
        (observed(4_000, layers=None, missing=("clouds",)), "IFR"),
        (observed(8_000, (("OVC", None),), missing=("cloud_base",)), "MVFR"),
        (observed(None, (("BKN", 300),)), "LIFR"),
        (observed(None, (("BKN", None), ("OVC", 900)), missing=("cloud_base",)), "IFR"),
        (observed(None, vertical=100), "LIFR"),
    ],
)
def test_the_worst_of_what_is_known_counts(observation: MetarObservation, category: str) -> None:
    """Fog is LIFR whatever is above it; what is unknown can make it worse, never better."""
    assert flight_category(observation) == category


def test_a_change_group_counts_over_what_prevails_then() -> None:
    def group(kind: str, **told: Any) -> ChangeGroup:
        return ChangeGroup(type=kind, **told)

    low = (CloudLayer(amount="OVC", base=400, raw="OVC004"),)
    base = Base(
        wind=None,
        visibility=Visibility(value=10_000),
        weather=(),
        clouds=(CloudLayer(amount="BKN", base=2_000, raw="BKN020"),),
    )
    changes = [
        group("TEMPO", visibility=Visibility(value=2_000)),
        group("BECMG", nsc=True, clouds=()),
        group("PROB30", weather=()),
        group("TEMPO", clouds=low),
        group("FM", visibility=Visibility(value=None, cavok=True)),
        group("TEMPO", clouds=(CloudLayer(amount="SCT", base=4_000, raw="SCT040"),)),
        group("BECMG", missing=("clouds",), clouds=None),
        group("FM", visibility=Visibility(value=10_000)),
    ]
    assert flight_category(base) == "MVFR"
    assert [*forecast_categories(base, changes)] == [
        "IFR",
        "VFR",
        "VFR",
        "LIFR",
        "VFR",
        "VFR",
        None,
        None,
    ]
    assert [*forecast_categories(None, changes[:2])] == [None, None]


CLEAR = Base(wind=None, visibility=Visibility(value=10_000), weather=(), clouds=())
FOG: dict[str, Any] = {"visibility": Visibility(value=100)}
FAIR: dict[str, Any] = {"visibility": Visibility(value=10_000)}
HAZE: dict[str, Any] = {"visibility": Visibility(value=6_000)}


def timed(kind: str, begin: int, until: int, **told: Any) -> ChangeGroup:
    day = datetime(2026, 5, 4, tzinfo=UTC)
    start, end = (day + timedelta(hours=hour) for hour in (begin, until))
    return ChangeGroup(type=kind, start=start, end=end, **told)


@pytest.mark.parametrize(
    ("changes", "categories"),
    [
        # A group listed behind a later change, and the unsafe side of it.
        ([timed("BECMG", 20, 22, **FOG), timed("TEMPO", 8, 10)], ["LIFR", "VFR"]),
        ([timed("TEMPO", 23, 24), timed("BECMG", 20, 22, **FOG)], ["LIFR", "LIFR"]),
        ([timed("PROB30", 12, 14), timed("FM", 9, 30, **FOG, clouds=())], ["LIFR", "LIFR"]),
        ([timed("PROB40_TEMPO", 9, 14), timed("FM", 9, 30, **FOG, clouds=())], ["LIFR", "LIFR"]),
        (
            [timed("BECMG", 14, 15, **FAIR), timed("BECMG", 8, 9, **FOG), timed("TEMPO", 10, 12)],
            ["VFR", "LIFR", "LIFR"],
        ),
        # Within a transition the worse of both, in either direction; after it the new conditions.
        ([timed("BECMG", 8, 10, **FOG), timed("TEMPO", 8, 12)], ["LIFR", "LIFR"]),
        (
            [
                timed("BECMG", 6, 8, **FOG),
                timed("BECMG", 12, 14, **FAIR),
                timed("TEMPO", 12, 16),
                timed("TEMPO", 13, 16, **HAZE),
                timed("TEMPO", 14, 16),
            ],
            ["LIFR", "VFR", "LIFR", "MVFR", "VFR"],
        ),
        # Transitions that overlap: the first has ended, the second has not.
        (
            [
                timed("BECMG", 6, 8, **FOG),
                timed("BECMG", 9, 11, **FAIR),
                timed("BECMG", 10, 20, **HAZE),
                timed("PROB30", 12, 14),
            ],
            ["LIFR", "VFR", "MVFR", "MVFR"],
        ),
        # FM ends what was becoming.
        (
            [
                timed("BECMG", 6, 12, **FOG),
                timed("FM", 8, 30, **FAIR, clouds=()),
                timed("TEMPO", 9, 10),
                timed("TEMPO", 13, 14),
            ],
            ["LIFR", "VFR", "VFR", "VFR"],
        ),
    ],
)
def test_groups_prevail_by_their_times_wherever_they_are_listed(
    changes: list[ChangeGroup], categories: list[str]
) -> None:
    assert [*forecast_categories(CLEAR, changes)] == categories
    backwards = [*forecast_categories(CLEAR, changes[::-1])]
    assert backwards[::-1] == categories


def test_many_transitions_at_once_take_no_time() -> None:
    changes = [timed("BECMG", 1 + at % 7, 30, **FOG) for at in range(3_000)]
    changes += [timed("TEMPO", 9, 12) for _ in range(3_000)]
    before = time.process_time()
    assert {*forecast_categories(CLEAR, changes)} == {"LIFR"}
    assert time.process_time() - before < 4
