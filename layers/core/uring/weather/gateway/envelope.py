"""The gateways' response: XML or JSON around reports, which are nested, escaped, or plain text.

    bytes ─► text ─► elements ─► header: refused or not ─► items, each with its message

Elements are found by name, never by position: no source fixes the order. Anything else is an error
and never "no items", which would lift every warning.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal
from xml.sax.saxutils import unescape

from uring.errors import SuspectPage
from uring.fetch.decode import decode_html
from uring.fetch.url import one_line
from uring.fetch.xml import LIMITS, XmlLimits, XmlRefused
from uring.weather.gateway.errors import (
    GatewayError,
    error_of_code,
    error_of_status,
    error_of_text,
    normal_code,
)
from uring.weather.gateway.json_tree import parse_json
from uring.weather.iwxxm.names import IWXXM
from uring.weather.iwxxm.tree import Element, parse_tree, text_of

MOST_BYTES: Final = 2_000_000

# Possessive: with backtracking a series of comments would take exponential time.
_HTML: Final = re.compile(
    r"(?:\s++|<!--(?>.*?-->)|<\?(?>.*?\?>))*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_MESSAGE: Final = re.compile(r"[a-z]+Msg|msgText")
_RETURN: Final = re.compile(r"&#(?:x0*d|0*13);|\r\n?", re.IGNORECASE)
_SUCCESS: Final = frozenset(("00", "OK"))


@dataclass(frozen=True, slots=True)
class EnvelopeMessage:
    """The content of an item's ``metarMsg``, ``tafMsg`` or ``wrngMsg``.

    Attributes:
        kind: ``document``, ``text`` (TAC, or a warning's text), ``null`` (the literal text: no
            report), ``empty``, ``absent`` (no such field), or ``unreadable``.
        document: the XML with the report, for the kind ``document``.
        text: the text, with carriage returns as line ends; for ``unreadable`` the reason.
    """

    kind: Literal["document", "text", "null", "empty", "absent", "unreadable"]
    document: Element | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One row.

    Attributes:
        fields: its plain fields by name, white space trimmed; ``null`` counts as empty.
        message: the message with the report.
        message_field: the name of the message's field, empty without one.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    message: EnvelopeMessage = EnvelopeMessage("absent")
    message_field: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A successful response.

    Attributes:
        code: ``00`` or ``0000``, unchanged.
        message: such as ``NORMAL_SERVICE``.
        items: in the response's order.
        total_count: rows of all pages together; None if missing.
    """

    code: str
    message: str
    items: tuple[Item, ...]
    total_count: int | None


def read_envelope(body: bytes, content_type: str | None = None) -> Envelope:
    """Parse a response.

    Args:
        body: the raw bytes; at most `MOST_BYTES`.
        content_type: the header, for its charset.

    Raises:
        GatewayError: the body is an error in any format of the gateways, not an envelope, or too
            large.
    """
    if len(body) > MOST_BYTES:
        raise GatewayError("too_big", "limit", f"{len(body)} bytes, at most {MOST_BYTES} are read")
    try:
        text = decode_html(body, content_type).text.strip("\ufeff \t\r\n\0")
    except SuspectPage as error:
        raise GatewayError("charset", "no_envelope", error.detail, retryable=True) from None
    return envelope_of(document_of(text))


def document_of(text: str) -> Element:
    """Parse a body into elements, the root kept as a child of one without a name.

    Raises:
        GatewayError: the body is neither XML nor JSON, is HTML, or exceeds a limit.
    """
    if not text:
        raise GatewayError("empty", "no_envelope", "an empty body", retryable=True)
    if _HTML.match(text[:5000]):
        title = re.search(r"<title[^>]*>([^<]*)", text[:20_000], re.IGNORECASE)
        named = f" titled {one_line(title[1].strip())!r}" if title else ""
        raise GatewayError(
            "html",
            "no_envelope",
            f"an HTML page{named}: maintenance, or no gateway",
            retryable=True,
        )
    if text[0] not in "{[<":
        raise error_of_text(text)
    try:
        if text[0] in "{[":
            return parse_json(text)
        document = Element("")
        document.append(parse_tree(text, known=IWXXM))
    except XmlRefused as error:
        # A cut response is malformed and may be whole next time; a bomb stays a bomb.
        cut = error.reason == "malformed"
        raise GatewayError(
            error.reason, "no_envelope" if cut else "limit", one_line(error), retryable=cut
        ) from None
    return document


