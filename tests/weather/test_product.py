"""Merging, comparing and telling a product; numbers in names are those of the document's checks."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.weather.events import events_between
from uring.weather.product import (
    Airports,
    canonical_hash,
    differences,
    merge,
)

PROPERTY = settings(max_examples=200, deadline=None, database=None, derandomize=True)
NOW = datetime(2026, 3, 2, 1, 10, tzinfo=UTC)
ICAO = ("RKAA", "RKBB", "RKCC")


def metar(hour: int, status: str = "NORMAL", kind: str = "METAR", **more: Any) -> dict[str, Any]:
    when = f"2026-03-02T{hour:02}:00:00Z"
    header = {"report_type": kind, "report_status": status, "observation_time": when}
    return {"header": {**header, "issue_time": when}, "raw": f"METAR {hour}", **more}


def taf(hour: int, status: str = "NORMAL", *, cancelled: bool = False) -> dict[str, Any]:
    issued = f"2026-03-02T{hour:02}:00:00Z"
    header = {"report_status": status, "issued": issued, "cancelled": cancelled}
    return {"header": {**header, "valid_start": issued}, "raw": f"TAF {hour}"}


def warning(kind: str, *, until: int = 5, text: str = "WS WRNG") -> dict[str, Any]:
    return {
        "issued": "2026-03-02T00:30:00Z",
        "wrng_type": kind,
        "wrng_type_key": f"TYPE{kind}",
        "wrng_type_name": f"type {kind}",
        "valid_start": "2026-03-02T01:00:00Z",
        "valid_end": f"2026-03-02T{until:02}:00:00Z",
        "raw_message": text,
    }


def warned(*warnings: dict[str, Any]) -> dict[str, Any]:
    return {"airport_name": "x", "warnings": list(warnings)}


def told(product: Any, before: Airports, after: Airports) -> list[tuple[str, str]]:
    return [(each.icao, each.kind) for each in events_between(product, before, after, NOW)]


class TestHash:
    def test_4_and_20_our_own_marks_do_not_count(self) -> None:
        plain = {"RKAA": metar(1)}
        marked = {"RKAA": metar(1) | {"_stale": True, "_stale_since": "2026-03-02T01:00:00Z"}}
        assert canonical_hash(plain) == canonical_hash(marked)

    def test_3_one_airport_is_enough_to_differ(self) -> None:
        before = {icao: metar(1) for icao in ICAO}
        assert canonical_hash(before) != canonical_hash({**before, "RKCC": metar(2)})

    def test_the_order_of_keys_does_not_count_and_that_of_lists_does(self) -> None:
        report = metar(1)
        turned = dict(reversed(report.items()))
        assert canonical_hash({"RKAA": report, "RKBB": report}) == canonical_hash(
            {"RKBB": turned, "RKAA": turned}
        )
        assert canonical_hash({"RKAA": metar(1, clouds=[1, 2])}) != canonical_hash(
            {"RKAA": metar(1, clouds=[2, 1])}
        )


class TestMerge:
    def test_19_every_airport_of_the_settings_in_their_order(self) -> None:
        fresh = {icao: metar(1) for icao in reversed(ICAO)}
        assert list(merge("metar", {}, fresh, ICAO, NOW).airports) == [*ICAO]

    def test_12_and_17_who_failed_keeps_the_last_report_marked(self) -> None:
        before = {icao: metar(0) for icao in ICAO}
        after = merge("metar", before, {"RKAA": metar(1)}, ICAO, NOW).airports
        assert after["RKAA"] == metar(1)
        assert after["RKBB"] == metar(0) | {"_stale": True, "_stale_since": "2026-03-02T01:10:00Z"}

    def test_13_and_14_all_failed_is_no_change(self) -> None:
        before = {icao: metar(0) for icao in ICAO}
        after = merge("metar", before, {}, ICAO, NOW).airports
        assert canonical_hash(after) == canonical_hash(before)

    @pytest.mark.parametrize(
        ("product", "better", "worse"),
        [
            ("taf", taf(6, "AMENDMENT"), taf(6)),
            ("taf", taf(6, cancelled=True), taf(6, "AMENDMENT")),
            ("metar", metar(6, "CORRECTION"), metar(6)),
            ("metar", metar(6, kind="SPECI"), metar(6)),
            ("metar", metar(6), metar(6) | {"header": metar(6)["header"] | {"nil": True}}),
        ],
    )
    def test_of_two_at_one_time_the_one_that_replaces_the_other_stays(
        self, product: Any, better: dict[str, Any], worse: dict[str, Any]
    ) -> None:
        merged = merge(product, {"RKAA": better}, {"RKAA": worse}, ["RKAA"], NOW)
        assert (merged.airports, merged.older) == ({"RKAA": better}, ("RKAA",))
        merged = merge(product, {"RKAA": worse}, {"RKAA": better}, ["RKAA"], NOW)
        assert (merged.airports, merged.older) == ({"RKAA": better}, ())

    def test_what_is_believed_of_a_list_that_is_not_is_added_and_lifts_nothing(self) -> None:
        """One bad row among the others must not hide a typhoon."""
        known, fresh = warning("1"), warning("7", until=9)
        last = {"RKAA": warned(known)}
        after = merge("warning", last, {}, ["RKAA"], NOW, partial={"RKAA": warned(fresh)}).airports
        assert after["RKAA"]["warnings"] == [known, fresh]
        assert after["RKAA"]["_stale"] is True
        assert told("warning", last, after) == [("RKAA", "warning_raised")]
        again = merge("warning", after, {}, ["RKAA"], NOW, partial={"RKAA": warned(fresh)}).airports
        assert canonical_hash(again) == canonical_hash(after)

    def test_7_an_airport_keeps_its_name_when_its_last_warning_is_over(self) -> None:
        """The name comes with a warning's row; without it nothing else would have changed."""
        last = {"RKAA": {"airport_name": "Somewhere", "warnings": [warning("1", until=1)]}}
        stale = merge("warning", last, {}, ["RKAA"], NOW).airports
        assert stale["RKAA"]["warnings"] == []
        nothing = {"RKAA": {"airport_name": None, "warnings": []}}
        after = merge("warning", stale, nothing, ["RKAA"], NOW).airports
        assert after == {"RKAA": {"airport_name": "Somewhere", "warnings": []}}
        assert canonical_hash(after) == canonical_hash(stale)

    def test_the_age_of_what_is_stale_is_that_of_its_first_failure(self) -> None:
        first = merge("metar", {"RKAA": metar(0)}, {}, ICAO, NOW).airports
        later = merge("metar", first, {}, ICAO, NOW.replace(hour=9)).airports
        assert later["RKAA"]["_stale_since"] == "2026-03-02T01:10:00Z"
        well = merge("metar", later, {"RKAA": metar(9)}, ICAO, NOW).airports
        assert well["RKAA"] == metar(9)

    def test_an_airport_that_never_answered_is_not_there(self) -> None:
        assert merge("metar", {}, {}, ICAO, NOW).airports == {}

    def test_an_airport_that_left_the_settings_drops_out(self) -> None:
        assert merge("metar", {"RKZZ": metar(0)}, {}, ICAO, NOW).airports == {}

    def test_nothing_older_replaces_what_is_stored(self) -> None:
        stale = metar(2) | {"_stale": True}
        found = merge("metar", {"RKAA": stale}, {"RKAA": metar(1)}, ICAO, NOW)
        assert (found.airports, found.older) == ({"RKAA": metar(2)}, ("RKAA",))
        found = merge("taf", {"RKAA": taf(6)}, {"RKAA": taf(0)}, ICAO, NOW)
        assert found.airports == {"RKAA": taf(6)}

    def test_a_correction_is_not_undone_by_what_it_corrects(self) -> None:
        corrected, first = metar(1, "CORRECTION"), metar(1)
        assert merge("metar", {"RKAA": first}, {"RKAA": corrected}, ICAO, NOW).airports == {
            "RKAA": corrected
        }
        assert merge("metar", {"RKAA": corrected}, {"RKAA": first}, ICAO, NOW).airports == {
            "RKAA": corrected
        }

    def test_stale_warnings_end_when_they_said(self) -> None:
        before = {"RKAA": warned(warning("1", until=1), warning("2", until=5))}
        after = merge("warning", before, {}, ICAO, NOW).airports
        assert after["RKAA"]["warnings"] == [warning("2", until=5)]
        assert after["RKAA"]["_stale"]

    def test_no_data_clears(self) -> None:
        before = {"RKAA": warned(warning("1"))}
        assert merge("warning", before, {"RKAA": warned()}, ICAO, NOW).airports == {
            "RKAA": warned()
        }


