"""Builds and deploys a stage: `sam build`, `uring compile` and `sam deploy`, if needed."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from uring.aws.errors import translated
from uring.errors import UringError
from uring_local.build.build import STAMP
from uring_local.build.locked import one_at_a_time
from uring_local.build.sam import Progress, run_sam, silent, step
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.stage import SamStage, template
from uring_local.doctor.finding import Diagnosis, done_before, failed, ok
from uring_local.project import BUILD, ROOT, StackFailed
from uring_local.stack.deploy import override
from uring_local.stack.describe import StackDescription
from uring_local.words import printable

SCHEDULE: Final = "ScheduleState"
"""The parameter that switches all schedules."""

_RECORDS: Final = BUILD / "deployed"
_SHOWN: Final = 300
_CANCELLED: Final = ("cancelled", "The following resource(s) failed")
_REMEDIES: Final[Mapping[str, str]] = {
    "must be verified before you can add new CloudFront": (
        "open a case at AWS Support (verify my account for CloudFront), or set Cdn=DISABLED in "
        "samconfig.toml; then run again: it deletes what is left, after a question"
    ),
    "You must wait 60 seconds after deleting a queue": "run again in a minute",
    "explicit deny": "an organisation's policy forbids it: ask for it, or deploy elsewhere",
    "not authorized to perform": "give the deployer this permission, and run again",
}
"""By a part of the reason that an event names."""


def build_release(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the application is built and compiled; a complete build is used again."""
    values = plan.stage.values
    with plan.working("building") as tell:
        built = _built(plan, tell)
    yield ok("build", f"{_shown(built)} for {values['Architecture']}, {values['PythonRuntime']}")


def _built(plan: DeployPlan, tell: Progress = silent) -> Path:
    values = plan.stage.values
    return plan.built(values["Architecture"], values["PythonRuntime"], progress=_steps(tell))


def _steps(tell: Progress) -> Progress:
    """Return a progress that tells the steps among SAM's lines."""

    def progress(line: str) -> None:
        if begun := step(line):
            tell(begun)

    return progress


def deploy_release(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the stack was created or updated.

    A stack whose schedules do not run yet is deployed with them switched off.
    """
    before = plan.description()
    held = is_held(plan, before)
    built = _built(plan)
    digest = _digest(plan, built)
    if before is not None and _is_recorded(plan, before, digest):
        yield done_before("deploy", f"{plan.stack} has this build and these parameters")
        return
    is_update = before is not None and before.status != "REVIEW_IN_PROGRESS"
    question = f"Update {plan.stack} without a look at its change set?"
    if plan.stage.confirms and is_update and not plan.ask(question):
        by_hand = f"`sam deploy --config-env {plan.stage.name}` shows it"
        yield failed("deploy", "not deployed", f"answer yes, or run with --yes; {by_hand}")
        return
    try:
        _deploy(plan, built, held=held)
    except StackFailed as error:
        yield failed("deploy", *_explained(plan, str(error)))
        return
    after = plan.description()
    if after is not None:
        _record(plan, after, digest)
    quiet = f", with {SCHEDULE}=DISABLED until the doctor passes" if held else ""
    yield ok("deploy", f"{plan.stack} is {after.status if after else 'gone'}{quiet}")


def is_held(plan: DeployPlan, before: StackDescription | None) -> bool:
    """Return True if the stage wants schedules that the stack does not run yet."""
    runs = (
        before is not None
        and before.status != "REVIEW_IN_PROGRESS"
        and before.parameters.get(SCHEDULE) == "ENABLED"
    )
    return plan.stage.values[SCHEDULE] == "ENABLED" and not runs


def _deploy(plan: DeployPlan, built: Path, *, held: bool) -> None:
    """Run `sam deploy`; the environment's AWS is meant, an endpoint included."""
    stage = plan.stage
    command = ["deploy", "--config-file", str(stage.file), "--config-env", stage.name]
    command += ["--template-file", str(plan.template(built)), "--stack-name", stage.stack]
    command += ["--region", str(plan.planned.client("sts").meta.region_name)]
    command += ["--no-confirm-changeset", "--no-fail-on-empty-changeset", "--no-progressbar"]
    given = _given(stage) | ({SCHEDULE: "DISABLED"} if held else {})
    command += ["--parameter-overrides", *(override(*each) for each in given.items())]
    aws = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    BUILD.mkdir(exist_ok=True)
    lock = BUILD / f"deploying-{stage.stack}.lock"
    with (
        plan.working("packing the functions") as tell,
        one_at_a_time(lock, lambda: tell("waiting for another deployment")) as locked,
    ):
        run_sam(
            command,
            cwd=ROOT,
            environment={**aws, "SAM_CLI_POLL_DELAY": str(plan.poll_seconds)},
            progress=_steps(tell),
            held=[locked],
        )


def _given(stage: SamStage) -> dict[str, str]:
    """Return all parameters of the template: SAM leaves a parameter without a value as it was.

    A hidden value need not be in a file: without a line it stays.
    """
    known: Mapping[str, Any] = template()["Parameters"]
    return {
        name: value
        for name, value in stage.values.items()
        if name in stage.parameters or not known[name].get("NoEcho")
    }


def _digest(plan: DeployPlan, built: Path) -> str:
    """Return a digest of a build and a stage; of the build its inputs."""
    inputs = (built.parent / STAMP).read_text(encoding="ascii")
    said = json.dumps([inputs, plan.stage.settings, dict(plan.stage.parameters)])
    return hashlib.sha256(said.encode()).hexdigest()


def _place(plan: DeployPlan) -> Path:
    return _RECORDS / f"{plan.stack}.json"


def _record(plan: DeployPlan, after: StackDescription, digest: str) -> None:
    """Remember what was deployed, with the stack's identity and time of change."""
    place = _place(plan)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps([digest, after.id, str(after.changed_at)]), encoding="utf-8")


