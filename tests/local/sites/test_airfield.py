"""The stand-in for the weather gateways, as the real client meets it."""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from airfield_reader import (
    MINUTE,
    OPENED,
    STORM,
    as_sets,
    ask,
    assert_known,
    assert_same,
    client,
    raw_answer,
    report_of,
    said_and_read,
    told_bulletins,
)
from fakes.warnings import complete

from uring.fetch.http import Fetcher
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring_local.sites.airfield import Airfield, Call, Report
from uring_local.sites.airfield.faults import FAULTS
from uring_local.sites.airfield.model import AIRPORTS

# What the client says of each fault, of a row of warnings by its last word.
REASONS = {
    "http_500": "unavailable 500",
    "http_503": "unavailable 503",
    "http_429": "quota 429",
    "no_answer": "network protocol",
    "broken_off": "network protocol",
    "big": "limit too_big",
    "empty_body": "no_envelope empty",
    "html": "no_envelope html",
    "plain_text": "no_envelope text",
    "hub_quota": "key 403",
    "hub_quota_200": "quota 403",
    "portal_quota": "quota 22",
    "portal_key": "key 30",
    "code_01": "unavailable 01",
    "code_02": "unavailable 02",
    "code_05": "unavailable 05",
    "code_99": "unavailable 99",
    "malformed": "no_envelope malformed",
    "doctype": "limit doctype",
    "no_items": "no_data no_items",
    "no_data": "no_data 03",
    "null": "no_data null",
    "no_message": "no_data empty",
    "text": "root",
    "old_version": "version",
    "newer_version": "nothing",
    "other_airport": "airport",
    "future": "future",
    "ahead": "nothing",
    "test": "usage",
    "exercise": "usage",
    "impossible": "nothing",
    "older": "nothing",
    "row_period": "nothing",
    "row_time": "nothing",
    "row_future": "nothing",
    "row_lost": "nothing",
    "row_empty": "empty",
    "row_nameless": "airport",
    "short_page": "missing",
}


@pytest.fixture
def airfield() -> Iterator[Airfield]:
    with Airfield(7, opened=OPENED) as opened:
        yield opened
        assert opened.failures == []


@pytest.mark.parametrize("data_type", ["XML", "JSON"])
def test_a_day_of_all_airports_is_read_to_the_values_that_were_invented(
    airfield: Airfield, data_type: str
) -> None:
    """Whatever the envelope, the generation of IWXXM, and the state of the report."""
    read = Counter[str]()
    for step in range(24):
        now = OPENED + step * 63 * MINUTE
        airfield.advance(now)
        gateway = client(airfield, now, data_type)
        for icao in list(AIRPORTS)[step % 3 :: 3]:
            for product in ("metar", "taf"):
                report = report_of(airfield, product, icao)
                found = ask(gateway, product, icao)
                assert isinstance(found, Metar | Taf)
                assert_same(found, report)
                read[report.status] += 1
        listed = gateway.warnings(AIRPORTS)
        assert complete(listed)
        assert all("it is not pushed" in each.detail for each in listed.disagreements)
        assert told_bulletins(listed, now) == as_sets(airfield.truth("warning"))
    assert read.total() == 24 * 5 * 2
    assert {call.fault for call in airfield.take_calls()} == {None}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_the_one_that_its_name_says(airfield: Airfield, fault: str) -> None:
    """The client refuses it for that reason, and knows what the journal says, no more, no less."""
    airfield.advance(STORM)
    airfield.inject_fault(fault)
    for product in FAULTS[fault].products:
        for data_type in ("XML", "JSON"):
            said, read = said_and_read(client(airfield, STORM, data_type), product, "RKTU")
            call = airfield.take_calls()[0]
            assert (call.product, call.fault) == (product, fault)
            in_a_list = (product, fault) == ("warning", "no_items")
            assert said == ("missing" if in_a_list else REASONS[fault])
            assert_known(read, call, STORM)
            if fault == "older":
                assert isinstance(call.served, Report)
                assert call.served.time < report_of(airfield, product, "RKTU").time


