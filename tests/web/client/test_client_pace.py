"""How often a source is checked: the line of its page, from an index that may be anything."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notices_published import Opened, campus, department
from playwright.sync_api import Page, expect
from site_of_client import Site

from uring.changes.registry import WatchedSource
from uring.sources.rhythm import RHYTHMS, paced
from uring.watch.pace import pace

SAID = """async ([source, at]) => {
    const {paceOf, paceText} = await import("/app/pace.js");
    return paceText(paceOf(source, at));
}"""
MINUTES = """async ([source, times]) => {
    const {paceOf} = await import("/app/pace.js");
    return times.map((at) => paceOf(source, at).minutes);
}"""
# A Thursday, at ten in Seoul and at nine in the evening of Wednesday in New York.
MORNING = datetime(2026, 3, 5, 1, 0, tzinfo=UTC)


def shown(page: Page, entry: Any, at: datetime = MORNING) -> str:
    """Return what the client says of an entry of the index."""
    return str(page.evaluate(SAID, [entry, at.timestamp() * 1000]))


def entry_of(rhythm: str, zone: str = "Asia/Seoul") -> dict[str, Any]:
    """Return what the monitor publishes of a board with this rhythm."""
    week = paced(RHYTHMS[rhythm].week, zone)
    return pace(WatchedSource("cs", "CS", "", "cs", 10, zone, rhythm=week), MORNING)


@pytest.fixture
def page(site: Site, opened: Opened) -> Page:
    campus(site)
    return opened("#/")


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (5, "5분마다 확인"),
        (10, "10분마다 확인"),
        (60, "매시간 확인"),
        (90, "90분마다 확인"),
        (360, "6시간마다 확인"),
        (1440, "하루 한 번 확인"),
    ],
)
def test_an_interval_is_said_in_words(page: Page, minutes: int, said: str) -> None:
    assert shown(page, {"interval_minutes": minutes}) == said


def test_a_rhythm_says_the_minutes_of_now(page: Page) -> None:
    """In the zone of the source, wherever the device is."""
    assert shown(page, entry_of("sooner")) == "지금은 4분마다 확인"
    assert shown(page, entry_of("sooner"), MORNING + timedelta(hours=9)) == "지금은 8분마다 확인"
    assert shown(page, entry_of("sooner"), MORNING + timedelta(days=2)) == "지금은 30분마다 확인"
    assert shown(page, entry_of("sooner", "America/New_York")) == "지금은 30분마다 확인"


@pytest.mark.parametrize("zone", ["Asia/Seoul", "America/New_York", "Asia/Kathmandu"])
def test_client_and_monitor_mean_the_same_minutes_in_every_hour(page: Page, zone: str) -> None:
    rhythm = paced(RHYTHMS["sooner"].week, zone)
    times = [MORNING + timedelta(hours=hour, minutes=15) for hour in range(72)]
    stamps = [at.timestamp() * 1000 for at in times]
    told = page.evaluate(MINUTES, [entry_of("sooner", zone), stamps])
    assert told == [rhythm(at) for at in times]


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {},
        {"interval_minutes": "10"},
        {"interval_minutes": 0},
        {"interval_minutes": 1e9},
        {"rhythm": {"zone": "Asia/Seoul", "hours": [], "otherwise": "<b>"}},
        {"rhythm": {"zone": "Asia/Seoul"}},
        {"rhythm": {"zone": "Mars/Olympus", "hours": [], "otherwise": 10}},
        {"rhythm": [1, 2]},
    ],
    ids=str,
)
def test_an_index_that_does_not_say_it_shows_nothing(page: Page, entry: Any) -> None:
    """The release before has no such key; a damaged one is as if it were not there."""
    assert shown(page, entry) == ""


def test_a_zone_that_the_device_does_not_know_shows_the_longest_interval(page: Page) -> None:
    entry = {**entry_of("sooner"), "interval_minutes": 30}
    entry["rhythm"]["zone"] = "Mars/Olympus"
    assert shown(page, entry) == "30분마다 확인"


def test_hours_of_another_form_are_passed_over(page: Page) -> None:
    hours = [None, 7, {"days": 4}, {"days": [4], "from": 0, "until": 24, "minutes": 6}]
    entry = {"rhythm": {"zone": "Asia/Seoul", "hours": hours, "otherwise": 30}}
    assert shown(page, entry) == "지금은 6분마다 확인"


def test_the_page_of_a_department_has_the_line(site: Site, opened: Opened) -> None:
    """And one in trouble has its trouble alone: its checks are fewer then."""
    campus(site)
    well = department("cse", interval_minutes=10)
    failing = department("law", status="failed", interval_minutes=10)
    site.put("index.json", {"departments": [well, failing]})
    expect(opened("#/source/cse").locator(".pace")).to_have_text("10분마다 확인")
    page = opened("#/source/law")
    expect(page.locator(".health")).to_be_visible()
    expect(page.locator(".pace")).to_have_count(0)


def test_a_paused_source_says_until_when_it_is_not_checked(site: Site, opened: Opened) -> None:
    """Also one in trouble; a pause that is over changes nothing."""
    campus(site)
    paused = {"interval_minutes": 10, "paused_until": "2099-03-02T00:00:00Z"}
    over = {"interval_minutes": 10, "paused_until": "2020-03-02T00:00:00Z"}
    site.put(
        "index.json",
        {
            "departments": [
                department("cse", status="failed", **paused),
                department("law", **over),
            ]
        },
    )
    expect(opened("#/source/cse").locator(".pace")).to_have_text(
        "2099. 3. 2. 오전 9:00까지 확인을 쉽니다"
    )
    expect(opened("#/source/law").locator(".pace")).to_have_text("10분마다 확인")
