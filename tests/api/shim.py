"""HTTP on loopback before a function's handler: requests as API Gateway hands them over."""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

Handler = Callable[[dict[str, Any]], Mapping[str, Any]]

_FORBIDDEN: Final[Mapping[str, Any]] = {
    "statusCode": 403,
    "headers": {"Content-Type": "application/json"},
    "body": '{"message":"Forbidden"}',
}


def event_of(method: str, target: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Return the event of a request to an HTTP API (payload 2.0).

    Args:
        method: of HTTP.
        target: path and query, as sent.
        headers: as sent; names in lower case.
        body: as sent.
    """
    parts = urlsplit(target)
    path = unquote(parts.path)
    query = parse_qs(parts.query, keep_blank_values=True)
    try:
        text, is_base64 = body.decode(), False
    except UnicodeDecodeError:
        text, is_base64 = base64.b64encode(body).decode(), True
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": parts.query,
        "queryStringParameters": {name: ",".join(values) for name, values in query.items()},
        "headers": dict(headers),
        "requestContext": {
            "http": {"method": method, "path": path},
            "requestId": "id",
            "stage": "$default",
            "timeEpoch": 0,
        },
        **({"body": text} if body else {}),
        "isBase64Encoded": is_base64,
    }


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    handler: Handler

    def _answer(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        # API Gateway lets nobody through without a signature.
        answer = _FORBIDDEN
        if headers.get("authorization"):
            answer = self.handler(event_of(self.command, self.path, headers, body))
        sent = (answer.get("body") or "").encode()
        if answer.get("isBase64Encoded"):
            sent = base64.b64decode(sent)
        self.send_response(int(answer["statusCode"]))
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value)
        if answer["statusCode"] != 304:
            self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Nothing: what fails is told by whoever asks."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)


@contextmanager
def served(handler: Handler) -> Iterator[str]:
    """Serve a handler; yield its address."""
    requests = type("Requests", (_Requests,), {"handler": staticmethod(handler)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), requests)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
