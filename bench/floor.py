"""The floor: the least that a check can be, by pycurl and lexbor. Its CPU is counted.

Ten boards at once are asked by curl; the state of each, its page's hash and rows, is read from S3;
a page with another hash is read into rows, and other rows are stored. No robots.txt, no guard, no
deadline, no archive, no push, no log; it is told the addresses of names.

The argument is the file of what TLS trusts. The question ``{"urls": {id: url}, "aws": url}``
answers the CPU seconds and how the checks ended.
"""

import hashlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pycurl
from lines import answer_all
from measured import cpu_seconds
from selectolax.lexbor import LexborHTMLParser

_AT_ONCE: Final = 10
_FIELDS: Final = ("td.no", "td.group", "td.subject a", "td.date")


class Floor:
    """One process, warm after its first question.

    Args:
        trusted: file of certificates in PEM.
    """

    def __init__(self, trusted: str) -> None:
        self._multi = pycurl.CurlMulti()
        self._pages = [pycurl.Curl() for _ in range(_AT_ONCE)]
        for curl in self._pages:
            curl.setopt(pycurl.CAINFO, trusted)
            curl.setopt(pycurl.FORBID_REUSE, 1)
            curl.setopt(pycurl.TIMEOUT, 30)
        # Sessions and what is trusted are shared, as in any process that takes care.
        self._share = pycurl.CurlShare()
        self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_SSL_SESSION)
        for curl in self._pages:
            curl.setopt(pycurl.SHARE, self._share)
        self._store = pycurl.Curl()
        self._store.setopt(pycurl.AWS_SIGV4, "aws:amz:ap-northeast-2:s3")
        self._store.setopt(pycurl.USERPWD, "bench:bench")

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Check every board once."""
        boards = list(question["urls"].items())
        began = cpu_seconds()
        ends: Counter[str] = Counter()
        for at in range(0, len(boards), _AT_ONCE):
            for board, body in self._fetched(boards[at : at + _AT_ONCE]):
                ends[self._checked(f"{question['aws']}/bench/floor/{board}.json", body)] += 1
        return {"seconds": cpu_seconds() - began, "outcomes": ends}

    def _fetched(self, boards: list[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
        bodies = []
        for curl, (board, url) in zip(self._pages, boards, strict=False):
            host, port = url.split("/")[2].split(":")
            body = io.BytesIO()
            curl.setopt(pycurl.URL, url)
            curl.setopt(pycurl.RESOLVE, [f"{host}:{port}:127.0.0.1"])
            curl.setopt(pycurl.WRITEDATA, body)
            self._multi.add_handle(curl)
            bodies.append((curl, board, body))
        running = len(bodies)
        while running:
            _, running = self._multi.perform()
            if running:
                self._multi.select(1.0)
        for curl, board, body in bodies:
            self._multi.remove_handle(curl)
            if curl.getinfo(pycurl.RESPONSE_CODE) != 200:  # noqa: PLR2004
                raise SystemExit(f"{board}: {curl.errstr()}")
            yield board, body.getvalue()

    def _checked(self, key: str, body: bytes) -> str:
        stored = self._get(key)
        state = json.loads(stored) if stored else None
        digest = hashlib.blake2b(body, digest_size=16).hexdigest()
        if state is not None and state["digest"] == digest:
            return "unchanged"
        rows = _rows(body)
        if state is not None and state["rows"] == rows:
            return "unchanged"
        self._put(key, json.dumps({"digest": digest, "rows": rows}).encode())
        return "changed" if state else "baseline"

    def _get(self, key: str) -> bytes:
        body = io.BytesIO()
        self._store.setopt(pycurl.URL, key)
        self._store.setopt(pycurl.HTTPGET, 1)
        self._store.setopt(pycurl.WRITEDATA, body)
        self._store.perform()
        found = self._store.getinfo(pycurl.RESPONSE_CODE) == 200  # noqa: PLR2004
        return body.getvalue() if found else b""

    def _put(self, key: str, body: bytes) -> None:
        self._store.setopt(pycurl.URL, key)
        self._store.setopt(pycurl.UPLOAD, 1)
        self._store.setopt(pycurl.READDATA, io.BytesIO(body))
        self._store.setopt(pycurl.INFILESIZE, len(body))
        self._store.setopt(pycurl.WRITEDATA, io.BytesIO())
        self._store.perform()


def _rows(body: bytes) -> list[list[str]]:
    rows = []
    for row in LexborHTMLParser(body).css("table.board tbody tr"):
        parts = (row.css_first(select) for select in _FIELDS)
        rows.append([part.text() for part in parts if part is not None])
    return rows


if __name__ == "__main__":
    answer_all(sys.stdout, Floor(sys.argv[1]).answer)
