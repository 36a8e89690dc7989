"""The operator's page on an index with shards: all lists, one after the other."""

from collections.abc import Callable
from typing import Any, Final

from index_of_status import ago, entry, failing, index
from playwright.sync_api import BrowserContext, Page, Route, expect
from shards_published import SHARDS
from site_of_client import Site

Status = Callable[[], Page]
FAMILIES: Final = {"departments": {"family": "notices", "view": "notices", "shards": SHARDS}}


def put(site: Site, path: str, *departments: dict[str, Any], **changes: Any) -> None:
    """Publish one of the three parts, written just now."""
    site.put(path, {**index([*departments], families=FAMILIES), **changes})


def test_all_lists_are_one_and_what_needs_a_look_is_first(site: Site, status: Status) -> None:
    """Wherever it is; a list that was divided a moment ago shows no source twice."""
    put(site, "index.json", entry("cse"), entry("nursing"))
    put(site, "index.g.json", entry("law"))
    put(site, "index.m.json", failing("nursing", "timeout"), entry("math"))
    page = status()
    expect(page.locator("#verdict .sentence")).to_have_text("소스 4개 중 1개를 살펴봐야 합니다.")
    rows = page.locator(".sources > li")
    expect(rows.first).to_have_attribute("data-source", "departments/nursing")
    assert rows.count() == 4
    assert page.locator("[data-lists]").count() == 0
    expect(page.locator("#said")).to_have_text("살펴볼 소스 1개")
    put(site, "index.m.json", entry("nursing"), entry("math"))
    page.clock.run_for(61_000)
    expect(page.locator("#verdict .sentence")).to_have_text("모두 정상입니다. 소스 4개.")
    assert site.requests("index.g.json") == [200, 304]


def test_it_says_how_many_lists_were_read(
    site: Site, status: Status, context: BrowserContext
) -> None:
    """Not all is well before all was read."""
    put(site, "index.json", entry("cse"))
    put(site, "index.g.json", entry("law"))
    put(site, "index.m.json", entry("math"))
    held: list[Route] = []
    context.route("**/data/index.m.json", lambda route: held.append(route))  # noqa: PLW0108
    page = status()
    expect(page.locator("[data-lists]")).to_have_text("목록 3개 중 2개를 읽었습니다.")
    expect(page.locator("#verdict .sentence")).to_have_text("지금까지 읽은 소스 2개는 정상입니다.")
    assert page.locator("#verdict.good, [data-alarm]").count() == 0
    held[0].continue_()
    expect(page.locator("#verdict.good .sentence")).to_have_text("모두 정상입니다. 소스 3개.")


def test_a_list_that_cannot_be_read_is_an_alarm(site: Site, status: Status) -> None:
    """Until it comes; one that came before stays as it was."""
    put(site, "index.json", entry("cse"))
    put(site, "index.g.json", entry("law"))
    page = status()
    alarm = page.locator("[data-alarm=lists]")
    expect(alarm).to_contain_text("목록 1개를 읽지 못했습니다.")
    expect(alarm).to_contain_text("index.m.json")
    assert page.locator("#verdict.good").count() == 0
    put(site, "index.m.json", entry("math"))
    page.clock.run_for(61_000)
    expect(alarm).to_have_count(0)
    site.data.pop("index.g.json")
    page.clock.run_for(61_000)
    expect(page.locator("#verdict.good .sentence")).to_have_text("모두 정상입니다. 소스 3개.")


def test_a_shard_whose_monitor_is_silent_is_told(site: Site, status: Status) -> None:
    """Each shard has a run of its own."""
    put(site, "index.json", entry("cse"))
    put(site, "index.g.json", entry("law"))
    put(site, "index.m.json", entry("math"), generated_at=ago(days=3))
    page = status()
    expect(page.locator("[data-alarm=silent]")).to_have_count(1)
