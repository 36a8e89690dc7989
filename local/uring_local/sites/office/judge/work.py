"""Calls of paid services, what they cost, and the jobs that made them."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from uring_local.language.journal import ServiceCall
from uring_local.sites.office.snapshot import COST, Snapshot

# Of a process: so many may have been answered, and not yet kept, when it was killed.
IN_FLIGHT: Final = 10
# Whoever asked was told nothing, or nothing of use: it must ask again, and pay.
ASKED_AGAIN: Final = frozenset({"lost", "invalid", "silent", "cut", "mangled"})
CHARACTER_MICROS: Final = 15
INPUT_MICROS: Final = 3_000
OUTPUT_MICROS: Final = 15_000
_THOUSAND: Final = 1_000
_ENDED: Final = frozenset({"done", "failed"})


def faults_of_calls(asked: Sequence[ServiceCall]) -> Iterator[str]:
    """Yield what was paid for twice without need.

    A call may be repeated where its answer was lost or of no use, and where its process was killed
    with it among the last: its answer may not have been kept.
    """
    last_of: dict[int, list[int]] = {}
    for number, call in enumerate(asked):
        if call.is_charged:
            last_of.setdefault(call.process, []).append(number)
    running = max((call.process for call in asked), default=1)
    excused = {
        number
        for process, numbers in last_of.items()
        if process < running
        for number in numbers[-IN_FLIGHT:]
    }
    paid: dict[str, tuple[int, ServiceCall]] = {}
    for number, call in enumerate(asked):
        if not call.is_charged:
            continue
        before = paid.get(call.subject)
        paid[call.subject] = number, call
        if before is None or before[1].answered in ASKED_AGAIN:
            continue
        if before[0] in excused and call.process > before[1].process:
            continue
        yield f"{call.service}: {call.characters} characters into {call.target} were paid for twice"


def repeated(asked: Sequence[ServiceCall]) -> int:
    """Return how many calls were charged again."""
    charged = [call.subject for call in asked if call.is_charged]
    return len(charged) - len({*charged})


def price(call: ServiceCall) -> int:
    """Return what a call costs, in millionths of a dollar."""
    if not call.is_charged:
        return 0
    if call.service == "translate":
        return CHARACTER_MICROS * call.characters
    tokens = call.input_tokens * INPUT_MICROS + call.output_tokens * OUTPUT_MICROS
    return math.ceil(tokens / _THOUSAND)


def faults_of_accounts(asked: Sequence[ServiceCall], found: Snapshot) -> Iterator[str]:
    """Yield accounts that are not what was spent.

    A call whose answer was lost, or whose process was killed, leaves its estimate there: more than
    was spent, never less.
    """
    spent = sum(map(price, asked))
    noted = sum(item["micros"] for page in found.pages for item in found.items(page, COST).values())
    is_exact = all(call.answered != "lost" and call.process == 1 for call in asked)
    if noted < spent or (is_exact and noted != spent):
        yield f"{noted} micro-dollars are on the accounts, {spent} were spent"


def faults_of_jobs(found: Snapshot) -> Iterator[str]:
    """Yield the jobs that have not ended."""
    for name, item in found.jobs.items():
        if item.get("state") not in _ENDED:
            job = f"{item.get('operation')} of {item.get('page')}"
            yield f"job {name}: {job} is {item.get('state')}"
