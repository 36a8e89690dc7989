"""Notices of one university that come together are one banner with a line for each."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext
from pushing import Pushing
from site_of_client import Site

CSE: Final = "lantern_cse"
MATH: Final = "lantern_math"
FAR: Final = "harbour_law"
NAMES: Final = {CSE: "등대대 컴퓨터공학과", MATH: "등대대 수학과", FAR: "항구대 법학과"}
FIRST: Final = {
    "event_id": "e1",
    "dept": CSE,
    "id": "7",
    "revision": "1",
    "kind": "new",
    "changes": "1",
    "title": "장학금 신청 안내",
    "link": "https://cse.lantern.ac.kr/7",
}
SECOND: Final = {
    **FIRST,
    "event_id": "e2",
    "dept": MATH,
    "id": "9",
    "title": "계절 학기",
    "link": "https://math.lantern.ac.kr/9",
}
RETRACTION: Final = {**FIRST, "event_id": "e9", "kind": "retracted", "title": "[취소]"}
_NO_TAGS: Final = """
  const show = ServiceWorkerRegistration.prototype.showNotification;
  const all = ServiceWorkerRegistration.prototype.getNotifications;
  let count = 0;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    const data = {...options.data, tagged: options.tag};
    return show.call(this, title, {...options, data, tag: `${options.tag} ${count++}`});
  };
  ServiceWorkerRegistration.prototype.getNotifications = async function ({tag} = {}) {
    const shown = await all.call(this);
    for (const each of shown) Object.defineProperty(each, "tag", {value: each.data.tagged});
    return shown.filter((each) => !tag || each.tag === tag);
  };