def test_a_fault_can_befall_at_any_time_of_a_day() -> None:
    """With every call failing the client still knows what the journal says."""
    told = Counter[str | None]()
    with Airfield(7, opened=OPENED, failing=1.0) as airfield:
        for step in range(144):
            now = OPENED + step * 10 * MINUTE
            airfield.advance(now)
            for product in ("metar", "taf", "warning"):
                _, read = said_and_read(client(airfield, now), product, "RKNY")
                calls = airfield.take_calls()
                assert_known(read, [call for call in calls if call.page == 1][-1], now)
                told.update(call.fault for call in calls)
        assert airfield.failures == []
    assert told.keys() == FAULTS.keys()


def test_a_row_of_the_future_is_read_in_the_last_minutes_of_its_warning_too(
    airfield: Airfield,
) -> None:
    airfield.advance(STORM)
    ends = [each.end for row in as_sets(airfield.truth("warning")).values() for each in row]
    airfield.advance(min(ends) - MINUTE)
    airfield.inject_fault("row_future")
    for _ in range(20):
        said, read = said_and_read(client(airfield, min(ends) - MINUTE), "warning", "")
        assert said == "nothing"
        assert_known(read, airfield.take_calls()[0], min(ends) - MINUTE)


def test_the_wrapping_varies_from_call_to_call_and_the_report_does_not(airfield: Airfield) -> None:
    gateway = client(airfield, OPENED)
    assert len({gateway.metar("RKTU").report.model_dump_json() for _ in range(60)}) == 1
    bodies = [
        raw_answer(airfield, "AmmIwxxmService/getMetar", icao="RKTU").data for _ in range(120)
    ]
    for sign in (
        b"<metarMsg><iwxxm:METAR",
        b"<![CDATA[",
        b"<metarMsg>&lt;",
        b"&#xD;",
        b"<resultCode>0000<",
        b"<icaoCode></icaoCode>",
        b"<icaoCode>RKTU</icaoCode>",
        b"MeteorologicalBulletin",
        b'encoding="EUC-KR"',
    ):
        having = sum(sign in body for body in bodies)
        assert 0 < having < len(bodies), f"{sign!r} in {having}"
    documents = [
        json.loads(
            raw_answer(airfield, "AmmIwxxmService/getMetar", icao="RKTU", dataType="JSON").data
        )["response"]["body"]["items"]
        for _ in range(40)
    ]
    assert {type(items) for items in documents} == {dict, list}
    rows = [items["item"] if isinstance(items, dict) else items for items in documents]
    assert {type(row) for row in rows} == {dict, list}
    messages = [(row[0] if isinstance(row, list) else row)["metarMsg"] for row in rows]
    assert {type(message) for message in messages} == {dict, str}


def test_the_list_of_warnings_comes_in_pages(airfield: Airfield) -> None:
    airfield.advance(STORM)
    everything = [each for row in as_sets(airfield.truth("warning")).values() for each in row]
    seen: list[str] = []
    for page in range(1, len(everything) + 2):
        body = raw_answer(
            airfield, "AmmService/getWarning", numOfRows="3", pageNo=str(page), dataType="JSON"
        ).json()["response"]
        if body["header"]["resultCode"] == "03":
            break
        assert body["body"]["totalCount"] == len(everything)
        items = body["body"]["items"]
        rows = items["item"] if isinstance(items, dict) else items
        rows = rows if isinstance(rows, list) else [rows]
        assert len(rows) <= 3
        seen += [row["wrngMsg"] for row in rows]
    assert len(everything) > 3
    assert sorted(seen) == sorted(each.text for each in everything)
    first, *others = airfield.take_calls()
    assert as_sets(first.served if isinstance(first.served, dict) else {}) == as_sets(
        airfield.truth("warning")
    )
    assert {call.served for call in others} == {None}


