"""What a search of all years costs a reader: bytes, requests, seconds, with indexes and without.

    PYTHONPATH=tests:tests/web:tests/web/client .venv/bin/python bench/search.py [--boards 40]

Boards with five years of archives, as large as real titles compress, served from loopback: the
network is not in the seconds. The indexes are the engine's own. Bytes are those of gzip, as the
CDN sends them. The search is typed in the client's list, and goes back until it ends.
"""

import argparse
import gzip
import random
import time
from collections.abc import Iterator
from typing import Any, Final

from browsers import launch
from kept import keep_favourites
from notices_published import department, publish
from playwright.sync_api import Browser, sync_playwright
from shapes import SHAPES
from site_of_client import Site

from uring.records.search_index import YearIndex

YEARS: Final = range(2021, 2026)
WANTED: Final = "벚꽃 사진전 수상작 발표"
_SYLLABLES: Final = (
    "가강건경계고공과교구국권금기나남대도등라리마명모무문미반방변보부사산상생서석선설성세소속수시신실심안연영"
    "예용우원유은의이인일임자장재전정제조주중지진차창채청체총추출취치카토통특판평포표하학한합해행현형화활회후"
)
_LONGEST_TASK: Final = """new PerformanceObserver((list) => {
  const longest = Math.max(...list.getEntries().map(({ duration }) => duration));
  window.longest = Math.max(window.longest ?? 0, longest);
}).observe({type: "longtask"});"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="bench/search.py", description=__doc__)
    parser.add_argument("--boards", type=int, default=40, help="(default: 40)")
    parser.add_argument("--notices", type=int, default=1_000, help="of a board and year")
    options = parser.parse_args()
    site = Site()
    _publish(site, options.boards, options.notices)
    count = options.boards * options.notices * len(YEARS)
    print(f"{count:,} notices of {options.boards} boards, {len(YEARS)} years")
    print(
        "| | requests | MB gzip | MB | CPU | found after, s | ended after, s | longest task, ms |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with sync_playwright() as playwright:
        browser = launch(playwright, "chromium-headless-shell")
        for way in ("indexes", "archive alone"):
            if way != "indexes":
                site.data = {key: body for key, body in site.data.items() if "/search/" not in key}
            for rate in (1, 4):
                print(f"| {way} | {_searched(browser, site, rate)} |", flush=True)
        browser.close()
    site.close()


def _searched(browser: Browser, site: Site, rate: int) -> str:
    context = browser.new_context(locale="ko-KR", service_workers="block", **SHAPES["phone"])
    page = context.new_page()
    page.goto(site.url)
    keep_favourites(page, [key.partition("/")[0] for key in site.data if "latest" in key])
    page.add_init_script(_LONGEST_TASK)
    page.goto("about:blank")
    page.goto(site.url)
    page.locator(".notice").first.wait_for()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.locator("input[type=search]").fill(WANTED)
    page.locator(".searched button").wait_for()
    page.evaluate("window.longest = 0")
    site.log.clear()
    began = time.monotonic()
    page.locator(".searched button").click()
    page.locator(".notice .title", has_text=WANTED).first.wait_for(timeout=600_000)
    found = time.monotonic() - began
    page.locator(".searched", has_text="모든 기록").wait_for(timeout=600_000)
    ended = time.monotonic() - began
    longest = page.evaluate("window.longest")
    paths = [path.removeprefix("/data/") for _, path, *_ in site.log]
    bodies = [site.data.get(path, b"") for path in paths]
    context.close()
    sent = sum(len(gzip.compress(body, 6)) for body in bodies) / 1e6
    raw = sum(map(len, bodies)) / 1e6
    return (
        f"{len(paths):,} | {sent:.1f} | {raw:.0f} | {rate} times slower "
        f"| {found:.1f} | {ended:.1f} | {longest:.0f}"
    )


def _publish(site: Site, boards: int, notices: int) -> None:
    chance = random.Random(7)
    ids = [f"board-{number:02}" for number in range(boards)]
    site.put("index.json", {"departments": [department(each) for each in ids]})
    for number, source in enumerate(ids):
        last: list[dict[str, Any]] = []
        for year in YEARS:
            index = YearIndex(source, str(year), f"{YEARS[0]}01")
            months = dict(_months(chance, source, year, notices, is_wanted=number == boards - 1))
            for month, lines in sorted(months.items(), reverse=True):
                index.add(month, lines)
                site.put(f"{source}/archive/{month}.jsonl", lines)
                last = last or lines[-30:]
            site.data[f"{source}/search/{year}.json"] = index.body()
        publish(site, source, last, last_updated=f"{YEARS[-1]}-12-28T00:05:00Z")


def _months(
    chance: random.Random, source: str, year: int, notices: int, *, is_wanted: bool
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    words = ["".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3, 4)))) for _ in range(900)]
    each = notices // 12 + 1
    for month in range(1, 13):
        lines = []
        for at in range(each):
            number = (year - YEARS[0]) * notices * 3 + month * each * 3 + at * 3
            seen = f"{year}-{month:02}-{1 + at * 28 // each:02}T{chance.randrange(24):02}:05:07Z"
            title = " ".join(chance.choices(words, k=chance.choice((5, 6, 7))))
            if is_wanted and (year, month, at) == (YEARS[0], 3, 0):
                title = WANTED
            lines.append(
                {
                    "event_id": f"{chance.getrandbits(160):040x}",
                    "kind": "new",
                    "detected_at": seen,
                    "push": True,
                    "id": str(number),
                    "title": title,
                    "date": seen[:10],
                    "category": chance.choice(["학사", "장학", "일반", None]),
                    "link": f"https://{source}.example.ac.kr/bbs/view.do?mode=view&no={number}",
                    "is_pinned": False,
                    "revision": 1,
                    "hash": f"{chance.getrandbits(160):040x}",
                    "first_seen": seen,
                }
            )
        yield f"{year}{month:02}", lines


if __name__ == "__main__":
    main()
