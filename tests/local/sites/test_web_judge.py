"""The judge of the web finds what is wrong, and nothing where all is well."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from web_reader import Expected, expected_of, journal_of, letters_of, shown_of

from uring_local.sites.web.dataset import Dataset
from uring_local.sites.web.journal import Asked, WebJournal
from uring_local.sites.web.judge.requests import faults_of_requests, repeated
from uring_local.sites.web.judge.results import MARK, METADATA, ROBOTS, SITEMAP, Shown, faults
from uring_local.sites.web.model import Web

Spoil = Callable[[Any, Expected], str]
"""Spoils what is stored or counted; returns what the judge has to name."""


@pytest.fixture(scope="module")
def day() -> tuple[Dataset, Expected]:
    return expected_of(Web(7, 200), 1)


@pytest.fixture
def shown(day: tuple[Dataset, Expected]) -> Shown:
    return shown_of(*day)


def found(day: tuple[Dataset, Expected], shown: Shown) -> list[str]:
    return list(faults(day[1], day[0], shown))


def reachable(expected: Expected, *, with_sitemap: bool = True) -> str:
    return next(
        name
        for name, (domain, each) in expected.items()
        if domain.robots in ("lines", "plain") and bool(each.sitemap_url) == with_sitemap
    )


def unreachable(expected: Expected) -> str:
    return next(name for name, (_, each) in expected.items() if not each.is_reachable)


def test_nothing_is_wrong_where_all_is_well(day: tuple[Dataset, Expected], shown: Shown) -> None:
    assert found(day, shown) == []


def test_an_empty_bucket_lacks_everything(day: tuple[Dataset, Expected]) -> None:
    assert len(found(day, Shown())) > 2 * len(day[1])


def test_a_sum_that_nothing_was_added_to_may_be_missing() -> None:
    files, expected = expected_of(Web(7, 20), 1)
    shown = shown_of(files, expected)
    assert shown.counts["duplicates"] == 0
    assert not list(faults(expected, files, replace(shown, counts=+Counter(shown.counts))))


def lose_mark(shown: Any, expected: Expected) -> str:
    name = reachable(expected)
    shown.folders[name].discard(MARK)
    return f"{name}: {MARK} is missing"


def mark_unreachable(shown: Any, expected: Expected) -> str:
    name = unreachable(expected)
    shown.folders[name].add(MARK)
    return f"{name}: {MARK} is stored, and should not be"


def lose_metadata(shown: Any, expected: Expected) -> str:
    name = unreachable(expected)
    shown.folders[name].discard(METADATA)
    return f"{name}: {METADATA} is missing"


def lose_evidence(shown: Any, expected: Expected) -> str:
    name = reachable(expected)
    shown.folders[name].discard(ROBOTS)
    return f"{name}: {ROBOTS} is missing"


def keep_a_page(shown: Any, expected: Expected) -> str:
    name = reachable(expected, with_sitemap=False)
    shown.folders[name].add(SITEMAP)
    return f"{name}: {SITEMAP} is stored, and should not be"


def other_evidence(shown: Any, expected: Expected) -> str:
    name = reachable(expected)
    shown.evidence[name, SITEMAP] += b" "
    return f"{name}: {SITEMAP} has"


def metadata(part: str, key: str, value: Any) -> Spoil:
    def spoil(shown: Any, expected: Expected) -> str:
        name = reachable(expected)
        document = shown.metadata[name]
        (document[part] if part else document)[key] = value
        return f"{name}: {part}: {key} is" if part else f"{name}: {key} is"

    return spoil


def other_source(shown: Any, expected: Expected) -> str:
    name = reachable(expected)
    shown.metadata[name]["source"]["record_index"] += 1
    return f"{name}: source is record"


def ghost(shown: Any, _: Expected) -> str:
    shown.folders["ghost-0.com.sg"] = {METADATA, MARK}
    return "ghost-0.com.sg: it has results"


def file_entry(key: str) -> Spoil:
    def spoil(shown: Any, _: Expected) -> str:
        shown.files[1][key] += 1
        return f"raw_0001.json: {key} is"

    return spoil


def partial_as_done(shown: Any, _: Expected) -> str:
    shown.files[2]["status"] = "done"
    return "raw_0002.json: status is 'done', not 'partial'"


def lose_file_mark(shown: Any, _: Expected) -> str:
    shown.file_marks.discard(1)
    return "raw_0001.json: .success is missing"


def mark_failed_file(shown: Any, _: Expected) -> str:
    shown.file_marks.add(len(shown.files))
    return f"raw_{len(shown.files):04}.json: .success exists"


def count(key: str) -> Spoil:
    def spoil(shown: Any, _: Expected) -> str:
        shown.counts[key] += 1
        return f"counters: {key} is"

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lose_mark,
        mark_unreachable,
        lose_metadata,
        lose_evidence,
        keep_a_page,
        other_evidence,
        metadata("", "domain_id", "other:sg:nobody.com"),
        metadata("", "country", "sg"),
        metadata("robots", "outcome", "html"),
        metadata("robots", "status_code", 404),
        metadata("robots", "content_length", 3),
        metadata("robots", "sitemap_urls", ["https://nobody.com/"]),
        metadata("robots", "truncated", True),
        metadata("sitemap", "exists", False),
        metadata("sitemap", "url", "https://nobody.com/sitemap.xml"),
        metadata("sitemap", "url_count", 0),
        metadata("sitemap", "kind", "text/html"),
        other_source,
        ghost,
        *map(file_entry, ("records", "domains", "duplicates", "refused")),
        partial_as_done,
        lose_file_mark,
        mark_failed_file,
        *map(count, ("collected", "unreachable", "duplicates", "urls", "robots_ok")),
    ],
)
def test_what_is_spoilt_is_named(day: tuple[Dataset, Expected], shown: Shown, spoil: Spoil) -> None:
    due = spoil(shown, day[1])
    (fault,) = found(day, shown)
    assert fault.startswith(due)


def asked_wrong(day: tuple[Dataset, Expected], journal: WebJournal) -> list[str]:
    files, expected = day
    return list(faults_of_requests(expected, letters_of(files), journal, 1, files.date))


def request(name: str, path: str = "/robots.txt", **changes: Any) -> Asked:
    return replace(Asked(1, name, name, path, 200, 1, 0.0), **changes)


def test_nothing_is_wrong_where_each_was_asked_once(day: tuple[Dataset, Expected]) -> None:
    journal = journal_of(day[1], 1)
    assert asked_wrong(day, journal) == []
    assert repeated(journal) == 0


def test_whoever_was_never_asked_is_named(day: tuple[Dataset, Expected]) -> None:
    assert len(asked_wrong(day, WebJournal())) == len(day[1])


def test_a_domain_that_is_asked_twice_is_named(day: tuple[Dataset, Expected]) -> None:
    journal, name = journal_of(day[1], 1), reachable(day[1])
    journal.ask(request(name))
    assert asked_wrong(day, journal) == [f"{name}: was asked for its robots.txt 2 times, not 1"]


def test_a_domain_that_a_kill_cut_may_be_asked_again(day: tuple[Dataset, Expected]) -> None:
    journal, name = journal_of(day[1], 1), reachable(day[1])
    journal.process = 2
    journal.begin(())
    journal.ask(request(name, process=2))
    assert asked_wrong(day, journal) == []
    assert repeated(journal) == 1


def test_an_unreachable_one_may_be_sent_again_by_a_file_that_a_kill_cut(
    day: tuple[Dataset, Expected],
) -> None:
    journal = journal_of(day[1], 1)
    name = next(name for name, (each, _) in day[1].items() if each.robots == "error")
    most = 2 * 3 * letters_of(day[0])[name]
    journal.process = 2
    journal.begin(())
    for _ in range(most):
        journal.ask(request(name, process=2))
    assert asked_wrong(day, journal) == []
    journal.ask(request(name, process=2))
    assert asked_wrong(day, journal) == [
        f"{name}: was asked for its robots.txt {most + 1} times, not {most}"
    ]


def test_a_domain_that_was_collected_before_a_kill_may_not(day: tuple[Dataset, Expected]) -> None:
    journal, name = journal_of(day[1], 1), reachable(day[1])
    journal.process = 2
    journal.begin([f"{day[0].date}/{name}"])
    journal.ask(request(name, process=2))
    assert asked_wrong(day, journal) == [
        f"{name}: was collected before process 2 began, and asked again in it"
    ]


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        (request("ghost-0.com.sg"), "ghost-0.com.sg: was asked, but is not in the dataset"),
        (request("", host="x.com"), "x.com/robots.txt: was asked, but is not a domain of the web"),
    ],
)
def test_whoever_is_not_due_is_named(day: tuple[Dataset, Expected], asked: Asked, due: str) -> None:
    journal = journal_of(day[1], 1)
    journal.ask(asked)
    assert asked_wrong(day, journal) == [due]


def test_what_robots_forbids_is_named(day: tuple[Dataset, Expected]) -> None:
    """RFC 9309: a host that does not answer, or closes itself, is asked nothing more."""
    journal = journal_of(day[1], 1)
    closed = next(name for name, (each, _) in day[1].items() if each.robots == "closed")
    names = [unreachable(day[1]), closed]
    for name in names:
        journal.ask(request(name, "/sitemap.xml"))
    journal.ask(request(reachable(day[1]), "/private/list"))
    assert sorted(asked_wrong(day, journal)) == sorted(
        [
            *(
                f"{name}: was asked for /sitemap.xml, which its robots.txt forbids"
                for name in names
            ),
            f"{reachable(day[1])}: was asked for /private/list, which its robots.txt forbids",
        ]
    )


def test_a_sitemap_before_robots_and_two_at_once_are_named(day: tuple[Dataset, Expected]) -> None:
    files, expected = day
    name, journal = reachable(expected), WebJournal()
    journal.ask(request(name, "/sitemap.xml"))
    journal.ask(request(name, beside=1))
    only = {name: expected[name]}
    assert list(faults_of_requests(only, letters_of(files), journal, 1, files.date)) == [
        f"{name}: was asked for /sitemap.xml before its robots.txt",
        f"{name}: was asked twice at once",
    ]
