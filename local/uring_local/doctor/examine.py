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
)
from uring_local.doctor.subject import Subject
from uring_local.doctor.workers import check_workers
from uring_local.doctor.writes import check_writes
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
    "ticks": check_ticks,
    "dead letters": check_dead_letters,
}
"""The name of a check's finding if it fails, in the order of the page."""

_WELL: Final = (
    "CREATE_COMPLETE",
    "IMPORT_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
)
_NEVER_WORKED: Final = (
    "its first deployment failed, and CloudFormation updates no such stack. Its events name the "
    "first failure: correct it. Then `sam delete --stack-name {stack}`, wait for a minute, because "
    "SQS refuses the name of a queue that was just deleted, and deploy"
)
_REMEDIES: Final = {
    "CREATE_FAILED": _NEVER_WORKED,
    "ROLLBACK_COMPLETE": _NEVER_WORKED,
    "ROLLBACK_FAILED": _NEVER_WORKED,
    "REVIEW_IN_PROGRESS": "its change set was never executed: deploy",
    "UPDATE_ROLLBACK_COMPLETE": (
        "the release before is in service. The stack's events name the first failure: correct it, "
        "and deploy again"
    ),
    "UPDATE_ROLLBACK_FAILED": (
        "no deployment is possible: correct what its events name, then `aws cloudformation "
        "continue-update-rollback --stack-name {stack}`, and deploy when it has ended"
    ),
    "UPDATE_FAILED": (
        "no deployment is possible: `aws cloudformation rollback-stack --stack-name {stack}`, and "
        "deploy when it has ended"
    ),
    "DELETE_FAILED": (
        "its events name the resource that could not be deleted, such as a bucket with objects: "
        "correct that, and delete the stack again"
    ),
    "IMPORT_ROLLBACK_COMPLETE": "the import was undone: its events name why; import again",
}
_UNDER_WAY: Final = "wait until it has ended, then examine again"
_OTHER: Final = "the stack's events at CloudFormation name the first failure"


def examine(subject: Subject) -> Iterator[Diagnosis]:
    """Yield the findings of a stack as they are made.

    Raises:
        Misconfigured: no such stack, no credentials, or access to it is denied.
        Unavailable: CloudFormation did not answer.
    """
    yield _stack(subject)
    for name, check in CHECKS.items():
        try:
            yield from check(subject)
        except UringError as error:
            detail, _, remedy = printable(str(error)).partition("; ")
            yield failed(name, detail, remedy or "examine again; the message names the call")


def _stack(subject: Subject) -> Diagnosis:
    status = subject.description.status
    if status in _WELL:
        return ok("stack", status)
    return failed(
        "stack",
        f"{subject.stack} is {status or 'without a status'}",
        _remedy(status).format(stack=subject.stack),
    )


def _remedy(status: str) -> str:
    if status in _REMEDIES:
        return _REMEDIES[status]
    return _UNDER_WAY if status.endswith("_IN_PROGRESS") else _OTHER
