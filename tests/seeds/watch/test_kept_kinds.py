"""What a watch keeps of a file is of one kind, and of one way of comparing."""

from conditional_world import ROBOTS, ConditionalWorld, R

from uring.errors import FetchFailed

AWAY = FetchFailed("connect", "no route")


def test_a_domain_that_was_away_at_another_way_of_comparing_is_read_whole_then() -> None:
    world = ConditionalWorld().days(2)
    world.show(ROBOTS, AWAY)
    world.show("https://www.a.com/robots.txt", AWAY)
    world.show("http://a.com/robots.txt", AWAY)
    world.days(1, compare="bytes")
    world.show(ROBOTS, R)
    world.days(1, compare="bytes")
    world.days(12, compare="bytes")
    assert world.pushes() == []


def test_one_address_that_is_robots_txt_and_sitemap_is_both_by_304s() -> None:
    world = ConditionalWorld()
    both = b"https://a.com/page\nUser-agent: *\nDisallow: /p\nSitemap: https://a.com/robots.txt\n"
    world.show(ROBOTS, both)
    world.days(4)
    assert 304 in world.site_web.statuses(ROBOTS)
    item = world.items()["a.com/robots.txt"]
    assert world.pushes() == []
    assert item["bytes"] == str(len(both))
