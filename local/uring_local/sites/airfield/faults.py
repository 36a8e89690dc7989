"""All faults of an answer, by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

from uring_local.loopback import Answer
from uring_local.sites.airfield import wrong_responses as wrong
from uring_local.sites.airfield.moment import Moment, Response

REPORTS: Final = ("metar", "taf")
WARNING: Final = ("warning",)
ALL: Final = (*REPORTS, *WARNING)


@dataclass(frozen=True)
class Fault:
    """A fault of an answer.

    Attributes:
        make: makes the answer and its readable part; None when the fault cannot happen now.
        products: the products it can happen to.
        weight: its relative frequency; faults that close the gateway are rare.
        is_read: whether a reader believes the report except for its wrong part.
    """

    make: wrong.ResponseMaker
    products: tuple[str, ...] = ALL
    weight: int = 10
    is_read: bool = False


_MAINTENANCE: Final = Answer(
    200,
    (
        "<!DOCTYPE html><html><head><title>시스템 점검 안내</title></head>"
        "<body><h1>서비스 점검 중입니다.</h1></body></html>"
    ).encode(),
    {"Content-Type": "text/html;charset=UTF-8"},
)
_PLAIN_TEXT: Final = Answer(200, b"Unexpected errors", {"Content-Type": "text/plain"})
_QUOTA: Final = "API 호출 한도를 초과했습니다."
_PORTAL_QUOTA: Final = "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"
_PORTAL_KEY: Final = "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"

FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        "http_500": Fault(wrong.fixed(Answer(500, b"Unexpected errors"))),
        "http_503": Fault(wrong.fixed(Answer(503))),
        "http_429": Fault(wrong.fixed(Answer(429, headers={"Retry-After": "1"})), weight=3),
        "no_answer": Fault(wrong.fixed(Answer(200, manner="cut"))),
        "broken_off": Fault(wrong.broken_off),
        "big": Fault(wrong.big),
        "empty_body": Fault(wrong.fixed(Answer(200))),
        "html": Fault(wrong.fixed(_MAINTENANCE)),
        "plain_text": Fault(wrong.fixed(_PLAIN_TEXT)),
        "hub_quota": Fault(wrong.fixed(wrong.hub_error(403, _QUOTA, http=403)), weight=1),
        "hub_quota_200": Fault(wrong.fixed(wrong.hub_error(403, _QUOTA)), weight=1),
        "portal_quota": Fault(wrong.fixed(wrong.portal_error("22", _PORTAL_QUOTA)), weight=1),
        "portal_key": Fault(wrong.fixed(wrong.portal_error("30", _PORTAL_KEY)), weight=1),
        "code_01": Fault(wrong.service_says("01", "APPLICATION_ERROR")),
        "code_02": Fault(wrong.service_says("02", "DB_ERROR")),
        "code_05": Fault(wrong.service_says("05", "SERVICETIME_OUT")),
        "code_99": Fault(wrong.service_says("99", "UNKNOWN_ERROR")),
        "malformed": Fault(wrong.malformed),
        "doctype": Fault(wrong.doctype),
        "no_items": Fault(wrong.no_items),
        "no_data": Fault(wrong.service_says("03", "NO_DATA"), REPORTS),
        "null": Fault(wrong.message(lambda *_: "null"), REPORTS),
        "no_message": Fault(wrong.message(lambda *_: ""), REPORTS),
        "text": Fault(
            wrong.message(lambda _, report: f"{report.kind} {report.icao} NO IWXXM="), REPORTS
        ),
        "old_version": Fault(wrong.written(version="1.1"), REPORTS),
        "newer_version": Fault(
            wrong.written(version="2099-1", believed=lambda report: report), REPORTS, is_read=True
        ),
        "other_airport": Fault(wrong.written(lambda moment, _: moment.other), REPORTS),
        "future": Fault(wrong.written(wrong.of_future), REPORTS),
        "ahead": Fault(wrong.ahead, REPORTS, weight=3),
        "test": Fault(wrong.written(usage="NON-OPERATIONAL TEST"), REPORTS),
        "exercise": Fault(wrong.written(usage="NON-OPERATIONAL EXERCISE"), REPORTS),
        "impossible": Fault(
            wrong.written(wrong.impossible, believed=wrong.windless), REPORTS, is_read=True
        ),
        "older": Fault(wrong.older, REPORTS, weight=30),
        "row_period": Fault(
            wrong.odd_row(
                lambda row, _: {**row, "validTm1": row["validTm2"], "validTm2": row["validTm1"]}
            ),
            WARNING,
            weight=20,
            is_read=True,
        ),
        "row_time": Fault(
            wrong.odd_row(lambda row, _: {**row, "tm": "20261"}), WARNING, is_read=True
        ),
        "row_future": Fault(wrong.odd_row(wrong.issued_later), WARNING, is_read=True),
        "row_lost": Fault(wrong.lost, WARNING, weight=20, is_read=True),
        "row_empty": Fault(wrong.bad_row(wrong.emptied), WARNING, weight=20),
        "row_nameless": Fault(wrong.bad_row(wrong.without_name, nameless=True), WARNING),
        "short_page": Fault(wrong.short, WARNING, weight=20),
    }
)


def inject_fault(
    moment: Moment, random: Random, name: str | None = None
) -> tuple[str, Response] | None:
    """Return a fault's name and response; a random fault if `name` is None.

    None when the fault cannot happen now.
    """
    left = [
        fault_name
        for fault_name, fault in FAULTS.items()
        if moment.product in fault.products and name in {None, fault_name}
    ]
    while left:
        chosen = random.choices(left, [FAULTS[fault_name].weight for fault_name in left])[0]
        response = FAULTS[chosen].make(moment)
        if response is not None:
            return chosen, response
        left.remove(chosen)
    return None
