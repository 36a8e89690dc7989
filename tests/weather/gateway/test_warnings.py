"""The list of warnings: what is kept, what is refused alone, what disagrees, what is missing."""

from datetime import UTC, datetime

import pytest
from fakes.warnings import complete, rows_of, settles
from gateway_answers import WARNING, answer, warning, warnings

from uring.weather.gateway.envelope import read_envelope
from uring.weather.gateway.warnings import WarningList, list_warnings, no_warnings

AIRPORTS = ("RKZA", "RKZB")
NOW = datetime(2026, 5, 4, 3, tzinfo=UTC)


def read(text: str, now: datetime | None = NOW) -> WarningList:
    return list_warnings(*rows_of(read_envelope(text.encode())), AIRPORTS, now=now)


def test_a_warning_has_the_names_of_the_fields_and_utc() -> None:
    listed = read(warnings([{}]))
    assert complete(listed)
    assert {name: each.model_dump(mode="json") for name, each in listed.airports.items()} == {
        "RKZA": {
            "airport_name": "해빛공항",
            "warnings": [
                {
                    "issued": "2026-05-04T02:55:00Z",
                    "wrng_type": "2",
                    "wrng_type_key": "STRONG_WIND",
                    "wrng_type_name": "강풍",
                    "valid_start": "2026-05-04T03:00:00Z",
                    "valid_end": "2026-05-04T11:00:00Z",
                    "raw_message": WARNING["wrngMsg"],
                }
            ],
        },
        "RKZB": {"airport_name": None, "warnings": []},
    }


@pytest.mark.parametrize(
    ("raw", "key", "name"),
    [
        ("00", "WIND_SHEAR", "급변풍"),
        ("0", "WIND_SHEAR", "급변풍"),
        ("윈드시어", "WIND_SHEAR", "급변풍"),
        ("태풍", "TYPHOON", "태풍"),
        ("1", "LOW_VISIBILITY", "저시정"),
        ("3", "HEAVY_RAIN", "호우"),
        ("4", "LOW_CEILING", "구름고도"),
        ("5", "THUNDERSTORM", "뇌우"),
        ("7", "TYPHOON", "태풍"),
        ("8", "HEAVY_SNOW", "대설"),
        ("13", "YELLOW_DUST", "황사"),
        ("6", "UNKNOWN", "6"),
        ("02", "UNKNOWN", "02"),
        ("", "UNKNOWN", ""),
    ],
)
def test_the_type_is_kept_as_it_came_and_read_if_it_is_known(raw: str, key: str, name: str) -> None:
    listed = read(warnings([{"wrngType": raw}]))
    [only] = listed.airports["RKZA"].warnings
    assert (only.wrng_type, only.wrng_type_key, only.wrng_type_name) == (raw, key, name)
    assert listed.unknown_types == ((raw,) if key == "UNKNOWN" else ())


def test_rows_that_differ_in_text_only_are_both_kept_and_equal_rows_once() -> None:
    approach = {"wrngMsg": "RKZA WS WRNG 1 040255 VALID 040300/041100 WS IN APCH=", "wrngType": "0"}
    climb = {**approach, "wrngMsg": approach["wrngMsg"].replace("APCH", "CLIMB-OUT")}
    listed = read(warnings([climb, approach, climb]))
    texts = [each.raw_message for each in listed.airports["RKZA"].warnings]
    assert texts == [approach["wrngMsg"], climb["wrngMsg"]]
    assert (listed.received, complete(listed)) == (3, True)


