"""The page of a difference in a browser: two columns, or old above new on a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe import violations
from playwright.sync_api import Browser, Page

from uring.extract.differences import compare
from uring.extract.effective import effective_of_change
from uring.extract.page.difference_html import difference_html

ROWS = "".join(f"| 과목 {number} | ○ |  | 3 | 2 | 1 | 비고란에 적은 말 |\n" for number in range(9))
OLD = f"""제1장 총칙
제1조(목적) ① 이 규정은 학사를 정한다. ② 총장이 정한다. ③ 둘까지 한다. ④ 끝이다. ⑤ 또 있다. ⑥ 더.
제2조(등록) 학생은 매 학기 정해진 기간에 등록하여야 한다.
제3조(휴학) 학생은 두 학기까지 휴학할 수 있다.
[별표 1] 과목
{ROWS}"""
NEW = (
    OLD.replace("총장", "학장")
    .replace("제3조(휴학)", "제3조(복학) 학생은 복학한다.\n제4조(휴학)")
    .replace("과목 7 | ○ |  |", "과목 7 |  | ○ |")
    .replace("제2조(등록) 학생은 매 학기 정해진 기간에 등록하여야 한다.\n", "")
    .replace("[별표", "부칙\n이 규정은 2026년 3월 1일부터 시행한다.\n[별표")
)

Open = Callable[..., Page]


@pytest.fixture
def view(browser: Browser) -> Iterator[Open]:
    """Open the page in a window of a width."""
    contexts = []

    def view(width: int, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 740}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_content(
            difference_html(compare(OLD, NEW), "학칙 1 → 2", effective_of_change(OLD, NEW))
        )
        return page

    yield view
    for context in contexts:
        context.close()


def places(page: Page, row: str) -> tuple[Any, Any]:
    """Return the boxes of both sides of the first row of a kind; None for one that is hidden."""
    first = page.locator(f"tr.{row}").first
    was, now = (first.locator(f"> td.{side}").bounding_box() for side in ("was", "now"))
    return was, now


def test_a_desktop_shows_old_and_new_side_by_side(view: Open) -> None:
    page = view(1_280)
    for row in ("same", "change", "come", "gone"):
        was, now = places(page, row)
        assert (was["y"], was["width"]) == (now["y"], now["width"])
        assert was["x"] + was["width"] <= now["x"]


@pytest.mark.parametrize("width", [320, 400])
def test_a_phone_shows_old_above_new_and_unchanged_words_once(view: Open, width: int) -> None:
    page = view(width)
    was, now = places(page, "change")
    assert was["y"] + was["height"] <= now["y"]
    assert was["x"] == now["x"]
    assert places(page, "same")[0] is None
    assert places(page, "come")[0] is None
    assert places(page, "gone")[1] is None
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_paper_has_two_columns_and_no_links(view: Open) -> None:
    page = view(700)
    page.emulate_media(media="print")
    was, now = places(page, "change")
    assert was["y"] == now["y"]
    assert page.locator("nav").bounding_box() is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1_280])
def test_nothing_is_against_wcag(view: Open, width: int, scheme: str) -> None:
    assert violations(view(width, color_scheme=scheme)) == []


def test_a_reader_of_screens_hears_rows_heads_and_marks(view: Open) -> None:
    page = view(360)
    for role, name in (("columnheader", "구 (개정 전)"), ("navigation", "바뀐 조문")):
        assert page.get_by_role(role, name=name).count()  # type: ignore[arg-type]
    cell = page.get_by_role("cell", name="[삭제 시작] 총장이 [삭제 끝]").first
    assert "② 총장이 정한다." in cell.inner_text()
    assert page.get_by_role("time").inner_text() == "2026. 3. 1."


def test_links_lead_to_the_articles(view: Open) -> None:
    page = view(360)
    links = page.locator("nav a")
    found = [page.locator(str(each.get_attribute("href"))).count() for each in links.all()]
    assert found == [1] * 6
