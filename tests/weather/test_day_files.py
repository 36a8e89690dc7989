"""``day.json``: an airport's reports of the last day, and death at every step."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from fakes.worlds import WeatherWorld
from hypothesis import given
from hypothesis import strategies as st

from uring.clock import timestamp
from uring.weather.day import MOST_BYTES, revised
from uring.weather.gateway.collect import CollectedReports
from uring.weather.product import Product

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
AIRPORTS: Final = ("RKAA", "RKBB", "RKCC")


def clock(minutes: float) -> str:
    return timestamp(NOON + timedelta(minutes=minutes))


def metar(minutes: float, kind: str = "METAR", **more: Any) -> dict[str, Any]:
    """A report, observed so many minutes after noon."""
    header = {
        "report_type": kind,
        "report_status": more.pop("status", "NORMAL"),
        "observation_time": clock(minutes),
        "nil": more.pop("nil", False),
    }
    return {"header": header, "raw": f"{kind} {minutes}", **more}


def taf(hours: float, **more: Any) -> dict[str, Any]:
    issued = timestamp(NOON + timedelta(hours=hours))
    header = {"report_status": "NORMAL", "issued": issued, "valid_start": issued, **more}
    return {"header": header, "raw": f"TAF {hours}"}


def day(
    shown: bytes | None,
    *reports: Mapping[str, Any],
    at: float = 0,
    product: Product = "metar",
) -> Any:
    written = revised(product, "RKSI", shown, reports, clock(at))
    return written and json.loads(written)


def stored(*reports: Mapping[str, Any], product: Product = "metar") -> bytes:
    written = revised(product, "RKSI", None, reports, clock(-1))
    assert written is not None
    return written


def times(document: Mapping[str, Any]) -> list[str]:
    return [entry.get("time") or entry["issued"] for entry in document["reports"]]


class TestEntry:
    def test_an_observation_is_told_in_numbers(self) -> None:
        observation = {
            "wind": {"direction": 330, "speed": 12, "gust": 25, "variable": False, "raw": "x"},
            "visibility": {"value": 4_500, "cavok": False},
            "weather": [{"raw": "-RA"}, {"raw": "BR"}],
            "clouds": [
                {"amount": "FEW", "base": 300},
                {"amount": "BKN", "base": 1_800},
                {"amount": "OVC", "base": 1_200},
            ],
            "temperature": {"air": 6.0, "dewpoint": -1.0},
            "qnh": {"value": 1_013.0},
        }
        report = metar(0, observation=observation, flight_category="MVFR")
        assert day(None, report) == {
            "type": "METAR_DAY",
            "icao": "RKSI",
            "updated_at": clock(0),
            "reports": [
                {
                    "time": clock(0),
                    "report_type": "METAR",
                    "report_status": "NORMAL",
                    "wind": {"direction": 330, "speed": 12, "gust": 25, "variable": False},
                    "visibility": 4_500,
                    "ceiling": 1_200,
                    "weather": ["-RA", "BR"],
                    "temperature": 6.0,
                    "dewpoint": -1.0,
                    "qnh": 1_013.0,
                    "flight_category": "MVFR",
                    "raw": "METAR 0",
                }
            ],
        }

    @pytest.mark.parametrize("observation", [None, {}, {"wind": None, "clouds": None}, {"wind": 3}])
    def test_what_is_not_known_is_null(self, observation: Any) -> None:
        [entry] = day(None, metar(0, observation=observation))["reports"]
        assert entry["wind"] == {"direction": None, "speed": None, "gust": None, "variable": False}
        names = ("visibility", "ceiling", "temperature", "dewpoint", "qnh", "flight_category")
        assert [entry[name] for name in names] == [None] * len(names)
        assert entry["weather"] == []

    @pytest.mark.parametrize(
        ("sky", "ceiling"),
        [
            ({"clouds": [], "vertical_visibility": 200}, 200),
            ({"clouds": [{"amount": "BKN", "base": None}, {"amount": "OVC", "base": 900}]}, None),
            ({"clouds": [{"amount": "SCT", "base": 900}]}, None),
        ],
    )
    def test_a_ceiling_that_may_be_lower_is_not_known(
        self, sky: dict[str, Any], ceiling: int | None
    ) -> None:
        [entry] = day(None, metar(0, observation=sky))["reports"]
        assert entry["ceiling"] == ceiling

    def test_cavok_is_ten_kilometres(self) -> None:
        cavok = {"visibility": {"value": None, "cavok": True}}
        [entry] = day(None, metar(0, observation=cavok))["reports"]
        assert entry["visibility"] == 10_000

    def test_a_cancelled_taf_has_no_timeline(self) -> None:
        document = day(None, taf(-1, cancelled=True), product="taf")
        [entry] = document["reports"]
        assert document["type"] == "TAF_DAY"
        assert (entry["cancelled"], entry["timeline"]) == (True, [])


class TestWindow:
    def test_the_oldest_comes_first_and_what_is_older_than_a_day_leaves(self) -> None:
        shown = stored(metar(-1_439), metar(-10), metar(-700))
        assert times(json.loads(shown)) == [clock(-1_439), clock(-700), clock(-10)]
        assert times(day(shown, metar(30), at=30)) == [clock(-700), clock(-10), clock(30)]

    def test_tafs_stay_for_a_day_and_a_half(self) -> None:
        shown = stored(taf(-35.9), taf(-24), product="taf")
        assert len(times(day(shown, taf(0), at=30, product="taf"))) == 2

    @pytest.mark.parametrize("minutes", [-1_441, 31, 600])
    def test_a_report_of_the_future_or_before_the_window_stays_out(self, minutes: int) -> None:
        assert day(stored(metar(-5)), metar(minutes)) is None

    @pytest.mark.parametrize(
        "report", [metar(0, nil=True), {"header": {}, "raw": "x"}, {"raw": None, "header": None}]
    )
    def test_a_report_without_content_or_time_stays_out(self, report: Mapping[str, Any]) -> None:
        assert day(stored(metar(-5)), report) is None

    def test_two_hundred_at_most(self) -> None:
        every = [metar(-minute) for minute in range(300)]
        document = day(None, *every)
        assert times(document) == [clock(-minute) for minute in range(199, -1, -1)]

    def test_a_file_is_bounded_in_bytes(self) -> None:
        every = [{**metar(-minute), "raw": "뷁" * 9_000} for minute in range(100)]
        written = revised("metar", "RKSI", None, every, clock(0))
        assert written is not None
        assert MOST_BYTES - 10_000 < len(written) < MOST_BYTES + 200
        assert times(json.loads(written))[-1] == clock(0)


class TestMerge:
    def test_a_correction_replaces_the_report_of_its_time_and_type(self) -> None:
        shown = stored(metar(-10), metar(-10, "SPECI"))
        document = day(shown, {**metar(-10, status="CORRECTION"), "raw": "COR"})
        assert [entry["raw"] for entry in document["reports"]] == ["COR", "SPECI -10"]

    def test_the_same_report_again_is_not_written(self) -> None:
        assert day(stored(metar(-10)), metar(-10)) is None

    def test_a_later_commit_s_file_stays(self) -> None:
        """A worker that stalled for long must not put the original over its correction."""
        correction = {**metar(-10, status="CORRECTION"), "raw": "COR"}
        shown = revised("metar", "RKSI", None, [correction], clock(5))
        assert day(shown, metar(-10), at=0) is None

    @pytest.mark.parametrize(
        "odd",
        [
            b"",
            b'{"type": "METAR_DAY", "reports": [{"ti',
            b"[]",
            b"null",
            b"\xff\xfe",
            b'{"type": "METAR_WEEK", "updated_at": "2026-03-02T11:00:00Z", "reports": []}',
            b'{"type": "METAR_DAY", "updated_at": "2026-03-02T11:00:00Z", "reports": {}}',
            b'{"type": "METAR_DAY", "updated_at": 7, "reports": []}',
            b'{"type": "METAR_DAY", "updated_at": "soon", "reports": []}',
            b"[" * 100_000,
        ],
    )
    def test_a_file_that_is_cut_or_of_another_version_is_begun_again(self, odd: bytes) -> None:
        assert times(day(odd, metar(-10))) == [clock(-10)]

    def test_entries_of_another_release_stay_with_their_keys_and_odd_ones_go(self) -> None:
        document = json.loads(stored(metar(-10)))
        document["reports"][0]["dust"] = 3
        document["reports"] += [7, {"time": 7}, {"time": "x"}, {}, {"time": clock(9_999)}]
        after = day(json.dumps(document).encode(), metar(0))
        assert times(after) == [clock(-10), clock(0)]
        assert after["reports"][0]["dust"] == 3

    @given(st.lists(st.integers(-2_000, 60), max_size=30), st.randoms(use_true_random=False))
    def test_the_order_of_arrival_does_not_count(self, minutes: Sequence[int], random: Any) -> None:
        shuffled = random.sample(minutes, len(minutes))
        one, other = (
            revised("metar", "RKSI", None, [metar(it) for it in order], clock(0))
            for order in (minutes, shuffled)
        )
        assert one == other


class TestRuns:
    def document(self, world: WeatherWorld, icao: str, product: str = "metar") -> Any:
        return world.document(f"data/{product}/{icao}/day.json")

    def writes(self, world: WeatherWorld) -> dict[str, int]:
        """Count the versions of each day."""
        versions = world.bucket.versions.items()
        return {key.split("/")[2]: len(each) for key, each in versions if key.endswith("day.json")}

    def world(self) -> WeatherWorld:
        world = WeatherWorld(airports=AIRPORTS)
        world.clock.now = NOON
        world.reports = {icao: metar(-10) for icao in AIRPORTS}
        world.check()
        return world

    def test_only_the_day_of_an_airport_with_another_report_is_written(self) -> None:
        world = self.world()
        assert self.writes(world) == dict.fromkeys(AIRPORTS, 1)
        world.clock.advance(600)
        world.check()
        world.reports["RKBB"] = metar(5)
        world.check()
        assert self.writes(world) == {"RKAA": 1, "RKBB": 2, "RKCC": 1}
        assert times(self.document(world, "RKBB")) == [clock(-10), clock(5)]

    def test_a_failed_airport_s_mark_writes_no_day(self) -> None:
        world = self.world()
        del world.reports["RKAA"]
        world.clock.advance(600)
        world.check()
        assert world.document("data/metar/latest.json")["airports"]["RKAA"]["_stale"]
        assert self.writes(world) == dict.fromkeys(AIRPORTS, 1)

    def test_a_speci_beside_a_newer_metar_is_in_the_day(self) -> None:
        world = self.world()
        world.clock.advance(1_200)
        beside = {"RKAA": [metar(8, "SPECI"), metar(-30, "SPECI")]}
        world.collected = CollectedReports(
            {**world.reports, "RKAA": metar(15)}, {}, specials=beside
        )
        world.check()
        assert times(self.document(world, "RKAA")) == [clock(-10), clock(8), clock(15)]

    def test_an_airport_that_left_the_settings_keeps_its_day(self) -> None:
        world = self.world()
        world.airports = ("RKAA",)
        world.clock.advance(600)
        world.reports["RKAA"] = metar(5)
        world.check()
        assert self.writes(world) == {"RKAA": 2, "RKBB": 1, "RKCC": 1}

    def test_a_deleted_or_damaged_day_begins_again_with_the_next_report(self) -> None:
        world = self.world()
        world.bucket.remove("data/metar/RKAA/day.json")
        world.clock.advance(600)
        world.reports["RKAA"] = metar(5)
        world.check()
        assert times(self.document(world, "RKAA")) == [clock(5)]

    def test_warnings_have_no_days(self) -> None:
        world = self.world()
        world.reports = {icao: {"airport_name": None, "warnings": []} for icao in AIRPORTS}
        world.check("warning")
        assert not [key for key in world.bucket.bodies() if key.startswith("data/warning/R")]
