"""`uring deploy` over each state of a stack: real ones of the embedded stack, and answers."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from deploy_stages import lines

from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.ready import make_ready
from uring_local.deploy.steps import deploy
from uring_local.stack.ministack import MiniStack
from uring_local.stack.states import STATES, state_of

STACK = "uring-here"
TOPIC = {"Type": "AWS::SNS::Topic"}
WORKS = json.dumps({"Resources": {"Topic": TOPIC}})
# A queue whose dead letters go nowhere is refused.
WRONG = {"Type": "AWS::SQS::Queue", "Properties": {"RedrivePolicy": {"maxReceiveCount": "x"}}}
FAILS = json.dumps({"Resources": {"Topic": TOPIC, "Queue": WRONG}})
# Nobody answers it: it fails after a second.
WAITS = json.dumps(
    {
        "Resources": {
            "Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"},
            "Condition": {
                "Type": "AWS::CloudFormation::WaitCondition",
                "Properties": {"Handle": {"Ref": "Handle"}, "Timeout": "1"},
            },
        }
    }
)


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session of the embedded stack."""
    with MiniStack() as endpoint:

        class Session:
            url = endpoint.url

            def client(self, service: str, **_: Any) -> Any:
                return boto3.client(
                    service,
                    endpoint_url=endpoint.url,
                    region_name=endpoint.region,
                    aws_access_key_id="test",
                    aws_secret_access_key="test",
                )

        yield Session()


@pytest.fixture
def formation(session: Any) -> Iterator[Any]:
    client = session.client("cloudformation")
    yield client
    client.delete_stack(StackName=STACK)


def create(client: Any, template: str, **options: Any) -> None:
    client.create_stack(StackName=STACK, TemplateBody=template, **options)


def update(client: Any, template: str, **options: Any) -> None:
    create(client, WORKS)
    client.update_stack(StackName=STACK, TemplateBody=template, **options)


def review(client: Any) -> None:
    client.create_change_set(
        StackName=STACK, ChangeSetName="never", ChangeSetType="CREATE", TemplateBody=WORKS
    )


def status(client: Any) -> str:
    """The stack's status; empty without one."""
    try:
        (found,) = client.describe_stacks(StackName=STACK)["Stacks"]
    except ClientError:
        return ""
    return str(found["StackStatus"])


def sam_deploys(client: Any) -> str:
    """The status after what `sam deploy` does: a change set for a new stack, or for an old one."""
    kind = "CREATE" if status(client) in {"", "REVIEW_IN_PROGRESS"} else "UPDATE"
    template = json.dumps({"Resources": {"Topic": TOPIC, "Another": TOPIC}})
    client.create_change_set(
        StackName=STACK, ChangeSetName="sam", ChangeSetType=kind, TemplateBody=template
    )
    client.execute_change_set(StackName=STACK, ChangeSetName="sam")
    client.get_waiter(f"stack_{kind.lower()}_complete").wait(
        StackName=STACK, WaiterConfig={"Delay": 0, "MaxAttempts": 2000}
    )
    return status(client)


@pytest.mark.parametrize(
    ("before", "first", "then"),
    [
        (lambda _: None, "", [("ok", "there is no stack uring-here yet")]),
        (lambda c: create(c, WORKS), "CREATE_COMPLETE", [("ok", "uring-here is CREATE_COMPLETE")]),
        (review, "REVIEW_IN_PROGRESS", [("ok", "uring-here is REVIEW_IN_PROGRESS")]),
        (
            lambda c: update(c, FAILS),
            "UPDATE_ROLLBACK_COMPLETE",
            [("ok", "uring-here is UPDATE_ROLLBACK_COMPLETE")],
        ),
        (
            lambda c: create(c, FAILS),
            "ROLLBACK_COMPLETE",
            [
                ("ok", "uring-here was ROLLBACK_COMPLETE: deleted"),
            ],
        ),
        (
            lambda c: create(c, FAILS, DisableRollback=True),
            "CREATE_FAILED",
            [("ok", "uring-here was CREATE_FAILED: deleted")],
        ),
        (
            lambda c: create(c, WAITS),
            "CREATE_IN_PROGRESS",
            [
                ("ok", "was CREATE_IN_PROGRESS: waited until ROLLBACK_COMPLETE"),
                ("ok", "uring-here was ROLLBACK_COMPLETE: deleted"),
            ],
        ),
    ],
    ids=["none", "created", "reviewed", "rolled back", "never worked", "kept", "under way"],
)
def test_a_stack_in_this_state_can_be_deployed_afterwards(
    before: Callable[[Any], None],
    first: str,
    then: list[tuple[str, str]],
    formation: Any,
    session: Any,
    plan: Callable[..., DeployPlan],
) -> None:
    """On the embedded stack, whose state is real."""
    before(formation)
    if first and not first.endswith("_IN_PROGRESS"):
        while status(formation).endswith("_IN_PROGRESS"):
            pass
    assert status(formation) == first
    made = lines(make_ready(plan(session, endpoint=session.url, pause=time.sleep)))
    assert made == then
    assert sam_deploys(formation) in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}


