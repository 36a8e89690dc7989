"""A browser without its windows, of the client that a run serves."""

import json
import time
from collections.abc import Sequence
from typing import Any, Final

import urllib3

ID: Final = "c" + "0" * 21
# A run has its build and its first ticks before it.
PATIENCE_SECONDS: Final = 240


class Client:
    """A reader of the public side at an address; each wait for it has an end."""

    def __init__(self, url: str) -> None:
        self._url = url

    def get(self, path: str, **headers: str) -> urllib3.BaseHTTPResponse:
        """Ask for a path."""
        return self._ask("GET", path, headers=headers)

    def published(self, path: str, *fields: str) -> dict[str, Any]:
        """Return a document below data/, once it is there with something in these fields."""
        ends = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self.get(f"data/{path}")
            if answer.status == 200 and all(answer.json().get(name) for name in fields):
                return dict(answer.json())
            assert time.monotonic() < ends, f"{path}: {answer.status} {answer.data[:500]!r}"
            time.sleep(0.2)

    def subscribe(self, topics: Sequence[str]) -> int:
        """Subscribe this browser to topics; return the status."""
        body = json.dumps({"id": ID, "subscribe": topics, "unsubscribe": []})
        headers = {"Content-Type": "application/json"}
        return self._ask("POST", "api/subscriptions", body=body, headers=headers).status

    def message(self) -> dict[str, Any]:
        """Return the next message that is pushed to this browser."""
        ends = time.monotonic() + PATIENCE_SECONDS
        stream = self._ask("GET", f"push/events?id={ID}", preload_content=False)
        assert stream.status == 200
        text = b""
        while time.monotonic() < ends and (piece := stream.read(1)):
            text += piece
            if text.endswith(b"\n\n"):
                for line in text.decode().splitlines():
                    if line.startswith("data: "):
                        stream.close()
                        return dict(json.loads(line.removeprefix("data: ")))
                text = b""
        raise AssertionError(f"nothing was pushed; the stream ended with {text!r}")

    def _ask(self, method: str, path: str, **given: Any) -> urllib3.BaseHTTPResponse:
        # A function that is asked for the first time has to start.
        return urllib3.request(method, f"{self._url}{path}", retries=False, timeout=60, **given)
