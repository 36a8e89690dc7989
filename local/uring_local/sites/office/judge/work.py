"""Calls of paid services, their costs, and the jobs that made them."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from uring_local.language.journal import ServiceCall
from uring_local.sites.office.snapshot import COST, SYSTEM, Snapshot

# The most answers of a process that may be received and not yet stored when it is killed.
IN_FLIGHT: Final = 10
# Answers that were lost or useless: the caller must ask again, and pay.
ASKED_AGAIN: Final = frozenset({"lost", "invalid", "silent", "cut", "mangled"})
CHARACTER_MICROS: Final = 15
INPUT_MICROS: Final = 3_000
OUTPUT_MICROS: Final = 15_000
_THOUSAND: Final = 1_000
_ENDED: Final = frozenset({"done", "failed"})


def faults_of_calls(asked: Sequence[ServiceCall]) -> Iterator[str]:
    """Yield the calls that were paid for twice without need.

    A call may be repeated if its answer was lost or useless, or if it was among the last ten of a
    killed process, as its answer may not have been stored.
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
    """Return the number of charged calls that repeat an earlier one."""
    charged = [call.subject for call in asked if call.is_charged]
    return len(charged) - len({*charged})


def price(call: ServiceCall) -> int:
    """Return the price of a call, in millionths of a dollar; 0 for an uncharged one."""
    if not call.is_charged:
        return 0
    if call.service == "translate":
        return CHARACTER_MICROS * call.characters
    tokens = call.input_tokens * INPUT_MICROS + call.output_tokens * OUTPUT_MICROS
    return math.ceil(tokens / _THOUSAND)


def faults_of_accounts(asked: Sequence[ServiceCall], found: Snapshot) -> Iterator[str]:
    """Yield a fault if the accounts do not add up to the money spent.

    A call with a lost answer or a killed process leaves its estimate on the account. So the sum may
    be higher than the money spent, but never lower.
    """
    spent = sum(map(price, asked))
    # Somebody uploads to a page of the system's name, which is refused; its items are the system's.
    pages = [page for page in found.pages if page != SYSTEM]
    noted = sum(item["micros"] for page in pages for item in found.items(page, COST).values())
    is_exact = all(call.answered != "lost" and call.process == 1 for call in asked)
    if noted < spent or (is_exact and noted != spent):
        yield f"{noted} micro-dollars are on the accounts, {spent} were spent"
    # A deleted page takes its account with it.
    of_all = sum(item["micros"] for key, item in found.system.items() if key.startswith(COST))
    if of_all < noted:
        yield f"{of_all} micro-dollars are on the account of the stack, {noted} on those of pages"


def faults_of_jobs(found: Snapshot) -> Iterator[str]:
    """Yield the jobs that have not ended."""
    for name, item in found.jobs.items():
        if item.get("state") not in _ENDED:
            job = f"{item.get('operation')} of {item.get('page')}"
            yield f"job {name}: {job} is {item.get('state')}"
