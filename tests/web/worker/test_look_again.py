"""What a look again costs, with the worker between the page and the network."""

from kept import keep_favourites
from notices_published import Opened, campus
from playwright.sync_api import BrowserContext
from site_of_client import Site
from waiting import until


def test_a_look_again_is_one_304_a_followed_source(
    site: Site, context: BrowserContext, opened: Opened
) -> None:
    """Counted where they are answered: with a worker between, the page sees no 304."""
    campus(site)
    page = opened("#/")
    keep_favourites(page, ["cse", "law"])
    page.reload()
    page.get_by_text("공지 1", exact=False).first.wait_for()
    page.wait_for_selector("body[data-ready='#/']")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    site.log.clear()
    context.set_offline(offline=True)
    context.set_offline(offline=False)
    until(page, lambda: all(site.requests(f"{source}/latest.json") for source in ("cse", "law")))
    latest = [each for each in site.log if each[1].endswith("latest.json")]
    assert sorted(latest) == [
        ("GET", "/data/cse/latest.json", 304, 0),
        ("GET", "/data/law/latest.json", 304, 0),
    ]
