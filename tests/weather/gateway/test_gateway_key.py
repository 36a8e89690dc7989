"""The gateway's key: encoded once, and seen by nobody."""

import re
import traceback
from urllib.parse import parse_qs, urlsplit

import pytest
from asked_gateway import HUB, KEY, LOWER, QUOTED, Asked, assert_hidden
from fakes.iwxxm_documents import metar
from gateway_answers import METAR_ANSWER, answer, error, item, portal_error, warnings
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.errors import FetchFailed, Misconfigured, UringError
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.key import GatewayKey


@pytest.mark.parametrize("key", [KEY, QUOTED, LOWER, f" {KEY}\n"])
def test_a_key_is_encoded_once_plain_or_encoded(key: str) -> None:
    asked = Asked(METAR_ANSWER, key=key)
    asked.gateway.metar("RKZA")
    assert parse_qs(urlsplit(asked.urls[0]).query)["authKey"] == [KEY]


@pytest.mark.parametrize("key", ["", "short", "with space in it", "line\nbreak-in-it"])
def test_what_is_no_key_is_the_operators_mistake(key: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        GatewayKey(key)
    assert not key or key not in str(caught.value)


def test_a_key_that_is_not_ours_is_not_shown_either() -> None:
    told = GatewayKey(KEY).redact("/getMetar?serviceKey=Another%2BFake&icao=RKZA authKey='Third'")
    assert told == "/getMetar?serviceKey=***&icao=RKZA authKey='***'"


KEYS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcxyz+/=_-", min_size=9, max_size=90)
CUTS = st.integers(0, 200)


@settings(deadline=None)
@given(KEYS, CUTS, st.sampled_from(["xml", "report", "portal", "hub", "fetch", "text", "list"]))
def test_the_key_is_in_no_message_whatever_a_server_repeats(key: str, pad: int, form: str) -> None:
    """Servers repeat the URL in their errors, in any spelling, and messages are cut within it."""
    spelled = GatewayKey(key)
    lower = re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), spelled.quoted)
    for echo in (key, spelled.quoted, lower, f"?authKey={spelled.quoted}&amp;x=1"):
        said = "." * pad + echo
        bodies: dict[str, str | Exception] = {
            "xml": error("10", said),
            "report": answer(item(f"METAR {said}")),
            "portal": portal_error("30", said),
            "hub": f'{{"result":{{"status":401,"message":"{said}"}}}}',
            "fetch": FetchFailed("protocol", said[:120]),
            "text": f"no {said}",
            "list": warnings([{"icaoCode": said}, {"tm": said}, {"wrngMsg": said}]),
        }
        asked = Asked(*[bodies[form]] * 6, key=key)
        told = [repr(asked.gateway)]
        if form == "list":
            listed = asked.gateway.warnings(["RKZA"])
            told += [row.detail for row in listed.refused + listed.disagreements]
            told += listed.unknown_types
        else:
            for _ in range(2):
                with pytest.raises(UringError) as caught:
                    asked.gateway.metar("RKZA")
                told += [str(caught.value), repr(caught.value), repr(caught.value.args)]
                told += traceback.format_exception(caught.value)
                assert caught.value.__context__ is None
        assert_hidden("\n".join(told), key, spelled.quoted, lower)


def test_the_key_is_neither_in_a_report_nor_in_its_notes() -> None:
    named = metar().replace("HAETBIT", f"HAETBIT {KEY}")
    asked = Asked(answer(item(named) + item(f"METAR {QUOTED}")))
    response = asked.gateway.metar("RKZA")
    assert response.report.header.airport_name == "HAETBIT ***"
    (note,) = response.notes
    assert "***" in note
    assert_hidden(repr(response), KEY, QUOTED)


def test_a_request_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Request) -> Response:
        raise FetchFailed("bad_address", f"{HUB}?authKey={QUOTED} is no address")

    class Broken:
        fetch = staticmethod(broken)

    gateway = GatewayClient(Broken(), HUB, "authKey", KEY, sleep=lambda _: None)
    with pytest.raises(GatewayError) as caught:
        gateway.metar("RKZA")
    assert "authKey=***" in str(caught.value)
    assert_hidden(str(caught.value) + caplog.text, KEY)
