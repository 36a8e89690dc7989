"""A shard of domains, checked: what appeared, changed and vanished, and what proves nothing."""

import pytest
from fakes.watched_domains import (
    NOT_FOUND,
    OUTAGE,
    SOURCE,
    Site,
    WatchWorld,
    kinds,
    no_sitemap,
    robots,
    sitemap,
)

from uring.errors import MalformedMessage, NewerRelease
from uring.seeds.collect.answers import RobotsAnswer, Tried
from uring.seeds.watch import watch

ROBOTS, SITEMAP = "mom.gov.sg/robots.txt", "mom.gov.sg/sitemap"
GONE = robots("unavailable_4xx", 404)
CLOSED = b"User-agent: *\nDisallow: /\n"


@pytest.fixture
def world() -> WatchWorld:
    world = WatchWorld()
    assert world.check().outcome == "baseline"
    return world


def test_the_first_check_is_silent_and_shows_every_file(world: WatchWorld) -> None:
    assert world.pushes() == []
    item = world.items()[SITEMAP]
    assert (item["domain"], item["file"], item["urls"], item["outcome"]) == (
        "mom.gov.sg",
        "sitemap",
        "150",
        "ok",
    )
    assert sorted(world.items()) == [
        ROBOTS,
        SITEMAP,
        "nus.edu.sg/robots.txt",
        "nus.edu.sg/sitemap",
    ]


def test_an_unchanged_check_writes_nothing(world: WatchWorld) -> None:
    writes = world.bucket.writes
    world.clock.advance(-86_400 + 600)
    check = world.check()
    assert (check.outcome, world.bucket.writes) == ("unchanged", writes)


def test_a_rule_that_changes_is_pushed_once(world: WatchWorld) -> None:
    world.site.robots = CLOSED
    assert kinds(world.check()) == []
    assert kinds(world.check()) == [("robots_changed", ROBOTS)]
    assert kinds(world.check()) == []
    assert world.pushes() == [("robots_changed", ROBOTS)]
    (push,) = world.messages()
    assert (push.topic, push.family, push.source) == ("sg-news", "seeds", SOURCE)
    assert push.content["link"] == "https://mom.gov.sg/robots.txt"


def test_both_files_of_a_domain_may_change_at_once(world: WatchWorld) -> None:
    world.site.robots = CLOSED
    world.site.sitemap = sitemap("https://mom.gov.sg/other.xml")
    world.check()
    world.check()
    assert sorted(world.pushes()) == [("robots_changed", ROBOTS), ("sitemap_changed", SITEMAP)]


@pytest.mark.parametrize(
    "body",
    [
        b"# made on Sunday\r\nUser-agent: *\r\n\r\nAllow: /   # all of it\r\n",
        b"User-agent: *\rAllow: /",
    ],
)
def test_comments_and_line_ends_of_a_robots_txt_are_no_change(
    world: WatchWorld, body: bytes
) -> None:
    world.site.robots = body
    assert world.check().outcome == "unchanged"


class TestVanished:
    @pytest.mark.parametrize("gone", [GONE, robots("unavailable_4xx", 410), robots("html", 200)])
    def test_a_file_has_vanished_when_two_checks_miss_it(
        self, world: WatchWorld, gone: RobotsAnswer
    ) -> None:
        world.site.robots = gone
        assert kinds(world.check()) == []
        assert world.items()[ROBOTS]["outcome"] == "ok"
        assert kinds(world.check()) == [("robots_vanished", ROBOTS)]
        assert world.items()[ROBOTS]["hash"] == "absent"
        assert kinds(world.check()) == []

    def test_one_that_is_back_for_the_second_was_never_away(self, world: WatchWorld) -> None:
        before = world.site.robots
        for _ in range(3):
            world.site.robots = GONE
            world.check()
            world.site.robots = before
            world.check()
        assert world.pushes() == []
        assert world.state.missing == {}

    def test_an_outage_between_the_two_checks_proves_nothing_and_forgets_nothing(
        self, world: WatchWorld
    ) -> None:
        for answer in (GONE, OUTAGE, OUTAGE):
            world.site.robots = answer
            assert kinds(world.check()) == []
        world.site.robots = GONE
        assert kinds(world.check()) == [("robots_vanished", ROBOTS)]

    def test_a_sitemap_vanishes_and_appears_again(self, world: WatchWorld) -> None:
        was = world.site.sitemap
        world.site.sitemap = NOT_FOUND
        world.check()
        world.check()
        world.site.sitemap = was
        world.check()
        world.check()
        assert world.pushes() == [("sitemap_vanished", SITEMAP), ("sitemap_appeared", SITEMAP)]


