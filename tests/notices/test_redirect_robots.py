"""Every host that a board redirects to is asked for its robots.txt first (RFC 9309)."""

import json
from typing import Any

import pytest
from fakes import ENTRY, Notice, page_of
from fakes.web import FakeWeb, Page
from fakes.worlds import NoticeWorld

from uring.fetch.robots import RobotsDecision, redirect_key, verdict_on
from uring.notices.source import Source
from uring.notices.state import LastPage, NoticeState
from uring.notices.visit import NoticeVisitor

URL = ENTRY["url"]
ROBOTS = "https://cs.example.ac.kr/robots.txt"
ELSEWHERE = "https://board.example.org/private/list.do"
THEIRS = "https://board.example.org/robots.txt"
HONOUR = {"request": {"honour_robots": True}}
FORBIDDEN = Page(b"User-agent: *\nDisallow: /private", content_type="text/plain")
ALLOWED = Page(b"User-agent: *\nDisallow: /other", content_type="text/plain")


def html(*ids: int) -> Page:
    notices = [Notice(str(no), f"{no}번 공지") for no in ids]
    return Page(page_of(notices).encode(), content_type="text/html; charset=utf-8")


class World(NoticeWorld):
    """A board that redirects, checked every ten minutes."""

    def __init__(self) -> None:
        self.web = FakeWeb(
            {
                ROBOTS: Page(status=404),
                URL: Page(location=ELSEWHERE),
                THEIRS: ALLOWED,
                ELSEWHERE: html(3, 2, 1),
            }
        )
        super().__init__(visitor=NoticeVisitor(self.web, monotonic=self.web.monotonic))

    def asked(self, **entry: Any) -> tuple[str, list[str]]:
        """Check the board; return the outcome with its reason, and the addresses asked."""
        self.clock.advance(600)
        before = len(self.web.asked)
        check = self.check(**{**HONOUR, **entry})
        return f"{check.outcome} {check.reason}".strip(), self.web.urls[before:]


def test_a_host_that_forbids_is_not_read() -> None:
    world = World()
    world.web.pages[THEIRS] = FORBIDDEN
    outcome, urls = world.asked()
    assert outcome == "failed robots"
    assert urls == [ROBOTS, URL, THEIRS]


def test_a_host_that_allows_is_asked_once_a_day() -> None:
    world = World()
    assert world.asked() == ("baseline", [ROBOTS, URL, THEIRS, ELSEWHERE])
    for _ in range(3):
        assert world.asked() == ("unchanged", [URL, ELSEWHERE])
    world.clock.advance(86_400)
    _, urls = world.asked()
    assert urls == [ROBOTS, URL, THEIRS, ELSEWHERE]


def test_a_forbidden_redirect_is_remembered_for_the_day() -> None:
    world = World()
    world.web.pages[THEIRS] = FORBIDDEN
    world.asked()
    assert world.asked() == ("failed robots", [URL])


def test_a_board_that_begins_to_redirect_is_asked_for_then() -> None:
    world = World()
    world.web.pages[URL] = html(3, 2, 1)
    assert world.asked()[0] == "baseline"
    world.web.pages |= {URL: Page(location=ELSEWHERE), THEIRS: FORBIDDEN}
    assert world.asked() == ("failed robots", [URL, THEIRS])
    world.web.pages[URL] = html(4, 3, 2, 1)
    world.clock.advance(7_200)
    assert world.asked()[0] == "changed"


@pytest.mark.parametrize("path", ["/private/list.do", "/private/list.do;jsessionid=1?x=2"])
def test_another_path_of_the_same_host_is_judged_too(path: str) -> None:
    world = World()
    world.web.pages |= {ROBOTS: FORBIDDEN, URL: Page(location=path)}
    outcome, urls = world.asked()
    assert outcome == "failed robots"
    assert urls == [ROBOTS, URL, ROBOTS]


def test_the_same_address_with_another_query_is_not_asked_for() -> None:
    world = World()
    again = f"{URL}?seen=1"
    world.web.pages |= {URL: Page(location=again), again: html(2, 1)}
    assert world.asked() == ("baseline", [ROBOTS, URL, again])


