"""The wrapping of an answer: it varies from call to call and never changes the content."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any, Final
from xml.sax.saxutils import escape

from uring_local.loopback import Answer
from uring_local.sites.airfield.iwxxm import Document, Writer
from uring_local.sites.airfield.model import AIRPORTS, Bulletin, Report

Row = Mapping[str, str | Document]
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>'
_MARKS: Final = ("@", "@_", "")
_TEXTS: Final = ("content", "#text", "_")
_OFTEN: Final = 0.6
_SELDOM: Final = 0.2
_RARELY: Final = 0.05
_MESSAGES: Final = {"metar": "metarMsg", "taf": "tafMsg"}


class ResponseEncoder:
    """The wrapping of one call's answer.

    Args:
        random: chooses the wrapping.
        as_json: whether the request was for JSON.
    """

    def __init__(self, random: Random, *, as_json: bool) -> None:
        self.random = random
        self.as_json = as_json

    def report(self, report: Report, *, writer: Writer | None = None) -> Answer:
        """Return the answer with one report."""
        return self.rows([self.report_row(report, writer=writer)])

    def report_row(self, report: Report, *, writer: Writer | None = None) -> Row:
        """Return the row of a report; like the hub's rows, it often names no airport."""
        writer = writer or Writer(report.iwxxm_version, self.random)
        document = writer.document(report)
        if self._sometimes(_SELDOM):
            document = writer.in_bulletin(document)
        product = "taf" if report.kind == "TAF" else "metar"
        return self.message_row(report.icao, product, document)

    def message_row(self, icao: str, product: str, message: str | Document) -> Row:
        """Return the row of an airport with a message; it often names no airport."""
        named = not self._sometimes(_OFTEN)
        return {
            "icaoCode": icao if named else "",
            "airportName": AIRPORTS[icao].korean if named else "",
            _MESSAGES[product]: message,
        }

    def warning_row(self, bulletin: Bulletin) -> Row:
        """Return the row of a warning; without ``icaoCode`` its text still names the airport."""
        return {
            "icaoCode": "" if self._sometimes(_SELDOM) else bulletin.icao,
            "airportName": AIRPORTS[bulletin.icao].korean,
            "tm": _minutes(bulletin.issued),
            "validTm1": _minutes(bulletin.start),
            "validTm2": _minutes(bulletin.end),
            "wrngType": bulletin.type,
            "wrngMsg": bulletin.text,
        }

    def rows(
        self, rows: Sequence[Row], *, total: int | None = None, page: int = 1, size: int = 10
    ) -> Answer:
        """Return a successful answer.

        Args:
            rows: of this page.
            total: number of rows on all pages; by default the number of `rows`.
            page: its number, from 1.
            size: number of rows on a page.
        """
        code = self.random.choice(
            (("00", "NORMAL_SERVICE"), ("00", "NORMAL_SERVICE"), ("0000", "OK"))
        )
        numbers = {
            "pageNo": str(page),
            "numOfRows": str(size),
            "totalCount": str(len(rows) if total is None else total),
        }
        if self.as_json:
            return self._json(code, rows, numbers)
        items = "".join(self._item(row) for row in self._shuffled(rows))
        parts = [
            "<dataType>XML</dataType>",
            f"<items>{items}</items>",
            *(f"<{name}>{value}</{name}>" for name, value in numbers.items()),
        ]
        return self.xml(_response(*code, body="".join(self._shuffled(parts))))

    def header(self, code: str, message: str) -> Answer:
        """Return a service's answer without items: an error, or "no data"."""
        if self.as_json:
            header = {"resultCode": code, "resultMsg": message}
            return self.json({"response": {"header": header}})
        return self.xml(_response(code, message))

    def xml(self, text: str, *, declared: bool = True) -> Answer:
        """Return an answer with XML, sometimes in EUC-KR, the charset of old services."""
        charset = "EUC-KR" if self._sometimes(_RARELY) else "UTF-8"
        head = f'<?xml version="1.0" encoding="{charset}"?>\n' if declared else ""
        kinds = [f"text/xml;charset={charset}"]
        if declared and charset == "UTF-8":
            kinds.append("application/xml")
            head = self.random.choice((head, ""))
        body = (head + text).encode(charset)
        return Answer(200, body, {"Content-Type": self.random.choice(kinds)})

    def json(self, value: Any) -> Answer:
        """Return an answer with JSON."""
        text = json.dumps(value, ensure_ascii=self._sometimes(_SELDOM))
        return Answer(200, text.encode(), {"Content-Type": "application/json;charset=UTF-8"})

    def _json(
        self, code: tuple[str, str], rows: Sequence[Row], numbers: Mapping[str, str]
    ) -> Answer:
        items: Any = [
            {name: self._member(value) for name, value in row.items()}
            for row in self._shuffled(rows)
        ]
        if len(items) == 1 and self._sometimes(_OFTEN):
            items = items[0]
        if not (isinstance(items, list) and self._sometimes(_SELDOM)):
            items = {"item": items}
        header = {"resultCode": code[0], "resultMsg": code[1]}
        counts = {name: int(value) for name, value in numbers.items()}
        body = {"dataType": "JSON", "items": items, **counts}
        return self.json({"response": {"header": header, "body": body}})

    def _member(self, value: str | Document) -> Any:
        if isinstance(value, str):
            return value
        if self._sometimes(_OFTEN):
            return self._document(value)
        mark, text = self.random.choice(_MARKS), self.random.choice(_TEXTS)
        return value.plain(mark, text)

    def _item(self, row: Row) -> str:
        fields = [f"<{name}>{self._field(value)}</{name}>" for name, value in row.items()]
        return f"<item>{''.join(self._shuffled(fields))}</item>"

    def _field(self, value: str | Document) -> str:
        if isinstance(value, Document):
            how = self.random.choice(("nested", "cdata", "escaped"))
            if how == "nested":
                return value.spaced(self.random.choice(("", "\n", "&#xD;\n")))
            text = self._document(value)
            return f"<![CDATA[{text}]]>" if how == "cdata" else escape(text)
        if len(value) > len("YYYYMMDDHHmm") and self._sometimes(_OFTEN):
            return f"<![CDATA[{value}]]>"
        return escape(value)

    def _document(self, document: Document) -> str:
        """Return a whole XML document, sometimes with carriage returns, as real ones have."""
        litter = self.random.choice(("", "\n", "\r\n", "&#xD;\n"))
        head = _DECLARATION + litter if self._sometimes(_OFTEN) else ""
        return head + document.spaced(litter) + litter

    def _shuffled(self, parts: Sequence[Any]) -> list[Any]:
        return self.random.sample(list(parts), len(parts))

    def _sometimes(self, share: float) -> bool:
        return self.random.random() < share


def _response(code: str, message: str, body: str = "") -> str:
    header = f"<resultCode>{code}</resultCode><resultMsg>{message}</resultMsg>"
    return f"<response><header>{header}</header><body>{body}</body></response>"


def _minutes(moment: datetime) -> str:
    return f"{moment:%Y%m%d%H%M}"
