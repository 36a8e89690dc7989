"""The operator's page of a run on one machine: commands that work there, and simulated clocks."""

from collections.abc import Callable

from index_of_status import ago, entry, failing, index, product
from playwright.sync_api import Page, expect
from site_of_client import Site

Status = Callable[[], Page]
FOLDER = ".uring/run-17870"
RUN = {
    "departments": {
        "stack": "uring-in-process",
        "file": f"{FOLDER}/sitemap.json",
        "hosts": "127.0.0.1:44631",
    },
    "registries": {"stack": "uring-regulations", "file": f"{FOLDER}/registries.json", "hosts": ""},
    "weather": {"stack": "uring-weather"},
}


def commands(page: Page, key: str) -> list[str]:
    return page.locator(f"[data-source='{key}'] .command code").all_text_contents()


def test_a_run_s_commands_name_its_lists_and_stacks(site: Site, status: Status) -> None:
    """The project's own list has none of the played sources, and no stack is named NAME."""
    cut = {"status": "suspect", "class": "structure"}
    site.config = {"push": None, "run": RUN}
    site.put(
        "index.json",
        index(
            [failing("cut", "too_few_rows", **cut)],
            registries=[failing("rules", "login", **cut)],
            weather=[product("metar", 15, {}, status="unchecked")],
        ),
    )
    page = status()
    assert commands(page, "departments/cut") == [
        f"uring try cut --config {FOLDER}/sitemap.json",
        f"uring config check {FOLDER}/sitemap.json --allow-host 127.0.0.1:44631",
        f"uring config upload {FOLDER}/sitemap.json --stack uring-in-process",
        "uring refused cut --stack uring-in-process",
        "uring check cut --stack uring-in-process",
    ]
    assert commands(page, "registries/rules") == [
        f"uring try rules --config {FOLDER}/registries.json",
        f"uring config check {FOLDER}/registries.json",
        f"uring config upload {FOLDER}/registries.json --stack uring-regulations",
        "uring refused rules --stack uring-regulations",
        "uring check rules --stack uring-regulations",
    ]
    assert "uring state show metar --stack uring-weather" in commands(page, "weather/metar")


def test_places_that_no_command_can_name_are_left_out(site: Site, status: Status) -> None:
    site.config = {"run": {"departments": {"stack": "a; rm -rf ~"}, "weather": 7, "x": None}}
    site.put("index.json", index([failing("slow", "dns")]))
    assert commands(status(), "departments/slow") == [
        "uring try slow",
        "uring check slow --stack NAME",
    ]


def test_ages_count_to_the_simulated_clock_which_the_page_explains(
    site: Site, status: Status
) -> None:
    """Else a product that was read a minute ago is well, and "last success 268 days ago"."""
    at = "2026-03-02T09:41:00Z"
    metar = product("metar", 15, {}, last_success="2026-03-02T09:39:00Z")
    site.put(
        "index.json",
        index(
            [entry("well", last_success=ago(hours=5))], weather=[metar], simulated={"weather": at}
        ),
    )
    page = status()
    assert "마지막 성공 2분 전 (" in (page.locator("[data-source='weather/metar']").inner_text())
    assert "마지막 성공 5시간 전 (" in page.locator("[data-source='departments/well']").inner_text()
    told = page.locator("#simulated").inner_text()
    assert "모의 시계" in told
    assert told.endswith("항공기상 2026. 3. 2. 오후 6:41")


def test_an_index_without_simulated_days_explains_none(site: Site, status: Status) -> None:
    site.put("index.json", index([entry("well")], simulated=["weather"]))
    assert status().locator("#simulated").count() == 0


def test_a_source_on_a_simulated_clock_has_no_pause_to_copy(site: Site, status: Status) -> None:
    """The day is one of the simulated clock, and the command counts to the real one."""
    clocks = {"weather": "2026-03-02T09:41:00Z"}
    ill = {"status": "failed", "class": "transient", "reason": "dns", "consecutive_failures": 3}
    metar = product("metar", 15, {}, **ill)
    site.put("index.json", index([failing("slow", "dns")], weather=[metar], simulated=clocks))
    page = status()
    paused = "uring pause {} --until"
    page.locator("[data-source='departments/slow'] button[aria-expanded]").click()
    page.locator("[data-source='weather/metar'] button[aria-expanded]").click()
    board, product_ = commands(page, "departments/slow"), commands(page, "weather/metar")
    assert any(each.startswith(paused.format("slow")) for each in board)
    assert product_
    assert not any(each.startswith(paused.format("metar")) for each in product_)


def test_a_run_without_an_index_yet_offers_no_list_to_upload(site: Site, status: Status) -> None:
    """The project's list has real universities in it, and the run plays its own."""
    site.config = {"push": None, "run": RUN}
    page = status()
    expect(page.locator("[data-alarm] .command code")).to_have_text(
        ["uring doctor --stack uring-in-process"]
    )
