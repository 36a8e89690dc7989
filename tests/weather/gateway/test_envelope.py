"""The gateways' answers: every way a message comes, every way an error does."""

import json
import time
from typing import Any, get_args
from xml.sax.saxutils import escape

import pytest
from fakes.iwxxm_documents import metar, taf
from gateway_answers import answer, as_json, error, item, portal_error, warnings
from hypothesis import given
from hypothesis import strategies as st

from uring.fetch.xml import LIMITS
from uring.weather.gateway.envelope import MOST_BYTES, Envelope, read_envelope
from uring.weather.gateway.errors import GatewayError, GatewayReason
from uring.weather.gateway.json_tree import parse_json
from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.tree import Element


def read(text: str, content_type: str | None = None) -> Envelope:
    return read_envelope(text.encode(), content_type)


def refused(body: str | bytes, content_type: str | None = None) -> GatewayError:
    with pytest.raises(GatewayError) as caught:
        read_envelope(body if isinstance(body, bytes) else body.encode(), content_type)
    return caught.value


def assert_read_or_refused(body: bytes) -> None:
    detail = ""
    try:
        read_envelope(body)
    except GatewayError as error:
        detail = error.detail
    assert detail.isprintable()


def converted(element: Element) -> Any:
    """An element as XML-to-JSON converters write it: attributes among the members."""
    members: dict[str, Any] = dict(element.attrib)
    for child in element:
        name = f"iwxxm:{child.tag}"
        members.setdefault(name, []).append(converted(child))
    text = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    if not members:
        return text
    if text:
        members["content"] = text
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in members.items()
    }


REPORT = metar()
ENCODINGS = {
    "nested": answer(item(REPORT)),
    "cdata": answer(item(f"<![CDATA[{REPORT}]]>")),
    "cdata with a declaration": answer(item(f'<![CDATA[<?xml version="1.0"?>{REPORT}]]>')),
    "escaped": answer(item(escape(REPORT))),
    "escaped in CDATA": answer(item(f"<![CDATA[{escape(REPORT)}]]>")),
    "CDATA with carriage returns": answer(
        item("<![CDATA[" + REPORT.replace("\n", "&#xD;\n") + "&#xD;\n&#13;]]>")
    ),
    "JSON string": as_json([{"icaoCode": "", "metarMsg": REPORT}]),
    "JSON string, one item": as_json({"icaoCode": None, "metarMsg": REPORT}),
    "JSON objects": as_json({"metarMsg": {"iwxxm:METAR": None}}),
    "JSON list for items": as_json({"metarMsg": REPORT}).replace(
        '"items": {"item"', '"items": [{"item"'
    ),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_report_reads_alike_however_it_is_put_into_the_answer(encoding: str) -> None:
    text = ENCODINGS[encoding]
    if encoding == "JSON objects":
        root = read(answer(item(REPORT))).items[0].message.document
        assert root is not None
        text = as_json({"icaoCode": "", "metarMsg": converted(root)})
    if encoding == "JSON list for items":
        body = json.loads(as_json({"metarMsg": REPORT}))
        body["response"]["body"]["items"] = [body["response"]["body"]["items"]["item"]]
        text = json.dumps(body)
    envelope = read(text)
    [only] = envelope.items
    assert (only.message.kind, only.message_field) == ("document", "metarMsg")
    assert only.message.document is not None
    plain = read(answer(item(REPORT))).items[0].message.document
    assert plain is not None
    assert read_report(only.message.document) == read_report(plain)


@pytest.mark.parametrize(
    "text",
    [
        answer(item("<![CDATA[\ufeff" + REPORT + "]]>")),
        answer(item("\r\n\ufeff " + escape(REPORT))),
        as_json({"metarMsg": "\ufeff" + REPORT}),
    ],
    ids=["CDATA", "escaped", "JSON"],
)
def test_a_byte_order_mark_before_a_report_is_no_text(text: str) -> None:
    [only] = read(text).items
    assert only.message.document is not None
    assert read_report(only.message.document).report.header.icao == "RKZA"


def test_a_taf_of_json_objects_keeps_its_groups() -> None:
    plain = read(answer(item(taf(), "tafMsg"))).items[0].message.document
    assert plain is not None
    nested = read(as_json({"tafMsg": converted(plain)})).items[0].message.document
    assert nested is not None
    assert read_report(nested) == read_report(plain)


def test_elements_are_found_in_any_order() -> None:
    text = """<response><body><totalCount>2</totalCount><pageNo>1</pageNo><items>
    <item><tafMsg>null</tafMsg><airportName> 해빛 </airportName><icaoCode>RKZA</icaoCode></item>
    <item><icaoCode>RKZB</icaoCode></item></items></body>
    <header><resultMsg>OK</resultMsg><resultCode>0000</resultCode></header></response>"""
    envelope = read(text)
    assert (envelope.code, envelope.message, envelope.total_count) == ("0000", "OK", 2)
    assert [dict(row.fields) for row in envelope.items] == [
        {"airportName": "해빛", "icaoCode": "RKZA"},
        {"icaoCode": "RKZB"},
    ]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("<![CDATA[null]]>", "null"),
        ("null", "null"),
        (" NULL&#xD;", "null"),
        ("", "empty"),
        ("<![CDATA[&#xD;\n]]>", "empty"),
        ("TAF RKZA 040500Z NIL=", "text"),
        ("<![CDATA[<METAR><cut>]]>", "unreadable"),
        ('<![CDATA[<!DOCTYPE a [<!ENTITY b "c">]><METAR>&b;</METAR>]]>', "unreadable"),
        ("<METAR/>", "document"),
    ],
)
def test_a_message_that_is_no_report_is_told_apart(message: str, kind: str) -> None:
    [only] = read(answer(item(message))).items
    assert only.message.kind == kind
    assert (only.message.document is not None) == (kind == "document")


