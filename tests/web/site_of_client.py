"""The site of the client on loopback: `web/` as it is, and public data that a test makes."""

import hashlib
import json
import mimetypes
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from uring_local.project import ROOT

WEB: Final = ROOT / "web"
# What the template says of web/ where no push is configured.
CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types app lit-html"
)
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".jsonl": "application/x-ndjson",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}


class Site:
    """A loopback server of the client.

    Attributes:
        data: bodies by path below `data/`; anything else is a 403, as of the distribution.
        config: the body of `config.json`.
        answers: status and body of other paths, such as `/api/subscriptions`.
        files: bodies in place of files of `web/`, by path; of files that are not there, too.
        csp: the Content-Security-Policy of the files.
        log: method, path, status and sent bytes of every request, in order.
        posted: path and body of every request with a body.
        date: the server's clock as it is sent, such as "Fri, 20 Mar 2026 03:00:00 GMT".
    """

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.config: dict[str, Any] = {"push": None}
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.files: dict[str, bytes] = {}
        self.csp = CSP
        self.log: list[tuple[str, str, int, int]] = []
        self.posted: list[tuple[str, bytes]] = []
        self.date: str | None = None
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are two writes: the second would wait for the browser's delayed ACK.
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def date_time_string(self, timestamp: float | None = None) -> str:
                """Return what the test says it is, else the time."""
                return site.date or super().date_time_string(timestamp)

            def do_GET(self) -> None:
                """Serve a file, or what the test made."""
                site._serve(self)

            def do_POST(self) -> None:
                """Keep what was sent, and answer as the test said."""
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                path = self.path.partition("?")[0]
                site.posted.append((path, body))
                site._answer(self, path, body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def put(self, path: str, document: Any) -> None:
        """Publish JSON below `data/`; a list becomes JSON Lines where the path says so."""
        if path.endswith(".jsonl"):
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in document)
        else:
            text = json.dumps(document, ensure_ascii=False)
        self.data[path] = text.encode()

    def keep_few_files(self) -> None:
        """Let the service worker keep one file: a hundred take seconds of CPU at each install."""
        worker = (WEB / "sw.js").read_text(encoding="utf-8")
        few, count = re.subn(
            r'(const ASSETS = \[\s*"[^"]+").*?\];', r"\1];", worker, flags=re.DOTALL
        )
        assert count == 1
        self.files["sw.js"] = few.encode()

    def wait_for_the_disk(self) -> None:
        """Let a push wait for the disk as long as a busy machine takes, and not three seconds."""
        received = "app/push/received.js"
        script = (WEB / received).read_text(encoding="utf-8")
        patient, count = re.subn(r"(const STORAGE_MS = )3_000;", r"\g<1>60_000;", script)
        assert count == 1
        self.files[received] = patient.encode()

    def requests(self, path: str) -> list[int]:
        """Return the statuses of the requests of a path below `data/`, in order."""
        return [status for _, asked, status, _ in self.log if asked == f"/data/{path}"]

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler, path: str, body: bytes) -> None:  # noqa: ARG002
        status, answer = self.answers.get(path, (403, b""))
        self._send(handler, status, answer, {})

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.partition("?")[0]
        name = path.lstrip("/")
        if path.endswith("/"):
            name += "index.html"
        if path in self.answers:
            status, body = self.answers[path]
            self._send(handler, status, body, {})
        elif name.startswith("data/"):
            found = self.data.get(name.removeprefix("data/"))
            headers = {"Cache-Control": "max-age=60", "Content-Type": "application/json"}
            self._send(handler, 403 if found is None else 200, found or b"", headers)
        else:
            self._send_file(handler, name)

    def _send_file(self, handler: BaseHTTPRequestHandler, name: str) -> None:
        file = WEB / name
        body: bytes | None = self.files.get(name)
        if body is None and name == "config.json":
            body = json.dumps(self.config).encode()
        elif body is None and file.is_file():
            body = file.read_bytes()
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(name)[0] or "text/plain"
        headers = {
            "Cache-Control": "no-cache",
            "Content-Type": kind,
            "Content-Security-Policy": self.csp,
        }
        self._send(handler, 403 if body is None else 200, body or b"", headers)

    def _send(
        self, handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: Mapping[str, str]
    ) -> None:
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        if status == 200 and handler.headers.get("If-None-Match") == tag:
            status, body = 304, b""
        self.log.append((handler.command, handler.path, status, len(body)))
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if status in (200, 304):
            handler.send_header("ETag", tag)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        # A page that is gone waits for nothing.
        with suppress(ConnectionError):
            handler.wfile.write(body)
