"""Answers of AWS, and refusals as the errors that botocore raises for them.

Refusals are read by patterns and as JSON, up to a size: XML that grows on parsing never is parsed.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore.exceptions import ClientError, HTTPClientError

MOST_BYTES: Final = 64 * 1024 * 1024
"""The longest answer that is read."""
MOST_REFUSAL_BYTES: Final = 1024 * 1024
"""The longest refusal: DynamoDB's may carry the item that refused."""

SUCCESS_BELOW: Final = 300
"""The first status that is no success."""

_XML_BYTES: Final = 64 * 1024
_ELEMENT: Final = {
    name: re.compile(rb"<%s>([^<]{1,500})</%s>" % (name.encode(), name.encode()))
    for name in ("Code", "Message", "Region")
}
_CODE: Final = re.compile(r"[A-Za-z0-9._-]{1,200}\Z")
# Of a refusal in JSON, which boto3 hands on.
_MEMBERS: Final = (("Item", dict), ("CancellationReasons", list))


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it was read.

    Attributes:
        headers: their names in any case.
        body: None where it is longer than what is read.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | None

    @property
    def is_success(self) -> bool:
        """True when the service did what was asked."""
        return self.status < SUCCESS_BELOW


def malformed(what: str) -> HTTPClientError:
    """Return the error for an answer that is none."""
    return HTTPClientError(error=what)


def document(answer: Answer) -> dict[str, Any]:
    """Return an answer's JSON object.

    Raises:
        HTTPClientError: it is none.
    """
    try:
        read = json.loads(answer.body or b"")
    except (ValueError, RecursionError) as error:
        raise malformed(f"the answer is no JSON: {error}") from error
    if not isinstance(read, dict):
        raise malformed("the answer is no JSON object")
    return read


def refusal(answer: Answer, operation: str) -> ClientError:
    """Return botocore's error for a refusal, with the members that the adapters read."""
    is_xml = (answer.body or b"").lstrip()[:1] == b"<"
    code, error, more = _of_xml(answer) if is_xml else _of_json(answer)
    region = answer.headers.get("x-amz-bucket-region")
    response = {
        **more,
        "Error": {"Code": code, **({"Region": region} if region else {}), **error},
        "ResponseMetadata": {"HTTPStatusCode": answer.status},
    }
    return ClientError(response, operation)  # type: ignore[arg-type]


_Refusal = tuple[str, dict[str, str], dict[str, Any]]


def _of_xml(answer: Answer) -> _Refusal:
    text = (answer.body or b"")[:_XML_BYTES]
    found = {
        name: match[1].decode("utf-8", "replace")
        for name, element in _ELEMENT.items()
        if (match := element.search(text))
    }
    return _code(found.pop("Code", ""), answer), found, {}


def _of_json(answer: Answer) -> _Refusal:
    """Read a refusal in JSON; a HEAD's has no body, and its status is all there is."""
    try:
        read = document(answer)
    except HTTPClientError:
        read = {}
    # `com.amazonaws.dynamodb.v20120810#ResourceNotFoundException:http://…`
    said = str(read.get("__type") or answer.headers.get("x-amzn-errortype") or "")
    code = said.rpartition("#")[2].partition(":")[0]
    message = str(read.get("message") or read.get("Message") or "")[:500]
    more = {name: read[name] for name, kind in _MEMBERS if isinstance(read.get(name), kind)}
    reasons = more.get("CancellationReasons", [])
    if not all(isinstance(reason, dict) for reason in reasons):
        del more["CancellationReasons"]
    return _code(code, answer), {"Message": message}, more


def _code(said: str, answer: Answer) -> str:
    return said if _CODE.match(said) else str(answer.status)
