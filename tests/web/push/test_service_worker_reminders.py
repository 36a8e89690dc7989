"""Reminders of kept notices: on the day before and on the day, once each, and only if wanted."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final

import pytest
from kept import keep
from playwright.sync_api import BrowserContext
from pushing import Pushing
from site_of_client import Site
from waiting import until

DEPT: Final = "lantern_cse"
# As long as the worker tries to remind.
_PATIENCE: Final = 15.0
# The worker's own clock: nothing sets it.
_DAY: Final = """(days) =>
  new Date(Date.now() + 9 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)"""


@pytest.fixture
def pushing(context: BrowserContext, site: Site) -> Pushing:
    """Return a page with an active worker, whose reader wants reminders."""
    site.keep_few_files()
    site.wait_for_the_disk()
    site.put("index.json", {"departments": [{"id": DEPT, "name": "등대대학교", "topic": DEPT}]})
    pushing = Pushing(context, site)
    keep(pushing.page, "settings", "reminders", value=True)
    return pushing


def keep_notice(
    pushing: Pushing, key: str, days: int, confidence: str = "high", first_seen: str = ""
) -> None:
    """Keep a notice that ends in some days."""
    date = pushing.page.evaluate(_DAY, days)
    notice = {"id": key, "title": f"공지 {key}", "revision": 1, "first_seen": first_seen}
    value = {
        "source": {"id": DEPT, "name": "등대대학교"},
        "notice": {**notice, "due": {"date": date, "confidence": confidence}},
        "savedAt": 1,
    }
    keep(pushing.page, "kept", f"{DEPT}/{key}", value=value)


def push(pushing: Pushing, event: str) -> None:
    pushing.receive(event_id=event, dept=DEPT, id="99", kind="new", title="다른 글")


def push_until(pushing: Pushing, found: Callable[[], bool]) -> None:
    """Push, and again after a while: a disk that is slow leaves the reminders to the next push."""
    numbers, due = count(1), 0.0

    def pushed() -> bool:
        nonlocal due
        if time.monotonic() >= due:
            push(pushing, f"until {next(numbers)}")
            due = time.monotonic() + _PATIENCE
        return found()

    until(pushing.page, pushed, seconds=6 * _PATIENCE)


def reminders(pushing: Pushing) -> list[dict[str, Any]]:
    return [shown for shown in pushing.shown() if shown["tag"].startswith("due/")]


def reminded(pushing: Pushing) -> int:
    """Return how many reminders were shown, as the worker has written down.

    The screen is looked at afterwards: Chromium forgets a notification that it is about to show
    where a page asks meanwhile for those that are shown.
    """
    return sum(key.startswith("due/") for key in pushing.kept("seen"))


def told(pushing: Pushing) -> list[tuple[str, str]]:
    """Return the reminders' titles, and of what each reminds."""
    return [(shown["title"], shown["body"].split("\n")[0]) for shown in reminders(pushing)]


def test_a_push_brings_the_reminder_of_what_ends_tomorrow_or_today(pushing: Pushing) -> None:
    for key, days in {"1": 0, "2": 1, "3": 2, "4": -1}.items():
        keep_notice(pushing, key, days)
    keep_notice(pushing, "5", 1, "low")
    push_until(pushing, lambda: reminded(pushing) == 2)
    found = {shown["tag"]: shown for shown in reminders(pushing)}
    assert {tag: shown["title"] for tag, shown in found.items()} == {
        f"due/{DEPT}/1": "오늘 마감",
        f"due/{DEPT}/2": "내일 마감",
    }
    assert found[f"due/{DEPT}/2"]["data"]["route"] == f"#/item/{DEPT}/2"


def test_a_reminder_comes_once_a_day(pushing: Pushing) -> None:
    keep_notice(pushing, "1", 1)
    push_until(pushing, lambda: reminded(pushing) == 1)
    pushing.close_all()
    keep_notice(pushing, "2", 1)
    push_until(pushing, lambda: reminded(pushing) == 2)
    assert [shown["tag"] for shown in reminders(pushing)] == [f"due/{DEPT}/2"]


def test_without_the_setting_nothing_is_reminded(pushing: Pushing) -> None:
    keep(pushing.page, "settings", "reminders", value=False)
    keep_notice(pushing, "1", 1)
    push(pushing, "e1")
    push(pushing, "e2")
    assert reminders(pushing) == []


def item(key: str, due: Any, revision: int = 2) -> dict[str, Any]:
    return {
        "id": key,
        "title": f"공지 {key} (연장)",
        "revision": revision,
        "hash": "0" * 40,
        "first_seen": "2026-03-02T00:00:00Z",
        "due": due,
    }


@pytest.mark.parametrize("days", [1, 7])
def test_a_deadline_that_was_extended_since_is_the_one_that_is_reminded_of(
    pushing: Pushing, site: Site, days: int
) -> None:
    keep_notice(pushing, "1", 0, first_seen="2026-03-02T00:00:00Z")
    date = pushing.page.evaluate(_DAY, days)
    items = [item("1", {"date": date, "confidence": "high"})]
    site.put(f"{DEPT}/latest.json", {"meta": {}, "items": items})
    wanted = [("내일 마감", "공지 1 (연장)")] if days == 1 else []
    push_until(pushing, lambda: kept_due(pushing) == date and reminded(pushing) == len(wanted))
    push(pushing, "e2")
    assert told(pushing) == wanted


@pytest.mark.parametrize("revision", [1, 2])
def test_an_item_of_another_life_or_no_later_revision_changes_nothing(
    pushing: Pushing, site: Site, revision: int
) -> None:
    keep_notice(pushing, "1", 1, first_seen="2026-03-02T00:00:00Z" if revision == 1 else "")
    items = [item("1", None, revision)]
    site.put(f"{DEPT}/latest.json", {"meta": {}, "items": items})
    push_until(pushing, lambda: reminded(pushing) == 1)
    assert reminders(pushing)[0]["body"].startswith("공지 1\n")


@pytest.mark.parametrize("body", [b"", b"[]", b'{"items": [7, {"id": 1}]}'])
def test_a_board_that_cannot_be_read_leaves_the_kept_deadline(
    pushing: Pushing, site: Site, body: bytes
) -> None:
    site.data[f"{DEPT}/latest.json"] = body
    keep_notice(pushing, "1", 1)
    push_until(pushing, lambda: reminded(pushing) == 1)
    assert len(reminders(pushing)) == 1


def kept_due(pushing: Pushing) -> str:
    [value] = pushing.kept("kept").values()
    return str(value["notice"]["due"]["date"])
