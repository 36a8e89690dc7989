"""Functions of this process that invoke each other through boto3, as on Lambda."""

import io
import json
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from urllib3 import HTTPResponse

Invoke = Callable[[str, dict[str, Any]], Any]
"""Runs a function by its logical id with an event; returns its result."""

_PATH: Final = "/functions/"


class InvokingSession:
    """A boto3 session whose Lambda client calls functions here; the rest is the session's.

    Args:
        session: makes the clients.
        invoke: see `Invoke`. Its exceptions become the function's error, as on Lambda.
    """

    def __init__(self, session: Any, invoke: Invoke) -> None:
        self._session = session
        self._invoke = invoke

    def client(self, service_name: str, **options: Any) -> Any:
        """Return a client of this service."""
        client = self._session.client(service_name, **options)
        if service_name == "lambda":
            # botocore takes this result as the response, and sends nothing.
            client.meta.events.register("before-send.lambda.Invoke", self._answer)
        return client

    def _answer(self, request: Any, **_: Any) -> AWSResponse:
        name = unquote(request.url.rpartition(_PATH)[2].partition("/")[0])
        headers = HTTPHeaders.from_dict({"Content-Type": "application/json"})
        try:
            answer = self._invoke(name, json.loads(request.body))
        except Exception as error:  # noqa: BLE001 - as Lambda passes it to the caller
            headers["X-Amz-Function-Error"] = "Unhandled"
            answer = {"errorMessage": str(error), "errorType": type(error).__name__}
        raw = HTTPResponse(io.BytesIO(json.dumps(answer).encode()), preload_content=False)
        return AWSResponse(request.url, 200, headers, raw)