def test_a_file_that_was_never_there_appears() -> None:
    world = WatchWorld()
    world.site.robots = GONE
    world.check()
    assert world.items()[ROBOTS]["hash"] == "absent"
    world.site.robots = b"Allow: /"
    world.check()
    assert world.pushes() == []
    world.check()
    assert world.pushes() == [("robots_appeared", ROBOTS)]


class TestOutage:
    @pytest.mark.parametrize(
        "answer",
        [
            OUTAGE,
            robots("unreachable_5xx", 503),
            robots("refused", 0),
            robots("unavailable_4xx", 403),
            robots("unavailable_4xx", 401),
            robots("unavailable_4xx", 429),
            ValueError("a bug of ours"),
        ],
    )
    def test_what_proves_nothing_is_no_removal(
        self, world: WatchWorld, answer: RobotsAnswer | Exception
    ) -> None:
        world.site.robots = answer
        for _ in range(3):
            assert world.check().outcome == "unchanged"
        assert world.items()[ROBOTS]["outcome"] == "ok"

    def test_a_sitemap_that_is_not_to_be_had_is_no_removal_either(self, world: WatchWorld) -> None:
        for answer in (
            no_sitemap(404, 500),
            no_sitemap(404, 403),
            no_sitemap(404, 0),
            no_sitemap(404, ended_by="seconds"),
            no_sitemap(reason="robots_disallowed"),
        ):
            world.site.sitemap = answer
            for _ in range(3):
                assert world.check().outcome == "unchanged"

    def test_a_worse_candidate_in_place_of_one_that_fails_is_no_change(
        self, world: WatchWorld
    ) -> None:
        other = sitemap("https://mom.gov.sg/sitemap_index.xml", kind="sitemapindex")
        failed = Tried(url="https://mom.gov.sg/sitemap.xml", status_code=503)
        for status in (503, 429, 0):
            tried = (failed.model_copy(update={"status_code": status}), *other.tried)
            world.site.sitemap = other.model_copy(update={"tried": tried})
            assert world.check().outcome == "unchanged"
        tried = (failed.model_copy(update={"status_code": 404}), *other.tried)
        world.site.sitemap = other.model_copy(update={"tried": tried})
        world.check()
        assert kinds(world.check()) == [("sitemap_changed", SITEMAP)]

    def test_what_changed_meanwhile_is_news_afterwards(self, world: WatchWorld) -> None:
        world.site.robots = OUTAGE
        world.check()
        world.site.robots = CLOSED
        world.check()
        assert kinds(world.check()) == [("robots_changed", ROBOTS)]

    def test_a_domain_that_was_first_seen_during_an_outage_makes_no_news(self) -> None:
        world = WatchWorld()
        was, world.site.robots = world.site.robots, OUTAGE
        world.check()
        world.site.robots = was
        check = world.check()
        assert {kind for kind, _ in kinds(check)} == {"baseline"}
        assert world.pushes() == []

    def test_when_most_domains_fail_it_is_us(self, world: WatchWorld) -> None:
        world.domains.append("a.com.sg")
        for domain in ("mom.gov.sg", "a.com.sg"):
            world.web.sites[domain] = Site(OUTAGE)
        world.web.sites["nus.edu.sg"].robots = CLOSED
        check = world.check()
        assert (check.outcome, check.reason) == ("failed", "unavailable")
        assert world.pushes() == []
        assert world.state.health.status == "failed"

    def test_half_of_them_may_fail(self, world: WatchWorld) -> None:
        world.web.sites["mom.gov.sg"] = Site(OUTAGE)
        world.web.sites["nus.edu.sg"].robots = CLOSED
        world.check()
        assert world.check().outcome == "changed"

    def test_a_bug_costs_its_domain_and_a_line(self, world: WatchWorld) -> None:
        world.site.robots = ValueError("x")
        (line,) = world.check().lines
        assert line.fields == {"number": 1, "errors": {"mom.gov.sg": "ValueError: x"}}


