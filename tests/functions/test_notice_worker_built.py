"""The notice worker as its entry point builds it."""

from typing import Any

import pytest

from uring.fetch.http import Fetcher
from uring.functions.entry_point import build

ENVIRONMENT = {
    "DATA_BUCKET": "data",
    "WORK_QUEUE_URL": "https://queue.example/work.fifo",
    "WORK_DLQ_URL": "https://queue.example/dead.fifo",
    "NOTIFY_QUEUE_URL": "https://queue.example/notify.fifo",
}


class NoSession:
    """Clients that nobody calls."""

    def client(self, *_: object, **__: object) -> Any:
        raise AssertionError("no client is needed to be built")


def test_it_asks_three_boards_of_a_host_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten that answer in 0.3 s waited for three seconds, one after the other."""
    made: list[dict[str, Any]] = []

    def fetcher(**settings: Any) -> Fetcher:
        made.append(settings)
        return Fetcher(**settings)

    monkeypatch.setattr("uring.functions.web.Fetcher", fetcher)
    monkeypatch.setattr("uring.aws.clients.Clients.get", lambda *_: None)
    build("uring.functions.notice_worker", ENVIRONMENT, session=NoSession())
    assert [settings["abreast"] for settings in made] == [3]
