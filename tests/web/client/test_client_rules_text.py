"""A regulation's text: its Markdown shown, nothing executed, nothing lost, however long it is."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page
from rules_of_client import REGISTRY, item, publish, route, text
from site_of_client import Site

Opened = Callable[[str], Page]
BODY: Final = """<!-- page 1 -->

# 학칙

## 제1장 총칙

제1조(목적) 이 학칙은 <b>목적</b>을 정한다.
둘째 줄이다.

### 제1절 학생

- 하나
- 둘

| 구분 | 기준 |
|---|---|
| 1호 | 가 \\| 나 |
| <script>window.executed = 1</script> | [링크](javascript:alert(1)) |

1. 그대로
"""


def shown(site: Site, opened: Opened, body: str, **head: object) -> Page:
    """Return the page of a regulation with this text."""
    publish(site, [item("학칙", "11")])
    text(site, "11", body, **head)
    page = opened(route("학칙"))
    page.wait_for_selector("#text > *")
    return page


def test_headings_lists_and_tables_are_such(site: Site, opened: Opened) -> None:
    """Parts are headings below the page's own, tables have heads, an escaped bar is in its cell."""
    page = shown(site, opened, BODY)
    assert page.locator("#text h3").all_inner_texts() == ["학칙", "제1장 총칙"]
    assert page.locator("#text h4").all_inner_texts() == ["제1절 학생"]
    assert page.locator("#text li").all_inner_texts() == ["하나", "둘"]
    assert page.locator("#text th").all_inner_texts() == ["구분", "기준"]
    assert page.locator("#text td").all_inner_texts()[:2] == ["1호", "가 | 나"]
    assert "— 1쪽 —" in page.locator("#text").inner_text()
    assert "1. 그대로" in page.locator("#text").inner_text()


def test_markup_in_a_text_is_text(site: Site, opened: Opened) -> None:
    """Tags, scripts and links stay letters; nothing ran."""
    page = shown(site, opened, BODY, notes=["<i>x</i>"])
    assert "<b>목적</b>" in page.locator("#text").inner_text()
    assert "<script>window.executed = 1</script>" in page.locator("#text").inner_text()
    assert page.locator("#text :is(b, script, a, i)").count() == 0
    assert page.evaluate("window.executed") is None


def test_what_the_reader_of_the_file_doubts_is_told(site: Site, opened: Opened) -> None:
    """Pages with uncertain letters and notes stand above the text."""
    page = shown(site, opened, BODY, unreliablePages=[2, "x", 5], notes=["numbers are missing", 7])
    told = " ".join(page.locator(".lack").all_inner_texts())
    assert "글자가 확실하지 않은 쪽: 2, 5" in told
    assert "numbers are missing" in told


def test_a_head_that_cannot_be_read_leaves_the_text(site: Site, opened: Opened) -> None:
    """A head of a later form, and names that objects have, harm nothing."""
    publish(site, [item("학칙", "11")])
    head = "---\ntitle: {broken\n__proto__: 1\nnotes: 7\nunreliablePages: null\n---\n"
    site.data[f"{REGISTRY}/texts/11.md"] = f"{head}\n본문이다.".encode()
    page = opened(route("학칙"))
    page.wait_for_selector("#text p")
    assert page.locator("#text").inner_text().strip() == "본문이다."


def test_a_long_text_comes_in_parts_of_which_none_is_lost(site: Site, opened: Opened) -> None:
    """400 paragraphs: the first ones at once, all of them after some clicks."""
    page = shown(site, opened, "\n\n".join(f"제{number}조" for number in range(400)))
    assert page.locator("#text p").count() == 150
    more = page.locator("button:text('본문 계속 보기')")
    for _ in range(2):
        more.click()
    assert more.count() == 0
    assert page.locator("#text p").all_inner_texts() == [f"제{number}조" for number in range(400)]


def test_a_table_of_many_rows_and_a_line_without_end_are_divided(
    site: Site, opened: Opened
) -> None:
    """250 rows are three tables with one head each; 12,000 letters three paragraphs."""
    rows = "\n".join(f"| {number} | x |" for number in range(250))
    page = shown(site, opened, f"| 번호 | 값 |\n|---|---|\n{rows}\n\n{'가' * 12_000}")
    assert page.locator("#text table").count() == 3
    assert page.locator("#text th").all_inner_texts() == ["번호", "값"] * 3
    assert page.locator("#text tbody tr").count() == 250
    assert "".join(page.locator("#text p").all_inner_texts()) == "가" * 12_000


def test_ten_megabytes_of_text_leave_the_page_usable(site: Site, opened: Opened) -> None:
    """Text made to hurt: the first part is there, and the page answers."""
    hurtful = ["| " * 200_000, "#" * 200_000, "- \n" * 200_000, "|---" * 200_000 + "\n|"]
    page = shown(site, opened, "\n\n".join(hurtful * 4))
    assert page.locator("#text > *").count() <= 150
    page.locator("button:text('본문 계속 보기')").click()
    assert page.locator("#text > *").count() > 150


def test_a_text_says_since_when_it_is_in_force(site: Site, opened: Opened) -> None:
    """The date of its newest supplement."""
    page = shown(site, opened, BODY, effective="2026-03-01", effectiveText=None)
    assert "시행 2026. 3. 1. · " in page.locator("main").inner_text()


def test_a_text_of_an_earlier_release_has_no_date(site: Site, opened: Opened) -> None:
    """Its head lacks the keys."""
    assert "시행" not in shown(site, opened, BODY).locator("main").inner_text()
