"""The judge of a weather run finds what is wrong, and nothing where all is well."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from uring_local.fcm.journal import Delivery
from uring_local.sites.airfield import Bulletin, Call, Report
from uring_local.sites.airfield.judge import Push, WeatherJudge, push_of
from uring_local.sites.airfield.model import AIRPORTS, in_force
from uring_local.sites.airfield.scripts.standstills import served_at
from uring_local.sites.airfield.scripts.warnings import lists, warnings
from uring_local.sites.stage.verdict import judge_pushes

NOW = datetime(2026, 3, 2, 1, 1, tzinfo=UTC)
KINDS = frozenset(
    {"speci", "taf_amended", "taf_cancelled", "warning_raised", "warning_changed", "warning_lifted"}
)
SHEAR = Bulletin(
    "RKSI",
    "00",
    NOW - timedelta(minutes=20),
    NOW - timedelta(minutes=10),
    NOW + timedelta(hours=4),
    "RKSI WS WRNG",
)


def metar(hour: int, kind: Any = "METAR", **more: Any) -> Report:
    time = NOW.replace(hour=hour, minute=0)
    return Report(
        icao="RKSI",
        kind=kind,
        status="NORMAL",
        time=time,
        issued=time,
        iwxxm_version="2023-1",
        wind_direction=240,
        wind_speed=8,
        visibility=10_000,
        weather=(),
        clouds=(),
        air=5,
        dewpoint=1,
        qnh=1016,
        **more,
    )


def shown(report: Report, **marks: Any) -> dict[str, Any]:
    """As the product has it."""
    wind = {"direction": report.wind_direction, "speed": report.wind_speed, "gust": None}
    return {
        "header": {
            "report_type": report.kind,
            "report_status": report.status,
            "observation_time": f"{report.time:%Y-%m-%dT%H:%M:%SZ}",
            "nil": False,
            "automated": False,
        },
        "observation": {
            "wind": wind | {"variable": False},
            "visibility": {"value": report.visibility, "cavok": False},
            "rvr": [],
            "weather": [],
            "clouds": [],
            "vertical_visibility": None,
            "temperature": {"air": 5.0, "dewpoint": 1.0},
            "qnh": {"value": 1016.0},
        },
        **marks,
    }


def rows(*bulletins: Bulletin, **marks: Any) -> dict[str, Any]:
    return {
        "airport_name": None,
        "warnings": [
            {
                "wrng_type": each.type,
                "issued": f"{each.issued:%Y-%m-%dT%H:%M:%SZ}",
                "valid_start": f"{each.start:%Y-%m-%dT%H:%M:%SZ}",
                "valid_end": f"{each.end:%Y-%m-%dT%H:%M:%SZ}",
                "raw_message": each.text,
            }
            for each in bulletins
        ],
        **marks,
    }


class Watched:
    """A judge that looks at one airport, run after run, ten minutes apart."""

    def __init__(self) -> None:
        self.judge = WeatherJudge(["RKSI"], KINDS)
        self.now = NOW

    def look(
        self, call: Call, report: dict[str, Any] | None, files: list[str], *, at: str | None = None
    ) -> list[str]:
        """What is wrong after this run."""
        stamp = at or f"{self.now:%Y-%m-%dT%H:%M:%SZ}"
        latest = None if report is None else {"fetched_at": stamp, "airports": {"RKSI": report}}
        # As JSON has it.
        document = json.loads(json.dumps(latest))
        self.judge.look(call.product, self.now, [call], document, files)
        self.now += timedelta(minutes=10)
        return self.judge.wrong


def served(report: Report) -> Call:
    return Call("metar", "RKSI", None, report)


FAILED = Call("metar", "RKSI", "html", None)


def test_a_good_run_is_good() -> None:
    watched = Watched()
    first, second = metar(0), metar(1, "SPECI")
    assert watched.look(served(first), shown(first), ["a"]) == []
    since = f"{watched.now:%Y-%m-%dT%H:%M:%SZ}"
    for _ in range(2):
        stale = shown(first, _stale=True, _stale_since=since)
        assert watched.look(FAILED, stale, ["a"]) == []
    assert watched.look(served(second), shown(second), ["a", "b"]) == []
    assert watched.judge.expected == Counter({("RKSI", "speci", "2026-03-02T01:00:00Z", ""): 1})
    assert (watched.judge.stale, watched.judge.changes["metar"]) == (2, 2)


WRONG: dict[str, tuple[Callable[[Watched], list[str]], str]] = {
    "another value": (
        lambda w: w.look(served(metar(0)), shown(replace(metar(0), wind_speed=9)), ["a"]),
        "observation.wind.speed is 9, not 8",
    ),
    "an older report": (
        lambda w: w.look(served(metar(1)), shown(metar(0)), ["a"]),
        "observation_time is",
    ),
    "nothing published": (lambda w: w.look(served(metar(0)), None, ["a"]), "is missing"),
    "no file": (lambda w: w.look(served(metar(0)), shown(metar(0)), []), "0 files written"),
    "a file too many": (
        lambda w: w.look(served(metar(0)), shown(metar(0)), ["a", "b"]),
        "2 files written, 1 changes",
    ),
    "stale without a failure": (
        lambda w: w.look(served(metar(0)), shown(metar(0), _stale=True), ["a"]),
        "_stale is",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(name: str) -> None:
    run, what = WRONG[name]
    found = run(Watched())
    assert any(what in line for line in found), found


def test_a_document_before_any_report_is_wrong() -> None:
    judge = WeatherJudge(["RKSI"], KINDS)
    judge.look("metar", NOW, [FAILED], {"airports": {}}, [])
    assert judge.wrong == ["02 01:01 metar: latest.json exists, but no report was served"]


def test_a_file_of_an_unchanged_run_is_wrong() -> None:
    watched = Watched()
    watched.look(served(metar(0)), shown(metar(0)), ["a"])
    assert watched.look(served(metar(0)), shown(metar(0)), ["a", "b"])


def test_more_than_ten_files_are_wrong() -> None:
    watched = Watched()
    for hour in range(11):
        files = [f"f{each:02}" for each in range(hour + 1)]
        found = watched.look(served(metar(hour)), shown(metar(hour)), files)
    assert found == ["metar: 11 files are kept of 11"]


def test_a_flap_to_an_older_report_changes_nothing() -> None:
    watched = Watched()
    watched.look(served(metar(1)), shown(metar(1)), ["a"])
    assert watched.look(Call("metar", "RKSI", "older", metar(0)), shown(metar(1)), ["a"]) == []
    assert watched.judge.stale == 0


class TestWarnings:
    @staticmethod
    def listed(*bulletins: Bulletin) -> Call:
        return Call("warning", None, None, {"RKSI": bulletins})

    def test_a_lifted_warning_that_is_still_shown_is_found(self) -> None:
        watched = Watched()
        watched.look(self.listed(SHEAR), rows(SHEAR), ["a"])
        assert watched.look(self.listed(), rows(SHEAR), ["a"]) == []
        found = watched.look(self.listed(), rows(SHEAR), ["a", "b"])
        assert any("warnings is" in line for line in found)

    def test_one_that_goes_with_the_first_empty_answer_is_found(self) -> None:
        watched = Watched()
        watched.look(self.listed(SHEAR), rows(SHEAR), ["a"])
        found = watched.look(self.listed(), rows(), ["a", "b"])
        assert any("warnings is" in line for line in found)

    def test_what_is_cancelled_and_extended_is_no_news_but_once(self) -> None:
        watched = Watched()
        over = replace(SHEAR, text="CNL", cancels=SHEAR)
        longer = replace(
            SHEAR, start=SHEAR.end, end=SHEAR.end + timedelta(hours=1), text="EXT", extends=SHEAR
        )
        lists = ((), (SHEAR,), (SHEAR, longer), (longer,), (over,))
        for number, bulletins in enumerate(lists):
            warned = in_force(bulletins)
            files = [f"f{each}" for each in range(number + 1)]
            watched.look(self.listed(*warned), rows(*warned), files)
        start, later = (f"{each:%Y-%m-%dT%H:%M:%SZ}" for each in (SHEAR.start, SHEAR.end))
        assert watched.judge.expected == Counter(
            {
                ("RKSI", "warning_raised", start, SHEAR.text): 1,
                ("RKSI", "warning_changed", later, "EXT"): 1,
            }
        )

    def test_a_stale_warning_ends_at_its_end(self) -> None:
        watched = Watched()
        short = replace(SHEAR, end=NOW + timedelta(minutes=5))
        watched.look(self.listed(short), rows(short), ["a"])
        failed = Call("warning", None, "html", None)
        found = watched.look(failed, rows(short, _stale=True), ["a", "b"])
        assert any("a warning that ended" in line for line in found)

    def test_what_subscribers_should_hear_of(self) -> None:
        watched = Watched()
        other = replace(SHEAR, text="RKSI WS WRNG CLIMB-OUT")
        moved = replace(SHEAR, text="RKSI WS WRNG AGAIN")
        for number, bulletins in enumerate(((), (SHEAR,), (SHEAR, other), (moved, other))):
            files = [f"f{each}" for each in range(number + 1)]
            watched.look(self.listed(*bulletins), rows(*bulletins), files)
        watched.look(self.listed(), rows(moved, other), files)
        watched.look(self.listed(), rows(), [*files, "f4"])
        start = f"{SHEAR.start:%Y-%m-%dT%H:%M:%SZ}"
        assert watched.judge.wrong == []
        assert watched.judge.expected == Counter(
            {
                ("RKSI", "warning_raised", start, SHEAR.text): 1,
                ("RKSI", "warning_raised", start, other.text): 1,
                ("RKSI", "warning_changed", start, moved.text): 1,
                ("RKSI", "warning_lifted", start, moved.text): 1,
                ("RKSI", "warning_lifted", start, other.text): 1,
            }
        )

    def test_a_missing_and_a_surplus_push_are_found(self) -> None:
        watched = Watched()
        watched.look(self.listed(), rows(), ["a"])
        watched.look(self.listed(SHEAR), rows(SHEAR), ["a", "b"])
        start = f"{SHEAR.start:%Y-%m-%dT%H:%M:%SZ}"
        right = {"kind": "warning_raised", "time": start, "raw": SHEAR.text}
        expected = [*watched.judge.expected.elements()]
        assert judged(expected, Delivery("e1", "RKSI", right, NOW, 1, "ok")) == ([], [], {})
        twice = [Delivery("e1", "RKSI", right, NOW, 1, said) for said in ("drop", "ok")]
        assert judged(expected, *twice) == ([], [], {"answer_lost": 1})
        push = Push("RKSI", "warning_raised", start, "RKSI WS WRNG")
        others = [Delivery(event, "RKSI", right, NOW, 1, "ok") for event in ("e1", "e2")]
        assert judged(expected, *others) == ([], [f"pushed without reason: {push}"], {})
        assert judged(expected) == ([f"never pushed: {push}"], [], {})


def judged(expected: list[Push], *deliveries: Delivery) -> tuple[list[str], list[str], Any]:
    verdict = judge_pushes(expected, deliveries, push_of)
    return verdict.lost, verdict.wrong, verdict.repeated


class TestDueTimes:
    """The METAR of 00:00 UTC, read from 01:01 on: it was due at 01:30."""

    @staticmethod
    def looked(**marks: Any) -> list[str]:
        watched = Watched()
        for _ in range(4):
            is_late = watched.now >= NOW + timedelta(minutes=29)
            watched.look(served(metar(0)), shown(metar(0), **(marks if is_late else {})), ["a"])
        return watched.judge.wrong

    def test_a_mark_of_the_right_time_is_right(self) -> None:
        assert self.looked(_overdue=True, _overdue_since="2026-03-02T01:30:00Z") == []

    @pytest.mark.parametrize(
        "marks", [{}, {"_overdue": True, "_overdue_since": "2026-03-02T01:31:00Z"}]
    )
    def test_a_missing_mark_and_a_wrong_time_are_found(self, marks: dict[str, Any]) -> None:
        (found,) = self.looked(**marks)
        assert "02 01:31 metar: RKSI: its marks are" in found


def test_reports_stand_still_for_one_airport_and_for_all() -> None:
    spans: Counter[str] = Counter()
    for product in ("metar", "taf"):
        for step in range(10 * 48):
            at = NOW + step * timedelta(minutes=30)
            still = [icao for icao in AIRPORTS if served_at(7, product, icao, at) < at]
            all_of_them = len(still) == len(AIRPORTS)
            spans[f"{product} all"] += all_of_them
            spans[f"{product} one"] += bool(still) and not all_of_them
    assert {*spans} == {name for name, count in spans.items() if count}


def test_warnings_are_listed_past_their_end_and_are_not_in_force() -> None:
    ended = 0
    for step in range(10 * 48):
        at = NOW + step * timedelta(minutes=30)
        ended += sum(row.end <= at for rows in lists(7, at).values() for row in rows)
        assert all(row.end > at for rows in warnings(7, at).values() for row in rows)
    assert ended