def test_json_null_and_no_field_at_all_are_told_apart() -> None:
    rows = read(as_json([{"tafMsg": None}, {"icaoCode": "RKZA"}, {"tafMsg": ""}], 3)).items
    assert [row.message.kind for row in rows] == ["null", "absent", "empty"]


def test_text_that_reads_as_two_charsets_is_what_the_header_says() -> None:
    body = answer("<item><airportName>치</airportName></item>").replace('encoding="UTF-8"', "")
    [only] = read_envelope(body.encode("euc-kr"), "text/xml;charset=EUC-KR").items
    assert only.fields["airportName"] == "치"


def test_euc_kr_is_read_by_its_header_and_by_its_declaration() -> None:
    text = warnings([{}])
    declared = text.replace("UTF-8", "EUC-KR")
    for body, content_type in [
        (text.replace('encoding="UTF-8"', "").encode("euc-kr"), "text/xml; charset=EUC-KR"),
        (declared.encode("euc-kr"), None),
        (text.encode(), "text/xml; charset=EUC-KR"),  # a header that is wrong
    ]:
        [only] = read_envelope(body, content_type).items
        assert only.fields["airportName"] == "해빛공항"


HUB_401 = '{"result": {"status": 401, "message": "유효한 인증키가 아닙니다."}}'
HUB_403 = '{"result":{"status":403,"message":"활용신청이 필요한 API 입니다."}}'
HUB_QUOTA = '{"result":{"status":403,"message":"API 호출 한도를 초과했습니다."}}'
PORTAL_JSON = '{"OpenAPI_ServiceResponse":{"cmmMsgHeader":{"returnReasonCode":"30"}}}'
HTML = "<!DOCTYPE html>\n<html><head><title>점검 중</title></head><body></body></html>"
ERRORS = [
    # body, code, reason, retryable
    (error("01", "APPLICATION_ERROR"), "01", "unavailable", True),
    (error("02", "DB_ERROR"), "02", "unavailable", True),
    (error("", "DB_ERROR"), "02", "unavailable", True),
    (error("03", "NO_DATA"), "03", "no_data", False),
    (error("3", "NODATA_ERROR"), "03", "no_data", False),
    (error("04", "HTTP_ERROR"), "04", "unavailable", True),
    (error("05", "SERVICETIMEOUT_ERROR"), "05", "unavailable", True),
    (error("10", "INVALID_REQUEST_PARAMETER_ERROR"), "10", "request", False),
    (error("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR"), "11", "request", False),
    (error("12", "NO_OPENAPI_SERVICE_ERROR"), "12", "request", False),
    (error("20", "SERVICE ACCESS DENIED ERROR."), "20", "key", False),
    (error("21", ""), "21", "key", False),
    (error("22", ""), "22", "quota", False),
    (error("31", ""), "31", "key", False),
    (error("32", ""), "32", "key", False),
    (error("33", ""), "33", "key", False),
    (error("99", "UNKNOWN_ERROR"), "99", "unavailable", True),
    (error("77", "새로운 오류"), "77", "unavailable", True),
    (error("77", "인증키 오류"), "77", "key", False),
    (portal_error("20", "SERVICE_ACCESS_DENIED_ERROR"), "20", "key", False),
    (portal_error("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"), "22", "quota", False),
    (portal_error("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"), "30", "key", False),
    (portal_error("", "UNREGISTERED_IP_ERROR"), "32", "key", False),
    (PORTAL_JSON, "30", "key", False),
    ('{"cmmMsgHeader":{"returnReasonCode":"22"}}', "22", "quota", False),
    (HUB_401, "401", "key", False),
    (HUB_403, "403", "key", False),
    (HUB_QUOTA, "403", "quota", False),
    ('{"result":{"status":404,"message":""}}', "404", "request", False),
    ('{"result":{"status":"503","message":"x"}}', "503", "unavailable", True),
    ('{"result":{"status":429,"message":"x"}}', "429", "quota", True),
    ("<result><status>403</status><message>x</message></result>", "403", "key", False),
    ("", "empty", "no_envelope", True),
    (" \r\n\0", "empty", "no_envelope", True),
    (HTML, "html", "no_envelope", True),
    ("<?xml version='1.0'?><!-- a --><!-- b --><html><p></html>", "html", "no_envelope", True),
    ("Unauthorized", "text", "key", False),
    ("Forbidden", "text", "key", False),
    ("API rate limit exceeded", "text", "quota", True),
    ('{"message":"API rate limit exceeded"}', "text", "quota", True),
    ("Too many requests per second", "text", "quota", True),
    ("초당 요청 수를 초과했습니다.", "text", "quota", True),
    ("Daily rate limit exceeded", "text", "quota", False),
    ("API rate limit exceeded: quota of the day", "text", "quota", False),
    ("일일 트래픽 한도 초과", "text", "quota", False),
    ('{"result":{"status":403,"message":"rate limit exceeded"}}', "403", "quota", True),
    ("Unexpected errors", "text", "no_envelope", True),
    ("<response><header><resultCode>00</resultC", "malformed", "no_envelope", True),
    ('{"response": {"header"', "malformed", "no_envelope", True),
    ("[]", "malformed", "no_envelope", True),
    ("<other/>", "no_header", "no_envelope", False),
    ("{}", "no_header", "no_envelope", False),
    (error("00", "NORMAL_SERVICE"), "no_items", "no_envelope", True),
    ("<!DOCTYPE a><response/>", "doctype", "limit", False),
]


