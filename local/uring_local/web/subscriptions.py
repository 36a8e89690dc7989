"""A device's request for topics, split by the stacks that push them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from uring_local.loopback import Answer, Request

PATH: Final = "/api/subscriptions"
Api = Callable[[Request], Answer]
"""The HTTP API of one stack."""

_DONE: Final = 204
_NOT_NOW: Final = 429
_LISTS: Final = ("subscribe", "unsubscribe")


class SubscriptionApis:
    """The HTTP APIs of several stacks as one.

    Args:
        apis: of the stacks, the most important one first.
        topics: returns the topics in each stack's index.
    """

    def __init__(self, apis: Sequence[Api], topics: Callable[[], Sequence[frozenset[str]]]) -> None:
        self._apis = apis
        self._topics = topics

    def ask(self, request: Request) -> Answer:
        """Return 204 if every topic was accepted, or else the first refusal.

        A topic in no index is offered to every stack: its index may be new, or the topic old. A
        malformed request, and one without topics, goes to the first stack.
        """
        asked = _asked(request.body)
        if len(self._apis) == 1 or asked is None:
            return self._apis[0](request)
        known = self._topics()
        # The first stack judges a request without topics.
        answer = Answer(_DONE) if any(asked[name] for name in _LISTS) else self._apis[0](request)
        for api, own in zip(self._apis, known, strict=True):
            part = {name: [each for each in asked[name] if each in own] for name in _LISTS}
            if any(part.values()) and answer.status == _DONE:
                answer = api(_of(request, asked | part))
        for name in _LISTS:
            for topic in asked[name]:
                if answer.status == _DONE and not any(topic in own for own in known):
                    only = asked | {key: [] for key in _LISTS} | {name: [topic]}
                    answer = self._first_taken(_of(request, only))
        return answer

    def _first_taken(self, request: Request) -> Answer:
        """Offer a request to every stack; return the best response.

        That is 204, or else one to try again (429 and 5xx), or else the first refusal.
        """
        answers = [api(request) for api in self._apis]
        return min(answers, key=lambda each: (each.status != _DONE, each.status < _NOT_NOW))


def _asked(body: bytes) -> dict[str, Any] | None:
    """Return a request's object with both lists of topics; None for a malformed body."""
    try:
        document = json.loads(body)
    except ValueError:
        return None
    if not isinstance(document, dict):
        return None
    lists = {name: document.get(name, []) for name in _LISTS}
    if not all(
        isinstance(found, list) and all(isinstance(each, str) for each in found)
        for found in lists.values()
    ):
        return None
    return document | lists


def _of(request: Request, document: Mapping[str, Any]) -> Request:
    body = json.dumps(document, ensure_ascii=False).encode()
    headers = {**request.headers, "content-length": str(len(body))}
    return replace(request, body=body, headers=headers)
