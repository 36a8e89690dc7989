"""Reports as documents of IWXXM 2.1 to 2025-2.

    Report ─► Writer.node ─► Node ─► Writer.in_bulletin

IWXXM 2 puts times, aerodrome and values into an OM_Observation, and has BUFR's codes for clouds.
"""

from collections.abc import Iterable
from random import Random
from typing import Final

from uring_local.sites.airfield.iwxxm_writer.nodes import Node
from uring_local.sites.airfield.iwxxm_writer.values import Values, iwxxm, nil
from uring_local.sites.airfield.model import Report

_SPACES: Final = {
    "xmlns:gml": "http://www.opengis.net/gml/3.2",
    "xmlns:aixm": "http://www.aixm.aero/schema/5.1.1",
    "xmlns:om": "http://www.opengis.net/om/2.0",
    "xmlns:sf": "http://www.opengis.net/sampling/2.0",
    "xmlns:xlink": "http://www.w3.org/1999/xlink",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_STATUSES: Final = {"NIL": "NORMAL", "CANCEL": "AMENDMENT"}
_OLD_STATUSES: Final = {"NIL": "MISSING", "CANCEL": "CANCELLATION"}


class Writer(Values):
    """A writer of documents of one generation.

    Args:
        version: the claimed IWXXM version; one beginning with ``2.`` is written the old way.
        ids: for the ids, which differ between documents with the same content.
        usage: ``permissibleUsage`` and ``permissibleUsageReason``.
    """

    def __init__(self, version: str, ids: Random, usage: tuple[str, str] | None = None) -> None:
        super().__init__(version, ids)
        self._usage = usage

    def node(self, report: Report) -> Node:
        """Return the document's root."""
        return self._taf(report) if report.kind == "TAF" else self._metar(report)

    def in_bulletin(self, root: Node) -> Node:
        """Return a document's root inside a bulletin, as collectives are sent."""
        inside = Node("collect:meteorologicalInformation", (root,))
        name = Node("collect:bulletinIdentifier", f"A_LXKR31_{self.ids.randrange(10**9)}.xml")
        space = {"xmlns:collect": "http://def.wmo.int/collect/2014", **self.id()}
        return Node("collect:MeteorologicalBulletin", (inside, name), space)

    def _metar(self, report: Report) -> Node:
        suffix = "ObservationRecord" if self.old else "Observation"
        values = None if report.status == "NIL" else self.observation(suffix, report)
        issue, observed = self.instant(report.issued), self.instant(report.time)
        more = {"automatedStation": str(report.automated).lower()}
        if self.old:
            group = self._om(report, "observation", (observed, issue), values)
            return self._root(report, (group,), more)
        parts = (
            iwxxm("issueTime", (issue,)),
            iwxxm("aerodrome", (self.aerodrome(report.icao),)),
            iwxxm("observationTime", (observed,)),
            self._group_of("observation", values),
        )
        return self._root(report, parts, more)

    def _taf(self, report: Report) -> Node:
        issue = self.instant(report.issued)
        parts = [iwxxm("issueTime", (issue,))]
        if not self.old:
            parts.append(iwxxm("aerodrome", (self.aerodrome(report.icao),)))
        period = None
        if report.valid_start and report.valid_end:
            period = self.period(report.valid_start, report.valid_end)
        if period and report.status == "CANCEL":
            if not self.old:
                parts.append(iwxxm("cancelledReportValidPeriod", (period,)))
                return self._root(report, parts, {"isCancelReport": "true"})
            left = self.period(report.issued, report.valid_end or report.issued)
            parts += [
                iwxxm("validTime", (left,)),
                iwxxm("previousReportAerodrome", (self.aerodrome(report.icao),)),
                iwxxm("previousReportValidPeriod", (period,)),
            ]
            return self._root(report, parts)
        if period:
            parts.append(iwxxm("validTime" if self.old else "validPeriod", (period,)))
        base = None if report.status == "NIL" else self.forecast(report)
        if not self.old:
            parts.append(self._group_of("baseForecast", base))
            parts += [iwxxm("changeForecast", (self.group(group),)) for group in report.groups]
            return self._root(report, parts)
        made = self.again(issue)
        parts.append(self._om(report, "baseForecast", (self.again(period or issue), made), base))
        for group in report.groups:
            when = self.period(group.start, group.end)
            parts.append(self._om(report, "changeForecast", (when, made), self.group(group)))
        return self._root(report, parts)

    def _root(
        self, report: Report, parts: Iterable[Node], more: dict[str, str] | None = None
    ) -> Node:
        family = f"http://icao.int/iwxxm/{self.version}"
        statuses = _OLD_STATUSES if self.old else _STATUSES
        attributes = {
            "xmlns:iwxxm": family,
            **_SPACES,
            "xsi:schemaLocation": f"{family} http://schemas.wmo.int/iwxxm/{self.version}/iwxxm.xsd",
            **self.id(),
            ("status" if self.old else "reportStatus"): statuses.get(report.status, report.status),
            "permissibleUsage": "OPERATIONAL",
            **(more or {}),
        }
        if self._usage:
            attributes |= dict(
                zip(("permissibleUsage", "permissibleUsageReason"), self._usage, strict=True)
            )
        return iwxxm(report.kind, (*parts, *_extension(report)), attributes)

    def _om(
        self, report: Report, name: str, times: tuple[Node | str, Node | str], values: Node | None
    ) -> Node:
        """Return IWXXM 2's OM_Observation around values; its times are elements or references."""
        sampled = Node("sf:sampledFeature", (self.aerodrome(report.icao),))
        parts = (
            *(
                Node(name, "", {"xlink:href": time})
                if isinstance(time, str)
                else Node(name, (time,))
                for name, time in zip(("om:phenomenonTime", "om:resultTime"), times, strict=True)
            ),
            Node("om:featureOfInterest", (sampled,)),
            Node("om:result", (values,)) if values else Node("om:result", "", nil("missing")),
        )
        return iwxxm(name, (Node("om:OM_Observation", parts, self.id()),))

    def _group_of(self, name: str, values: Node | None) -> Node:
        return iwxxm(name, (values,)) if values else iwxxm(name, "", nil("missing"))


def _extension(report: Report) -> Iterable[Node]:
    """Yield the TAC line of a portal document, here only its beginning; IWXXM 2.1 alone has it."""
    if report.iwxxm_version == "2.1":
        line = f"{report.kind} {report.icao} {report.time:%d%H%MZ}="
        yield iwxxm("extension", (Node("msgText", line),))