class TestLog:
    def test_it_names_what_changed(self) -> None:
        assert differences("metar", {"RKAA": metar(9)}, {"RKAA": metar(10, kind="SPECI")}, NOW) == [
            "RKAA: observed 2026-03-02T09:00:00Z → 2026-03-02T10:00:00Z SPECI NORMAL"
        ]
        (line,) = differences("taf", {"RKAA": taf(0)}, {"RKAA": taf(6, "AMENDMENT")}, NOW)
        assert line.startswith("RKAA: issued 2026-03-02T00:00:00Z → 2026-03-02T06:00:00Z")
        assert line.endswith("valid from 2026-03-02T06:00:00Z AMENDMENT")
        before, after = warned(warning("1")), warned(warning("2"))
        assert differences("warning", {"RKAA": before}, {"RKAA": after}, NOW) == [
            "RKAA: TYPE2 added, TYPE1 lifted"
        ]
        assert differences("metar", {}, {"RKAA": metar(1)}, NOW) == ["RKAA: first report"]

    def test_a_mark_alone_is_no_line(self) -> None:
        assert (
            differences("metar", {"RKAA": metar(1)}, {"RKAA": metar(1) | {"_stale": True}}, NOW)
            == []
        )

    def test_a_warning_that_reached_its_end_has_ended(self) -> None:
        before = warned(warning("1", until=1), warning("2"))
        assert differences("warning", {"RKAA": before}, {"RKAA": warned()}, NOW) == [
            "RKAA: TYPE1 ended, TYPE2 lifted"
        ]


