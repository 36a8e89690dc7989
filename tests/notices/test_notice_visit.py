"""One visit: pages in order, robots.txt, and what is asked of the site (N20, N21)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fakes import ENTRY, Notice, page_of, response
from fakes.worlds import NoticeWorld

from uring.changes.check import Check
from uring.clock import parse_timestamp
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.notices.visit import NoticeVisitor

ROBOTS = "https://cs.example.ac.kr/robots.txt"
URL = ENTRY["url"]
PAGED = {"paging": {"parameter": "page", "most": 4}}


class Site:
    """Addresses and what they answer; everything asked is remembered."""

    def __init__(self, *pages: list[Notice]) -> None:
        self.asked: list[str] = []
        self.answers: dict[str, Response | Exception] = {}
        self.show(*pages)

    def show(self, *pages: list[Notice]) -> None:
        """Page 1 at the board's address, the others behind ``page=``."""
        for number, notices in enumerate(pages, start=1):
            url = URL if number == 1 else f"{URL}?page={number}"
            self.answers[url] = response(page_of(notices))

    def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, FetchFailed("not_found", "404"))
        if isinstance(answer, Exception):
            raise answer
        return answer


class World(NoticeWorld):
    """A department at one site, checked every ten minutes."""

    def __init__(self, pages: Site, **clock: Any) -> None:
        super().__init__(visitor=NoticeVisitor(pages, **clock))
        self.pages = pages

    def check(self, **entry: Any) -> Check:
        self.clock.advance(600)
        return super().check(**entry)

    def pushed(self) -> list[str]:
        return [change.id for change in self.messages()]


def notices(first: int, last: int, **more: Any) -> list[Notice]:
    return [Notice(str(n), f"{n}번 공지", **more) for n in range(first, last - 1, -1)]


