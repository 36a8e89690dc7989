"""The presets of law portals: a number that lasts, and the number of its revision."""

from typing import Any

import pytest
from bs4 import BeautifulSoup

from uring.errors import SuspectPage
from uring.regulations.page import read_registry
from uring.regulations.source import Registry
from uring_local.propose.systems import recognised

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


def test_texts_of_a_portal_are_pages() -> None:
    assert portal().formats == ("html",)
    assert portal(formats=["html", "hwp"]).formats == ("html", "hwp")
