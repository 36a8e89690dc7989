"""End to end: a notice of the campus appears in a browser by push, from a run, without a reload."""

import json
import signal
import subprocess
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext
from waiting import until

from uring_local.project import ROOT

_SHOWN: Final = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({title, tag, data}) => ({title, tag, data}));
}"""


@pytest.fixture
def run() -> Iterator[dict[str, Any]]:
    """Return the addresses of a run of the campus, which goes on until the test ends."""
    command = ["uring", "run", "--in-process", "--family", "notices", "--seed", "7"]
    process = subprocess.Popen(
        [str(ROOT / ".venv" / "bin" / command[0]), *command[1:], "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    for text in process.stdout:
        if (event := json.loads(text))["event"] == "serving":
            yield event
            break
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)


def test_a_notice_of_the_campus_appears_by_push(
    context: BrowserContext, run: dict[str, Any]
) -> None:
    """Followed, turned on by a click, published by a board: a banner, and the view behind it."""
    page = context.new_page()
    page.goto(run["client"])
    page.wait_for_selector("body[data-ready]")
    published = "fetch('./data/index.json').then((r) => r.status)"
    until(page, lambda: page.evaluate(published) == 200)
    page.reload()
    choices = page.locator(".choice button")
    choices.first.wait_for()
    for choice in choices.all():
        choice.click()
    page.goto(f"{run['client']}#/settings")
    page.locator("[data-push=off] > button").click()
    page.wait_for_selector("[data-push=on]")
    page.goto(f"{run['client']}#/")
    shown = until(page, lambda: page.evaluate(_SHOWN), 120)
    banner = next(each for each in shown if each["tag"] != "rest")
    assert banner["title"]
    assert banner["data"]["route"].startswith(("#/item/", "#/source/"))
    # The view that the banner opens has it, past the copy that the browser has.
    page.evaluate("(route) => { location.hash = route; }", banner["data"]["route"])
    page.wait_for_selector(f"body[data-ready='{banner['data']['route']}']")
    if banner["data"]["route"].startswith("#/item/"):
        page.get_by_text(banner["title"]).first.wait_for()