class TestPaging:
    def test_page_one_is_enough_while_it_shows_something_known(self) -> None:
        world = World(Site(notices(10, 6), notices(5, 1)))
        world.check(**PAGED)
        world.pages.show(notices(14, 10), notices(9, 5))
        assert world.check(**PAGED).requests == 1
        assert world.pushed() == ["11", "12", "13", "14"]

    def test_it_pages_on_until_something_is_known(self) -> None:
        world = World(Site(notices(10, 6), notices(5, 1)))
        world.check(**PAGED)
        world.pages.show(notices(22, 18), notices(17, 13), notices(12, 8), notices(7, 3))
        check = world.check(**PAGED)
        assert (check.requests, check.fields["rows"]) == (3, 15)
        assert world.pushed() == [str(n) for n in range(11, 23)]
        assert world.check(**PAGED).outcome == "unchanged"

    def test_known_pinned_rows_prove_nothing(self) -> None:
        pinned = notices(2, 1, is_pinned=True)
        world = World(Site(pinned + notices(10, 6), notices(5, 3)))
        world.check(**PAGED)
        world.pages.show(pinned + notices(15, 11), notices(10, 6))
        assert world.check(**PAGED).requests == 2

    def test_a_page_of_pinned_rows_alone_says_nothing_about_the_next(self) -> None:
        pinned = notices(5, 1, is_pinned=True)
        world = World(Site(pinned, notices(10, 6)))
        assert world.check(**PAGED).fields["rows"] == 10
        assert world.check(**PAGED).fields["rows"] == 10
        world.pages.show(pinned, notices(11, 7))
        assert world.check(**PAGED).outcome == "changed"
        assert world.pushed() == ["11"]

    def test_it_is_bounded(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check(**PAGED)
        world.pages.show(*(notices(100 - 5 * n, 96 - 5 * n) for n in range(9)))
        assert world.check(**PAGED).requests == 4
        assert len(world.pushed()) == 20

    def test_a_site_that_ignores_the_parameter_is_not_asked_on(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check(**PAGED)
        page = notices(50, 46)
        world.pages.show(page, page, page)
        assert world.check(**PAGED).requests == 2

    def test_the_end_of_the_list_is_no_trouble(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check(**PAGED)
        world.pages.show(notices(50, 46), [])
        assert world.check(**PAGED).outcome == "changed"

    def test_a_deep_check_does_not_make_the_next_look_short(self) -> None:
        deep = {"paging": {"parameter": "page", "most": 6}}
        world = World(Site(notices(10, 1)))
        world.check(**deep)
        world.pages.show(*(notices(58 - 10 * n, 49 - 10 * n) for n in range(6)))
        assert world.check(**deep).fields["rows"] == 50
        world.pages.show(notices(59, 50))
        assert world.check(**deep).outcome == "changed"

    @pytest.mark.parametrize(
        "end", [FetchFailed("not_found", "404"), response('<input type="password">')]
    )
    def test_the_end_of_a_list_of_pinned_rows_is_no_trouble(
        self, end: Response | Exception
    ) -> None:
        world = World(Site(notices(3, 1, is_pinned=True)))
        world.pages.answers[f"{URL}?page=2"] = end
        assert world.check(**PAGED).outcome == "baseline"

    def test_a_slow_site_is_left_before_the_function_ends(self) -> None:
        seconds = [0.0]

        class Slow(Site):
            def fetch(self, request: Request) -> Response:
                seconds[0] += min(20.0, request.timeout_seconds)
                if request.timeout_seconds < 20:
                    raise FetchFailed("timeout", "no answer in time")
                return super().fetch(request)

        site = Slow(notices(5, 1))
        world = World(site, monotonic=lambda: seconds[0])
        world.check(**PAGED)
        site.show(*(notices(100 - 5 * n, 96 - 5 * n) for n in range(9)))
        began = seconds[0]
        check = world.check(**PAGED)
        assert (check.outcome, check.reason, check.requests) == ("failed", "timeout", 2)
        assert seconds[0] - began == 30

    def test_a_further_page_that_fails_stores_nothing(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check(**PAGED)
        known = world.state.known
        world.pages.show(notices(50, 46))
        world.pages.answers[f"{URL}?page=2"] = FetchFailed("timeout", "no answer")
        assert world.check(**PAGED).outcome == "failed"
        assert world.state.known == known
        world.pages.show(notices(50, 46), notices(45, 1))
        assert len(world.check(**PAGED).events) == 45

    def test_the_first_sight_is_of_page_one(self) -> None:
        world = World(Site(notices(10, 6), notices(5, 1)))
        assert world.check(**PAGED).requests == 1


HONOUR = {"request": {"honour_robots": True}}


class TestRobots:
    def rules(self, text: str) -> World:
        site = Site(notices(5, 1))
        site.answers[ROBOTS] = replace(response(text), content_type="text/plain")
        return World(site)

    def test_it_is_asked_once_a_day(self) -> None:
        world = self.rules("User-agent: *\nDisallow: /private/")
        assert world.check(**HONOUR).requests == 2
        # With the day's write, at the source's own minute.
        requests = [world.check(**HONOUR).requests for _ in range(2 * 144)]
        first, second = (at for at, sent in enumerate(requests) if sent == 2)
        assert (sum(requests), second - first) == (2 * 144 + 2, 144)
        assert world.pages.asked.count(ROBOTS) == 3
        state = world.state
        assert state.permission is not None
        assert state.permission.asked_at == state.health.succeeded_at

    @pytest.mark.parametrize(
        "text",
        [
            "User-agent: *\nDisallow: /",
            "User-agent: *\nDisallow: /board/",
            "# robots of cs\n\nUser-agent: *\n# keep out\n\nDisallow: /board/",
            "User-agent: other\nUser-agent: uRing/2.0\nDisallow: /board/notice",
            "User-agent: *\nAllow: /\n\nUser-agent: other\nUser-agent: *\nDisallow: /board/",
            "User-agent: a\nDisallow:\n" * 5_000 + "User-agent: uring\nDisallow: /",
            "User-agent: *\nDisallow: /board/not%69ce",
            "\ufeffuser-agent: URING\r\ndisallow: /*/notice$\r\n\r\nUser-agent: *\r\nAllow: /",
        ],
    )
    def test_what_it_forbids_is_not_fetched(self, text: str) -> None:
        world = self.rules(text)
        check = world.check(**HONOUR)
        assert (check.outcome, check.reason) == ("failed", "robots")
        assert world.pages.asked == [ROBOTS]

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "User-agent: *\nDisallow: /\nAllow: /board/notice",
            "User-agent: other\nDisallow: /",
            "User-agent: uring\nAllow: /\n\nUser-agent: *\nDisallow: /",
            "User-agent: uring-x\nDisallow: /\n\nUser-agent: measuring\nDisallow: /",
            "User-agent: *\nDisallow: /" + "b" * 3_000,
            "Disallow: /",
            "User-agent: *\nDisallow: /b*o*a*r*d*n*o*t*i*c*e*x$",
            "<!doctype html><title>404</title>User-agent: *\nDisallow: /",
        ],
    )
    def test_what_it_does_not_forbid_is(self, text: str) -> None:
        assert self.rules(text).check(**HONOUR).outcome == "baseline"

    @pytest.mark.parametrize("reason", ["not_found", "forbidden", "rejected"])
    def test_no_such_file_allows_everything(self, reason: str) -> None:
        world = World(Site(notices(5, 1)))
        world.pages.answers[ROBOTS] = FetchFailed(reason, "HTTP 4xx")
        assert world.check(**HONOUR).outcome == "baseline"

    def test_redirects_of_it_are_counted(self) -> None:
        world = self.rules("")
        world.pages.answers[ROBOTS] = response("", requests=3)
        assert world.check(**HONOUR).requests == 4

    @pytest.mark.parametrize("line", ["User-agent: a{}\n", "Disallow: /{}\n", "Disallow: /*{}*$\n"])
    def test_half_a_megabyte_of_anything_is_read(self, line: str) -> None:
        text = "User-agent: *\n" + "".join(line.format(n) for n in range(60_000))
        world = self.rules(text)
        assert world.check(**HONOUR).outcome == "baseline"

    def test_without_an_answer_nothing_is_fetched(self) -> None:
        world = World(Site(notices(5, 1)))
        world.pages.answers[ROBOTS] = FetchFailed("http_status", "HTTP 503", retry_after=600)
        check = world.check(**HONOUR)
        assert (check.outcome, check.reason) == ("failed", "robots_unreachable")
        assert world.pages.asked == [ROBOTS]

    def test_what_was_read_last_holds_while_it_does_not_answer(self) -> None:
        world = self.rules("User-agent: *\nAllow: /")
        world.check(**HONOUR)
        world.clock.advance(86_400)
        world.pages.answers[ROBOTS] = FetchFailed("timeout", "no answer")
        check = world.check(**HONOUR)
        assert (check.outcome, check.requests) == ("unchanged", 2)

    def test_further_pages_may_be_forbidden_alone(self) -> None:
        world = self.rules("User-agent: *\nDisallow: /*page=")
        world.check(**HONOUR, **PAGED)
        world.pages.show(notices(50, 46), notices(45, 1))
        assert world.check(**HONOUR, **PAGED).requests == 1

    def test_a_site_that_is_not_asked_for_it_is_not(self) -> None:
        world = self.rules("User-agent: *\nDisallow: /")
        assert world.check().outcome == "baseline"
        assert ROBOTS not in world.pages.asked


class TestJudged:
    """A page that can be read is not believed for that alone."""

    def test_by_itself(self) -> None:
        world = World(Site([Notice(str(number), "같은 제목") for number in range(10)]))
        check = world.check()
        assert (check.outcome, check.reason) == ("suspect", "same_titles")
        assert world.state.baseline_at is None

    def test_one_id_for_all(self) -> None:
        world = World(Site([Notice("7", f"{number}번 글") for number in range(10)]))
        check = world.check()
        assert (check.outcome, check.reason) == ("suspect", "same_ids")
        assert world.state.baseline_at is None

    def test_beside_what_was_before(self) -> None:
        world = World(Site(notices(10, 1)))
        world.check()
        world.pages.show([Notice(f"b{number}", f"{number}번 글") for number in range(10)])
        check = world.check()
        assert (check.outcome, check.reason) == ("suspect", "ids_gone")
        assert world.pushed() == []


class TestEditedEntry:
    def test_another_selector_is_taken_in_silence(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check()
        fields = {**ENTRY["fields"], "title": {"select": "td.subject a", "pattern": r"(\d+)번"}}
        check = world.check(fields=fields)
        assert [event.kind for event in check.events] == ["baseline"] * 5
        assert world.pushed() == []
        world.pages.show(notices(6, 2))
        world.check(fields=fields)
        assert world.pushed() == ["6"]

    def test_another_name_is_published_without_any_change(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check()
        assert world.check(name="다른 이름").outcome == "unchanged"
        assert "다른 이름" in world.bucket.body("data/cs/latest.json").decode()
        writes = world.bucket.writes
        assert world.check(name="다른 이름").outcome == "unchanged"
        assert world.bucket.writes == writes

    def test_a_crash_before_that_is_published_is_made_good(self) -> None:
        world = World(Site(notices(5, 1)))
        world.check()
        put = world.bucket.put

        def dying(key: str, body: bytes, **more: Any) -> str:
            if key == "data/cs/latest.json":
                raise SystemExit
            return put(key, body, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(world.bucket, "put", dying)
            with pytest.raises(SystemExit):
                world.check(name="다른 이름")
        assert world.state.republish
        world.check(name="다른 이름")
        assert not world.state.republish
        assert "다른 이름" in world.bucket.body("data/cs/latest.json").decode()


def test_success_is_written_daily_and_nothing_else() -> None:
    world = World(Site(notices(5, 1)))
    world.check()
    writes = world.bucket.writes
    for _ in range(2 * 144):
        world.check()
        assert world.state.health.succeeded_at is not None
        assert world.clock() - parse_timestamp(world.state.health.succeeded_at) <= timedelta(
            days=1, minutes=10
        )
    assert world.bucket.writes - writes == 2


def test_a_board_that_may_be_empty_begins_empty() -> None:
    world = World(Site([]))
    may_be_empty = {"expect": {"min_rows": 0}}
    assert world.check().outcome == "suspect"
    assert world.check(**may_be_empty).outcome == "baseline"
    world.pages.show(notices(2, 1))
    world.check(**may_be_empty)
    assert world.pushed() == ["1", "2"]
