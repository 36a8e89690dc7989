"""The steps of `uring deploy` in their order; the run ends after the first phase with a failure."""

from collections.abc import Iterator, Mapping
from typing import Final

from uring_local.deploy.checks import ACCOUNT, check_credentials, check_stage
from uring_local.deploy.contents import put_client, upload_lists
from uring_local.deploy.finish import consult_doctor, enable_schedules
from uring_local.deploy.plan import DeployPlan, Step
from uring_local.deploy.ready import make_ready
from uring_local.deploy.release import build_release, deploy_release
from uring_local.doctor.examine import guarded
from uring_local.doctor.finding import Diagnosis

PHASES: Final[tuple[Mapping[str, Step], ...]] = (
    {"samconfig.toml": check_stage, "credentials": check_credentials},
    ACCOUNT,
    {"stack": make_ready},
    {"build": build_release},
    {"deploy": deploy_release},
    {"lists": upload_lists, "client": put_client},
    {"doctor": consult_doctor},
    {"schedule": enable_schedules},
)
"""The steps by the names of their failures. All steps of a phase are tried."""


def deploy(
    plan: DeployPlan, phases: tuple[Mapping[str, Step], ...] = PHASES
) -> Iterator[Diagnosis]:
    """Yield the findings of the steps as they are made, to the end of the first failing phase."""
    for phase in phases:
        is_well = True
        for name, step in phase.items():
            for finding in guarded(name, step(plan), "run again"):
                is_well &= finding.status != "failed"
                yield finding
        if not is_well:
            return