def test_the_order_of_the_rows_does_not_count() -> None:
    rows = [{"wrngType": "2"}, {"wrngType": "7"}, {"tm": "202605040250"}]
    assert read(warnings(rows)).airports == read(warnings(rows[::-1])).airports


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"validTm2": "202605040259"}, "period"),
        ({"tm": "202605040331"}, "future"),
        ({"tm": ""}, "time"),
        ({"tm": "2026-05-04"}, "time"),
        ({"validTm1": "202613040300"}, "time"),
        ({"validTm1": "".join(chr(0xFF10 + int(digit)) for digit in "202605040300")}, "time"),
        ({"validTm2": "999912312400"}, "time"),
        ({"tm": "000101010000"}, "time"),
        ({"validTm2": "190001010000"}, "time"),
        ({"icaoCode": "인천"}, "airport"),
        ({"icaoCode": "", "wrngMsg": "강풍"}, "airport"),
    ],
)
def test_a_bad_row_is_refused_alone_and_lifts_nothing(changed: dict[str, str], reason: str) -> None:
    listed = read(warnings([changed, {"icaoCode": "RKZB"}]))
    assert [row.reason for row in listed.refused] == [reason]
    assert not listed.airports["RKZA"].warnings
    assert len(listed.airports["RKZB"].warnings) == 1
    assert not complete(listed)
    assert not settles(listed, "RKZA")
    assert settles(listed, "RKZB") == (reason != "airport")


def test_a_period_of_no_length_and_an_hour_of_24_are_read() -> None:
    listed = read(
        warnings(
            [
                {
                    "validTm1": "202605312400",
                    "validTm2": "202606010000",
                    "wrngMsg": "RKZA AD WRNG 1 040255 VALID 010000/312400=",
                }
            ]
        )
    )
    [only] = listed.airports["RKZA"].warnings
    assert only.valid_start == only.valid_end == datetime(2026, 6, 1, tzinfo=UTC)
    assert not listed.disagreements


def test_a_text_that_tells_other_times_is_told_and_the_fields_count() -> None:
    korean = {"tm": "202605041155", "validTm1": "202605041200", "validTm2": "202605042000"}
    listed = read(warnings([korean]), now=None)
    assert len(listed.airports["RKZA"].warnings) == 1
    assert [each.detail for each in listed.disagreements] == [
        f"RKZA: {name} is {field}, the text says {text}, nine hours apart: are the fields in "
        "Korean time?"
        for name, field, text in [
            ("issued", "2026-05-04T11:55:00Z", "040255"),
            ("valid_start", "2026-05-04T12:00:00Z", "040300"),
            ("valid_end", "2026-05-04T20:00:00Z", "041100"),
        ]
    ]
    assert complete(listed)
    [other] = read(warnings([{"validTm2": "202605041000"}])).disagreements
    assert other.detail == "RKZA: valid_end is 2026-05-04T10:00:00Z, the text says 041100"


def test_a_text_without_the_time_of_issue_or_without_times_disagrees_in_nothing_else() -> None:
    assert not read(warnings([{"wrngMsg": "RKZA AD WRNG 1 VALID 040300/041100="}])).disagreements
    [only] = read(warnings([{"wrngMsg": "RKZA STRONG WIND"}])).disagreements
    assert "no VALID" in only.detail
    assert not read(warnings([{"wrngMsg": "null"}])).disagreements


def test_an_empty_airport_is_taken_from_the_text() -> None:
    assert read(warnings([{"icaoCode": ""}])).airports["RKZA"].warnings


def test_rows_of_other_airports_are_counted_and_not_kept() -> None:
    listed = read(warnings([{"icaoCode": "RKZZ", "validTm1": "nonsense"}, {}]))
    assert (listed.elsewhere, listed.received, complete(listed)) == (1, 2, True)
    assert set(listed.airports) == set(AIRPORTS)


def test_fewer_rows_than_counted_settle_nothing() -> None:
    listed = read(warnings([{}], total=3))
    assert (listed.missing, complete(listed)) == (2, False)
    assert not settles(listed, "RKZB")
    assert complete(read(answer(warning(), total=None)))
    assert complete(read(warnings([{}, {}], total=1)))


def test_no_data_is_complete_and_empty() -> None:
    listed = no_warnings(AIRPORTS)
    assert complete(listed)
    assert settles(listed, "RKZA")
    assert not any(each.warnings for each in listed.airports.values())
