"""The release after this one, as far as stored and sent shapes go: it adds a key to each.

While a deployment rolls, or is rolled back, functions of both releases read what the other wrote.
What the next one added must be there when it comes back, and nothing may be refused for it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from uring.aws.queues import NotifyQueue
from uring.changes.family import Step
from uring.changes.state import Health
from uring.contracts import ChangePublished, Job
from uring.notices.family import Notices
from uring.notices.place import NoticeVisit
from uring.notices.state import NoticeState


class NextHealth(Health):
    """Health with a key of the next release."""

    next_release: int = 0


class NextState(NoticeState):
    """A state with a key of the next release, at its top and in its health."""

    later: ClassVar[frozenset[str]] = NoticeState.later | {"next_release"}

    next_release: int = 0
    health: NextHealth


class NextChange(ChangePublished):
    """A message with a key of the next release."""

    next_release: bool = True


class NextJob(Job):
    """A job with a key of the next release."""

    next_release: dict[str, Any] = Field(default_factory=lambda: {"hint": {"etag": "x"}})


class NextNotices(Notices):
    """The notices of the next release: it counts its own commits."""

    def first(self, job: Job, now: datetime) -> NextState:
        state = super().first(job, now).model_dump(by_alias=True)
        return NextState(**{**state, "health": {**state["health"], "next_release": 1}})

    def step(self, job: Job, state: Any, data: NoticeVisit, now: datetime) -> Step[NoticeState]:
        step = super().step(job, state, data, now)
        if step.state is None:
            return step
        after = step.state.replace(next_release=step.state.next_release + 1)
        return Step(after, step.outcome, step.first, step.fields, step.lines)


class NextOutlet(NotifyQueue):
    """A queue that gets the messages of the next release."""

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        return super().send([NextChange(**change.model_dump()) for change in changes])
