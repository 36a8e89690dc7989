"""The seed engine end to end: a played web and its raw files, in one process."""

from documented import SEEDS, arguments
from uring_command import summary, uring

from uring_local.run.view import BAD


def test_every_domain_is_collected_once_and_counted_as_the_webs_journal_has_it() -> None:
    """Whatever the domains did: pages for robots.txt, loops, bombs, cuts, no end of headers."""
    more = ("--json", "--seed", "3", "--domains", "120")
    run = uring(*arguments(SEEDS, ticks=4), *more)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert {name: found[name] for name in BAD} == dict.fromkeys(BAD, 0)
    assert found["domains"] == 120 + 3 * 30
    assert found["raw_files"] == 4 * 5
    assert found["pushed"] == found["expected"] > 0
    assert found["outcomes"].keys() >= {"collected", "unreachable", "baseline", "changed"}
    assert found["robots"].keys() == {
        "ok",
        "html",
        "unavailable_4xx",
        "unreachable_5xx",
        "unreachable_network",
        "redirect_limit",
        "refused",
    }


def test_domains_are_of_the_seeds_alone() -> None:
    refused = uring("run", "--family", "weather", "--domains", "10")
    assert refused.returncode == 2
    assert refused.stderr.startswith("uring run: ")
