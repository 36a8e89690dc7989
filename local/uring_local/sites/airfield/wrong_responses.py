"""Makers of faulty responses.

A maker takes a moment and returns the answer with the facts that a reader may still take from it,
or None where the fault cannot happen now.
"""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Final

from uring_local.loopback import Answer
from uring_local.sites.airfield.iwxxm import Writer
from uring_local.sites.airfield.model import Bulletin, Report, Warned, cancelled, in_force
from uring_local.sites.airfield.moment import Moment, Response
from uring_local.sites.airfield.response_encoder import Row

ResponseMaker = Callable[[Moment], Response | None]

_BIG: Final = 8_000_000
_LATER: Final = timedelta(hours=3)
_AHEAD: Final = timedelta(minutes=20)
_JSON: Final = "application/json;charset=UTF-8"


# Faults of the gateway.


def fixed(answer: Answer) -> ResponseMaker:
    """Return a maker of one answer, whatever the request is for."""
    return lambda _: Response(answer)


def hub_error(status: int, message: str, *, http: int = 200) -> Answer:
    """Return the hub's own error, before any service; it is JSON even if XML was asked for."""
    body = json.dumps({"result": {"status": status, "message": message}}, ensure_ascii=False)
    return Answer(http, body.encode(), {"Content-Type": _JSON})


def portal_error(code: str, message: str) -> Answer:
    """Return the portal's own error; it is XML even if JSON was asked for."""
    header = (
        f"<errMsg>SERVICE ERROR</errMsg><returnAuthMsg>{message}</returnAuthMsg>"
        f"<returnReasonCode>{code}</returnReasonCode>"
    )
    root = "OpenAPI_ServiceResponse"
    body = f"<{root}><cmmMsgHeader>{header}</cmmMsgHeader></{root}>"
    return Answer(200, body.encode(), {"Content-Type": "text/xml;charset=UTF-8"})


def broken_off(moment: Moment) -> Response:
    """Close the connection after the head, which announces a body."""
    return Response(replace(moment.whole, manner="drip"))


def big(_: Moment) -> Response:
    """Return a body of 8 MB, larger than any real answer, gzipped to a few kB."""
    headers = {"Content-Type": "text/xml", "Content-Encoding": "gzip"}
    return Response(Answer(200, _big_body(), headers))


@cache
def _big_body() -> bytes:
    return gzip.compress(b"<response>" + b" " * _BIG + b"</response>", mtime=0)


# Faults of a service.


def service_says(code: str, message: str) -> ResponseMaker:
    """Return a maker of a service's error code, without items."""
    return lambda moment: Response(moment.encoder.header(code, message))


