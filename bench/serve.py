"""The process behind the programs: boards, weather gateway, AWS, names. Its CPU is not counted.

Questions: ``{"boards": n, "posts": n, "every": n, "views": n, "size": n or null, "validators":
bool}`` sets what the boards show and answers where they are; ``{"lookups": true}`` answers how
often a name was looked up since the last time; ``{"mature": n, "posts": p}`` lets the states of so
many boards know more posts; ``{"hints": n}`` answers the hints of their jobs;
``{"weather": {...}}`` sets what the gateway serves, see `weather_gateway`, and answers the sizes as
well; ``{"web": n, "slow": share}`` makes so many domains and answers where they are, ``{"queue":
[...]}`` puts messages on the only queue, ``{"asked": true}`` answers the paths that were asked of
each; ``{"raw_file": megabytes, "key": …}`` puts a raw file into S3 and
answers how many records it has; ``{"reset": true}`` empties S3; ``{"calls": true}`` answers the
AWS calls since the last time.
"""

import hashlib
import ssl
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from aws import Aws
from certificates import Certificates, certificates_at
from domain_web import DomainWeb, large_sitemap, raw_file
from lines import answer_all
from mature import grow, hints
from own_names import NameServer
from pages import page
from weather_gateway import WeatherGateway

from uring_local.loopback import Answer, LoopbackServer, Request

_MOST_BYTES = 64_000_000
_MOST_PAGES = 2_000
_Answers: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


class Boards:
    """Serves pages that were made before the measurement."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[bytes, str]] = {}
        # Every program is shown the same.
        self._page = lru_cache(maxsize=_MOST_PAGES)(page)
        self._validators = False

    def show(
        self, *, boards: int, posts: int, every: int, views: int, size: int | None, validators: bool
    ) -> None:
        """Make the pages; ``posts`` are published on every ``every``-th board."""
        made = {}
        for number in range(boards):
            new = 0 if number % every else posts
            body = self._page(number, posts=new, views=views, size=size)
            digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
            made[f"/boards/{number}"] = body, f'"{digest}"'
        self._pages, self._validators = made, validators

    def respond(self, request: Request) -> Answer:
        """One page."""
        found = self._pages.get(request.path)
        if found is None:
            return Answer(404)
        body, etag = found
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if self._validators:
            headers["ETag"] = etag
            if request.headers.get("if-none-match") == etag:
                return Answer(304, headers=headers)
        return Answer(200, body, headers)


class World:
    """The servers, and what each question asks of them.

    Args:
        certificates: of the boards that speak TLS.
    """

    def __init__(self, certificates: Certificates) -> None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificates.server)
        self._trusted = str(certificates.trusted)
        self._boards, self._gateway, self._aws = Boards(), WeatherGateway(), Aws()
        self._web = DomainWeb(0)
        self._names = NameServer()
        self._site = LoopbackServer(self._boards.respond)
        self._safe_site = LoopbackServer(self._boards.respond, tls=tls)
        self._weather = LoopbackServer(self._gateway.respond)
        self._cloud = LoopbackServer(self._aws.respond, max_body=_MOST_BYTES)
        # The web is replaced.
        self._domains = LoopbackServer(lambda request: self._web.respond(request))  # noqa: PLW0108
        self._answers: dict[str, _Answers] = {
            "web": self._show_web,
            "raw_file": self._put_raw_file,
            "asked": self._take_asked,
            "boards": self._show_boards,
            "lookups": lambda _: {"lookups": self._names.taken()},
            "mature": self._mature,
            "hints": lambda question: hints(self._aws.objects, question["hints"]),
            "weather": self._show_weather,
            "reset": self._reset,
            "queue": self._fill,
        }

    def serve(self) -> None:
        """Serve until standard input ends."""
        servers = (self._site, self._safe_site, self._weather, self._cloud, self._domains)
        with ExitStack() as stack:
            for server in (*servers, self._names):
                stack.enter_context(server)
            answer_all(sys.stdout, self._answer)

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        for name, answer in self._answers.items():
            if name in question:
                return answer(question)
        return self._aws.calls()

    def _show_web(self, question: dict[str, Any]) -> dict[str, Any]:
        size, wide = question.get("sitemap_bytes", 0), question.get("wide", False)
        sitemap = large_sitemap(size, wide=wide) if size else b""
        self._web = DomainWeb(question["web"], sitemap, question.get("slow", 0.0))
        return {"web": self._domains.host, "aws": f"http://{self._cloud.host}"}

    def _put_raw_file(self, question: dict[str, Any]) -> dict[str, Any]:
        body, records = raw_file(question["raw_file"] * 1_000_000)
        self._aws.put(question["key"].partition("/")[2], body)
        return {"aws": f"http://{self._cloud.host}", "records": records}

    def _take_asked(self, _: dict[str, Any]) -> dict[str, Any]:
        asked, self._web.asked = self._web.asked, {}
        return asked

    def _fill(self, question: dict[str, Any]) -> dict[str, Any]:
        self._aws.fill(question["queue"])
        return {}

    def _show_boards(self, question: dict[str, Any]) -> dict[str, Any]:
        self._boards.show(**question)
        return {
            "site": self._site.host,
            "http": self._site.port,
            "https": self._safe_site.port,
            "names": self._names.port,
            "trusted": self._trusted,
            "aws": f"http://{self._cloud.host}",
        }

    def _mature(self, question: dict[str, Any]) -> dict[str, Any]:
        grow(self._aws.objects, question["mature"], question["posts"])
        return {}

    def _show_weather(self, question: dict[str, Any]) -> dict[str, Any]:
        self._gateway.show(**question["weather"])
        return {
            "gateway": self._weather.host,
            "aws": f"http://{self._cloud.host}",
            "sizes": self._gateway.described(),
        }

    def _reset(self, _: dict[str, Any]) -> dict[str, Any]:
        self._aws.reset()
        return self._aws.calls()


def main() -> None:
    """Serve until standard input ends."""
    with tempfile.TemporaryDirectory() as folder:
        World(certificates_at(Path(folder))).serve()


if __name__ == "__main__":
    main()