"""
_LATER: Final = "const now = Date.now; let late = 0; Date.now = () => now() + (late += 200_000);"


@pytest.fixture
def site(site: Site) -> Site:
    """A site with boards of two universities."""
    site.keep_few_files()
    site.wait_for_the_disk()
    departments = [{"id": key, "name": name, "topic": key} for key, name in NAMES.items()]
    site.put("index.json", {"departments": departments})
    return site


@pytest.fixture
def pushing(context: BrowserContext, site: Site) -> Pushing:
    """Return a page with an active worker."""
    return Pushing(context, site)


def sabotaged(context: BrowserContext, site: Site, script: str) -> Pushing:
    """Return a page whose worker runs a script first."""
    site.files["saboteur.js"] = script.encode()
    site.files["sw.js"] = b'import "./saboteur.js";\n' + site.files["sw.js"]
    return Pushing(context, site)


def receive(pushing: Pushing, message: Mapping[str, str], **more: str) -> None:
    pushing.receive(**{**message, **more})


def only(pushing: Pushing) -> dict[str, Any]:
    """Return the one banner."""
    [banner] = pushing.shown()
    return banner


def test_two_notices_of_one_university_are_one_banner_that_rings_once(pushing: Pushing) -> None:
    """It opens the list, and has the newest line first."""
    receive(pushing, FIRST)
    assert not only(pushing)["silent"]
    receive(pushing, SECOND)
    banner = only(pushing)
    assert banner["title"] == "등대대 소식 2건"
    assert banner["body"] == "계절 학기 · 수학과\n장학금 신청 안내 · 컴퓨터공학과"
    assert (banner["silent"], banner["renotify"], banner["tag"]) == (True, False, f"{CSE}:7")
    assert banner["data"]["route"] == "#/"
    assert banner["actions"] == []


def test_two_notices_of_one_board_have_its_whole_name_above(pushing: Pushing) -> None:
    receive(pushing, FIRST)
    receive(pushing, SECOND, dept=CSE)
    banner = only(pushing)
    assert banner["title"] == "등대대 컴퓨터공학과 소식 2건"
    assert banner["body"] == "계절 학기\n장학금 신청 안내"


def test_many_are_five_lines_and_a_number(pushing: Pushing) -> None:
    for number in range(8):
        receive(pushing, FIRST, event_id=f"m{number}", id=f"{number}", title=f"공지 {number}")
    banner = only(pushing)
    assert banner["title"].endswith("소식 8건")
    assert [line.partition(" ·")[0] for line in banner["body"].split("\n")] == [
        *(f"공지 {number}" for number in (7, 6, 5, 4, 3)),
        "외 3건",
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"dept": FAR, "link": "https://law.harbour.ac.kr/9"},
        {"kind": "edited"},
        {"kind": "digest"},
        {"link": "javascript:alert(1)"},
        {"link": "https://203.0.113.7/9"},
        {"fileNo": "900"},
    ],
)
def test_what_is_not_of_that_university_is_a_banner_of_its_own(
    pushing: Pushing, more: dict[str, str]
) -> None:
    receive(pushing, FIRST)
    receive(pushing, SECOND, **more)
    assert len(pushing.shown()) == 2


def test_what_comes_later_rings_again(context: BrowserContext, site: Site) -> None:
    """Five minutes after the first one."""
    pushing = sabotaged(context, site, _LATER)
    receive(pushing, FIRST)
    receive(pushing, SECOND)
    assert [banner["silent"] for banner in pushing.shown()] == [False, False]


def test_a_line_that_is_taken_back_leaves_and_the_last_one_is_a_notice_again(
    pushing: Pushing,
) -> None:
    receive(pushing, FIRST)
    receive(pushing, SECOND)
    receive(pushing, RETRACTION, retracts="e1")
    banner = {shown["tag"]: shown for shown in pushing.shown()}[f"{CSE}:7"]
    assert banner["title"] == "계절 학기"
    assert banner["data"]["route"] == f"#/item/{MATH}/9"
    assert banner["data"]["events"] == ["e2"]


def test_the_same_notice_of_another_board_is_no_line_more(pushing: Pushing) -> None:
    receive(pushing, FIRST, same_as="p01 n01")
    receive(pushing, SECOND)
    receive(pushing, SECOND, event_id="e3", id="8", same_as="p01 n01")
    assert only(pushing)["title"] == "등대대 소식 2건"
    assert only(pushing)["data"]["events"] == ["e1", "e3", "e2"]


def test_a_second_message_of_a_notice_replaces_its_line(pushing: Pushing) -> None:
    receive(pushing, FIRST)
    receive(pushing, SECOND)
    receive(pushing, SECOND, event_id="e3", title="계절 학기 (연장)")
    assert only(pushing)["body"].startswith("계절 학기 (연장) · 수학과\n장학금")


def test_a_message_of_another_kind_of_the_first_notice_leaves_the_other_lines(
    pushing: Pushing,
) -> None:
    """The banner of all has the tag of the first one: its edition would take the others along."""
    receive(pushing, FIRST)
    receive(pushing, SECOND)
    receive(pushing, FIRST, event_id="e3", kind="edited", title="장학금 신청 안내 (수정)")
    banners = pushing.shown()
    assert len(banners) == 2
    assert any("계절 학기" in banner["body"] for banner in banners)
    receive(pushing, FIRST, event_id="e4", kind="edited", title="장학금 신청 안내 (다시)")
    assert len(pushing.shown()) == 2


def test_a_browser_that_knows_no_tags_has_one_banner_and_one_silent_line(
    context: BrowserContext, site: Site
) -> None:
    """As is reported of Safari on iOS: the worker closes the former one itself."""
    pushing = sabotaged(context, site, _NO_TAGS)
    quiet = {"sources": {MATH: {"mode": "off", "keywords": []}}, "quiet": None}
    pushing.keep("settings", "rules", quiet)
    receive(pushing, FIRST)
    receive(pushing, FIRST, event_id="e3", id="8")
    receive(pushing, SECOND)
    receive(pushing, SECOND, event_id="e4", id="10")
    assert sorted(shown["title"] for shown in pushing.shown()) == [
        "다른 소식 2건",
        "등대대 컴퓨터공학과 소식 2건",
    ]
