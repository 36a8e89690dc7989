"""Asking a gateway: what goes out, how often and how gently; which answer counts."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from asked_gateway import HUB, KEY, PORTAL, QUICK, Asked
from fakes import response
from fakes.iwxxm_documents import metar, taf
from fakes.warnings import complete
from gateway_answers import METAR_ANSWER, answer, error, item, portal_error, warning, warnings

from uring.errors import FetchFailed
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.retry import RateLimit
from uring.weather.iwxxm.errors import ReportRefused


def test_the_hub_is_asked_with_its_names() -> None:
    asked = Asked(METAR_ANSWER)
    assert asked.gateway.metar("RKZA").report.header.icao == "RKZA"
    [url] = asked.urls
    assert url.startswith(f"{HUB}/AmmIwxxmService/getMetar?")
    assert parse_qs(urlsplit(url).query) == {
        "authKey": [KEY],
        "pageNo": ["1"],
        "numOfRows": ["10"],
        "dataType": ["XML"],
        "icao": ["RKZA"],
    }
    [request] = asked.fetcher.requests
    assert (request.timeout_seconds, request.max_bytes) == (10, 2_000_000)


def test_the_portal_is_asked_by_settings_alone() -> None:
    asked = Asked(answer(item(taf(), "tafMsg")), base_url=f"{PORTAL}/", key_name="serviceKey")
    assert asked.gateway.taf("RKZA").report.header.icao == "RKZA"
    assert asked.urls[0].startswith(f"{PORTAL}/AmmIwxxmService/getTaf?serviceKey=Fake%2BKey%2F")


def test_requests_are_spaced() -> None:
    asked = Asked(METAR_ANSWER, METAR_ANSWER, METAR_ANSWER)
    for _ in range(3):
        asked.gateway.metar("RKZA")
    assert asked.slept == [0.25, 0.25]
    assert asked.gateway.requests == 3


TRANSIENT = [
    error("01", "APPLICATION_ERROR"),
    error("99", "UNKNOWN_ERROR"),
    "<html></html>",
    "",
    FetchFailed("timeout", "it took longer than 10 s"),
    FetchFailed("connect", "refused"),
    FetchFailed("http_status", "HTTP 503 from gateway"),
]


@pytest.mark.parametrize("trouble", TRANSIENT, ids=str)
def test_what_may_pass_is_asked_three_times_with_growing_waits(trouble: str | Exception) -> None:
    asked = Asked(trouble, trouble, trouble)
    asked.refused()
    assert asked.slept == [0.75, 0.25, 1.5, 0.25]
    assert len(asked.urls) == 3
    mended = Asked(trouble, trouble, METAR_ANSWER)
    assert mended.gateway.metar("RKZA").report.header.icao == "RKZA"


LASTING = [
    (error("10", "INVALID_REQUEST_PARAMETER_ERROR"), "10"),
    (error("03", "NO_DATA"), "03"),
    (portal_error("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"), "30"),
    (FetchFailed("not_found", "HTTP 404 from gateway"), "404"),
    (FetchFailed("rejected", "HTTP 400 from gateway"), "400"),
    (FetchFailed("forbidden", "HTTP 403 from gateway"), "403"),
    (FetchFailed("too_big", "more than 2000000 bytes"), "too_big"),
    (FetchFailed("refused_address", "10.0.0.1"), "refused_address"),
]


@pytest.mark.parametrize(("trouble", "code"), LASTING, ids=str)
def test_what_lasts_is_asked_once(trouble: str | Exception, code: str) -> None:
    asked = Asked(trouble)
    assert asked.refused().code == code
    assert asked.slept == []


def test_an_outage_costs_one_call_an_airport_once_the_retries_are_used_up() -> None:
    failed = FetchFailed("timeout", "it took longer than 10 s")
    asked = Asked(*[failed] * 50)
    for _ in range(15):
        asked.refused()
    assert len(asked.urls) == 15 + QUICK.retries


@pytest.mark.parametrize(
    "closing",
    [
        portal_error("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"),
        error("20", "SERVICE_ACCESS_DENIED_ERROR"),
        '{"result":{"status":401,"message":"유효한 인증키가 아닙니다."}}',
        '{"result":{"status":403,"message":"API 호출 한도를 초과했습니다."}}',
        FetchFailed("forbidden", "HTTP 401 from gateway"),
        FetchFailed("forbidden", "HTTP 403 from gateway"),
    ],
    ids=str,
)
def test_after_a_refused_key_or_quota_nothing_more_is_asked(closing: str | Exception) -> None:
    asked = Asked(METAR_ANSWER, closing)
    asked.gateway.metar("RKZA")
    first = asked.refused("RKZB")
    assert first.asked
    assert first.closes
    for ask in (asked.gateway.metar, asked.gateway.taf):
        with pytest.raises(GatewayError) as caught:
            ask("RKZA")
        assert (caught.value.code, caught.value.asked) == (first.code, False)
        assert caught.value.closes
    with pytest.raises(GatewayError):
        asked.gateway.warnings(["RKZA"])
    assert len(asked.urls) == 2


def test_retry_after_is_waited_for_and_a_long_one_closes_the_gateway() -> None:
    busy = FetchFailed("forbidden", "HTTP 429 from gateway", retry_after=7)
    asked = Asked(busy, METAR_ANSWER)
    asked.gateway.metar("RKZA")
    assert asked.slept == [7, 0.25]
    later = Asked(FetchFailed("http_status", "HTTP 503 from gateway", retry_after=600))
    assert later.refused().retry_after == 600
    assert not later.refused().asked
    assert len(later.urls) == 1
    forever = Asked(busy, busy, busy)
    assert forever.refused().code == "429"
    assert not forever.refused().asked


def test_of_several_reports_the_newest_that_is_to_be_believed_counts() -> None:
    old = metar()
    new = old.replace("T03:0", "T04:0").replace("4000", "4500")
    wrong = old.replace("RKZA", "RKZB").replace("T03:0", "T05:0")
    corrected = new.replace('"NORMAL"', '"CORRECTION"')
    for rows in ([old, corrected, new, wrong], [wrong, new, corrected, old]):
        report = Asked(answer("".join(map(item, rows)))).gateway.metar("RKZA").report
        assert report.header.report_status == "CORRECTION"
        assert report.header.observation_time == datetime(2026, 5, 4, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (answer(item("<![CDATA[null]]>")), "null"),
        (answer(item("")), "empty"),
        (answer("<item><icaoCode>RKZA</icaoCode></item>"), "absent"),
        (answer("", total=0), "no_items"),
        (error("03", "NO_DATA"), "03"),
    ],
)
def test_no_report_is_told_apart_from_trouble(text: str, code: str) -> None:
    found = Asked(text).refused()
    assert (found.code, found.no_data, found.closes) == (code, True, False)


def test_a_wrong_report_beside_an_empty_message_is_trouble_and_not_absence() -> None:
    asked = Asked(answer(item("null") + item("<METAR/>"), total=2))
    with pytest.raises(ReportRefused):
        asked.gateway.metar("RKZA")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (metar().replace("RKZA", "RKZB"), "airport"),
        (metar().replace("2026-05", "2027-05"), "future"),
        (taf(), "root"),
        ("METAR RKZA 040300Z 24009KT CAVOK 18/11 Q1016=", "root"),
        ("<![CDATA[<METAR><cut]]>", "root"),
        ("<other/>", "root"),
    ],
)
def test_a_report_that_is_not_to_be_believed_is_the_airports_failure(
    message: str, reason: str
) -> None:
    asked = Asked(answer(item(message)))
    with pytest.raises(ReportRefused) as caught:
        asked.gateway.metar("RKZA")
    assert caught.value.reason == reason
    assert "RKZA" in caught.value.detail


def test_a_report_in_an_item_of_another_airport_is_refused() -> None:
    small = item(metar()).replace("<icaoCode></icaoCode>", "<icaoCode>rkza</icaoCode>")
    assert Asked(answer(small)).gateway.metar("RKZA").report.header.icao == "RKZA"
    row = item(metar()).replace("<icaoCode></icaoCode>", "<icaoCode>RKZB</icaoCode>")
    with pytest.raises(ReportRefused, match="RKZB"):
        Asked(answer(row)).gateway.metar("RKZA")


def row_of(number: int) -> dict[str, str]:
    return {"wrngMsg": f"RKZA AD WRNG {number} 040255 VALID 040300/041100="}


def test_warnings_are_asked_page_by_page() -> None:
    rows = [row_of(number) for number in range(250)]
    asked = Asked(*[warnings(rows[at : at + 100], total=250) for at in (0, 100, 200)])
    listed = asked.gateway.warnings(["RKZA"])
    assert complete(listed)
    assert len(listed.airports["RKZA"].warnings) == 250
    queries = [parse_qs(urlsplit(url).query) for url in asked.urls]
    assert [query["pageNo"] for query in queries] == [["1"], ["2"], ["3"]]
    assert all(query["numOfRows"] == ["100"] and "icao" not in query for query in queries)


def test_rows_that_come_again_on_the_next_page_do_not_fill_the_count() -> None:
    rows = [row_of(number) for number in range(4)]
    asked = Asked(warnings(rows[:2], total=4), warnings(rows[1:3], total=4), answer("", total=4))
    listed = asked.gateway.warnings(["RKZA"])
    assert (listed.received, listed.missing) == (3, 1)
    assert not complete(listed)


def test_a_gateway_that_ignores_the_page_is_asked_twice_and_one_without_end_ten_times() -> None:
    same = warnings([row_of(1)], total=9)
    asked = Asked(same, same)
    assert asked.gateway.warnings(["RKZA"]).missing == 8
    endless = Asked(*[warnings([row_of(number)], total=10_000) for number in range(20)])
    assert endless.gateway.warnings(["RKZA"]).received == 10
    assert len(endless.urls) == 10


def test_equal_rows_of_one_page_count_as_they_came() -> None:
    assert complete(Asked(answer(warning() + warning(), total=2)).gateway.warnings(["RKZA"]))


def test_no_data_means_no_warnings_and_a_later_page_that_fails_costs_its_own_rows() -> None:
    assert complete(Asked(error("03", "NO_DATA")).gateway.warnings(["RKZA"]))
    page = warnings([row_of(1)], total=2)
    ended = Asked(page, error("03", "NO_DATA")).gateway.warnings(["RKZA"])
    assert (ended.received, complete(ended)) == (1, False)
    for code, attempts in (("02", 3), ("22", 1)):
        failing = Asked(page, *[error(code, "ERROR")] * attempts).gateway.warnings(["RKZA"])
        assert (failing.received, failing.missing, complete(failing)) == (1, 1, False)
        assert len(failing.airports["RKZA"].warnings) == 1
        assert isinstance(failing.trouble, GatewayError)
        assert failing.trouble.code == code
    with pytest.raises(GatewayError):
        Asked(*[error("02", "DB_ERROR")] * 3).gateway.warnings(["RKZA"])


def test_a_fetcher_gives_bytes_and_their_charset() -> None:
    text = METAR_ANSWER.replace("HAETBIT", "해빛").replace("UTF-8", "EUC-KR")
    euc = response("", body=text.encode("euc-kr"), content_type="text/xml")
    assert Asked(euc).gateway.metar("RKZA").report.header.airport_name == "해빛"


def test_a_run_that_has_gone_on_for_too_long_asks_no_more() -> None:
    limit = RateLimit(spacing_seconds=50.0, run_seconds=120.0)
    asked = Asked(*[METAR_ANSWER] * 9, rate_limit=limit)
    for _ in range(3):
        asked.gateway.metar("RKZA")
    refused = asked.refused()
    assert (refused.code, refused.reason, refused.asked) == ("late", "network", False)
    assert "120 s old" in refused.detail
    assert len(asked.urls) == 3


def test_a_report_that_is_passed_over_for_another_is_noted() -> None:
    asked = Asked(answer(item(metar()) + item("METAR RKZA in plain text=")))
    response = asked.gateway.metar("RKZA")
    assert response.report.header.icao == "RKZA"
    (note,) = response.notes
    assert note.startswith("another report in the answer: root: RKZA")


def test_no_redirect_is_followed() -> None:
    asked = Asked(METAR_ANSWER)
    asked.gateway.metar("RKZA")
    assert asked.fetcher.requests[0].most_redirects == 0


def test_specials_of_the_hour_come_with_a_newer_report_each_once() -> None:
    def at(name: str, minute: int) -> str:
        return metar(name=name).replace("T03:00:00Z", f"T02:{minute:02}:00Z")

    hours_ago = metar(name="SPECI").replace("T03:00:00Z", "T01:10:00Z")
    rows = [item(at("SPECI", minute)) for minute in (52, 52, 10, 20, 30)] + [item(hours_ago)]
    found = Asked(answer("".join([*rows, item(metar())]))).gateway.metar("RKZA")
    assert found.report.header.report_type == "METAR"
    assert [it.header.observation_time.minute for it in found.specials] == [20, 30, 52]
