"""The list of warnings: what is kept, what is refused alone, what disagrees, what is missing."""

from collections.abc import Callable
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


def wide(text: str) -> str:
    """Digits and letters in the width of Korean ones."""
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"icaoCode": "인천", "wrngMsg": "강풍"}, "airport"),
        ({"icaoCode": "", "wrngMsg": "강풍"}, "airport"),
        ({"icaoCode": "", "wrngMsg": "WRNG 2 강풍"}, "airport"),
        ({**dict.fromkeys(("tm", "validTm1", "validTm2", "wrngType", "wrngMsg"), "")}, "empty"),
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


TRUE = ("2026-05-04T02:55:00Z", "2026-05-04T03:00:00Z", "2026-05-04T11:00:00Z")


def times_of(changed: dict[str, str], now: datetime | None = NOW) -> tuple[str | None, ...]:
    [only] = read(warnings([changed]), now).airports["RKZA"].warnings
    told = only.model_dump(mode="json")
    return told["issued"], told["valid_start"], told["valid_end"]


@pytest.mark.parametrize(
    "changed",
    [
        *({name: odd} for name in ("tm", "validTm1", "validTm2") for odd in (
            "", "2026-05-04", "202613040300", "000101010000", "999912312400", "soon", "20261"
        )),
        {"validTm2": "202605040259"},
        {"validTm1": "202605041100", "validTm2": "202605040300"},
        {"tm": "202605040331"},
        {"tm": "202705040255"},
        {"tm": "", "validTm1": "", "validTm2": ""},
    ],
)  # fmt: skip
def test_an_odd_time_costs_itself_and_the_texts_counts(changed: dict[str, str]) -> None:
    assert times_of(changed) == TRUE
    assert read(warnings([changed])).disagreements


@pytest.mark.parametrize(
    "spelled",
    [
        wide,
        lambda time: f" {time}00 ",
        lambda time: f"{time[:4]}-{time[4:6]}-{time[6:8]} {time[8:10]}:{time[10:]}:00.0",
        lambda time: f"{time[:4]}.{time[4:6]}.{time[6:8]}T{time[8:10]}:{time[10:]}Z",
    ],
)
def test_a_time_in_another_spelling_is_read(spelled: Callable[[str], str]) -> None:
    changed = {name: spelled(WARNING[name]) for name in ("tm", "validTm1", "validTm2")}
    assert times_of({**changed, "wrngMsg": "RKZA STRONG WIND"}) == TRUE


def test_without_a_text_an_odd_time_is_unknown() -> None:
    mute = {"wrngMsg": ""}
    assert times_of({"tm": "", **mute}) == (None, *TRUE[1:])
    assert times_of({"tm": "202605040331", **mute}) == (None, *TRUE[1:])
    assert times_of({"validTm2": "x", **mute}) == (*TRUE[:2], None)
    # Which of the two is wrong is unknown.
    assert times_of({"validTm2": "202605040259", **mute}) == (TRUE[0], None, None)
    reversed_text = {"wrngMsg": "RKZA AD WRNG 1 040255 VALID 041100/040300 SFC WSPD="}
    assert times_of({"validTm1": "", "validTm2": "", **reversed_text}) == (TRUE[0], None, None)
    assert times_of({"tm": "", "wrngMsg": "RKZA AD WRNG 1 992999 VALID 040300/041100="}) == (
        None,
        *TRUE[1:],
    )


def test_the_texts_day_is_of_the_month_that_is_near() -> None:
    text = "RKZA AD WRNG 1 302355 VALID 302400/010800 SFC WSPD="
    midnight = datetime(2026, 7, 1, 0, 10, tzinfo=UTC)
    changed = {"tm": "", "validTm1": "", "validTm2": "", "wrngMsg": text}
    expected = ("2026-06-30T23:55:00Z", "2026-07-01T00:00:00Z", "2026-07-01T08:00:00Z")
    assert times_of(changed, midnight) == expected
    assert times_of(changed, None) == (None, None, None)


@pytest.mark.parametrize("named", ["rkza", " Rkza ", wide("RKZA"), "인천", "RKZA/RKZB", ""])
def test_an_airport_in_another_spelling_is_read_or_taken_from_the_text(named: str) -> None:
    listed = read(warnings([{"icaoCode": named}]))
    assert (len(listed.airports["RKZA"].warnings), complete(listed)) == (1, True)


@pytest.mark.parametrize("raw", [wide("2"), " 2 "])
def test_a_type_in_another_spelling_is_read(raw: str) -> None:
    [only] = read(warnings([{"wrngType": raw}])).airports["RKZA"].warnings
    assert only.wrng_type_key == "STRONG_WIND"


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


KOREAN = {"tm": "202605041155", "validTm1": "202605041200", "validTm2": "202605042000"}


@pytest.mark.parametrize("now", [NOW, None])
def test_fields_in_korean_time_are_noted_once_and_the_texts_times_count(
    now: datetime | None,
) -> None:
    assert times_of(KOREAN, now) == TRUE
    listed = read(warnings([KOREAN, {**KOREAN, "icaoCode": "RKZB"}]), now)
    [only] = listed.disagreements
    assert only.detail == (
        "RKZA: issued is 2026-05-04T11:55:00Z, the text says 040255, nine hours apart: are the "
        "fields in Korean time? The text's times count"
    )
    assert complete(listed)
    # A text without its time of issue.
    assert times_of({**KOREAN, "wrngMsg": "RKZA AD WRNG 1 VALID 040300/041100="}, now) == TRUE


def test_a_text_that_tells_another_time_is_told_and_the_field_counts() -> None:
    assert times_of({"validTm2": "202605041000"})[2] == "2026-05-04T10:00:00Z"
    [other] = read(warnings([{"validTm2": "202605041000"}])).disagreements
    assert other.detail == "RKZA: valid_end is 2026-05-04T10:00:00Z, the text says 041100"


@pytest.mark.parametrize("kind", ["VALID TL 041100", "valid tl 041100Z", "VALID 040300/041100"])
def test_the_forms_of_annex_3_are_not_odd(kind: str) -> None:
    text = f"RKZA WS WRNG 01 040255 {kind} WS APCH RWY12 REP AT 0250 B747="
    assert not read(warnings([{"wrngMsg": text, "wrngType": "0"}])).disagreements
    short = {"wrngMsg": text, "validTm2": "202605041000"}
    [only] = read(warnings([short])).disagreements
    assert only.detail.endswith("the text says 041100")


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
