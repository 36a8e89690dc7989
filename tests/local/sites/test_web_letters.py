"""Dead letters: those that nobody can do anything about, and no other."""

import json
from typing import Any

import pytest
from web_reader import expected_of

from uring_local.sites.stage.published import Published
from uring_local.sites.web.judge.letters import DOMAINS, judge_letters
from uring_local.sites.web.model import Web
from uring_local.stack.application import Letter

DAYS = [expected_of(Web(7, 200), day) for day in (1, 2)]
DUE = [
    (name, path, found.outcome)
    for files, expected in DAYS
    for name, (_, found) in expected.items()
    if not found.is_reachable
    for path in files.domains[name]
]
FAILED = [files.path(files.files[-1]) for files, _ in DAYS]


def letter(name: str, path: str, reason: str) -> Letter:
    body = {"registrable_domain": name, "source_file_path": path}
    return Letter(json.dumps(body), {"reason": f"{name}: {reason}: gone"})


def judged(
    domains: list[Letter], files: list[str], count: int = len(DUE), processes: int = 1
) -> Any:
    bodies = [Letter(json.dumps({"file_path": path}), {}) for path in files]

    def letters(queue: str) -> tuple[int, list[Letter]]:
        return (count, domains) if queue == DOMAINS else (len(bodies), bodies)

    return judge_letters(DAYS, Published(None, "", letters=letters), processes)


def firsts() -> list[Letter]:
    """The first letter of each domain, which is all that a FIFO queue shows."""
    shown: dict[str, Letter] = {}
    for name, path, outcome in DUE:
        shown.setdefault(name, letter(name, path, outcome))
    return [*shown.values()]


def test_nothing_is_wrong_where_all_that_are_due_are_there() -> None:
    assert len(firsts()) < len(DUE)
    assert judged(firsts(), FAILED) == (len(DUE) + 2, [])


def test_a_message_that_a_kill_made_come_again_may_be_a_letter_again() -> None:
    assert judged(firsts(), FAILED, len(DUE) + 1, processes=2) == (len(DUE) + 3, [])
    (fault,) = judged(firsts(), FAILED, 2 * len(DUE) + 1, processes=2)[1]
    assert fault.startswith(f"{2 * len(DUE) + 1} dead letters")


def test_a_file_that_is_listed_again_fails_again() -> None:
    assert judged(firsts(), [*FAILED, FAILED[0]]) == (len(DUE) + 3, [])


@pytest.mark.parametrize(
    ("domains", "files", "count", "due"),
    [
        (firsts()[1:], FAILED, len(DUE), f"no dead letter about {DUE[0][0]}"),
        (firsts(), FAILED, len(DUE) + 1, f"{len(DUE) + 1} dead letters about domains, not"),
        ([*firsts(), letter("a.com", "x", "ok")], FAILED, len(DUE), "dead letter about a.com of x"),
        (
            [letter(DUE[0][0], DUE[0][1], "html"), *firsts()[1:]],
            FAILED,
            len(DUE),
            f"dead letter about {DUE[0][0]}: ",
        ),
        (firsts(), FAILED[1:], len(DUE), f"no dead letter about {FAILED[0]}"),
        (
            firsts(),
            [*FAILED, "raw_0001"],
            len(DUE),
            "dead letter about raw_0001, which can be read",
        ),
    ],
)
def test_what_is_wrong_is_named(
    domains: list[Letter], files: list[str], count: int, due: str
) -> None:
    (fault,) = judged(domains, files, count)[1]
    assert fault.startswith(due)
