"""The table's calls: its protocol is JSON, and boto3's parameters are that JSON."""

import json
import threading
import uuid
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from uring.aws.direct.answers import Answer, document, malformed
from uring.aws.direct.place import Place, resolve
from uring.aws.direct.wire import Request, Wire

_TYPE: Final = "application/x-amz-json-1.0"


class DirectDynamo:
    """Stands in for boto3's DynamoDB client, for texts and numbers: no bytes.

    Args:
        client: boto3's, for all other calls.
        count: is told each call by its name.
    """

    def __init__(self, client: Any, count: Callable[[str], None]) -> None:
        self._client = client
        self._wire = Wire(client, count)
        self._target = client.meta.service_model.metadata["targetPrefix"]
        self._places: list[Place | None] = []
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        """Return what boto3's client has of this name."""
        return getattr(self._client, name)

    def get_item(self, **params: Any) -> dict[str, Any]:
        """Read an item."""
        return self._call("GetItem", "get_item", params)

    def query(self, **params: Any) -> dict[str, Any]:
        """Read a page of items."""
        return self._call("Query", "query", params)

    def update_item(self, **params: Any) -> dict[str, Any]:
        """Write an item."""
        return self._call("UpdateItem", "update_item", params)

    def transact_write_items(self, **params: Any) -> dict[str, Any]:
        """Write several items, or none; a repeat of this very call is no second transaction."""
        token = params.get("ClientRequestToken") or str(uuid.uuid4())
        params = {**params, "ClientRequestToken": token}
        return self._call("TransactWriteItems", "transact_write_items", params)

    def _call(self, operation: str, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        place = self._place(operation, method, params)
        if place is None:
            answer: dict[str, Any] = getattr(self._client, method)(**params)
            return answer
        headers = {"X-Amz-Target": f"{self._target}.{operation}", "Content-Type": _TYPE}
        body = json.dumps(params).encode()
        request = Request(operation, params, "POST", place.path, headers, body)
        return self._wire.send(place, request, _read)

    def _place(self, operation: str, method: str, params: Mapping[str, Any]) -> Place | None:
        with self._lock:
            if not self._places:
                self._places.append(resolve(self._client, operation, method, params))
            return self._places[0]


def _read(answer: Answer) -> dict[str, Any]:
    """Return the answer's object, unless it changed on its way, as its checksum tells."""
    said = answer.headers.get("x-amz-crc32")
    if said and said != str(zlib.crc32(answer.body or b"")):
        raise malformed("the answer has another checksum")
    return document(answer)
