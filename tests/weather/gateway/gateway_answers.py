"""Answers of the gateways, around documents of an invented airport."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from fakes.iwxxm_documents import metar

SUCCESS = "<header><resultCode>00</resultCode><resultMsg>NORMAL_SERVICE</resultMsg></header>"


def answer(items: str, *, total: int | None = 1, header: str = SUCCESS) -> str:
    """An answer in XML around items that are written already."""
    count = "" if total is None else f"<totalCount>{total}</totalCount>"
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<response>{header}<body><dataType>XML</dataType><items>{items}</items>
<numOfRows>10</numOfRows><pageNo>1</pageNo>{count}</body></response>"""


def item(message: str, name: str = "metarMsg") -> str:
    """An item as the hub writes it: nothing but the message."""
    return f"<item><icaoCode></icaoCode><airportName/><{name}>{message}</{name}></item>"


def as_json(items: Any, total: int = 1) -> str:
    """An answer in JSON."""
    header = {"resultCode": "00", "resultMsg": "NORMAL_SERVICE"}
    body = {"totalCount": total, "items": {"item": items}, "dataType": "JSON"}
    return json.dumps({"response": {"body": body, "header": header}})


def error(code: str, message: str) -> str:
    """A service's own error."""
    header = f"<resultCode>{code}</resultCode><resultMsg>{message}</resultMsg>"
    return f"<response><header>{header}</header><body/></response>"


def portal_error(code: str, message: str) -> str:
    """An error of the portal's gateway, before any service."""
    return f"""<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>
<returnAuthMsg>{message}</returnAuthMsg><returnReasonCode>{code}</returnReasonCode>
</cmmMsgHeader></OpenAPI_ServiceResponse>"""


WARNING = {
    "icaoCode": "RKZA",
    "airportName": "해빛공항",
    "tm": "202605040255",
    "validTm1": "202605040300",
    "validTm2": "202605041100",
    "wrngType": "2",
    "wrngMsg": "RKZA AD WRNG 1 040255 VALID 040300/041100 SFC WSPD 26KT=",
}


def warning(**changed: str) -> str:
    """A row of the list of warnings with some fields changed."""
    fields = "".join(
        f"<{name}>{escape(value)}</{name}>" for name, value in (WARNING | changed).items()
    )
    return f"<item>{fields}</item>"


def warnings(rows: Sequence[Mapping[str, str]], total: int | None = None) -> str:
    """A list of warnings, each given by what is changed in it."""
    return answer(
        "".join(warning(**row) for row in rows), total=len(rows) if total is None else total
    )


METAR_ANSWER = answer(item(metar()))
