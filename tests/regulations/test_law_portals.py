"""The presets of law portals: a number that lasts, and the number of its revision."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from pydantic import ValidationError

from uring.errors import SuspectPage
from uring.regulations.history import MOST_REVISIONS, history_address, read_history
from uring.regulations.page import read_registry
from uring.regulations.source import Registry
from uring_local.propose.systems import recognised

HISTORY = {
    "url": "history.do?no={file_no}",
    "rows": "tr",
    "fields": {"revision": "td", "download": "a"},
}
LIST = "https://rules.egret.example.ac.kr/lmxsrv/law/lawListManager.do?LAWGROUP=1&SEQ=4"


def portal(preset: str = "lmxsrv", **more: Any) -> Registry:
    return Registry.model_validate(
        {"id": "egret_rules", "name": "Rules", "url": LIST, "preset": preset, **more}
    )


def row(link: str, title: str) -> str:
    """A row as the portal's: a number, the title's link, a date that a script writes, a button."""
    return (
        f'<tr><td>1</td><td class="tbody_txt"><a href="{link}">{title}<img alt="new"></a></td>'
        "<td><script>showDate('20260301', '2');</script></td>"
        f'<td><a href="{link}">전체보기</a></td></tr>'
    )


def listed(*rows: str) -> str:
    head = "<tr><th>번호</th><th>제목</th><th>개정일</th><th></th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


@pytest.mark.parametrize(
    "link",
    [
        "javascript:fullPopupPost(31, 905,'905');",
        "javascript:fullPopupPost('31','905')",
        "/lmxsrv/law/lawFullView.do?SEQ=31&amp;SEQ_HISTORY=905",
        "lawDetail.do?SEQ_HISTORY=905&amp;SEQ=31&amp;PAGE_MODE=1",
    ],
)
def test_each_spelling_of_a_link_gives_regulation_revision_and_addresses(link: str) -> None:
    page = read_registry(portal(), listed(row(link, "3-1-2&nbsp; 실험실\n 규정")), LIST)
    (policy,) = page.policies
    law = "https://rules.egret.example.ac.kr/lmxsrv/law"
    assert policy.item() == {
        "title": "3-1-2 실험실 규정",
        "fileNo": "31",
        "fileRevision": "905",
        "previewUrl": f"{law}/lawFullView.do?SEQ=31&SEQ_HISTORY=905",
        "downloadUrl": f"{law}/lawFullContent.do?SEQ=31&SEQ_HISTORY=905",
    }


def test_the_older_portal_has_another_suffix_and_the_list_may_be_in_another_folder() -> None:
    html = listed(row("javascript:fullPopupPost(31, 905,'905');", "규정"))
    url = "https://rules.egret.example.ac.kr/lm/lmxsrv/main/main.srv"
    (policy,) = read_registry(portal("lmxsrv_srv", url=url), html, url).policies
    assert policy.download_url == (
        "https://rules.egret.example.ac.kr/lm/lmxsrv/law/lawFullContent.srv?SEQ=31&SEQ_HISTORY=905"
    )


def test_a_link_without_a_revision_is_skipped_and_other_tables_are_no_rows() -> None:
    broken = row("lawFullView.do?SEQ=87&amp;SEQ_HISTORY=", "빈 규정")
    other = '<tr><td><a href="/lmxsrv/main/main.do">처음</a></td></tr>'
    good = row("lawFullView.do?SEQ=1&amp;SEQ_HISTORY=2", "가 규정")
    page = read_registry(portal(), listed(good, broken, other), LIST)
    assert [policy.title for policy in page.policies] == ["가 규정"]
    assert page.rows == 2
    assert page.skipped[0].startswith("row 2: revision: ")
    with pytest.raises(SuspectPage):
        read_registry(portal(), listed(other), LIST)


@pytest.mark.parametrize(("suffix", "preset"), [("do", "lmxsrv"), ("srv", "lmxsrv_srv")])
def test_a_portal_is_recognised_by_its_address(suffix: str, preset: str) -> None:
    page = BeautifulSoup(listed(row("javascript:fullPopupPost(1, 2,'2')", "규정")), "html.parser")
    url = f"https://rules.egret.example.ac.kr/lmxsrv/law/lawListManager.{suffix}?LAWGROUP=1"
    assert [system.preset for system, _ in recognised(page, url)] == [preset]


def of_list(html: str, **history: Any) -> list[tuple[str, str, str]]:
    registry = portal(**({"history": history} if history else {}))
    assert registry.history is not None
    url = history_address(registry, registry.history, "31")
    found = read_history(registry, registry.history, "31", html, url)
    return [(each.revision, each.date, each.url) for each in found]


def test_a_portals_list_of_revisions_is_read_in_its_order() -> None:
    """Each once, with the date that its label has; what chooses nothing is no revision."""
    options = (
        '<option value="0">연혁 선택</option><option value="905" selected>2026.3.1 개정</option>'
        '<option value="640">[2021년 9월 2일] 일부개정</option><option value="640">다시</option>'
        '<option value="12">제정</option><option>없음</option><option value="7">2003.13.40</option>'
    )
    law = "https://rules.egret.example.ac.kr/lmxsrv/law/lawFullContent.do?SEQ=31&SEQ_HISTORY="
    assert of_list(f'<select id="histroySeq">{options}</select>') == [
        ("905", "2026-03-01", f"{law}905"),
        ("640", "2021-09-02", f"{law}640"),
        ("12", "", f"{law}12"),
        ("7", "", f"{law}7"),
    ]
    assert of_list("<p>잠시만 기다려 주십시오</p>") == []


def test_a_list_of_revisions_has_rules_of_its_own_and_an_end() -> None:
    rows = "".join(
        f"<tr><td>2020-01-01</td><td><a href='/file?v={at}'>받기</a></td></tr>"
        for at in range(1, MOST_REVISIONS + 9)
    )
    found = of_list(
        f"<table><tr><th>날짜</th></tr>{rows}</table>",
        url="history.do?no={file_no}",
        rows="tr",
        fields={
            "revision": {"select": "a", "attribute": "href", "parameter": "v"},
            "date": "td",
            "download": "a",
        },
    )
    assert found[0] == ("1", "2020-01-01", "https://rules.egret.example.ac.kr/file?v=1")
    assert len(found) == MOST_REVISIONS


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"history": {**HISTORY, "url": "history.do"}}, "must have {file_no}"),
        ({"history": {**HISTORY, "url": "h.do?a={file_no}&b={id}"}}, "no other braces"),
        ({"fields": {"revision": None}}, "history lists revisions, which no field of a row names"),
    ],
)
def test_a_list_of_revisions_that_cannot_be_asked_for_is_refused(
    change: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        portal(**change)
    assert told in str(refused.value)


def test_a_list_of_revisions_says_nothing_of_what_a_page_is_read_as() -> None:
    """Written into an entry that runs, it neither announces nor reads anything again."""
    assert portal().reading == portal(history=None).reading


def test_texts_of_a_portal_are_pages() -> None:
    assert portal().formats == ("html",)
    assert portal(formats=["html", "hwp"]).formats == ("html", "hwp")