class TestTime:
    def test_domains_without_time_are_left_as_they_are(self, world: WatchWorld) -> None:
        def slow() -> None:
            world.elapsed += 60

        world.web.before = slow
        world.domains += ["a.com.sg", "b.com.sg"]
        check = world.check()
        assert check.fields["asked"] == 2
        assert len(world.web.asked) == 2 + 2

    def test_the_order_is_another_one_each_time(self) -> None:
        world = WatchWorld()
        world.domains = [f"d{number}.com.sg" for number in range(20)]
        world.check()
        world.check()
        first, second = world.web.asked[:20], world.web.asked[20:]
        assert sorted(first) == sorted(second) == sorted(world.domains)
        assert first != second

    def test_where_there_is_no_time_for_most_the_remedy_is_told(self, world: WatchWorld) -> None:
        def slow() -> None:
            world.elapsed += 101

        world.web.before = slow
        world.domains += ["a.com.sg", "b.com.sg"]
        check = world.check()
        assert check.reason == "timeout"
        assert "raise shards" in check.detail


class TestSitemaps:
    @pytest.mark.parametrize("count", [140, 160, 76, 299])
    def test_a_sitemap_that_grows_or_shrinks_a_little_is_the_same(
        self, world: WatchWorld, count: int
    ) -> None:
        world.site.sitemap = sitemap(url_count=count)
        assert world.check().outcome == "unchanged"

    @pytest.mark.parametrize(("count", "days"), [(0, 1), (70, 3), (301, 1)])
    def test_one_that_halves_or_doubles_is_another(
        self, world: WatchWorld, count: int, days: int
    ) -> None:
        """One that halves has to stay so for longer than a weekend."""
        world.site.sitemap = sitemap(url_count=count)
        for _ in range(days):
            assert kinds(world.check()) == []
        assert kinds(world.check()) == [("sitemap_changed", SITEMAP)]

    @pytest.mark.parametrize(
        ("count", "kind"), [(1, []), (18, []), (19, ["changed"]), (0, ["changed"])]
    )
    def test_of_a_small_one_few_more_or_less_are_none_and_none_is_a_change(
        self, count: int, kind: list[str]
    ) -> None:
        world = WatchWorld()
        world.site.sitemap = sitemap(url_count=8)
        world.check()
        world.site.sitemap = sitemap(url_count=count)
        assert kinds(world.check()) == []
        assert [name for name, _ in kinds(world.check())] == [f"sitemap_{word}" for word in kind]

    def test_small_steps_add_up(self, world: WatchWorld) -> None:
        for count in range(160, 320, 10):
            world.site.sitemap = sitemap(url_count=count)
            world.check()
        world.check()
        assert world.pushes() == [("sitemap_changed", SITEMAP)]

    @pytest.mark.parametrize(
        "url", ["http://mom.gov.sg/sitemap.xml", "https://www.mom.gov.sg/sitemap.xml"]
    )
    def test_one_that_answers_with_www_or_without_tls_is_the_same(
        self, world: WatchWorld, url: str
    ) -> None:
        world.site.sitemap = sitemap(url, url_count=160)
        assert world.check().outcome == "unchanged"

    def test_an_index_counts_its_children(self) -> None:
        world = WatchWorld()
        index = {"kind": "sitemapindex", "url_count": None}
        world.site.sitemap = sitemap(**index, children={"listed": 40})
        world.check()
        assert world.items()[SITEMAP]["urls"] == "40"
        world.site.sitemap = sitemap(**index, children={"listed": 90})
        world.check()
        assert kinds(world.check()) == [("sitemap_changed", SITEMAP)]

    def test_another_format_is_a_change(self, world: WatchWorld) -> None:
        world.site.sitemap = sitemap(kind="sitemapindex")
        world.check()
        assert kinds(world.check()) == [("sitemap_changed", SITEMAP)]

    def test_bytes_are_compared_where_the_watch_says_so(self) -> None:
        world = WatchWorld()
        world.check(compare="bytes")
        world.site.sitemap = sitemap(url_count=1)
        assert world.check(compare="bytes").outcome == "unchanged"
        world.site.sitemap_body = b"<urlset> </urlset>"
        world.check(compare="bytes")
        assert kinds(world.check(compare="bytes")) == [("sitemap_changed", SITEMAP)]


