"""What a warning's text is called, and which other it cancels or extends (W17)."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.warnings import complete

from uring.weather.events import events_between
from uring.weather.gateway.envelope import EnvelopeMessage, Item
from uring.weather.gateway.warnings import WarningList, list_warnings
from uring.weather.product import merge
from uring.weather.warning_text import MOST_NAMES, WarningName, read_text

NOW = datetime(2026, 3, 28, 1, 0, tzinfo=UTC)
FIVE = "RKZA AD WRNG 5 271251 VALID 271300/280200 SFC WSPD 25KT MAX 35 FCST="
OVER = "RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG 5 271300/280200="
SEVEN = "RKZA WS WRNG 7 271750 VALID 271800/280300 WS IN APCH FCST="
NINE = "RKZA WS WRNG 9 280040 VALID 280300/280600 EXTENDED WS WRNG 7 271800/280300="
OUT = "RKZA WS CLIMB-OUT WRNG 2 VALID 280300/280600 EXTENDED WS CLIMB-OUT WRNG 7 271800/280300="
SELF = "RKZA WS WRNG 1 280035 VALID 280300/280600 EXTENDED WS WRNG 1 271800/280300="


@pytest.mark.parametrize(
    ("text", "other", "is_it"),
    [
        (OVER, FIVE, True),
        (OVER.replace("CNL", "CANCELLED"), FIVE, True),
        (OVER.replace("CNL AD WRNG 5", "CNL\nAD WRNG 05"), FIVE, True),
        (OVER.removesuffix(" 271300/280200="), FIVE, True),
        (OVER.replace("/280200=", "/272400="), FIVE.replace("/280200", "/280000"), True),
        (OVER, FIVE.replace("WRNG 5", "WRNG 4"), False),
        (OVER, FIVE.replace("AD WRNG", "WS WRNG"), False),
        # Numbers begin anew every day.
        (OVER, FIVE.replace("271300/280200", "261300/270200"), False),
        (OVER, OVER, False),
        ("RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG", FIVE, False),
        ("CNLAD WRNG 5 271300/280200", FIVE, False),
        (OVER, "no name at all", False),
    ],
)
def test_a_cancellation_names_a_warning(text: str, other: str, *, is_it: bool) -> None:
    read, own = read_text(text), read_text(other).own
    assert any(is_meant(name, own) for name in read.cancels) == is_it
    assert read.extends is None


@pytest.mark.parametrize(
    ("text", "other", "is_it"),
    [
        (NINE, SEVEN, True),
        (NINE.replace("EXTENDED", "EXTD"), SEVEN, True),
        (SELF, SEVEN.replace("WRNG 7", "WRNG 1"), True),
        (SELF, SELF, False),
        (OUT, SEVEN.replace("WS WRNG", "WS CLIMB-OUT WRNG"), True),
        (OUT, SEVEN.replace("WS WRNG", "WS APCH WRNG"), False),
    ],
)
def test_an_extension_names_a_warning(text: str, other: str, *, is_it: bool) -> None:
    read = read_text(text)
    assert is_meant(read.extends, read_text(other).own) == is_it
    assert (read.cancels, read.is_cancellation) == ((), False)


def is_meant(name: WarningName | None, own: WarningName | None) -> bool:
    return name is not None and own is not None and name.is_of(own)


@pytest.mark.parametrize(
    ("text", "numbers", "is_cancellation"),
    [
        (OVER, [5], True),
        (OVER.removesuffix("=") + " CNL AD WRNG 4 271200/280200=", [5, 4], True),
        (OVER.removesuffix("=") + " AND AD WRNG 4 271200/280200=", [5, 4], True),
        (OVER.removesuffix("=") + ", WS WRNG 4 271200/280200=", [5, 4], True),
        # What says more is a warning all the same.
        (FIVE.removesuffix("=") + " RMK CNL AD WRNG 4 271300/280200=", [4], False),
        (NINE.removesuffix("=") + " CNL AD WRNG 4 271300/280200=", [4], False),
        (OVER.removesuffix("=") + " EXTENDED AD WRNG 4 271300/280200=", [5], False),
        (FIVE, [], False),
    ],
)
def test_a_text_may_cancel_several_and_say_more(
    text: str, numbers: list[int], *, is_cancellation: bool
) -> None:
    read = read_text(text)
    assert [name.number for name in read.cancels] == numbers
    assert read.is_cancellation == is_cancellation


@pytest.mark.parametrize(
    ("period", "other", "is_it"),
    [
        ("272400/282400", "280000/290000", True),
        ("272400/282400", "290000/300000", False),
        ("302400/310600", "010000/310600", True),
        ("152400/160600", "010000/160600", False),
    ],
)
def test_midnight_is_of_one_day(period: str, other: str, *, is_it: bool) -> None:
    text = f"RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG 5 {period}="
    (name,) = read_text(text).cancels
    assert is_meant(name, read_text(f"RKZA AD WRNG 5 VALID {other} SFC WSPD=").own) == is_it


def row(text: str, *, kind: str = "2", icao: str = "RKZA") -> Item:
    start, _, end = text.partition("VALID ")[2][:13].partition("/")
    fields = {
        "icaoCode": icao,
        "airportName": "해빛공항",
        "tm": "202603271200",
        "validTm1": f"202603{start}",
        "validTm2": f"202603{end}",
        "wrngType": kind,
    }
    return Item(fields, EnvelopeMessage("text", text=text.replace("RKZA", icao)), "wrngMsg")


def listed(*rows: Item) -> WarningList:
    return list_warnings(rows, len(rows), ["RKZA", "RKZB"], now=NOW)


def shown(*rows: Item) -> dict[str, Any]:
    return {icao: it.model_dump(mode="json") for icao, it in listed(*rows).airports.items()}


def told(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [f"{e.icao} {e.kind}" for e in events_between("warning", before, after, NOW)]


def test_a_cancellation_is_no_warning_and_ends_the_one_it_names() -> None:
    both = listed(row(FIVE), row(OVER))
    assert both.airports["RKZA"].warnings == ()
    assert both.airports["RKZA"].airport_name == "해빛공항"
    assert (both.received, complete(both), both.unknown_types) == (2, True, ())
    before = shown(row(FIVE))
    for rows in ((row(FIVE), row(OVER)), (row(OVER),)):
        assert told(before, shown(*rows)) == ["RKZA warning_lifted"]
    assert told(shown(), shown(row(OVER))) == []


def test_a_cancellation_ends_nothing_of_another_airport() -> None:
    found = listed(row(FIVE, icao="RKZB"), row(OVER))
    assert len(found.airports["RKZB"].warnings) == 1


def test_a_warning_that_cancels_another_in_its_remarks_is_one() -> None:
    text = (
        "RKZA AD WRNG 6 280055 VALID 280100/280400 SFC WSPD 35KT RMK CNL AD WRNG 5 271300/280200="
    )
    found = listed(row(FIVE), row(text))
    assert [each.raw_message for each in found.airports["RKZA"].warnings] == [text]


def test_a_number_that_is_used_again_is_not_meant() -> None:
    """The cancellation has no period, and is older than the warning of that number."""
    over = row("RKZA AD WRNG 6 VALID 270100/270200 CNL AD WRNG 5=")
    later = row(FIVE.replace("271251", "280040"))
    late = replace(later, fields={**later.fields, "tm": "202603280040"})
    assert len(listed(over, late).airports["RKZA"].warnings) == 1
    assert listed(over, row(FIVE)).airports["RKZA"].warnings == ()


def test_a_name_that_fits_two_places_cancels_none() -> None:
    out = SEVEN.replace("WS WRNG", "WS CLIMB-OUT WRNG")
    approach = SEVEN.replace("WS WRNG", "WS APCH WRNG")
    over = row("RKZA WS WRNG 8 VALID 280000/280300 CNL WS WRNG 7 271800/280300=")
    assert len(listed(row(out), row(approach), over).airports["RKZA"].warnings) == 2
    assert listed(row(out), over).airports["RKZA"].warnings == ()


def test_a_cancellation_that_names_none_is_noted() -> None:
    found = listed(row("RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG NR 5="))
    assert any("named to be cancelled" in each.detail for each in found.disagreements)


def test_thousands_of_cancellations_take_no_time() -> None:
    half = 3_000
    rows = [row(f"RKZA AD WRNG {n} VALID 271300/280200 SFC WSPD=") for n in range(half)]
    rows += [
        row(f"RKZA AD WRNG {n} VALID 280100/280200 CNL AD WRNG {half - n} 271300/280200=")
        for n in range(half)
    ]
    before = time.process_time()
    found = listed(*rows)
    assert time.process_time() - before < 2
    assert len(found.cancelled["RKZA"]) == MOST_NAMES


def test_a_cancellation_with_odd_times_ends_what_it_names() -> None:
    over = row(OVER)
    for odd in ({"validTm1": "soon"}, dict.fromkeys(("tm", "validTm1", "validTm2"), "")):
        found = listed(row(FIVE), replace(over, fields={**over.fields, **odd}))
        assert not found.refused
        assert found.airports["RKZA"].warnings == ()


WIDE_CNL = "".join(chr(ord(letter) + 0xFEE0) for letter in "CNL")
DOUBTFUL = [
    "RKZA AD WRNG 6 280040 VALID 280100/280200 AD WRNG 5 271300/280200 CANCELLED=",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 CNL WRNG 5=",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 CNCL AD WRNG NR 5 271300/280200=",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 CANCELLATION OF AD WRNG 5=",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 AD WRNG 5 271300/280200 해제=",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 강풍경보 취소=",
    "rkza ad wrng 6 280040 valid 280100/280200 strong wind warning is cancelled=",
    f"RKZA AD WRNG 6 280040 VALID 280100/280200 {WIDE_CNL} WRNG 5=",
    "CNL AD WRNG 5 271300/280200=",
    "취소",
    "RKZA AD WRNG 6 280040 VALID 280100/280200 WSPD DECREASED CNLD AD WRNG 5=",
]


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_cancellation_in_unknown_words_is_shown_noted_and_never_pushed(text: str) -> None:
    odd = row(text, icao="RKZA")
    found = listed(row(FIVE), odd)
    assert len(found.airports["RKZA"].warnings) == 2
    assert {it.wrng_type_key for it in found.airports["RKZA"].warnings} == {"STRONG_WIND"}
    assert any("named to be cancelled" in each.detail for each in found.disagreements)
    with_five, without = shown(row(FIVE)), shown()
    assert told(with_five, shown(row(FIVE), odd)) == []
    assert told(without, shown(odd)) == []
    # It lifts nothing itself; the warning that is gone is lifted, never changed into it.
    assert told(with_five, shown(odd)) == ["RKZA warning_lifted"]
    # Nor is it lifted, as it was never raised; a warning in its place is new.
    assert told(shown(row(FIVE), odd), with_five) == []
    assert told(shown(odd), with_five) == ["RKZA warning_raised"]


def test_a_type_that_says_that_it_is_cancelled_is_never_pushed() -> None:
    assert told(shown(), shown(row(FIVE, kind="강풍 해제"))) == []


@pytest.mark.parametrize("verb", ["CNCL", "CANCEL", "CANCELS", "cancelling", WIDE_CNL, "CXL"])
def test_a_cancellation_in_another_spelling_is_understood(verb: str) -> None:
    found = listed(row(FIVE), row(OVER.replace("CNL", verb)))
    assert found.airports["RKZA"].warnings == ()
    assert not any("named to be cancelled" in each.detail for each in found.disagreements)


def test_a_cancellation_with_a_reason_ends_what_it_names_and_is_not_raised() -> None:
    reason = OVER.removesuffix("=") + " DUE TO WIND DECREASED="
    before, after = shown(row(FIVE)), shown(row(FIVE), row(reason))
    assert told(before, after) == ["RKZA warning_lifted"]
    assert [it["raw_message"] for it in after["RKZA"]["warnings"]] == [reason]


def test_a_warning_that_also_cancels_another_is_raised() -> None:
    """Observed or forecast itself: silence about the stronger wind would be worse."""
    for text in (
        "RKZA AD WRNG 6 280055 VALID 280100/280400 SFC WSPD 35KT FCST CNL AD WRNG 5 271300/280200=",
        "RKZA AD WRNG 6 VALID 280100/280400 SFC WSPD 35KT RMK CNL AD WRNG 5 271300/280200=",
    ):
        assert told(shown(row(SEVEN, kind="00")), shown(row(SEVEN, kind="00"), row(text))) == [
            "RKZA warning_raised"
        ]


def test_a_cancellation_without_a_period_means_the_newest_of_its_number() -> None:
    def issued(text: str, tm: str) -> Item:
        warning = row(text)
        return replace(warning, fields={**warning.fields, "tm": tm})

    yesterday = issued("RKZA AD WRNG 1 270100 VALID 270130/281000 SFC WSPD FCST=", "202603270100")
    today = issued("RKZA AD WRNG 1 280010 VALID 280030/281000 SFC WSPD FCST=", "202603280010")
    over = issued("RKZA AD WRNG 2 VALID 280200/281000 CNL AD WRNG 1=", "202603280050")
    late = issued("RKZA AD WRNG 2 VALID 280200/281000 CNL AD WRNG 1=", "202603280101")
    both = listed(yesterday, today, over).airports["RKZA"].warnings
    assert [each.raw_message for each in both] == [yesterday.message.text]
    assert listed(yesterday, over).airports["RKZA"].warnings == ()
    assert len(listed(yesterday, late).airports["RKZA"].warnings) == 1


def test_a_cancellation_in_a_list_that_is_short_ends_the_stored_one() -> None:
    before = shown(row(FIVE), row(SEVEN, kind="00"))
    found = listed(row(OVER))
    partial = {"RKZA": found.airports["RKZA"].model_dump(mode="json")}
    after = merge(
        "warning", before, {}, ["RKZA"], NOW, partial=partial, cancelled=found.cancelled
    ).airports
    assert [each["raw_message"] for each in after["RKZA"]["warnings"]] == [SEVEN]
    assert after["RKZA"]["_stale"]
    assert told(before, after) == ["RKZA warning_lifted"]


def test_an_extension_is_a_change_and_lifts_nothing() -> None:
    seven, nine = row(SEVEN, kind="00"), row(NINE, kind="00")
    before, both, alone = shown(seven), shown(seven, nine), shown(nine)
    assert told(before, both) == ["RKZA warning_changed"]
    assert told(before, alone) == ["RKZA warning_changed"]
    assert told(both, alone) == []
    assert told(alone, shown()) == ["RKZA warning_lifted"]
    assert told(shown(), alone) == ["RKZA warning_raised"]


def test_an_extension_leaves_the_pairs_of_its_type_alone() -> None:
    """One of a type is extended, another of it is lifted in the same answer."""
    other = "RKZA WS WRNG 8 271750 VALID 271800/280300 WS IN CLIMB-OUT FCST="
    before = shown(row(SEVEN, kind="00"), row(other, kind="00"))
    after = shown(row(SEVEN, kind="00"), row(NINE, kind="00"))
    assert told(before, after) == ["RKZA warning_changed", "RKZA warning_lifted"]


def test_a_long_text_is_read_in_linear_time() -> None:
    for piece in ("CNL AD ", "AD WRNG ", "EXTENDED WS A", "VALID "):
        assert not read_text(piece * 100_000).cancels
