"""Ends a deployment: the doctor's word, then the schedules."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from uring.aws.errors import translated
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.ready import waited
from uring_local.deploy.release import SCHEDULE, is_held, record_again
from uring_local.doctor.examine import examine
from uring_local.doctor.finding import Diagnosis, done_before, failed, note, off, ok
from uring_local.words import counted

_DOCTOR: Final = "doctor"
_SCHEDULE: Final = "schedule"
_WELL: Final = "UPDATE_COMPLETE"
_FIRST_TICKS: Final = timedelta(minutes=15)
_OF_TICKS: Final = ("tick of ", "boto3", "CDN reads")
"""The doctor's findings that need a tick, by the beginning of their names."""

_NOT_LOCAL: Final = "writes"
"""The doctor's finding that fails on a stack in place of AWS: it refuses its deployer nothing."""


def consult_doctor(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield the doctor's failures and, without one, the number of its findings."""
    subject = plan.subject
    changed = subject.description.changed_at
    is_new = changed is not None and plan.clock() - changed < _FIRST_TICKS
    with plan.working("asking the doctor"):
        findings = [*examine(subject)]
    wrong = [each for each in findings if each.status == "failed"]
    failures = 0
    for each in wrong:
        detail = f"{each.name}: {each.detail}"
        if plan.endpoint and each.name == _NOT_LOCAL:
            yield note(_DOCTOR, "writes: a stack in place of AWS refuses its deployer nothing")
        elif is_new and each.name.startswith(_OF_TICKS):
            yield note(_DOCTOR, f"{detail}; the stack has just changed", each.remedy)
        else:
            failures += 1
            yield failed(_DOCTOR, detail, each.remedy)
    if not failures:
        unused = sum(each.status == "off" for each in findings)
        yield ok(_DOCTOR, f"{counted(len(findings) - unused, 'finding')}, {unused} switched off")


def enable_schedules(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the schedules run as the stage says.

    They are enabled by an update of this parameter alone, of the deployed template.
    """
    if plan.stage.values[SCHEDULE] != "ENABLED":
        detail = f"{SCHEDULE}=DISABLED in {plan.stage.file.name}: nothing is checked"
        yield off(_SCHEDULE, detail, f"set {SCHEDULE}=ENABLED there, and run again")
        return
    before = plan.subject.description
    if not is_held(plan, before):
        yield done_before(_SCHEDULE, f"{SCHEDULE} is ENABLED")
        return
    parameters = [
        {"ParameterKey": SCHEDULE, "ParameterValue": "ENABLED"},
        *(
            {"ParameterKey": name, "UsePreviousValue": True}
            for name in before.parameters
            if name != SCHEDULE
        ),
    ]
    with translated(f"cloudformation:UpdateStack {plan.stack}"):
        plan.subject.client("cloudformation").update_stack(
            StackName=plan.stack,
            UsePreviousTemplate=True,
            Parameters=parameters,
            # The template has a transform, which an update without a change set has to accept.
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        )
    after = waited(plan, plan.subject.description)
    if after is None or not after.status.startswith(_WELL):
        detail = f"{plan.stack} is {after.status if after else 'gone'}"
        yield failed(_SCHEDULE, detail, "its events name the reason; correct it, and run again")
        return
    record_again(plan, before, after)
    remedy = f"`uring doctor --stack {plan.stack}` then says whether it came"
    yield Diagnosis(_SCHEDULE, "ok", "enabled: the first tick comes within ten minutes", remedy)
