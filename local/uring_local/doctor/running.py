"""The stack at work: schedules, the last tick, the runtime's boto3, dead letters."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from uring.aws.clients import check_boto3
from uring.aws.errors import translated
from uring.errors import Misconfigured
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.subject import Subject
from uring_local.queues.pairs import pairs
from uring_local.words import counted, printable

_TICKING: Final = ("NoticeOrchestrator", "Monitor")
"""The functions that every stack runs every ten minutes."""

_SILENCE: Final = timedelta(minutes=30)
_MOST_PAGES: Final = 50
_ROLES: Final = "AWS::IAM::Role"
_ENABLE: Final = "deploy with ScheduleState=ENABLED"


def check_schedules(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the schedules: all that the parameters want must be enabled."""
    if not subject.is_scheduled:
        yield off("schedules", "ScheduleState is DISABLED: nothing is checked", _ENABLE)
        return
    client, disabled, asked = subject.client("events"), list[str](), 0
    resting = subject.deployment.resting_ticks
    for logical, name in subject.physical("AWS::Events::Rule").items():
        if logical in resting:
            continue
        asked += 1
        with translated(f"events:DescribeRule {name}"):
            rule = client.describe_rule(Name=name.rpartition("|")[2])
        if rule["State"] != "ENABLED":
            disabled.append(logical)
    if disabled:
        remedy = "enable the rule at EventBridge; a deployment leaves an unchanged rule as it is"
        yield failed("schedules", f"disabled by hand: {', '.join(sorted(disabled))}", remedy)
    elif not asked:
        yield failed("schedules", "the stack has no rule", "deploy")
    else:
        yield ok("schedules", f"{counted(asked, 'rule')} enabled")


def check_triggers(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the queues' triggers: all must be enabled."""
    client, disabled, asked = subject.client("lambda"), dict[str, str](), 0
    for logical, uuid in sorted(subject.physical("AWS::Lambda::EventSourceMapping").items()):
        asked += 1
        with translated(f"lambda:GetEventSourceMapping {logical}"):
            state = client.get_event_source_mapping(UUID=uuid)["State"]
        if state in ("Disabled", "Disabling"):
            disabled[logical] = uuid
    if disabled:
        uuid = next(iter(disabled.values()))
        yield failed(
            "triggers",
            f"disabled by hand: {', '.join(disabled)}; messages wait, and expire in the end",
            f"aws lambda update-event-source-mapping --uuid {uuid} --enabled",
        )
    else:
        yield ok("triggers", f"{counted(asked, 'queue')} read")


def check_stop(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding if the stack has a switch that its budget pulls: it must not be pulled."""
    policies, roles = subject.physical("AWS::IAM::ManagedPolicy"), subject.physical(_ROLES)
    if "StopPolicy" not in policies:
        return
    role = roles["NoticeOrchestratorRole"]
    with translated(f"iam:ListAttachedRolePolicies {role}"):
        found = subject.client("iam").list_attached_role_policies(RoleName=role)
    if policies["StopPolicy"] in {each["PolicyArn"] for each in found["AttachedPolicies"]}:
        yield failed(
            "budget",
            "the account spent BudgetDollars, and the budget stopped the stack: nothing is checked",
            "find the cause in the bill, then reverse the budget's action: "
            "docs/operations.md#ceilings",
        )
    else:
        yield ok("budget", "has not stopped the stack")


def check_ticks(subject: Subject) -> Iterator[Diagnosis]:
    """Yield each function's last tick by its log, and the boto3 version of that run."""
    if not subject.is_scheduled:
        yield off("ticks", "ScheduleState is DISABLED", _ENABLE)
        return
    groups = subject.physical("AWS::Logs::LogGroup")
    newest: dict[str, Any] = {}
    for function in _TICKING:
        group = groups.get(f"{function}LogGroup", "")
        line = _last_run(subject, group)
        if line is None:
            yield failed(
                f"tick of {function}",
                f"no run in {_SILENCE.seconds // 60} minutes, by "
                f"{group or 'its log, which is gone'}",
                "a new stack runs within ten minutes; after that, read the function's log and "
                "check its rule",
            )
            continue
        at, fields = line
        newest = newest or fields
        minutes = max(0, int((subject.clock() - at).total_seconds() // 60))
        yield ok(f"tick of {function}", f"{counted(minutes, 'minute')} ago")
    yield _judged_boto3(str(newest.get("boto3", "")))


def _judged_boto3(version: str) -> Diagnosis:
    if not version[:1].isdecimal():
        return failed(
            "boto3", "no run has logged the runtime's version", "examine again after the next tick"
        )
    try:
        check_boto3(version)
    except Misconfigured as error:
        detail, _, remedy = printable(str(error)).partition(": ")
        return failed("boto3", detail, remedy)
    return ok("boto3", printable(f"the runtime has {version[:40]}"))


def _last_run(subject: Subject, group: str) -> tuple[datetime, dict[str, Any]] | None:
    """Return the end of a function's newest run, and that line's fields; None without one."""
    if not group:
        return None
    client, since = subject.client("logs"), subject.clock() - _SILENCE
    newest: tuple[int, dict[str, Any]] | None = None
    with translated(f"logs:FilterLogEvents {group}"):
        pages = client.get_paginator("filter_log_events").paginate(
            logGroupName=group,
            startTime=int(since.timestamp() * 1000),
            filterPattern='"invoked"',
        )
        for _, page in zip(range(_MOST_PAGES), pages, strict=False):
            for event in page["events"]:
                fields = _invoked(event["message"])
                if fields is not None and (newest is None or event["timestamp"] > newest[0]):
                    newest = event["timestamp"], fields
    return newest and (datetime.fromtimestamp(newest[0] / 1000, UTC), newest[1])


def _invoked(message: str) -> dict[str, Any] | None:
    try:
        line = json.loads(message)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) and line.get("message") == "invoked" else None


def check_dead_letters(subject: Subject) -> Iterator[Diagnosis]:
    """Yield the dead letters of all queues."""
    found = pairs(subject.session, subject.stack)
    dead = [each.dead for each in found if each.dead and each.dead.depth]
    for queue in dead:
        yield failed(
            "dead letters",
            f"{counted(queue.depth, 'message')} in {queue.id}",
            f"uring queue show {queue.id} --stack {subject.stack}",
        )
    if not dead:
        yield ok("dead letters", f"none in {counted(len(found), 'queue')}")
