"""Answers that are wrong, each by its maker.

A maker takes a moment and gives the answer with what a reader may still take from it, or None where
this cannot befall now.
"""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Final

from uring_local.sites.airfield.dress import Row
from uring_local.sites.airfield.iwxxm import Writer
from uring_local.sites.airfield.model import Bulletin, Report, Warned
from uring_local.sites.airfield.moment import Moment, Told
from uring_local.sites.airfield.nodes import Node
from uring_local.sites.loopback import Answer

Maker = Callable[[Moment], Told | None]

_BIG: Final = 8_000_000
_LATER: Final = timedelta(hours=3)
_JSON: Final = "application/json;charset=UTF-8"


# Of the gateway.


def plain(status: int, body: str = "", **headers: str) -> Maker:
    """Any answer that is the same for everybody; ``_`` in a header's name stands for ``-``."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Told(Answer(status, body.encode(), named))


def hub_error(status: int, message: str, *, http: int = 200) -> Answer:
    """Return what the hub says before any service, in JSON even where XML was asked for."""
    body = json.dumps({"result": {"status": status, "message": message}}, ensure_ascii=False)
    return Answer(http, body.encode(), {"Content-Type": _JSON})


def hub_says(status: int, message: str, *, http: int = 200) -> Maker:
    """Return `hub_error` instead of the answer."""
    return lambda _: Told(hub_error(status, message, http=http))


def portal_says(code: str, message: str) -> Maker:
    """Return what the portal says before any service, in XML even where JSON was asked for."""
    header = (
        f"<errMsg>SERVICE ERROR</errMsg><returnAuthMsg>{message}</returnAuthMsg>"
        f"<returnReasonCode>{code}</returnReasonCode>"
    )
    root = "OpenAPI_ServiceResponse"
    body = f"<{root}><cmmMsgHeader>{header}</cmmMsgHeader></{root}>"
    return plain(200, body, Content_Type="text/xml;charset=UTF-8")


def no_answer(_: Moment) -> Told:
    """The connection is closed without a word."""
    return Told(Answer(200, manner="cut"))


def broken_off(moment: Moment) -> Told:
    """The connection is closed in the middle: after the head, which announces a body."""
    return Told(replace(moment.whole, manner="drip"))


def big(_: Moment) -> Told:
    """Return a body larger than any answer is, small on the wire."""
    headers = {"Content-Type": "text/xml", "Content-Encoding": "gzip"}
    return Told(Answer(200, _big_body(), headers))


@cache
def _big_body() -> bytes:
    return gzip.compress(b"<response>" + b" " * _BIG + b"</response>", mtime=0)


# Of a service.


def says(code: str, message: str) -> Maker:
    """Return a code of the service instead of items."""
    return lambda moment: Told(moment.dress.header(code, message))


def malformed(moment: Moment) -> Told:
    """Return the true answer, whole on the wire, but cut within a tag or member."""
    answer = moment.whole
    return Told(replace(answer, body=answer.body[: len(answer.body) // 2] + b"<"))


def doctype(moment: Moment) -> Told:
    """Return an answer with a DOCTYPE and an entity, as bombs have."""
    entity = '<!DOCTYPE response [<!ENTITY many "many">]>'
    return Told(moment.dress.xml(f"{entity}<response>&many;</response>", declared=False))


def no_items(moment: Moment) -> Told | None:
    """Success without items; of warnings where there are some."""
    if moment.product == "warning" and not moment.listed:
        return None  # would be the truth
    return Told(moment.page_with([]))


# Of an airport's report.


def message(make: Callable[[Moment, Report], str | Node]) -> Maker:
    """Return a row whose message is no report."""

    def told(moment: Moment) -> Told | None:
        report = moment.report
        if report is None:
            return None
        row = moment.dress.message_row(report.icao, moment.product, make(moment, report))
        return Told(moment.dress.rows([row]))

    return told


def written(
    change: Callable[[Moment, Report], Report | None] = lambda _, report: report,
    *,
    version: str | None = None,
    usage: tuple[str, str] | None = None,
) -> Maker:
    """Return a report that is another than the true one, or is written in another way."""

    def told(moment: Moment) -> Told | None:
        report = moment.report and change(moment, moment.report)
        if report is None:
            return None
        writer = Writer(version or report.iwxxm_version, moment.dress.random, usage)
        return Told(moment.dress.report(report, writer=writer))

    return told


def of_future(moment: Moment, report: Report) -> Report:
    """Return a report that nobody can have made yet."""
    later = moment.at + _LATER
    return replace(report, time=later, issued=later)


def impossible(_: Moment, report: Report) -> Report | None:
    """Return a report with a wind that never blows."""
    return None if report.wind_speed is None else replace(report, wind_speed=999)


def older(moment: Moment) -> Told | None:
    """Return the report before the last one, as upstream goes back and forth at times."""
    report = moment.older
    return None if report is None else Told(moment.dress.report(report), report)


# Of the list of warnings.


def bad_row(change: Callable[[Row, Moment], Row], *, nameless: bool = False) -> Maker:
    """A row that is not to be believed, so that its airport, or if nameless any, is not settled."""

    def told(moment: Moment) -> Told | None:
        if not moment.listed:
            return None
        at = moment.dress.random.randrange(len(moment.listed))
        rows = [moment.dress.warning_row(each) for each in moment.listed]
        rows[at] = change(rows[at], moment)
        icao = moment.listed[at].icao
        left = _without(moment, moment.listed[at])
        if nameless:
            return Told(moment.page_with(rows), None, left)
        others = {each: row for each, row in left.items() if each != icao}
        return Told(moment.page_with(rows), others, {icao: left[icao]})

    return told


def without_name(row: Row, _: Moment) -> Row:
    """Return a row that tells its airport neither by its field nor by its text."""
    text = str(row["wrngMsg"]).partition(" ")[2]
    return {**row, "icaoCode": "", "airportName": "", "wrngMsg": text}


def issued_later(row: Row, moment: Moment) -> Row:
    """Return a row that nobody can have issued yet."""
    return {**row, "tm": f"{moment.at + _LATER:%Y%m%d%H%M}"}


def short(moment: Moment) -> Told | None:
    """Return a page with a row less than it says there are."""
    rows = [moment.dress.warning_row(each) for each in moment.listed]
    if not rows:
        return None
    return Told(moment.page_with(rows[1:]), None, _without(moment, moment.listed[0]))


def _without(moment: Moment, lost: Bulletin) -> Warned:
    """Return the warnings of all airports but this one."""
    return {
        icao: tuple(each for each in row if each is not lost)
        for icao, row in (moment.warned or {}).items()
    }