def malformed(moment: Moment) -> Response:
    """Return the true answer, complete on the wire, but with half its body and a stray ``<``."""
    answer = moment.whole
    return Response(replace(answer, body=answer.body[: len(answer.body) // 2] + b"<"))


def doctype(moment: Moment) -> Response:
    """Return an answer with a DOCTYPE and an entity, as in an XML bomb."""
    entity = '<!DOCTYPE response [<!ENTITY many "many">]>'
    return Response(moment.encoder.xml(f"{entity}<response>&many;</response>", declared=False))


def no_items(moment: Moment) -> Response | None:
    """Return success without items; None where no warning is listed, as it would be the truth."""
    if moment.product == "warning" and not moment.listed:
        return None
    return Response(moment.page_with([]))


# Faults of an airport's report.


def message(make: Callable[[Moment, Report], str]) -> ResponseMaker:
    """Return a maker of a row whose message is not a report."""

    def respond(moment: Moment) -> Response | None:
        report = moment.report
        if report is None:
            return None
        row = moment.encoder.message_row(report.icao, moment.product, make(moment, report))
        return Response(moment.encoder.rows([row]))

    return respond


def written(
    change: Callable[[Moment, Report], Report | None] = lambda _, report: report,
    *,
    version: str | None = None,
    usage: str = "OPERATIONAL",
    believed: Callable[[Report], Report] | None = None,
) -> ResponseMaker:
    """Return a maker of another report than the true one, or of one written in another way.

    Args:
        change: returns the report to write; None where the fault cannot happen now.
        version: the claimed version of IWXXM; None for the airport's.
        usage: see `Writer`.
        believed: returns a reader's view of the true report; None if a reader refuses it all.
    """

    def respond(moment: Moment) -> Response | None:
        report = moment.report and change(moment, moment.report)
        if report is None or moment.report is None:
            return None
        claimed = version or report.iwxxm_version
        writer = Writer(claimed, moment.encoder.random, usage)
        served = believed and replace(believed(moment.report), iwxxm_version=claimed)
        return Response(moment.encoder.report(report, writer=writer), served)

    return respond


def of_future(moment: Moment, report: Report) -> Report:
    """Return a report issued three hours in the future."""
    later = moment.at + _LATER
    return replace(report, time=later, issued=later)


def ahead(moment: Moment) -> Response | None:
    """Return the report with the time of a clock that is twenty minutes ahead: it is believed."""
    if moment.report is None:
        return None
    soon = moment.at + _AHEAD
    served = replace(moment.report, time=soon, issued=soon)
    return Response(moment.encoder.report(served), served)


def impossible(_: Moment, report: Report) -> Report | None:
    """Return a report with an impossible wind of 999 KT; None for a report without wind."""
    return None if report.wind_speed is None else replace(report, wind_speed=999)


def windless(report: Report) -> Report:
    """Return a report without its wind, as a reader keeps it."""
    return replace(report, wind_direction=None, wind_speed=None, gust=None, variable=False)


def older(moment: Moment) -> Response | None:
    """Return the report before the last one, as upstream sometimes does; None without one."""
    report = moment.older
    return None if report is None else Response(moment.encoder.report(report), report)


# Faults of the list of warnings.


def bad_row(change: Callable[[Row, Moment], Row], *, nameless: bool = False) -> ResponseMaker:
    """Return a maker that spoils a row: its airport's warnings become uncertain.

    A nameless row makes the warnings of every airport uncertain.
    """

    def respond(moment: Moment) -> Response | None:
        if not moment.listed:
            return None
        at = moment.encoder.random.randrange(len(moment.listed))
        rows = [moment.encoder.warning_row(bulletin) for bulletin in moment.listed]
        rows[at] = change(rows[at], moment)
        icao = moment.listed[at].icao
        left, over = _without(moment, moment.listed[at])
        if nameless:
            return Response(moment.page_with(rows), None, left, over)
        others = {other: row for other, row in left.items() if other != icao}
        return Response(moment.page_with(rows), others, {icao: left[icao]}, over)

    return respond


def odd_row(change: Callable[[Row, Moment], Row]) -> ResponseMaker:
    """Return a maker that spoils a field whose value a row's text repeats: nothing is lost."""

    def respond(moment: Moment) -> Response | None:
        # The text of a cancellation does not repeat its time of issue.
        whole = [at for at, row in enumerate(moment.listed) if row.cancels is None]
        if not whole:
            return None
        at = moment.encoder.random.choice(whole)
        rows = [moment.encoder.warning_row(bulletin) for bulletin in moment.listed]
        rows[at] = change(rows[at], moment)
        return Response(moment.page_with(rows), moment.warned, over=cancelled(moment.rows))

    return respond


def emptied(row: Row, _: Moment) -> Row:
    """Return a row that has an airport and nothing else."""
    return {**dict.fromkeys(row, ""), "icaoCode": row["icaoCode"] or str(row["wrngMsg"])[:4]}


def lost(moment: Moment) -> Response | None:
    """Return a list that lacks a row, with a count that agrees; None without rows."""
    if not moment.listed or len(moment.listed) < len(moment.rows):
        return None
    at = moment.encoder.random.randrange(len(moment.listed))
    rows = [moment.encoder.warning_row(bulletin) for bulletin in moment.listed]
    del rows[at]
    answer = moment.encoder.rows(rows, size=moment.size)
    warned, over = _without(moment, moment.listed[at])
    return Response(answer, warned, over=over)


def without_name(row: Row, _: Moment) -> Row:
    """Return a row without its airport, in the fields and in the text."""
    text = str(row["wrngMsg"]).partition(" ")[2]
    return {**row, "icaoCode": "", "airportName": "", "wrngMsg": text}


def issued_later(row: Row, moment: Moment) -> Row:
    """Return a row issued three hours in the future."""
    return {**row, "tm": f"{moment.at + _LATER:%Y%m%d%H%M}"}


def short(moment: Moment) -> Response | None:
    """Return a page with one row fewer than its count; None without rows."""
    rows = [moment.encoder.warning_row(bulletin) for bulletin in moment.listed]
    if not rows:
        return None
    return Response(moment.page_with(rows[1:]), None, *_without(moment, moment.listed[0]))


def _without(moment: Moment, lost: Bulletin) -> tuple[Warned, frozenset[Bulletin]]:
    """Return the warnings in force, and the cancelled ones, by all rows except one."""
    left = [row for row in moment.rows if row is not lost]
    warned = {
        icao: in_force(row for row in left if row.icao == icao and row.end > moment.at)
        for icao in moment.warned or {}
    }
    return warned, cancelled(left)
