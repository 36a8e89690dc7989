"""Pushes that were taken back leave the screen; one notice on two boards is one banner."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext
from pushing import Pushing
from site_of_client import Site

DEPT: Final = "lantern_cse"
OTHER: Final = "lantern_math"
WRONG: Final = {
    "event_id": "e1",
    "dept": DEPT,
    "id": "7",
    "revision": "1",
    "kind": "new",
    "changes": "1",
    "title": "장학금 신청 안내",
    "link": "https://lantern.example.ac.kr/7",
    "same_as": "p01 n01",
}
RETRACTION: Final = {
    **WRONG,
    "event_id": "e9",
    "revision": "2",
    "kind": "retracted",
    "title": "[취소] 장학금 신청 안내",
    "retracts": "e1",
}
COPY: Final = {**WRONG, "event_id": "m1", "dept": OTHER, "id": "m7"}
KEYWORDS: Final = {"sources": {DEPT: {"mode": "keywords", "keywords": ["학점"]}}, "quiet": None}


@pytest.fixture
def pushing(context: BrowserContext, site: Site) -> Pushing:
    """Return a page with an active worker; its site has two departments."""
    site.keep_few_files()
    site.wait_for_the_disk()
    names = {DEPT: "등대 컴퓨터", OTHER: "등대 수학"}
    departments = [{"id": key, "name": name, "topic": key} for key, name in names.items()]
    site.put("index.json", {"departments": departments})
    return Pushing(context, site)


def tags(pushing: Pushing) -> dict[str, Any]:
    return {shown["tag"]: shown for shown in pushing.shown()}


def receive(pushing: Pushing, message: Mapping[str, str], **more: str) -> None:
    pushing.receive(**{**message, **more})


def test_a_retraction_removes_its_banner(pushing: Pushing) -> None:
    """What it shows in its place is the silent line, which counts nothing."""
    receive(pushing, WRONG)
    receive(pushing, RETRACTION)
    [line] = pushing.shown()
    assert (line["tag"], line["silent"]) == ("rest", True)
    assert line["title"] == "다른 소식"
    assert line["body"] == "[취소] 장학금 신청 안내"


def test_a_later_banner_of_the_same_notice_stays(pushing: Pushing) -> None:
    """Its tag is the same, its event is not."""
    receive(pushing, WRONG)
    receive(pushing, WRONG, event_id="e2", kind="edited", title="고친 안내")
    receive(pushing, RETRACTION)
    assert tags(pushing)[f"{DEPT}:7"]["title"] == "고친 안내"


def test_several_banners_and_a_digest_go_at_once(pushing: Pushing) -> None:
    receive(pushing, WRONG)
    receive(pushing, WRONG, event_id="e2", id="8")
    receive(pushing, WRONG, event_id="e3", kind="digest", changes="25")
    receive(pushing, WRONG, event_id="e4", id="9")
    receive(pushing, RETRACTION, retracts="e1 e2 e3")
    assert set(tags(pushing)) == {f"{DEPT}:7", "rest"}
    assert tags(pushing)[f"{DEPT}:7"]["data"]["events"] == ["e4"]


def test_a_retraction_that_comes_twice_or_alone_shows_the_silent_line(pushing: Pushing) -> None:
    receive(pushing, RETRACTION)
    receive(pushing, RETRACTION)
    assert [(shown["tag"], shown["title"]) for shown in pushing.shown()] == [("rest", "다른 소식")]


def test_a_push_that_comes_after_its_retraction_is_no_banner(pushing: Pushing) -> None:
    """FCM keeps no order; what the device remembers outlives the worker."""
    receive(pushing, RETRACTION)
    pushing.stop_worker()
    receive(pushing, WRONG)
    assert set(tags(pushing)) == {"rest"}


def test_the_silent_line_counts_what_is_left(pushing: Pushing) -> None:
    pushing.keep("settings", "rules", KEYWORDS)
    receive(pushing, WRONG)
    receive(pushing, WRONG, event_id="e2", id="8")
    receive(pushing, RETRACTION)
    [line] = pushing.shown()
    assert line["title"] == "다른 소식 1건"
    assert line["data"]["events"] == ["e2"]


@pytest.mark.parametrize("retracts", ["", " ", "e7", "e1" * 999, "e " * 9999])
def test_a_retraction_of_anything_else_removes_nothing(pushing: Pushing, retracts: str) -> None:
    receive(pushing, WRONG)
    receive(pushing, RETRACTION, retracts=retracts)
    assert f"{DEPT}:7" in tags(pushing)


@pytest.mark.parametrize("names", ["p01 n09", "p09 n01", "n01 p09"])
def test_one_notice_on_two_boards_is_one_banner_with_both_names(
    pushing: Pushing, names: str
) -> None:
    """The same page, or the same title and day at one university."""
    receive(pushing, WRONG)
    receive(pushing, COPY, same_as=names)
    [banner] = pushing.shown()
    assert banner["tag"] == f"{DEPT}:7"
    assert "등대 컴퓨터" in banner["body"]
    assert "등대 수학" in banner["body"]
    assert (banner["silent"], banner["renotify"]) == (True, False)


@pytest.mark.parametrize(
    "more",
    [
        {"same_as": ""},
        {"same_as": "p02 n02"},
        {"kind": "edited"},
        {"kind": "digest"},
        {"dept": DEPT},
    ],
)
def test_other_news_is_a_banner_or_a_line_of_its_own(
    pushing: Pushing, more: dict[str, str]
) -> None:
    receive(pushing, WRONG)
    receive(pushing, COPY, **more)
    assert sum(len(shown["data"].get("parts", [shown])) for shown in pushing.shown()) == 2


@pytest.mark.parametrize(("names", "tag"), [("p01", "rest"), ("n01", f"{OTHER}:m7")])
def test_after_the_banner_only_the_same_page_is_silent(
    pushing: Pushing, names: str, tag: str
) -> None:
    """An equal title may be another notice: it is hidden by nothing."""
    receive(pushing, WRONG)
    pushing.close_all()
    pushing.stop_worker()
    receive(pushing, COPY, same_as=names)
    assert set(tags(pushing)) == {tag}


def test_a_second_change_of_a_board_is_a_banner(pushing: Pushing) -> None:
    """Each board has one message for a change: another one is another change."""
    receive(pushing, WRONG)
    receive(pushing, COPY)
    pushing.close_all()
    receive(pushing, COPY, event_id="m2")
    assert set(tags(pushing)) == {f"{OTHER}:m7"}


def test_what_was_muted_hides_no_banner(pushing: Pushing) -> None:
    pushing.keep("settings", "rules", KEYWORDS)
    receive(pushing, WRONG)
    receive(pushing, COPY)
    assert set(tags(pushing)) == {"rest", f"{OTHER}:m7"}


def test_a_shared_banner_goes_with_its_last_event(pushing: Pushing) -> None:
    receive(pushing, WRONG)
    receive(pushing, COPY)
    receive(pushing, RETRACTION)
    assert tags(pushing)[f"{DEPT}:7"]["data"]["events"] == ["m1"]
    receive(pushing, RETRACTION, event_id="m9", dept=OTHER, retracts="m1")
    assert set(tags(pushing)) == {"rest"}


def test_a_push_that_was_taken_back_hides_no_other(pushing: Pushing) -> None:
    receive(pushing, WRONG)
    receive(pushing, RETRACTION)
    receive(pushing, COPY)
    assert set(tags(pushing)) == {"rest", f"{OTHER}:m7"}
