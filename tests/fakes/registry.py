"""A registry's site as a script: its page of the moment, and a file for each address."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fakes.fetcher import response
from uring.extract.extraction import Extraction
from uring.fetch.http import Response
from uring.fetch.request import Request

SITE = "https://rules.example.ac.kr"
REGISTRY: dict[str, Any] = {
    "id": "rules",
    "name": "한빛대학교 규정",
    "url": f"{SITE}/www/contents.do?key=7",
    "preset": "egov_files",
    "request": {"honour_robots": False},
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the page; ``root`` is another address of the same files."""

    title: str
    file_no: str
    root: str = ""


def registry_page(rules: Sequence[Rule], *, more: str = "") -> str:
    """The registry's page, rows as given; ``more`` is put behind them."""
    rows = "".join(
        f'<tr><td><p class="text_left">{escape(rule.title)}</p></td>'
        f'<td><a href="./previewMenuCntFile.do?key=7&fileNo={escape(rule.file_no)}{rule.root}" '
        'title="다른 규정 미리보기">미리보기</a></td>'
        f'<td><a href="/downloadContentsFile.do?key=7&fileNo={escape(rule.file_no)}{rule.root}">'
        "다운로드</a></td></tr>"
        for rule in rules
    )
    head = "<tr><th>제1장 학칙</th><th>미리보기</th><th>다운로드</th></tr>"
    return (
        "<!doctype html><html><body><table><thead>"
        f"{head}</thead><tbody>{rows}{more}</tbody></table></body></html>"
    )


class RegistrySite:
    """Implements `uring.fetch.Fetches` for the page and its files.

    Attributes:
        page: what the page answers: text, or an exception.
        files: what the file of a number says, or an exception; one that is missing says its number.
    """

    def __init__(self) -> None:
        self.page: str | Exception = registry_page([])
        self.files: dict[str, str | Exception] = {}
        self.requests: list[Request] = []

    def show(self, *rules: Rule, more: str = "") -> None:
        """Put another list on the page."""
        self.page = registry_page(rules, more=more)

    def fetch(self, request: Request) -> Response:
        self.requests.append(request)
        answer = self.page
        if "fileNo=" in request.url:
            file_no = request.url.partition("fileNo=")[2].partition("&")[0]
            answer = self.files.get(file_no, f"제1조(목적) 규정 {file_no}의 목적은 이와 같다.")
        if isinstance(answer, Exception):
            raise answer
        return response(answer, url=request.url)


def plain_extract(body: bytes, formats: Collection[str]) -> Extraction:
    """Read a file whose bytes are its text; ``!word`` is a file with that outcome."""
    del formats
    text, digest = body.decode(), hashlib.sha256(body).hexdigest()
    if text.startswith("!"):
        return Extraction(
            outcome=text[1:], reason="a reason; a remedy", format="pdf", source_sha256=digest
        )
    return Extraction(outcome="text", format="pdf", text=text, pages=1, source_sha256=digest)
