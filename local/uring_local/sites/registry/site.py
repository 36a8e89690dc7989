"""The stand-in: list, previews and files of all registries on the current day."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.registry.asked import AskedFiles
from uring_local.sites.registry.library import CONTENT_TYPES, body_of
from uring_local.sites.registry.model import (
    BYEOLHA,
    MULGYEOL,
    REGISTRIES,
    SILENT,
    File,
    Page,
    Registry,
)
from uring_local.sites.registry.page import ERROR, LOGIN, framed, list_page, viewer_page
from uring_local.sites.registry.script import Script

TIMEOUT_SECONDS: Final = 4.0
"""The time limit of a request in the entries, in seconds."""
RECHECK_DAYS: Final = 4
"""The nights in which each file is asked for once more."""
_NO_ANSWER_SECONDS: Final = 5.0
_ROBOTS: Final = b"User-agent: *\nDisallow: /viewer/\nDisallow: /login.do\n"
# One registry uses the preset of its system, the other has rules of its own.
_RULES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        BYEOLHA.id: {"preset": "egov_files"},
        MULGYEOL.id: {
            "rows": "#contents tbody tr",
            "fields": {
                "title": "p.text_left",
                "file_no": {
                    "select": "td:nth-child(2) a",
                    "attribute": "href",
                    "parameter": "fileNo",
                },
                "preview": "td:nth-child(2) a",
                "download": "td:nth-child(3) a",
            },
            "formats": ["html"],
        },
    }
)
_HTML: Final = "text/html; charset=utf-8"


class RegistrySite(LoopbackServer):
    """A server of the registries; it is at day 0, without any page, until it is moved.

    Args:
        seed: of the scripts, and of the choice of registries that send an ETag.
        journal: the file of the requests, which outlives a kill; None keeps them in memory.
        port: 0 picks a free one.

    Attributes:
        day: the current day, from 1; 0 before the first `advance`.
    """

    def __init__(self, seed: int, journal: Path | None = None, *, port: int = 0) -> None:
        self.scripts = {registry.id: Script(seed, registry) for registry in REGISTRIES}
        self.day = 0
        self._with_etag = {
            registry.id: Random(f"{seed}/etag/{registry.id}").random() < 0.5  # noqa: PLR2004
            for registry in REGISTRIES
        }
        self._asked = AskedFiles(journal)
        super().__init__(self.respond, port=port)

    def advance(self, day: int) -> None:
        """Move to a day."""
        for script in self.scripts.values():
            script.page(day)
        self.day = day

    def page(self, registry: Registry) -> Page:
        """Return a registry's list on the current day."""
        return self.scripts[registry.id].page(self.day)

    def asked(self, registry: Registry, day: int) -> frozenset[str]:
        """Return the numbers of the files that were asked for on a day."""
        return self._asked.of(day, registry.id)

    def url(self, registry: Registry) -> str:
        """Return the address of a registry's list."""
        return f"http://{self.host}{registry.path}?key={registry.key}"

    def entries(self) -> dict[str, Any]:
        """Return the content of ``config/registries.json`` for this site."""
        return {"registries": [self._entry(registry) for registry in REGISTRIES]}

    def _entry(self, registry: Registry) -> Mapping[str, Any]:
        return {
            "id": registry.id,
            "name": registry.name,
            "url": self.url(registry),
            **_RULES[registry.id],
            "recheck_days": RECHECK_DAYS,
            "expect": {"landmarks": ["rules_wrap"]},
            "request": {"timeout_seconds": TIMEOUT_SECONDS},
        }

    def respond(self, request: Request) -> Answer:
        """Return the answer to a request on the current day."""
        if request.path == "/robots.txt":
            return Answer(200, _ROBOTS, {"Content-Type": "text/plain"})
        query = request.query
        for registry in REGISTRIES:
            if request.path == registry.path and query.get("key") == registry.key:
                return self._list(registry, request)
            file = self.scripts[registry.id].files.get(query.get("fileNo", ""))
            # Keys move; their first digit does not.
            if file is None or query.get("key", "")[:1] != registry.key[0]:
                continue
            if request.path == "/downloadContentsFile.do":
                return self._download(registry, file)
            folder = registry.path.rpartition("/")[0]
            if request.path == f"{folder}/previewMenuCntFile.do":
                return self._preview(registry, file)
        return _page(404, "<h1>없는 주소입니다.</h1>")

    def _list(self, registry: Registry, request: Request) -> Answer:
        page = self.page(registry)
        if page.trouble in SILENT:
            return _trouble(registry, page)
        answer = _page(200, list_page(registry, page))
        if not self._with_etag[registry.id]:
            return answer
        etag = f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"'
        if etag in request.headers.get("if-none-match", ""):
            return Answer(304, headers={"ETag": etag})
        return replace(answer, headers={**answer.headers, "ETag": etag})

    def _download(self, registry: Registry, file: File) -> Answer:
        fate = file.fate_on(self.day)
        is_first = self._asked.add(self.day, registry.id, file.number)
        if fate == "missing":
            return _page(404, "<h1>없는 파일입니다.</h1>")
        if fate == "busy" and is_first:
            return Answer(503, b"busy", {"Content-Type": "text/plain"})
        if fate == "error_page":
            return _page(200, framed(registry, ERROR))
        name = f"attachment; filename={file.number}.{file.format}"
        headers = {"Content-Type": CONTENT_TYPES[file.format], "Content-Disposition": name}
        return Answer(200, body_of(file), headers)

    def _preview(self, registry: Registry, file: File) -> Answer:
        if file.format == "html":
            self._asked.add(self.day, registry.id, f"{file.number}/preview")
            return Answer(200, body_of(file), {"Content-Type": _HTML})
        return _page(200, viewer_page(registry, file.number))


def _trouble(registry: Registry, page: Page) -> Answer:
    if page.trouble == "http_503":
        return _page(503, "<h1>503 Service Unavailable</h1>")
    if page.trouble == "login":
        return _page(200, framed(registry, LOGIN))
    seconds = _NO_ANSWER_SECONDS if page.trouble == "no_answer" else 0.0
    return Answer(200, manner="cut", seconds=seconds)


def _page(status: int, body: str) -> Answer:
    return Answer(status, body.encode(), {"Content-Type": _HTML})