def test_a_stack_that_an_update_left_half_done_stays_and_has_its_own_remedy(
    formation: Any, session: Any, plan: Callable[..., DeployPlan]
) -> None:
    update(formation, FAILS, DisableRollback=True)
    while status(formation).endswith("_IN_PROGRESS"):
        pass
    (finding,) = make_ready(plan(session, endpoint=session.url))
    assert (finding.status, finding.detail) == ("failed", "uring-here is UPDATE_FAILED")
    assert "rollback-stack --stack-name uring-here" in finding.remedy
    assert status(formation) == "UPDATE_FAILED"


class Formation:
    """CloudFormation with a stack that goes through statuses; an empty one is no stack."""

    def __init__(self, *statuses: str, after_deletion: tuple[str, ...] = ("",)) -> None:
        self.statuses = [*statuses]
        self.after_deletion = after_deletion
        self.resources: list[dict[str, str]] = []
        self.deleted_at: datetime | None = None
        self.asked: list[str] = []

    def client(self, *_: Any, **__: Any) -> "Formation":
        return self

    def describe_stacks(self, **_: Any) -> Any:
        now = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        if not now:
            raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")
        return {"Stacks": [{"StackStatus": now, "StackId": "arn:here"}]}

    def delete_stack(self, **request: str) -> None:
        self.asked.append(f"delete {request['StackName']}")
        self.statuses = [*self.after_deletion]

    def get_paginator(self, name: str) -> Any:
        deleted = {"StackName": STACK, "DeletionTime": self.deleted_at}
        found = {
            "list_stack_resources": {"StackResourceSummaries": self.resources},
            "list_stacks": {"StackSummaries": [deleted] if self.deleted_at else []},
        }[name]

        class Pages:
            def paginate(self, **_: Any) -> Any:
                return [found]

        return Pages()


