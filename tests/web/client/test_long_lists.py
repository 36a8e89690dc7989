"""Thousands of notices and departments: what a letter, a mark or a press costs does not grow."""

import re
from typing import Final

from kept import keep_favourites
from notices_published import Opened, campus, department, follow, notice, publish, titles
from playwright.sync_api import Page, expect
from site_of_client import Site
from waiting import until

BOARDS: Final = 60
MOST_PRESSES: Final = 7
_PRESS: Final = """() => {
  const more = document.querySelector("#view button.wide");
  more?.click();
  return Boolean(more);
}"""


def many(site: Site) -> list[str]:
    """Publish boards with thirty notices each; return their ids."""
    ids = [f"b{number:02}" for number in range(BOARDS)]
    site.put("index.json", {"departments": [department(each) for each in ids]})
    for at, source in enumerate(ids):
        publish(site, source, [notice(at * 30 + each) for each in range(30)])
    return ids


def listed(opened: Opened, site: Site) -> Page:
    """Open the list of all of them."""
    ids = many(site)
    page = opened()
    keep_favourites(page, ids)
    page.reload()
    # All copies are on the device: a slow network then costs no row.
    wanted = {f"/data/{each}/latest.json" for each in ids}
    until(page, lambda: wanted <= {path for _, path, _, _ in site.log})
    page.wait_for_load_state("networkidle")
    page.reload()
    page.locator(".notice").first.wait_for()
    return page


def test_a_few_presses_reach_the_end_of_eighteen_hundred_notices(
    opened: Opened, site: Site
) -> None:
    page = listed(opened, site)
    presses = 0
    # The list grows by itself near its end, so its button may go while a pointer comes.
    while page.evaluate(_PRESS):
        presses += 1
        assert presses <= MOST_PRESSES
    assert presses > 0
    expect(page.locator(".notice")).to_have_count(BOARDS * 30)


def test_the_end_of_the_newest_notices_is_told_and_that_there_are_older_ones(
    opened: Opened, site: Site
) -> None:
    """A reader who is at the end of the list is not at the end of the boards."""
    ids = many(site)
    page = opened()
    keep_favourites(page, ids[:3])
    page.reload()
    end = page.get_by_text("가장 최근 공지는 여기까지입니다")
    expect(page.locator(".notice")).to_have_count(60)
    expect(end).to_have_count(0)
    # Whoever comes near the end gets the rest.
    page.locator(".end").scroll_into_view_if_needed()
    expect(page.locator(".notice")).to_have_count(90)
    expect(end).to_be_visible()
    page.locator("input[type=search]").fill("공지 7")
    expect(end).to_have_count(0)
    keep_favourites(page, ids[:1])
    page.reload()
    expect(end).to_be_visible()


def test_a_mark_draws_its_own_section_alone(opened: Opened, site: Site) -> None:
    page = listed(opened, site)
    for _ in range(3):
        page.get_by_role("button", name="더 보기").click()
    page.evaluate("""window.drawn = new Set();
      new MutationObserver((changes) => changes.forEach(({target}) => window.drawn.add(
        (target.parentElement ?? target).closest("section.day"))))
      .observe(document.querySelector("#view"),
        {subtree: true, childList: true, attributes: true, characterData: true})""")
    page.locator(".notice .star").nth(100).click()
    expect(page.locator(".notice .star").nth(100)).to_have_attribute("aria-pressed", "true")
    drawn = page.evaluate("[...window.drawn].filter(Boolean).length")
    assert drawn == 1


def test_the_settings_are_read_once_a_list_and_not_once_a_row(opened: Opened, site: Site) -> None:
    """Of 180 boards with 5,400 notices that was the second that a press took."""
    page = listed(opened, site)
    page.evaluate("""window.made = 0;
      const entries = Object.entries;
      Object.entries = (value) => { window.made += 1; return entries(value); };
      undefined""")
    page.locator("input[type=search]").fill("공지 7")
    expect(page.locator(".searched")).to_be_visible()
    # Some twice a board, as each is loaded; a row each would be eighteen hundred a letter.
    assert page.evaluate("window.made") < 6 * BOARDS


def test_what_is_older_than_a_day_is_read_at_once_and_taken_back(
    opened: Opened, site: Site
) -> None:
    campus(site)
    page = follow(opened(), "cse")
    days = {1: "2026-03-20", 2: "2026-03-21", 3: "2026-03-22"}
    news = [
        notice(40 + number, date=day, first_seen=f"{day}T02:00:00Z") for number, day in days.items()
    ]
    publish(site, "cse", [*reversed(news), notice(1)], last_updated="2026-03-23T01:00:00Z")
    page.reload()
    expect(page.locator(".notice.unread")).to_have_count(3)
    page.get_by_role("button", name=re.compile("여기부터 읽음: .*21일")).click()
    expect(page.locator(".notice.unread .title")).to_have_count(1)
    assert titles(page)[0] == "공지 43"
    page.get_by_role("button", name="되돌리기").click()
    expect(page.locator(".notice.unread")).to_have_count(3)


