"""What each status of a CloudFormation stack needs: for `uring doctor` and `uring deploy` alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Move = Literal["deploy", "wait", "delete", "refuse"]
"""The next move of a deployment. ``delete``: only after a question."""


@dataclass(frozen=True, slots=True)
class State:
    """A status, as a deployment meets it.

    Args:
        move: of `uring deploy`.
        remedy: for a person, with ``{stack}``; empty if the stack is well.
    """

    move: Move
    remedy: str = ""


_NEVER_WORKED: Final = State(
    "delete",
    "its first deployment failed, and CloudFormation updates no such stack. Its events name the "
    "first failure: correct it. Then `uring deploy --stack {stack}` deletes the stack and deploys; "
    "by hand: `sam delete --stack-name {stack}`, wait for a minute, because SQS refuses the name "
    "of a queue that was just deleted, and deploy",
)
_WELL: Final = State("deploy")
_UNDER_WAY: Final = State("wait", "wait until it has ended, then examine again")
_OTHER: Final = State("refuse", "the stack's events at CloudFormation name the first failure")

STATES: Final[Mapping[str, State]] = {
    "CREATE_COMPLETE": _WELL,
    "IMPORT_COMPLETE": _WELL,
    "UPDATE_COMPLETE": _WELL,
    # In service; a deployment has to wait.
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS": State("wait"),
    "CREATE_FAILED": _NEVER_WORKED,
    "ROLLBACK_COMPLETE": _NEVER_WORKED,
    "ROLLBACK_FAILED": _NEVER_WORKED,
    "REVIEW_IN_PROGRESS": State("deploy", "its change set was never executed: deploy"),
    "UPDATE_ROLLBACK_COMPLETE": State(
        "deploy",
        "the release before is in service. The stack's events name the first failure: correct it, "
        "and deploy again",
    ),
    "UPDATE_ROLLBACK_FAILED": State(
        "refuse",
        "no deployment is possible: correct what its events name, then `aws cloudformation "
        "continue-update-rollback --stack-name {stack}`, and deploy when it has ended",
    ),
    "UPDATE_FAILED": State(
        "refuse",
        "no deployment is possible: `aws cloudformation rollback-stack --stack-name {stack}`, and "
        "deploy when it has ended",
    ),
    "DELETE_FAILED": State(
        "delete",
        "its events name the resource that could not be deleted, such as a bucket with objects: "
        "correct that, and delete the stack again",
    ),
    "IMPORT_ROLLBACK_COMPLETE": State(
        "refuse", "the import was undone: its events name why; import again"
    ),
    "IMPORT_ROLLBACK_FAILED": State(
        "refuse", "the import could not be undone: its events name why; correct that, then delete"
    ),
}
"""By status; `state_of` knows those that end in ``_IN_PROGRESS``, too."""


def state_of(status: str) -> State:
    """Return what a status needs; an unknown one is refused."""
    if status in STATES:
        return STATES[status]
    return _UNDER_WAY if status.endswith("_IN_PROGRESS") else _OTHER
