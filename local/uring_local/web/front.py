"""The client and the public data of a run on one port of loopback.

`/data/…` is served from all stacks (`data`), `/api/subscriptions` too (`subscriptions`),
`/push/events` from all stand-ins for FCM (`events`). All other paths are the client's, from the
first stack.
"""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.web import events, subscriptions
from uring_local.web.data import FOLDER, Data
from uring_local.web.edges import Edge
from uring_local.web.events import Events, Pushes
from uring_local.web.subscriptions import Api, SubscriptionApis


@dataclass(frozen=True, slots=True)
class Served:
    """The public side of one stack.

    Attributes:
        edge: its files.
        api: its HTTP API of subscriptions.
        pushes: its stand-in for FCM.
        clock: of simulated days, aware; None: the real clock.
    """

    edge: Edge
    api: Api
    pushes: Pushes
    clock: Callable[[], datetime] | None = None


class Front(LoopbackServer):
    """A server between ``start`` and ``stop``, or in a ``with`` block; see `LoopbackServer`.

    Args:
        stacks: at least one; the first one has the client.
        port: 0 picks a free one.

    Raises:
        PortTaken: something listens on that port.
    """

    def __init__(self, stacks: Sequence[Served], *, port: int = 0) -> None:
        self._client = stacks[0].edge
        self._data = Data([each.edge for each in stacks], [each.clock for each in stacks])
        self._subscriptions = SubscriptionApis([each.api for each in stacks], self._data.topics)
        self._events = Events([each.pushes for each in stacks])
        self._answered: Counter[tuple[int, str]] = Counter()
        self._counted = threading.Lock()
        super().__init__(self._respond, port=port)

    @property
    def url(self) -> str:
        """The address of the client, with the slash at the end."""
        return f"http://{self.host}/"

    @property
    def answered(self) -> Mapping[tuple[int, str], int]:
        """The number of responses, by status and path."""
        with self._counted:
            return dict(self._answered)

    def _respond(self, request: Request) -> Answer:
        answer = self._asked(request)
        with self._counted:
            self._answered[answer.status, request.path] += 1
        return answer

    def _asked(self, request: Request) -> Answer:
        if request.path == events.PATH:
            return self._events.ask(request)
        if request.path == subscriptions.PATH:
            return self._subscriptions.ask(request)
        if request.path.startswith(FOLDER):
            return self._data.ask(request)
        return self._client.ask(request)