def _is_recorded(plan: DeployPlan, found: StackDescription, digest: str) -> bool:
    """Return True if nobody has changed the stack since this machine deployed the same."""
    try:
        said = json.loads(_place(plan).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    same: bool = said == [digest, found.id, str(found.changed_at)]
    return same and found.status in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}


def record_again(plan: DeployPlan, before: StackDescription, after: StackDescription) -> None:
    """Keep a record over a change of the schedules alone."""
    digest = _digest(plan, _built(plan))
    if _is_recorded(plan, before, digest):
        _record(plan, after, digest)


def _explained(plan: DeployPlan, output: str) -> tuple[str, str]:
    """Return the first failure of a deployment, and its remedy: by the events, else by SAM."""
    try:
        reason = _first_failure(plan)
    except UringError:
        reason = ""
    if not reason:
        lines = output.splitlines()
        errors = [line for line in lines if "Error" in line]
        reason = (errors or lines[-1:])[-1]
    for part, remedy in _REMEDIES.items():
        if part in reason:
            return printable(reason)[:_SHOWN], remedy
    return printable(reason)[:_SHOWN], "correct that, and run again"


def _first_failure(plan: DeployPlan) -> str:
    """Return the first failure of the newest operation; empty if none failed."""
    found = plan.description()
    if found is None:
        return ""
    client = plan.subject.client("cloudformation")
    with translated(f"cloudformation:DescribeStackEvents {plan.stack}"):
        pages = client.get_paginator("describe_stack_events").paginate(StackName=found.id)
        events = [each for page in pages for each in page["StackEvents"]]
    reason = ""
    # Newest first; an operation begins with an event of the stack itself.
    for event in events:
        status, why = event["ResourceStatus"], event.get("ResourceStatusReason", "")
        if event["PhysicalResourceId"] == event["StackId"] and status in _BEGINNINGS:
            break
        if status.endswith("_FAILED") and why and not any(each in why for each in _CANCELLED):
            reason = f"{event['LogicalResourceId']}: {why}"
    return reason


_BEGINNINGS: Final = {"CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "REVIEW_IN_PROGRESS"}


def _shown(built: Path) -> str:
    folder = built.parent
    return str(folder.relative_to(ROOT)) if folder.is_relative_to(ROOT) else str(folder)
