"""The process behind the programs: boards, weather gateway, AWS. Its CPU is not counted.

Questions: ``{"boards": n, "posts": n, "every": n, "views": n, "size": n or null, "validators":
bool}`` sets what the boards show and answers where they are; ``{"weather": {...}}`` sets what the
gateway serves, see `weather_gateway`, and answers the sizes as well; ``{"web": n}`` makes so many
domains and answers where they are, ``{"asked": true}`` answers the paths that were asked of each;
``{"raw_file": megabytes, "key": …}`` puts a raw file into S3 and answers how many records it has;
``{"reset": true}`` empties S3; ``{"calls": true}`` answers the AWS calls since the last time.
"""

import hashlib
import sys
from typing import Any

from aws import Aws
from domain_web import DomainWeb, raw_file
from lines import answer_all
from pages import page
from weather_gateway import WeatherGateway

from uring_local.sites.loopback import Answer, LoopbackServer, Request

_MOST_BYTES = 64_000_000


class Boards:
    """Serves pages that were made before the measurement."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[bytes, str]] = {}
        self._validators = False

    def show(
        self, *, boards: int, posts: int, every: int, views: int, size: int | None, validators: bool
    ) -> None:
        """Make the pages; ``posts`` are published on every ``every``-th board."""
        made = {}
        for number in range(boards):
            new = 0 if number % every else posts
            body = page(number, posts=new, views=views, size=size)
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


def main() -> None:
    """Serve until standard input ends."""
    boards, gateway, aws = Boards(), WeatherGateway(), Aws()
    site = LoopbackServer(boards.respond)
    weather = LoopbackServer(gateway.respond)
    cloud = LoopbackServer(aws.respond, max_body=_MOST_BYTES)

    web = DomainWeb(0)
    domains = LoopbackServer(lambda request: web.respond(request))  # noqa: PLW0108 - replaced

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        nonlocal web
        if "web" in question:
            web = DomainWeb(question["web"])
            return {"web": domains.host, "aws": f"http://{cloud.host}"}
        if "raw_file" in question:
            body, records = raw_file(question["raw_file"] * 1_000_000)
            aws.put(question["key"].partition("/")[2], body)
            return {"aws": f"http://{cloud.host}", "records": records}
        if "asked" in question:
            asked, web.asked = web.asked, {}
            return asked
        if "boards" in question:
            boards.show(**question)
            return {"site": site.host, "aws": f"http://{cloud.host}"}
        if "weather" in question:
            gateway.show(**question["weather"])
            sizes = gateway.described()
            return {"gateway": weather.host, "aws": f"http://{cloud.host}", "sizes": sizes}
        if "reset" in question:
            aws.reset()
        return aws.calls()

    with site, weather, cloud, domains:
        answer_all(sys.stdout, answer)


if __name__ == "__main__":
    main()