def envelope_of(document: Element) -> Envelope:
    """Read the envelope in a document of `document_of`.

    Raises:
        GatewayError: as `read_envelope`.
    """
    _raise_gateway_error(document)
    response = _child(document, "response")
    if response is None:
        response = document
    header = _child(response, "header")
    if header is None:
        if said := _value(document, "message"):
            raise error_of_text(said)
        names = ", ".join(part.tag for part in document)
        raise GatewayError(
            "no_header", "no_envelope", one_line(f"no response header in {names or 'it'}")
        )
    code, message = _value(header, "resultCode"), _value(header, "resultMsg")
    if normal_code(code) not in _SUCCESS:
        raise error_of_code(code, message)
    body = _child(response, "body")
    total = "" if body is None else _value(body, "totalCount")
    if body is None or (_child(body, "items") is None and not total):
        raise GatewayError(
            "no_items", "no_envelope", f"code {code} with neither items nor a count", retryable=True
        )
    return Envelope(code, message, tuple(_items(body)), _count(total))


def _items(body: Element) -> Iterator[Item]:
    """Read every row. All documents together may have as many elements as one may have."""
    limits, before = LIMITS, None
    for row in _rows(body):
        if before is not None:
            read = sum(1 for _ in before.iter())
            limits = replace(limits, elements=limits.elements - read)
        item = read_item(row, limits)
        yield item
        before = item.message.document


def _raise_gateway_error(document: Element) -> None:
    """Raise the errors that come from before the service, in the gateway's own formats."""
    for part in document:
        header = _child(part, "cmmMsgHeader") if part.tag == "OpenAPI_ServiceResponse" else None
        header = part if part.tag == "cmmMsgHeader" else header
        if header is not None:
            said = _value(header, "returnAuthMsg") or _value(header, "errMsg")
            raise error_of_code(_value(header, "returnReasonCode"), said)
        status = _value(part, "status") or part.attrib.get("status", "")
        if part.tag == "result" and status.isascii() and status.isdigit():
            raise error_of_status(int(status[:9]), _value(part, "message"))


def _rows(body: Element) -> Iterator[Element]:
    for items in body.findall("items"):
        rows = items.findall("item")
        if rows:
            yield from rows
        elif len(items):
            yield items  # in JSON, items may be the list itself


def read_item(row: Element, limits: XmlLimits = LIMITS) -> Item:
    """Read the fields of an ``item`` and its message, in any encoding."""
    fields: dict[str, str] = {}
    message, name = EnvelopeMessage("absent"), ""
    for part in row:
        if _MESSAGE.fullmatch(part.tag) and not name:
            message, name = _message(part, limits), part.tag
            continue
        value = text_of(part).strip()
        fields.setdefault(part.tag, "" if value == "null" else value)
    return Item(MappingProxyType(fields), message, name)


def _stripped(text: str) -> str:
    """Return a text with plain line ends, without surrounding white space or byte order mark."""
    return _RETURN.sub("\n", text).strip().removeprefix("\ufeff").lstrip()


def _message(part: Element, limits: XmlLimits) -> EnvelopeMessage:
    if len(part):
        return EnvelopeMessage("document", document=part)
    text = _stripped(text_of(part))
    if text.startswith("&lt;"):
        text = _stripped(unescape(text, {"&quot;": '"', "&apos;": "'"}))
    if not text:
        return EnvelopeMessage("empty")
    if text.lower() == "null":
        return EnvelopeMessage("null")
    if text[0] not in "<{":
        return EnvelopeMessage("text", text=text)
    try:
        is_xml = text[0] == "<"
        document = parse_tree(text, limits, IWXXM) if is_xml else parse_json(text, limits)
    except XmlRefused as error:
        return EnvelopeMessage("unreadable", text=f"{error.reason}: {one_line(error.detail)}")
    return EnvelopeMessage("document", document=document)


def _child(part: Element, name: str) -> Element | None:
    return part.find(name)


def _value(part: Element, name: str) -> str:
    child = _child(part, name)
    return "" if child is None else text_of(child).strip()


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None  # noqa: PLR2004