class TestDepartments:
    def test_a_thousand_are_grouped_by_the_domain_of_their_university(
        self, opened: Opened, site: Site
    ) -> None:
        entries = [
            department(
                f"{uni}-{number}", name=f"{word} 학과 {number}", base_url=f"https://d{number}.{uni}"
            )
            for uni, word in (("nurisol.ac.kr", "누리솔대"), ("haneul.edu", "하늘대"))
            for number in range(300)
        ]
        alone = [department("mixed-1", name="가나", base_url="https://a.example/x")]
        site.put("index.json", {"departments": [*entries, *alone]})
        page = opened("#/sources")
        expect(page.locator("summary")).to_have_text(
            [re.compile("누리솔대"), re.compile("하늘대"), re.compile("a.example")],
        )
        expect(page.locator(".choice")).to_have_count(0)
        page.locator("summary").nth(1).click()
        expect(page.locator(".choice")).to_have_count(100)
        page.get_by_role("button", name="더 보기").click()
        expect(page.locator(".choice")).to_have_count(200)
        assert page.evaluate("document.body.scrollHeight") < 20_000
        page.locator("input[type=search]").fill("하늘대 277")
        expect(page.locator(".choice .title")).to_have_text(["하늘대 학과 277"])

    def test_a_university_has_its_colleges(self, opened: Opened, site: Site) -> None:
        """By name; a department without one is among the others, which stand last."""
        colleges = {"공과대학": 130, "인문대학": 20, "": 5}
        entries = [
            department(
                f"d{college}{number}",
                name=f"누리솔대 {college or '본부'} {number}",
                base_url=f"https://d{number}.nurisol.ac.kr",
                **({"college": college} if college else {}),
            )
            for college, count in colleges.items()
            for number in range(count)
        ]
        entries = [{**entry, "id": f"d{at}"} for at, entry in enumerate(reversed(entries))]
        alone = department("mixed-1", name="하늘대", base_url="https://a.example/x", college=["공"])
        entries[-3]["college"] = f" {entries[-3]['college']}\u200b"
        site.put("index.json", {"departments": [*entries, alone]})
        page = opened("#/sources")
        expect(page.locator("summary")).to_have_text(
            [re.compile("누리솔대.*155곳", re.DOTALL), re.compile("a.example.*1곳", re.DOTALL)]
        )
        page.locator("summary").first.click()
        expect(page.locator("details details summary .grow")).to_have_text(
            ["공과대학", "인문대학", "그 밖의 학과"]
        )
        expect(page.locator(".choice")).to_have_count(0)
        page.locator("details details summary").first.click()
        expect(page.locator(".choice")).to_have_count(100)
        page.get_by_role("button", name="더 보기").click()
        expect(page.locator(".choice")).to_have_count(130)
        page.locator("details details summary").last.click()
        expect(page.locator(".choice")).to_have_count(135)

    def test_a_college_is_found_by_its_name(self, opened: Opened, site: Site) -> None:
        entries = [
            department("cse", name="컴퓨터공학과", college="공과대학"),
            department("law", name="법학과", college=7),
            department("art", name="", college="예술대학"),
        ]
        site.put("index.json", {"departments": entries})
        page = opened("#/sources")
        page.locator("input[type=search]").fill("공과대")
        expect(page.locator(".choice .title")).to_have_text(["컴퓨터공학과"])
        page.locator("input[type=search]").fill("ㅇㅅㄷ")
        expect(page.locator(".choice .title")).to_have_text(["art"])

    def test_the_only_universitys_colleges_are_the_groups(self, opened: Opened, site: Site) -> None:
        entries = [
            department(
                f"d{number}",
                name=f"학과 {number}",
                base_url="https://nurisol.ac.kr",
                college=("공과대학", "법과대학")[number % 2],
            )
            for number in range(90)
        ]
        site.put("index.json", {"departments": entries})
        page = opened("#/sources")
        expect(page.locator("summary .grow")).to_have_text(["공과대학", "법과대학"])
        page.locator("summary").last.click()
        expect(page.locator(".choice")).to_have_count(45)

    def test_a_single_university_stays_one_list(self, opened: Opened, site: Site) -> None:
        entries = [
            department(f"d{number}", base_url=f"https://d{number}.nurisol.ac.kr")
            for number in range(120)
        ]
        site.put("index.json", {"departments": entries})
        page = opened("#/sources")
        expect(page.locator(".choice")).to_have_count(100)
        expect(page.locator("summary")).to_have_count(0)


class TestPrint:
    def test_menu_search_and_buttons_are_not_printed(self, opened: Opened, site: Site) -> None:
        campus(site)
        page = follow(opened(), "cse")
        page.emulate_media(media="print")
        expect(page.locator(".notice .title").first).to_be_visible()
        for part in ("nav", "input[type=search]", ".tools", ".star >> nth=0"):
            expect(page.locator(part)).to_be_hidden()