class TestTheList:
    def test_a_domain_that_joins_makes_no_news(self, world: WatchWorld) -> None:
        world.domains.append("a.com.sg")
        world.web.sites["a.com.sg"] = Site()
        assert {kind for kind, _ in kinds(world.check())} == {"baseline"}
        world.web.sites["a.com.sg"].robots = CLOSED
        world.check()
        assert kinds(world.check()) == [("robots_changed", "a.com.sg/robots.txt")]

    def test_a_domain_that_leaves_is_recorded_and_pushed_to_nobody(self, world: WatchWorld) -> None:
        world.domains.remove("mom.gov.sg")
        world.check()
        check = world.check()
        assert sorted(kinds(check)) == [
            ("robots_unlisted", ROBOTS),
            ("sitemap_unlisted", SITEMAP),
        ]
        assert [event.push for event in check.events] == [False, False]
        assert sorted(world.items()) == ["nus.edu.sg/robots.txt", "nus.edu.sg/sitemap"]
        world.domains.append("mom.gov.sg")
        assert {kind for kind, _ in kinds(world.check())} == {"robots_listed", "sitemap_listed"}
        assert world.pushes() == []

    def test_a_domain_that_one_list_lacks_stays(self, world: WatchWorld) -> None:
        """The two newest collections may both be cut short: the next list decides."""
        shown = world.items()
        world.domains.remove("mom.gov.sg")
        assert world.check().outcome == "unchanged"
        assert world.items() == shown
        world.domains.append("mom.gov.sg")
        assert world.check().outcome == "unchanged"
        # The first look at the list is no look at the files.
        world.web.sites["mom.gov.sg"].robots = GONE
        assert world.check().outcome == "unchanged"
        assert kinds(world.check()) == [("robots_vanished", ROBOTS)]

    @pytest.mark.parametrize(("number", "replaced"), [(1_000, 1), (900, 150)])
    def test_listed_domains_are_shown_before_those_that_one_list_lacks(
        self, number: int, replaced: int
    ) -> None:
        """A shard has room for a thousand: the rest of the others leaves at once."""
        world = WatchWorld()
        names = [f"d{each}.com.sg" for each in range(number)]
        joined = [f"e{each}.com.sg" for each in range(replaced)]
        for domain in (*names, *joined):
            world.web.sites[domain] = Site()
        world.domains = names
        world.check()
        world.domains = [*names[replaced:], *joined]
        for _ in range(2):
            world.check()
            shown = {item["domain"] for item in world.items().values()}
            assert shown >= {*world.domains}
        assert shown == {*world.domains}
        for domain in world.domains:
            world.web.sites[domain].sitemap = sitemap(url_count=151)
        assert world.check().outcome == "unchanged"
        assert world.pushes() == []

    def test_who_wants_to_hear_of_it_says_so(self, world: WatchWorld) -> None:
        world.domains.remove("mom.gov.sg")
        world.check(push=["robots_unlisted"])
        assert world.pushes() == []
        world.check(push=["robots_unlisted"])
        assert world.pushes() == [("robots_unlisted", ROBOTS)]

    def test_many_that_leave_and_come_back_are_looked_up(self) -> None:
        world = WatchWorld()
        world.domains = [f"d{number}.com.sg" for number in range(200)]
        for domain in world.domains:
            world.web.sites[domain] = Site()
        world.check()
        kept, gone = world.domains[:1], world.domains[1:]
        world.domains = kept
        world.check()
        world.check()
        assert world.state.spilled
        world.domains = [*kept, *gone]
        check = world.check()
        assert {kind for kind, _ in kinds(check)} == {"robots_listed", "sitemap_listed"}
        assert len(check.events) == 2 * len(gone)


