"""The seed engine through everything that it does at AWS, with a small web of its own.

One of its domains closes every connection. A run goes on by itself for want of time, and so does a
long raw file; a domain is in two files; the watch sees a robots.txt change.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from expanded import ROOT
from feeding import SECONDS, Dwindling, Stage, delete_states, feed, put, receive, short, upload

from uring.runtime.invocation import Function
from uring.seeds.partition import build_raw_dataset_path
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.stage.clock import SimulatedClock
from uring_local.stack.application import schedule_event
from uring_local.stack.inprocess import Context

WATCHES: Final = "config/watches.json"
PARAMETERS: Final[Mapping[str, str]] = {
    "Seeds": "ENABLED",
    "WatchesKey": WATCHES,
    "SeedDays": "90",
    "DomainSpacingSeconds": "0",
    "Evidence": "segments",
}
_SILENT: Final = "silent.com.sg"
# A copy of such a robots.txt is an object.
_LARGE: Final = [hashlib.sha256(bytes([number])).hexdigest() for number in range(256)]
_SHORT: Final = ("https://herald.com.sg/news", "https://courier.sg/", f"https://{_SILENT}/")
# One record more than lie between two looks at the clock.
_LONG: Final = ("https://herald.com.sg/",) * 10_001
# Of the site: then it stays as it is.
_LAST_DAY: Final = 2
_DAYS: Final = ("2026-01-28", "2026-01-29")
# Of a day, by number.
_FILES: Final = ((0, 1, _SHORT), (0, 2, _SHORT[:1]), (1, 1, _LONG))


class SeedSite(LoopbackServer):
    """The whole web; its robots.txt files say another thing each ``day``."""

    def __init__(self) -> None:
        self.day = 0
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Answer:
        host = request.headers.get("host", "").removeprefix("www.")
        if host == _SILENT:
            return Answer(0, manner="cut")
        if request.path == "/robots.txt":
            text = f"User-agent: *\nDisallow: /{self.day}\nSitemap: https://{host}/sitemap.xml\n"
            text += "".join(f"Disallow: /{each}\n" for each in _LARGE)
            # Without its last end the next day's check is the second look.
            text = text if self.day < _LAST_DAY else text.rstrip()
            return Answer(200, text.encode(), {"Content-Type": "text/plain"})
        if request.path == "/sitemap.xml":
            text = f"<urlset><url><loc>https://{host}/1</loc></url></urlset>"
            return Answer(200, text.encode(), {"Content-Type": "application/xml"})
        if request.path == "/":
            return Answer(200, b"<!doctype html><html><body>news</body></html>")
        return Answer(404)


def upload_seeds(stage: Stage) -> None:
    """Put the datasets and the list of watches there."""
    for day, number, urls in _FILES:
        # One of no use, which is kept beside the file.
        records = [*({"raw_url": url} for url in urls), {}]
        body = json.dumps({"meta": {"dataset_id": "sg-news"}, "records": records}).encode()
        put(stage, build_raw_dataset_path("SG", "news", _DAYS[day], number), body)
    watch = {"id": "sg-news", "name": "News", "country": "sg", "category": "news"}
    upload(stage, WATCHES, {"watches": [watch]})


def exercise_seeds(
    stage: Stage, site: SeedSite, functions: Mapping[str, Function], clock: SimulatedClock
) -> None:
    """Collect the datasets, report, and watch what was collected for two days."""
    at = clock()
    # With less time than a run keeps for a partition it goes on in an invocation of its own.
    functions["SeedOrchestrator"].handle(schedule_event(at), Context(100.0))
    receive(stage, "SeedQueue", functions["SeedFileWorker"], short)
    for _ in _FILES:
        receive(stage, "SeedQueue", functions["SeedFileWorker"], Dwindling, most=1)
    feed(stage, "SeedQueue", functions["SeedFileWorker"])
    # One of them: a copy of robots.txt is looked for at a first receive alone.
    # It runs out of receives for want of time, and goes on as a copy.
    for _ in range(2):
        receive(stage, "DomainQueue", functions["DomainWorker"], short, most=1)
    # One at a time: moto's transactions of several threads break each other.
    feed(stage, "DomainQueue", functions["DomainWorker"], most=1)
    # A forced collection counts anew what was counted.
    answer = functions["SeedOrchestrator"].handle(_forced(), Context(SECONDS))
    assert answer["statusCode"] == 200, answer["body"]
    feed(stage, "SeedQueue", functions["SeedFileWorker"])
    # What was counted before is looked up, and counted anew.
    feed(stage, "DomainQueue", functions["DomainWorker"], most=1)
    for day in (1, _LAST_DAY, _LAST_DAY + 1):
        later = at + timedelta(days=day)
        clock.move(later)
        site.day = min(day, _LAST_DAY)
        # The first tick after a collection reports it.
        functions["SeedOrchestrator"].handle(schedule_event(later), Context(SECONDS))
        functions["SeedWatchOrchestrator"].handle(schedule_event(later), Context(SECONDS))
        if day == 1:
            receive(stage, "SeedWatchQueue", functions["SeedWatchWorker"], short)
        elif day == _LAST_DAY:
            delete_states(stage, "seeds")
        feed(stage, "SeedWatchQueue", functions["SeedWatchWorker"])


def _forced() -> dict[str, Any]:
    event: dict[str, Any] = json.loads((ROOT / "events/seed-api.json").read_text("utf-8"))
    return {**event, "body": json.dumps({**json.loads(event["body"]), "force": True})}
