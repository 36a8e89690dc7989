"""FCM as a script."""

from collections.abc import Callable, Iterable
from datetime import datetime

from uring.push.payload import Push
from uring.push.ports import SendResult, Sent


class Died(BaseException):
    """The process ended here: no handler of it may run."""


class ScriptedSender:
    """Implements `uring.push.ports.Sender`: answers in turn, then accepts.

    Args:
        clock: the time of each push.
        answers: what to answer; an exception is raised.

    Attributes:
        for_event: what to answer to the next push of an event, before all else: groups of a batch
            run side by side, so their turns have no order.
    """

    def __init__(
        self, clock: Callable[[], datetime], answers: Iterable[SendResult | BaseException] = ()
    ) -> None:
        self.pushes: list[tuple[datetime, Push]] = []
        self.for_event: dict[str, SendResult] = {}
        self.during: Callable[[], None] = lambda: None
        self._clock = clock
        self._answers = iter(answers)

    def send(self, push: Push) -> SendResult:
        self.pushes.append((self._clock(), push))
        self.during()
        if push.data["event_id"] in self.for_event:
            return self.for_event.pop(push.data["event_id"])
        answer = next(self._answers, Sent(f"projects/p/messages/{len(self.pushes)}"))
        if isinstance(answer, BaseException):
            raise answer
        return answer

    @property
    def event_ids(self) -> list[str]:
        """What was posted, in order."""
        return [push.data["event_id"] for _, push in self.pushes]
