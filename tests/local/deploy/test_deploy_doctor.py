"""The doctor's word within a deployment: what ends it, and what only time can heal."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from deploy_stages import lines

from uring_local.deploy import finish
from uring_local.deploy.finish import consult_doctor, enable_schedules
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.steps import deploy
from uring_local.doctor.finding import Diagnosis, failed, off, ok

CHANGED = datetime(2026, 3, 2, tzinfo=UTC)
TICK = failed("tick of Monitor", "no run in 30 minutes", "wait")
MAIL = failed("alarm mail", "not confirmed", "open the link")
WRITES = failed("writes", "a write without a condition was accepted", "deploy")
WELL = [ok("stack", "CREATE_COMPLETE"), ok("alarms", "no alarm rings"), off("seeds", "left out")]


class Formation:
    """CloudFormation with a stack that was changed at one time."""

    def client(self, *_: Any, **__: Any) -> "Formation":
        return self

    def describe_stacks(self, **_: Any) -> Any:
        return {"Stacks": [{"StackStatus": "CREATE_COMPLETE", "LastUpdatedTime": CHANGED}]}


@pytest.fixture
def examined(
    plan: Callable[..., DeployPlan], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., DeployPlan]:
    """A plan whose doctor finds what a test says, some minutes after the last change."""

    def make(*findings: Diagnosis, minutes: int = 1, **values: Any) -> DeployPlan:
        monkeypatch.setattr(finish, "examine", lambda _: iter([*WELL, *findings]))
        now = CHANGED + timedelta(minutes=minutes)
        return plan(Formation(), clock=lambda: now, **values)

    return make


def test_a_stack_without_a_failure_is_well(examined: Callable[..., DeployPlan]) -> None:
    assert lines(consult_doctor(examined())) == [("ok", "2 findings, 1 switched off")]


def test_a_tick_is_awaited_for_a_quarter_of_an_hour(examined: Callable[..., DeployPlan]) -> None:
    assert [status for status, _ in lines(consult_doctor(examined(TICK)))] == ["note", "ok"]
    late = examined(TICK, minutes=15)
    assert lines(consult_doctor(late)) == [("failed", "tick of Monitor: no run in 30 minutes")]


def test_only_a_stack_in_place_of_aws_may_accept_each_write(
    examined: Callable[..., DeployPlan],
) -> None:
    assert lines(consult_doctor(examined(WRITES)))[0][0] == "failed"
    local = examined(WRITES, endpoint="http://127.0.0.1:4566")
    assert [status for status, _ in lines(consult_doctor(local))] == ["note", "ok"]


def test_schedules_stay_off_after_a_failure(examined: Callable[..., DeployPlan]) -> None:
    phases = ({"doctor": consult_doctor}, {"schedule": enable_schedules})
    made = [*deploy(examined(MAIL, TICK), phases)]
    assert [(each.name, each.status) for each in made] == [("doctor", "failed"), ("doctor", "note")]