class TestTheWatch:
    @pytest.mark.parametrize("change", [{"compare": "bytes"}, {"epoch": 2}])
    def test_other_rules_take_all_as_it_stands(
        self, world: WatchWorld, change: dict[str, object]
    ) -> None:
        world.site.robots = GONE
        world.site.sitemap = sitemap(url_count=9_000)
        world.check(**change)
        assert world.pushes() == []
        assert world.items()[ROBOTS]["hash"] == "absent"
        assert world.items()[SITEMAP]["urls"] == "9000"
        assert world.check(**change).outcome == "unchanged"

    @pytest.mark.parametrize("outage", [0, 2])
    def test_an_upgrade_that_reads_sitemaps_otherwise_pushes_nothing(
        self, monkeypatch: pytest.MonkeyPatch, outage: int
    ) -> None:
        """Nor does it on the day when a site answers that did not at the upgrade."""
        world = WatchWorld()
        world.site.sitemap = sitemap(url_count=400)
        with monkeypatch.context() as patch:
            patch.setattr(watch, "READER_VERSION", 1)
            world.check()
        was = world.site.robots
        for _ in range(outage):
            world.site.robots = OUTAGE
            world.check()
        world.site.robots = was
        world.site.sitemap = sitemap(url_count=100)
        assert kinds(world.check()) == [("baseline", SITEMAP)]
        assert (world.items()[SITEMAP]["urls"], world.pushes()) == ("100", [])
        world.site.sitemap = sitemap(url_count=400)
        world.check()
        assert kinds(world.check()) == [("sitemap_changed", SITEMAP)]

    def test_another_name_is_shown_at_once(self, world: WatchWorld) -> None:
        world.check(name="Neuigkeiten")
        assert world.document(f"data/{SOURCE}/latest.json")["meta"]["name"] == "Neuigkeiten"
        assert world.pushes() == []

    def test_only_what_the_policy_names_is_pushed(self, world: WatchWorld) -> None:
        world.site.robots = CLOSED
        world.site.sitemap = sitemap(kind="rss")
        world.check(push=["sitemap_changed"])
        world.check(push=["sitemap_changed"])
        assert world.pushes() == [("sitemap_changed", SITEMAP)]

    def test_more_than_twenty_pushes_become_one(self) -> None:
        world = WatchWorld()
        world.domains = [f"d{number}.com.sg" for number in range(30)]
        for domain in world.domains:
            world.web.sites[domain] = Site()
        world.check()
        for site in world.web.sites.values():
            site.robots = CLOSED
        world.check()
        world.check()
        (push,) = world.messages()
        assert push.digest_of == 30

    def test_another_number_of_shards_is_another_source(self, world: WatchWorld) -> None:
        check = world.check("sg-news.1of2", shards=2)
        assert check.outcome == "baseline"
        assert world.pushes() == []


class TestJobs:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"domains": None}, "entry.domains"),
            ({"domains": ["a.sg"] * 1_001}, "entry.domains"),
            ({"domains": [""]}, "entry.domains.0"),
            ({"watch": {}}, "entry.watch"),
        ],
    )
    def test_an_entry_that_is_none_is_refused(
        self, world: WatchWorld, change: dict[str, object], message: str
    ) -> None:
        job = world.job(SOURCE, interval_minutes=1440, entry={**world.entry(), **change})
        with pytest.raises(MalformedMessage, match=message):
            world.checker.check(job)

    def test_a_job_of_a_shard_that_the_watch_does_not_have_is_refused(
        self, world: WatchWorld
    ) -> None:
        with pytest.raises(MalformedMessage, match=r"1 shards of 'sg-news'"):
            world.check("sg-news.2of2")

    def test_a_key_that_a_newer_release_has_waits_for_it(self, world: WatchWorld) -> None:
        entry = world.entry()
        entry["watch"]["hours"] = 3
        with pytest.raises(NewerRelease, match=r"entry\.watch\.hours"):
            world.checker.check(world.job(SOURCE, interval_minutes=1440, entry=entry))