@pytest.mark.parametrize(
    ("operation", "query", "status", "said"),
    [
        ("AmmIwxxmService/getMetar", {"icao": "RKSI", "authKey": "another-key"}, 401, "401"),
        ("AmmIwxxmService/getMetar", {"icao": "RKSI", "authKey": ""}, 401, "401"),
        ("AmmService/getMetar", {"icao": "RKSI"}, 404, "404"),
        ("AmmIwxxmService/getMetar", {}, 200, "<resultCode>11<"),
        ("AmmIwxxmService/getTaf", {"icao": "RKNN"}, 200, "<resultCode>03<"),
        ("AmmService/getWarning", {"pageNo": "0"}, 200, "<resultCode>10<"),
        ("AmmService/getWarning", {"numOfRows": "many"}, 200, "<resultCode>10<"),
    ],
)
def test_a_wrong_request_gets_the_services_own_errors(
    airfield: Airfield, operation: str, query: dict[str, str], status: int, said: str
) -> None:
    answer = raw_answer(airfield, operation, **query)
    assert answer.status == status
    assert said in answer.data.decode()
    assert all(call.served is None and call.fault for call in airfield.take_calls())


def test_the_portals_name_of_the_key_is_taken_too(airfield: Airfield) -> None:
    fetcher = Fetcher(user_agent="uring-test/1", allowed_private_hosts=[airfield.host])
    portal = GatewayClient(fetcher, airfield.url, "serviceKey", airfield.key, clock=lambda: OPENED)
    assert_same(portal.metar("RKPC").report, report_of(airfield, "metar", "RKPC"))


def test_a_fault_befalls_only_whom_it_is_meant_for_and_ends(airfield: Airfield) -> None:
    gateway = client(airfield, OPENED)
    airfield.inject_fault("null", "metar", "RKPC")
    assert said_and_read(gateway, "metar", "RKPC")[0] == "no_data null"
    assert said_and_read(gateway, "metar", "RKSI")[0] == "nothing"
    assert said_and_read(gateway, "taf", "RKPC")[0] == "nothing"
    with pytest.raises(ValueError, match="unknown fault nul;"):
        airfield.inject_fault("nul")
    airfield.inject_fault(None)
    assert said_and_read(gateway, "metar", "RKPC")[0] == "nothing"


def test_the_world_does_not_go_back(airfield: Airfield) -> None:
    airfield.advance(OPENED + MINUTE)
    with pytest.raises(ValueError, match="does not go back"):
        airfield.advance(OPENED)


def test_many_at_once_are_all_in_the_journal(airfield: Airfield) -> None:
    def work(icao: str) -> None:
        for minute in range(10):
            raw_answer(airfield, "AmmIwxxmService/getMetar", icao=icao)
            if icao == "RKSI":
                airfield.advance(OPENED + minute * MINUTE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, AIRPORTS))
    calls = airfield.take_calls()
    assert Counter(call.icao for call in calls) == dict.fromkeys(AIRPORTS, 10)
    assert all(isinstance(call.served, Report) for call in calls)
    assert airfield.take_calls() == []


def asked(seed: int, failing: float) -> list[Call]:
    """The journal of eight hours in which four airports are asked for."""
    with Airfield(seed, opened=OPENED, failing=failing) as airfield:
        for hour in range(8):
            now = OPENED + hour * 60 * MINUTE
            airfield.advance(now)
            gateway = client(airfield, now)
            for product, icao in [("metar", icao) for icao in list(AIRPORTS)[:4]] + [
                ("taf", "RKPC"),
                ("warning", ""),
            ]:
                try:
                    ask(gateway, product, icao)
                except (GatewayError, ReportRefused):
                    continue
        assert airfield.failures == []
        return airfield.take_calls()


def test_the_same_seed_gives_the_same_calls_and_another_one_others() -> None:
    first, second, other = asked(7, 0.3), asked(7, 0.3), asked(8, 0.3)
    assert first == second
    assert first != other
    share = sum(call.fault is not None for call in first) / len(first)
    assert 0.15 < share < 0.5
