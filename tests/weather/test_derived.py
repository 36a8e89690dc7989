"""Timeline and wind on runways: readers see them, the state does not."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from fakes.worlds import WeatherWorld

from uring.weather.derived import is_shown, published, stored
from uring.weather.files import ProductFiles
from uring.weather.product import canonical_hash
from uring.weather.runways import Runway

RUNWAYS: Final = {"RKSI": [Runway("15L", 144)]}
WIND: Final = {
    "direction": 234,
    "speed": 20,
    "gust": 30,
    "variable": False,
    "raw": "23420G30KT",
}


def header(**more: Any) -> dict[str, Any]:
    return {"icao": "RKSI", "airport_name": None, "report_status": "NORMAL", **more}


def metar(**wind: Any) -> dict[str, Any]:
    times = {"observation_time": "2026-03-02T12:00:00Z", "report_type": "METAR"}
    return {
        "header": header(**times),
        "observation": {"wind": WIND | wind, "visibility": {"value": 9_000}},
        "raw": "METAR",
    }


def taf(**more: Any) -> dict[str, Any]:
    times = {"valid_start": "2026-03-02T12:00:00Z", "valid_end": "2026-03-03T18:00:00Z"}
    base = {"wind": None, "visibility": {"value": 500}, "weather": [], "clouds": []}
    return {
        "header": header(issued="2026-03-02T11:00:00Z", iwxxm_version=None, **times),
        "base": {**base, "flight_category": "LIFR"},
        "changes": [],
        "raw": "TAF",
        **more,
    }


WHOLE: Final = {
    "start": "2026-03-02T12:00:00Z",
    "end": "2026-03-03T18:00:00Z",
    "prevailing": {"flight_category": "LIFR", "groups": [0]},
    "worst": {"flight_category": "LIFR", "groups": [0]},
}


def world(**reports: dict[str, Any]) -> WeatherWorld:
    made = WeatherWorld(airports=tuple(reports))
    made.clock.now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    made.reports = dict(reports)
    return made


class TestTimeline:
    def test_latest_json_and_the_day_have_it_and_the_state_does_not(self) -> None:
        made = world(RKSI=taf())
        made.check("taf")
        assert made.document("data/taf/latest.json")["airports"]["RKSI"]["timeline"] == [WHOLE]
        [entry] = made.document("data/taf/RKSI/day.json")["reports"]
        assert entry["timeline"] == [WHOLE]
        state = made.state_of("taf")
        assert "timeline" not in state.airports["RKSI"]
        assert state.hash == canonical_hash({"RKSI": taf()})

    def test_a_forecast_that_is_over_has_none(self) -> None:
        """Its day keeps it: a graph draws what came over what was forecast."""
        made = world(RKSI=taf())
        made.check("taf")
        made.clock.advance(40 * 3_600)
        made.check("taf")
        shown = made.document("data/taf/latest.json")["airports"]["RKSI"]
        assert shown["_expired"]
        assert "timeline" not in shown
        assert made.document("data/taf/RKSI/day.json")["reports"][0]["timeline"] == [WHOLE]

    def test_one_that_is_cancelled_or_of_another_release_has_none(self) -> None:
        cancelled = taf(base=None)
        cancelled["header"]["cancelled"] = True
        for report in (cancelled, taf(dust=3), taf(base=7), {"header": {}, "raw": None}):
            assert published("taf", "RKSI", report, {}) == report


class TestRunways:
    def test_readers_see_the_wind_on_the_runways_of_the_settings(self) -> None:
        [told] = published("metar", "RKSI", metar(), RUNWAYS)["observation"]["wind"]["runways"]
        assert told == {"runway": "15L", "headwind": 0, "crosswind": 20, "gust_crosswind": 30}

    def test_other_airports_and_unknown_winds_have_none(self) -> None:
        for report in (metar(direction=None, variable=True), {"header": {}, "observation": None}):
            assert published("metar", "RKSI", report, RUNWAYS) == report
        assert published("metar", "RKPC", metar(), RUNWAYS) == metar()

    def test_neither_is_stored(self) -> None:
        for product, report in (("metar", metar()), ("taf", taf())):
            told = published("metar" if product == "metar" else "taf", "RKSI", report, RUNWAYS)
            assert told != report
            assert stored(told) == report


def test_a_state_that_was_put_back_takes_the_reports_without_what_is_derived() -> None:
    """Otherwise each report would look changed at the next run."""
    made = world(RKSI=taf())
    made.check("taf")
    early = made.bucket.body("state/weather/taf.json")
    made.clock.advance(1_800)
    later = taf()
    later["header"]["issued"] = "2026-03-02T11:30:00Z"
    made.reports["RKSI"] = later
    made.check("taf")
    stale = json.loads(early)
    files = ProductFiles("weather", made.bucket, backoff=made.backoff, runways=RUNWAYS)
    state = files.recovered(made.model.from_json(early, key="x", source="taf"))
    assert state is not None
    assert state.airports == made.state_of("taf").airports != stale["airports"]
    assert state.hash == made.state_of("taf").hash


def test_a_forecast_that_ended_is_still_the_one_that_is_shown() -> None:
    """Its day is not written again for the categories that it lost."""
    over = published("taf", "RKSI", taf(_expired=True), {})
    assert is_shown(taf(), over)
    assert is_shown(taf(_expired=True), published("taf", "RKSI", taf(), {}))
    assert not is_shown(taf(raw="TAF COR"), over)
