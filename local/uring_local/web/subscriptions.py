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


class Subscriptions:
    """The HTTP APIs of several stacks as one.

    Args:
        apis: of the stacks, the most important one first.
        topics: returns the topics in each stack's index.
    """

    def __init__(self, apis: Sequence[Api], topics: Callable[[], Sequence[frozenset[str]]]) -> None:
        self._apis = apis
        self._topics = topics

    def ask(self, request: Request) -> Answer:
        """Return 204 where every topic was taken, or else the first refusal.

        A topic of no index is offered to every stack: one may have it by now, or have had it.
        """
        asked = _asked(request.body)
        if len(self._apis) == 1 or asked is None:
            return self._apis[0](request)
        known = self._topics()
        # One of no topic at all is the first stack's to judge.
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
        """Return that a stack took it, or else that one cannot tell yet, or else the first word."""
        answers = [api(request) for api in self._apis]
        return min(answers, key=lambda each: (each.status != _DONE, each.status < _NOT_NOW))


def _asked(body: bytes) -> dict[str, Any] | None:
    """Return the request's object, its lists of texts; None for one that is none of ours."""
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
