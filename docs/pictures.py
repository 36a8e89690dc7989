"""Takes the pictures of the client and of the operator's page, as they are on the screen of a run.

`make pictures` makes them anew, from a run of its own; with an address, from what is served there:
`.venv/bin/python docs/pictures.py http://127.0.0.1:8000/`.
"""

import base64
import json
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER: Final = Path(__file__).parent
COMMAND: Final = ("run", "--in-process", "--json", "--seed", "7", "--speed", "300")
# By then there is news, and a board that fails.
TICKS: Final = 3
PHONE: Final[Mapping[str, Any]] = {
    "viewport": {"width": 390, "height": 780},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESKTOP: Final[Mapping[str, Any]] = {"viewport": {"width": 1100, "height": 720}}
# Legible text, and a third of a PNG.
QUALITY: Final = 80
# As a reader who has chosen departments: through the page's own store, which is in its release.
FOLLOW: Final = """async () => {
    const main = document.querySelector("script[type=module]").src;
    const { open } = await import(new URL("./store.js", main).href);
    const index = await (await fetch("./data/index.json")).json();
    await (await open()).put("settings", "favourites", index.departments.map(({ id }) => id));
}"""


@dataclass(frozen=True, slots=True)
class Picture:
    """A page, the screen that it is looked at on, and the picture's name."""

    name: str
    route: str
    screen: Mapping[str, Any]
    color_scheme: Literal["light", "dark"] = "light"


PICTURES: Final = (
    Picture("client.webp", "#/", PHONE),
    Picture("weather.webp", "#/weather", DESKTOP, "dark"),
    Picture("status.webp", "status/", DESKTOP),
)


def main(arguments: list[str]) -> None:
    """Take every picture."""
    if arguments:
        take(arguments[0])
        return
    with running() as url:
        take(url)


@contextmanager
def running() -> Iterator[str]:
    """Run the application until it has something to show; yield the client's address."""
    command = [str(Path(sys.executable).with_name("uring")), *COMMAND]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        lines: Iterator[str] = iter(run.stdout or ())
        url, ticks = "", set[str]()
        for line in lines:
            event = json.loads(line)
            url = event.get("client", url)
            if event.get("event") == "tick" and event["tick"] == TICKS:
                ticks.add(event["family"])
            if url and {"notices", "weather"} <= ticks:
                break
        try:
            yield url
        finally:
            run.send_signal(signal.SIGINT)
            # A pipe that nobody reads would hold it.
            deque(lines, maxlen=0)


def take(url: str) -> None:
    """Take the pictures of what is served at an address.

    Args:
        url: of the client, with the slash at the end.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"))
        for picture in PICTURES:
            (FOLDER / picture.name).write_bytes(shot(browser, url, picture))
        browser.close()


def shot(browser: Browser, url: str, picture: Picture) -> bytes:
    """Return a picture as WebP."""
    context = browser.new_context(
        locale="ko-KR",
        timezone_id="Asia/Seoul",
        color_scheme=picture.color_scheme,
        reduced_motion="reduce",
        **picture.screen,
    )
    page = context.new_page()
    show(page, url)
    page.evaluate(FOLLOW)
    # A page of its own: the first one has read the settings already.
    page.close()
    page = context.new_page()
    show(page, url + picture.route)
    page.wait_for_load_state("networkidle")
    shown = context.new_cdp_session(page).send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
    )
    context.close()
    return base64.b64decode(shown["data"])


def show(page: Page, url: str) -> None:
    """Open a page and wait until it says that it is shown."""
    page.goto(url)
    page.wait_for_selector("body[data-ready]")


if __name__ == "__main__":
    main(sys.argv[1:])
