"""Reports as documents of IWXXM 2.1 to 2025-2.

    Report ─► Writer.node ─► Node ─► Writer.in_bulletin

IWXXM 2 puts times, aerodrome and values into an OM_Observation, and counts clouds as BUFR does.
"""

from collections.abc import Iterable
from random import Random
from typing import Final

from uring_local.airfield.iwxxm_parts import iwxxm, nil
from uring_local.airfield.iwxxm_values import Values
from uring_local.airfield.model import Report
from uring_local.airfield.nodes import Node
from uring_local.airfield.tac import TELLS_TAC, tac

_SAMPLING: Final = "http://www.opengis.net/sampling/2.0"


class Writer(Values):
    """Writes documents of one generation.

    Args:
        version: of IWXXM, as it is claimed; 2 and what begins with ``2.`` is written the old way.
        ids: for what differs from one document to the next although it says the same.
        usage: ``permissibleUsage`` and ``permissibleUsageReason``.
    """

    def __init__(self, version: str, ids: Random, usage: tuple[str, str] | None = None) -> None:
        super().__init__(version, ids)
        self._usage = usage

    def node(self, report: Report) -> Node:
        """The document's root."""
        return self._taf(report) if report.kind == "TAF" else self._metar(report)

    def in_bulletin(self, root: Node) -> Node:
        """The same within a bulletin, as collectives are sent."""
        inside = Node("collect:meteorologicalInformation", (root,))
        name = Node("collect:bulletinIdentifier", f"A_LXKR31_{self.ids.randrange(10**9)}.xml")
        space = {"xmlns:collect": "http://def.wmo.int/collect/2014", **self.id()}
        return Node("collect:MeteorologicalBulletin", (inside, name), space)

    def _metar(self, report: Report) -> Node:
        issue, observed = self.instant(report.issued), self.instant(report.time)
        nil = report.status == "NIL"
        root = {"automatedStation": str(report.automated).lower()}
        if self.old:
            inner = None if nil else self.observation("ObservationRecord", report)
            group = self._om(report, "observation", observed, issue, inner)
            return self._root(report, (group,), root)
        inner = None if nil else self.observation("Observation", report)
        group = iwxxm("observation", (inner,)) if inner else self._nil_group("observation")
        parts = (
            iwxxm("issueTime", (issue,)),
            iwxxm("aerodrome", (self.aerodrome(report.icao),)),
            iwxxm("observationTime", (observed,)),
            group,
        )
        return self._root(report, parts, root)

    def _taf(self, report: Report) -> Node:
        issue = self.instant(report.issued)
        parts = [iwxxm("issueTime", (issue,))]
        place = self.aerodrome(report.icao)
        period = None
        if report.valid_start and report.valid_end:
            period = self.period(report.valid_start, report.valid_end)
        if report.status == "CANCEL" and period:
            cancelled = "previousReport" if self.old else "cancelledReport"
            if self.old:
                parts.append(iwxxm("validTime", (period,)))
            parts.append(iwxxm("previousReportAerodrome" if self.old else "aerodrome", (place,)))
            parts.append(iwxxm(f"{cancelled}ValidPeriod", (period,)))
            return self._root(report, parts, {} if self.old else {"isCancelReport": "true"})
        if not self.old:
            parts.append(iwxxm("aerodrome", (place,)))
        if period:
            parts.append(iwxxm("validTime" if self.old else "validPeriod", (period,)))
        if report.status == "NIL":
            nil = self._om(report, "baseForecast", issue, issue, None)
            parts.append(nil if self.old else self._nil_group("baseForecast"))
            return self._root(report, parts)
        forecasts = [self.forecast(report, report), *(self.group(each) for each in report.groups)]
        for number, forecast in enumerate(forecasts):
            name = "changeForecast" if number else "baseForecast"
            if self.old:
                group = report.groups[number - 1] if number else None
                when = self.period(group.start, group.end) if group else period or issue
                parts.append(self._om(report, name, when, issue, forecast))
            else:
                parts.append(iwxxm(name, (forecast,)))
        return self._root(report, parts)

    def _root(
        self, report: Report, parts: Iterable[Node], more: dict[str, str] | None = None
    ) -> Node:
        family = f"http://icao.int/iwxxm/{self.version}"
        status: str = report.status
        if self.old:
            status = {"NIL": "MISSING", "CANCEL": "CANCELLATION"}.get(status, status)
        else:
            status = {"NIL": "NORMAL", "CANCEL": "AMENDMENT"}.get(status, status)
        attributes = {
            "xmlns:iwxxm": family,
            "xmlns:gml": "http://www.opengis.net/gml/3.2",
            "xmlns:aixm": "http://www.aixm.aero/schema/5.1.1",
            "xmlns:xlink": "http://www.w3.org/1999/xlink",
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            **(
                {"xmlns:om": "http://www.opengis.net/om/2.0", "xmlns:sf": _SAMPLING}
                if self.old
                else {}
            ),
            "xsi:schemaLocation": f"{family} http://schemas.wmo.int/iwxxm/{self.version}/iwxxm.xsd",
            **self.id(),
            ("status" if self.old else "reportStatus"): status,
            "permissibleUsage": "OPERATIONAL",
            **(more or {}),
        }
        if self._usage:
            attributes |= dict(
                zip(("permissibleUsage", "permissibleUsageReason"), self._usage, strict=True)
            )
        return iwxxm(report.kind, (*parts, *_extension(report)), attributes)

    def _om(self, report: Report, name: str, when: Node, made: Node, inner: Node | None) -> Node:
        """IWXXM 2's OM_Observation around values; without them nil."""
        result = Node("om:result", (inner,)) if inner else Node("om:result", "", nil("missing"))
        sampled = Node("sf:sampledFeature", (self.aerodrome(report.icao),))
        parts = (
            Node("om:phenomenonTime", (when,)),
            Node("om:resultTime", (made,)),
            Node("om:featureOfInterest", (sampled,)),
            result,
        )
        return iwxxm(name, (Node("om:OM_Observation", parts, self.id()),))

    def _nil_group(self, name: str) -> Node:
        return iwxxm(name, "", nil("missing"))


def _extension(report: Report) -> Iterable[Node]:
    """The line of TAC that the portal's documents carry."""
    if report.iwxxm_version in TELLS_TAC:
        yield iwxxm("extension", (Node("msgText", tac(report)),))