def test_every_hop_is_judged() -> None:
    world = World()
    third = "https://third.example.org/private/a"
    world.web.pages |= {
        ELSEWHERE: Page(location=third),
        "https://third.example.org/robots.txt": FORBIDDEN,
        third: html(2, 1),
    }
    outcome, urls = world.asked()
    assert outcome == "failed robots"
    assert third not in urls


def test_without_an_answer_nothing_is_fetched_there() -> None:
    world = World()
    world.web.pages[THEIRS] = Page(status=503)
    outcome, urls = world.asked()
    assert outcome == "failed robots_unreachable"
    assert ELSEWHERE not in urls


def test_the_last_verdict_holds_while_the_file_does_not_answer() -> None:
    world = World()
    world.asked()
    world.clock.advance(86_400)
    world.web.pages[THEIRS] = Page(reason="timeout")
    outcome, urls = world.asked()
    assert outcome == "unchanged"
    assert urls[-1] == ELSEWHERE


def test_a_robots_txt_that_redirects_is_followed() -> None:
    world = World()
    world.web.pages |= {
        THEIRS: Page(location="https://cdn.example.org/robots.txt"),
        "https://cdn.example.org/robots.txt": FORBIDDEN,
    }
    assert world.asked()[0] == "failed robots"


def test_an_entry_that_does_not_honour_it_asks_for_none() -> None:
    world = World()
    world.web.pages[THEIRS] = FORBIDDEN
    outcome, urls = world.asked(request={"honour_robots": False})
    assert (outcome, urls) == ("baseline", [URL, ELSEWHERE])


def test_a_path_that_changes_at_every_request_is_bounded() -> None:
    world = World()
    world.asked()
    for number in range(20):
        there = f"https://board.example.org/s{number}/list.do"
        world.web.pages |= {URL: Page(location=there), there: html(3, 2, 1)}
        assert world.asked()[0] == "unchanged"
    assert world.web.urls.count(THEIRS) == 8
    assert len(world.state.permission.redirects) == 8  # type: ignore[union-attr]


class TestHints:
    def test_a_hint_knows_the_redirect(self) -> None:
        world = World()
        world.asked()
        recognition = world.state.recognition()
        assert recognition is not None
        page = LastPage.read(recognition.known)
        assert page is not None
        assert page.redirects == {redirect_key(ELSEWHERE): True}

    def test_by_a_hint_a_known_redirect_is_one_request(self) -> None:
        world = World()
        world.asked()
        before = len(world.web.asked)
        assert self.glance(world) is not None
        assert world.web.urls[before:] == [URL, ELSEWHERE]

    def test_by_a_hint_an_unknown_redirect_waits_for_the_state(self) -> None:
        world = World()
        world.asked()
        there = "https://new.example.org/list.do"
        world.web.pages |= {URL: Page(location=there), there: html(3)}
        before = len(world.web.asked)
        assert self.glance(world) is None
        assert world.web.urls[before:] == [URL]

    def glance(self, world: World) -> Any:
        recognition = world.state.recognition()
        assert recognition is not None
        source = Source.model_validate({**ENTRY, **HONOUR})
        return world.visitor.glance(source, recognition.known, lambda _: {}, world.clock.now)


def test_a_decision_of_an_older_release_has_no_redirects() -> None:
    world = World()
    world.asked()
    stored = json.loads(world.state.to_json())
    del stored["permission"]["redirects"]
    state = NoticeState.from_json(json.dumps(stored).encode(), key="k", source="cs")
    assert state.permission is not None
    assert state.permission.redirects == {}


def test_verdicts_are_few_and_the_oldest_is_forgotten() -> None:
    decision = RobotsDecision(entry="e", allowed=True, paging=True, asked_at="2026-03-02T00:00:00Z")
    for number in range(30):
        decision = decision.judged(f"https://h{number}.test/a?q={number}", allowed=bool(number % 2))
    assert len(decision.redirects) == 8
    assert verdict_on(decision.redirects, "https://h29.test/a?other") is True
    assert verdict_on(decision.redirects, "https://h29.test/b") is True
    assert verdict_on(decision.redirects, "https://h28.test/b") is False
    assert verdict_on(decision.redirects, "https://h2.test/a") is None
    assert verdict_on(decision.redirects, "https://h29.test.evil/a") is None
    assert len(redirect_key("https://h.test/" + "a" * 5_000)) == 300
