"""Every check, one after the other; a failing check is a finding and does not stop the others."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from uring.errors import UringError
from uring_local.doctor.client import check_client
from uring_local.doctor.concurrency import check_concurrency
from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.lists import check_families, check_lists
from uring_local.doctor.people import check_alarms, check_mail
from uring_local.doctor.pushing import check_fcm, check_fcm_secret, check_weather_secret
from uring_local.doctor.readers import check_readers
from uring_local.doctor.releases import check_releases
from uring_local.doctor.running import (
    check_dead_letters,
    check_schedules,
    check_stop,
    check_ticks,
    check_triggers,
)
from uring_local.doctor.subject import Subject
from uring_local.doctor.workers import check_workers
from uring_local.doctor.writes import check_writes
from uring_local.stack.states import state_of
from uring_local.words import printable

Check = Callable[[Subject], Iterator[Diagnosis]]

CHECKS: Final[Mapping[str, Check]] = {
    "families": check_families,
    "lists": check_lists,
    "FCM secret": check_fcm_secret,
    "weather secret": check_weather_secret,
    "FCM": check_fcm,
    "alarm mail": check_mail,
    "alarms": check_alarms,
    "CDN": check_readers,
    "client": check_client,
    "writes": check_writes,
    "workers": check_workers,
    "concurrency": check_concurrency,
    "releases": check_releases,
    "budget": check_stop,
    "schedules": check_schedules,
    "triggers": check_triggers,
    "ticks": check_ticks,
    "dead letters": check_dead_letters,
}
"""The name of a check's finding if it fails, in the order of the page."""


def examine(subject: Subject) -> Iterator[Diagnosis]:
    """Yield the findings of a stack as they are made.

    Raises:
        Misconfigured: no such stack, no credentials, or access to it is denied.
        Unavailable: CloudFormation did not answer.
    """
    yield _stack(subject)
    for name, check in CHECKS.items():
        yield from guarded(name, check(subject), "examine again")


def guarded(name: str, findings: Iterator[Diagnosis], then: str) -> Iterator[Diagnosis]:
    """Yield findings; an error on the way is the last one.

    Args:
        name: of that finding.
        findings: those of a check or a step.
        then: its remedy, if the error's text has none.
    """
    try:
        yield from findings
    except UringError as error:
        detail, _, remedy = printable(str(error)).partition("; ")
        yield failed(name, detail, remedy or f"{then}; the message names the call")


def _stack(subject: Subject) -> Diagnosis:
    status = subject.description.status
    state = state_of(status)
    if not state.remedy:
        return ok("stack", status)
    return failed(
        "stack",
        f"{subject.stack} is {status or 'without a status'}",
        state.remedy.format(stack=subject.stack),
    )