@pytest.mark.parametrize(
    ("statuses", "then"),
    [
        (("DELETE_IN_PROGRESS", "DELETE_IN_PROGRESS", ""), "there is no stack uring-here yet"),
        (("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "UPDATE_COMPLETE"), "is UPDATE_COMPLETE"),
        (("UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE"), "UPDATE_ROLLBACK_COMPLETE"),
        (("ROLLBACK_FAILED",), "uring-here was ROLLBACK_FAILED: deleted"),
        (("DELETE_FAILED",), "uring-here was DELETE_FAILED: deleted"),
    ],
)
def test_what_is_under_way_is_awaited_and_what_never_worked_is_deleted(
    statuses: tuple[str, ...], then: str, plan: Callable[..., DeployPlan]
) -> None:
    made = lines(make_ready(plan(Formation(*statuses))))
    assert {each for each, _ in made} == {"ok"}
    assert made[-1][1].endswith(then)


@pytest.mark.parametrize(
    ("formation", "detail", "remedy"),
    [
        (Formation("UPDATE_ROLLBACK_FAILED"), "UPDATE_ROLLBACK_FAILED", "continue-update-rollback"),
        (Formation("IMPORT_ROLLBACK_COMPLETE"), "IMPORT_ROLLBACK_COMPLETE", "import again"),
        (Formation("A_LATER_STATUS"), "A_LATER_STATUS", "events at CloudFormation"),
        (
            Formation("DELETE_FAILED", after_deletion=("DELETE_IN_PROGRESS", "DELETE_FAILED")),
            "DELETE_FAILED",
            "a bucket with objects",
        ),
        (Formation("UPDATE_IN_PROGRESS"), "still UPDATE_IN_PROGRESS", "run again"),
    ],
    ids=["half undone", "import", "unknown", "not deleted", "an hour long"],
)
def test_a_state_that_needs_a_person_has_its_own_remedy(
    formation: Formation, detail: str, remedy: str, plan: Callable[..., DeployPlan]
) -> None:
    hour = iter(datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=n) for n in range(100))
    finding = [*make_ready(plan(formation, clock=lambda: next(hour)))][-1]
    assert finding.status == "failed"
    assert detail in finding.detail
    assert remedy in finding.remedy


def test_nothing_is_deleted_without_a_yes(plan: Callable[..., DeployPlan]) -> None:
    formation, questions = Formation("ROLLBACK_COMPLETE"), list[str]()

    def no(question: str) -> bool:
        questions.append(question)
        return False

    assert lines(make_ready(plan(formation, ask=no))) == [
        ("failed", "uring-here is ROLLBACK_COMPLETE")
    ]
    assert formation.asked == []
    (question,) = questions
    assert question.startswith(
        "uring-here is ROLLBACK_COMPLETE: its first deployment failed. Delete the stack?"
    )


def test_what_a_deletion_leaves_is_named_before_it_and_after_it(
    plan: Callable[..., DeployPlan],
) -> None:
    """A failed deployment with rollback removes bucket and tables; one without keeps them."""
    formation, questions = Formation("CREATE_FAILED"), list[str]()
    formation.resources = [
        {"LogicalResourceId": name, "PhysicalResourceId": physical, "ResourceStatus": status}
        for name, physical, status in (
            ("Bucket", "uring-here-bucket", "CREATE_COMPLETE"),
            ("LedgerTable", "uring-here-ledger", "DELETE_COMPLETE"),
            ("NoticeQueue", "https://sqs/queue", "CREATE_COMPLETE"),
        )
    ]

    def yes(question: str) -> bool:
        questions.append(question)
        return True

    made = lines(make_ready(plan(formation, ask=yes)))
    assert formation.asked == ["delete arn:here"]
    assert questions[0].endswith("It leaves Bucket=uring-here-bucket.")
    assert made[-1] == (
        "note",
        "left behind, and not in the new stack: Bucket=uring-here-bucket",
    )


@pytest.mark.parametrize(("age", "waits"), [(1, [69.0]), (69, [1.0]), (70, []), (9_000, [])])
def test_a_minute_passes_between_a_deletion_and_the_next_deployment(
    age: int, waits: list[float], plan: Callable[..., DeployPlan]
) -> None:
    """SQS refuses the names; also where another run, or a person, has deleted the stack."""
    now, waited = datetime(2026, 3, 2, tzinfo=UTC), list[float]()
    formation = Formation("")
    formation.deleted_at = now - timedelta(seconds=age)
    made = lines(make_ready(plan(formation, clock=lambda: now, pause=waited.append)))
    assert waited == waits
    assert made[-1] == ("ok", "there is no stack uring-here yet")


def test_each_status_is_known_once_for_the_doctor_and_for_a_deployment() -> None:
    """What a deployment refuses has a remedy; what it deletes never worked, or is half deleted."""
    assert all(state.remedy for state in STATES.values() if state.move == "refuse")
    assert {name for name, state in STATES.items() if state.move == "delete"} == {
        "CREATE_FAILED",
        "ROLLBACK_COMPLETE",
        "ROLLBACK_FAILED",
        "DELETE_FAILED",
    }
    assert state_of("DELETE_IN_PROGRESS").move == "wait"
    assert state_of("ANYTHING").move == "refuse"


def test_a_run_ends_at_the_first_failure(plan: Callable[..., DeployPlan]) -> None:
    def never(_: DeployPlan) -> Any:
        raise AssertionError

    phases = ({"stack": make_ready}, {"deploy": never})
    made = [*deploy(plan(Formation("UPDATE_FAILED")), phases)]
    assert [each.status for each in made] == ["failed"]