@pytest.mark.parametrize(("body", "code", "reason", "retryable"), ERRORS)
def test_every_error_form_is_a_refusal_of_its_kind(
    body: str,
    code: str,
    reason: str,
    retryable: bool,  # noqa: FBT001
) -> None:
    found = refused(body)
    assert (found.code, found.reason, found.retryable) == (code, reason, retryable)
    assert found.no_data == (reason == "no_data")
    assert found.closes == (reason in {"key", "quota"})
    assert found.reason in get_args(GatewayReason)
    assert found.detail


def test_no_items_and_a_count_is_an_answer_without_items() -> None:
    envelope = read(answer("", total=0))
    assert (envelope.items, envelope.total_count) == ((), 0)
    assert read('{"response":{"header":{"resultCode":"00"},"body":{"items":""}}}').items == ()


@pytest.mark.parametrize(
    ("bomb", "code"),
    [
        (b'{"a":' * 200_000, "limit"),
        (b'{"response":' + b'{"a":' * 60 + b"1" + b"}" * 61, "limit"),
        (b'{"response":' + b"[" * 60 + b"1" + b"]" * 60 + b"}", "limit"),
        (b"[" * 900_000, "limit"),
        (b'{"a":[' + b"1," * 60_000 + b"1]}", "limit"),
        (b'{"a":"' + b"x" * 600_000 + b'"}', "limit"),
        (b'{"a":' + b"9" * 1_000_000 + b"}", "limit"),
        (b"<a>" * 400_000, "limit"),
        (b"<response>" + b"<a/>" * 60_000 + b"</response>", "limit"),
        (b" " * (MOST_BYTES + 1), "too_big"),
        (b"<!---->" * 200_000, "malformed"),
    ],
    ids=lambda bomb: f"{bomb[:12]!r} of {len(bomb)}",
)
def test_a_bomb_is_refused_at_once(bomb: bytes, code: str) -> None:
    started = time.process_time()
    assert refused(bomb).code == code
    assert time.process_time() - started < 3


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    assert_read_or_refused(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["response", "header", "body", "items", "item", "resultCode", "metarMsg", "result",
             "status", "message", "totalCount", "cmmMsgHeader", "@x", "content", "xmlns:a"]
        ),
        inner,
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_any_json_is_read_or_refused(value: object) -> None:
    assert_read_or_refused(json.dumps(value).encode())


def test_numbers_and_attributes_of_json_stay_as_they_are_written() -> None:
    root = parse_json('{"a:t": {"uom": "Cel", "content": -3.10}, "f": {"@_href": "#x", "-y": 1}}')
    first, second = root
    assert (first.tag, first.attrib, first.text) == ("t", {"uom": "Cel"}, "-3.10")
    assert second.attrib == {"href": "#x", "y": "1"}


@pytest.mark.parametrize("as_text", [True, False])
def test_the_messages_of_an_answer_have_one_limit_together(*, as_text: bool) -> None:
    """Each alone is below it; together they would fill the function's memory."""
    document = f"<a>{'<b/>' * (LIMITS.elements // 3)}</a>"
    if as_text:
        rows = [{"metarMsg": document}] * 9
        body = {"items": {"item": rows}, "totalCount": 9}
        header = {"resultCode": "00", "resultMsg": "OK"}
        text = json.dumps({"response": {"header": header, "body": body}})
    else:
        text = answer(item(f"<![CDATA[{document}]]>") * 9, total=9)
    items = read(text).items
    kinds = [item.message.kind for item in items]
    assert kinds == ["document"] * 2 + ["unreadable"] * 7
    assert "elements" in items[-1].message.text