class TestEvents:
    def test_the_first_sight_is_silent(self) -> None:
        assert told("metar", {}, {"RKAA": metar(1, kind="SPECI")}) == []
        assert told("warning", {}, {"RKAA": warned(warning("1"))}) == []

    def test_a_speci_and_no_routine_report(self) -> None:
        before = {"RKAA": metar(1), "RKBB": metar(1)}
        after = {"RKAA": metar(2, kind="SPECI"), "RKBB": metar(2)}
        assert told("metar", before, after) == [("RKAA", "speci")]

    def test_a_speci_beside_a_newer_metar_is_told_once(self) -> None:
        before, after = {"RKAA": metar(1)}, {"RKAA": metar(4)}
        beside = {"RKAA": [metar(hour, kind="SPECI") for hour in (0, 2, 3)], "RKBB": [metar(9)]}
        found = events_between("metar", before, after, NOW, specials=beside)
        assert [(each.kind, each.content["time"]) for each in found] == [
            ("speci", "2026-03-02T02:00:00Z"),
            ("speci", "2026-03-02T03:00:00Z"),
        ]
        assert events_between("metar", after, after, NOW, specials=beside) == []
        assert events_between("metar", {}, after, NOW, specials=beside) == []

    def test_a_line_that_was_composed_says_so(self) -> None:
        speci = metar(2, kind="SPECI", raw_derived=True)
        (event,) = events_between("metar", {"RKAA": metar(1)}, {"RKAA": speci}, NOW)
        assert (event.content["raw"], event.content["raw_derived"]) == ("METAR 2", "true")

    def test_an_amended_and_a_cancelled_taf(self) -> None:
        before = {icao: taf(0) for icao in ICAO}
        after = {
            "RKAA": taf(6),
            "RKBB": taf(2, "AMENDMENT"),
            "RKCC": taf(2, "AMENDMENT", cancelled=True),
        }
        assert told("taf", before, after) == [("RKBB", "taf_amended"), ("RKCC", "taf_cancelled")]

    def test_8_a_warning_raised_changed_and_lifted(self) -> None:
        one, other = warned(warning("1")), warned(warning("1"), warning("2"))
        assert told("warning", {"RKAA": one}, {"RKAA": other}) == [("RKAA", "warning_raised")]
        assert told("warning", {"RKAA": other}, {"RKAA": one}) == [("RKAA", "warning_lifted")]
        longer = warned(warning("1", until=9))
        assert told("warning", {"RKAA": one}, {"RKAA": longer}) == [("RKAA", "warning_changed")]

    def test_8_one_that_has_ended_is_not_raised(self) -> None:
        """The gateway still lists it after a run that failed, in which it ran out."""
        over = warning("1", until=1)
        assert told("warning", {"RKAA": warned()}, {"RKAA": warned(over)}) == []

    def test_8_a_type_that_is_written_otherwise_is_the_same(self) -> None:
        one = warning("0") | {"wrng_type": "00"}
        assert told("warning", {"RKAA": warned(one)}, {"RKAA": warned(warning("0"))}) == [
            ("RKAA", "warning_changed")
        ]

    def test_6_what_replaces_a_report_of_the_same_minute_is_told(self) -> None:
        normal = {"RKAA": taf(6)}
        amended, cancelled = {"RKAA": taf(6, "AMENDMENT")}, {"RKAA": taf(6, cancelled=True)}
        assert told("taf", normal, amended) == [("RKAA", "taf_amended")]
        assert told("taf", amended, cancelled) == [("RKAA", "taf_cancelled")]
        special = {"RKAA": metar(1, kind="SPECI")}
        assert told("metar", {"RKAA": metar(1)}, special) == [("RKAA", "speci")]

    def test_a_push_carries_no_more_than_a_push_can(self) -> None:
        huge = warning("1", text="W" * 400_000)
        (event,) = events_between("warning", {"RKAA": warned()}, {"RKAA": warned(huge)}, NOW)
        assert len(str(event.content["raw"])) == 1_000

    def test_8_two_of_one_type_are_two(self) -> None:
        """Wind shear on approach and on climb-out: each raised, changed, lifted for itself."""
        approach, climb = warning("00", text="WS APCH"), warning("00", text="WS CLIMB-OUT")
        moved = warning("00", text="WS APCH RWY 07")
        one, both = {"RKAA": warned(approach)}, {"RKAA": warned(approach, climb)}
        assert told("warning", one, both) == [("RKAA", "warning_raised")]
        assert told("warning", both, one) == [("RKAA", "warning_lifted")]
        assert told("warning", both, {"RKAA": warned(moved, climb)}) == [
            ("RKAA", "warning_changed")
        ]
        assert told("warning", both, {"RKAA": warned(moved)}) == [
            ("RKAA", "warning_changed"),
            ("RKAA", "warning_lifted"),
        ]

    def test_8_what_follows_one_that_ran_out_is_new(self) -> None:
        over, fresh = warning("1", until=1), warning("1", until=6, text="again")
        assert told("warning", {"RKAA": warned(over)}, {"RKAA": warned(fresh)}) == [
            ("RKAA", "warning_raised")
        ]

    def test_one_that_has_run_out_is_no_news(self) -> None:
        over = warned(warning("1", until=1))
        assert told("warning", {"RKAA": over}, {"RKAA": warned()}) == []

    def test_two_that_differ_in_text_alone_are_two(self) -> None:
        both = warned(warning("0", text="APCH"), warning("0", text="CLIMB-OUT"))
        found = events_between("warning", {"RKAA": warned()}, {"RKAA": both}, NOW)
        assert len({each.id for each in found}) == 2

    @PROPERTY
    @given(st.lists(st.lists(st.sampled_from("1234"), unique=True), min_size=2, max_size=6))
    def test_what_is_raised_and_lifted_adds_up(self, story: list[list[str]]) -> None:
        """Somebody who hears of all of it knows at every moment what is in force."""
        before: Airports = {"RKAA": warned(*map(warning, story[0]))}
        known = set(story[0])
        for kinds in story[1:]:
            after = {"RKAA": warned(*map(warning, kinds))}
            for each in events_between("warning", before, after, NOW):
                kind = str(each.content["title"])[-1]
                (known.discard if each.kind == "warning_lifted" else known.add)(kind)
            assert known == set(kinds)
            before = after
