"""The order of the tests: what takes long begins first, so that no core waits for it in the end."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

LONG: Final[Mapping[str, int]] = {
    "e2e/test_build_stack.py": 40,
    "e2e/test_emulator.py": 40,
    "e2e/test_enforced_families.py": 50,
    "e2e/test_http_api.py": 10,
    "e2e/test_readme.py": 20,
    "e2e/test_readme.py::test_the_commands_deploy": 60,
    "e2e/test_regulations.py": 35,
    "e2e/test_rhythm_morning.py": 15,
    "e2e/test_run_deployed.py": 50,
    "e2e/test_run_in_process.py": 30,
    "e2e/test_run_in_process.py::test_a_killed_run": 20,
    "e2e/test_run_in_process.py::test_runs_with_one_seed": 40,
    "e2e/test_run_terminal.py": 10,
    "e2e/test_seeds.py": 25,
    "e2e/test_tour.py": 25,
    "e2e/test_weather.py": 25,
    "policies/test_enforced.py": 30,
    "policies/test_policies.py": 15,
    "replay/test_replay.py": 15,
    "web/client/test_axe.py": 20,
    "web/push/test_push_run.py": 25,
    "web/push/settings/test_push_settings.py": 35,
    "web/push/settings/test_push_topics.py": 35,
    "web/push/test_service_worker_push.py": 40,
}
"""Seconds of CPU, roughly, of files and of tests whose name begins so.

What a file's tests share is made once: those of one line here stay with one worker.
"""


def longest_first(names: Sequence[str], items: Sequence[T], workers: int) -> list[T]:
    """Return the items so that each worker begins with its share of what takes long.

    Args:
        names: of the items, below ``tests/``.
        items: in the order of the files.
        workers: xdist's worksteal gives each of them one run of neighbours, and takes from the
            end of a run for those who are done.
    """
    long: dict[str, list[T]] = {}
    short: list[T] = []
    for name, item in zip(names, items, strict=True):
        place = max((each for each in LONG if name.startswith(each)), key=len, default="")
        (long.setdefault(place, []) if place else short).append(item)
    shares: list[list[T]] = [[] for _ in range(workers)]
    seconds = [0] * workers
    for place in sorted(long, key=lambda each: -LONG[each]):
        least = seconds.index(min(seconds))
        shares[least] += long[place]
        seconds[least] += LONG[place]
    ordered: list[T] = []
    for number, share in enumerate(shares):
        # As worksteal counts: even parts of what is left.
        size = (len(items) - len(ordered)) // (workers - number)
        filled = max(0, size - len(share))
        ordered += share + short[:filled]
        del short[:filled]
    return ordered + short
