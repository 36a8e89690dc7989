"""The public data of several stacks as one: joined indexes, other files from their stack.

In a run each family has its own stack; on an account they share one.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import Any, Final

from uring_local.loopback import Answer, Request
from uring_local.web.edges import Edge, is_known

FOLDER: Final = "/data/"
_INDEX: Final = "/data/index.json"
# Headers of one stack's index that are wrong for the joined one.
_OF_ONE: Final = frozenset({"etag", "last-modified", "age"})


class Data:
    """The files below ``data/``.

    Args:
        edges: of the stacks, the most important one first.
        clocks: of the stacks with simulated days, None for the others. ``Date`` of a stack's files
            is by its clock, since the client compares it with their times; the index of several
            stacks has the real time, and the clock of each simulated list as ``simulated``.
    """

    def __init__(
        self, edges: Sequence[Edge], clocks: Sequence[Callable[[], datetime] | None]
    ) -> None:
        self._edges = edges
        self._clocks = clocks

    def ask(self, request: Request) -> Answer:
        """Return a file of the first stack that has it, or the joined index; 403 if none has it."""
        if request.path == _INDEX and request.method in {"GET", "HEAD"}:
            answer = self._index(request)
            return _dated(answer, self._clocks[0]) if len(self._edges) == 1 else answer
        answers = (
            _dated(edge.ask(request), clock)
            for edge, clock in zip(self._edges, self._clocks, strict=True)
        )
        first = next(answers)
        if first.status != 403:  # noqa: PLR2004
            return first
        return next((each for each in answers if each.status != 403), first)  # noqa: PLR2004

    def topics(self) -> list[frozenset[str]]:
        """Return the topics in each stack's index, in the order of the stacks.

        A stack without an index has none.
        """
        asked = Request("GET", _INDEX)
        return [_topics(_document(edge.ask(asked))) for edge in self._edges]

    def _index(self, request: Request) -> Answer:
        # Unconditional requests: "not modified" of one stack is not true of the joined index.
        headers = {name: value for name, value in request.headers.items() if name == "origin"}
        answers = [edge.ask(Request("GET", _INDEX, headers)) for edge in self._edges]
        there = [each for each in answers if each.status == 200]  # noqa: PLR2004
        if not there:
            return answers[0]
        joined = _joined([_document(each) for each in there])
        if simulated := self._simulated(answers):
            joined["simulated"] = simulated
        body = json.dumps(joined, ensure_ascii=False).encode()
        etag = f'"{sha256(body).hexdigest()[:32]}"'
        kept = {k: value for k, value in there[0].headers.items() if k.lower() not in _OF_ONE}
        answer = replace(there[0], body=body, headers={**kept, "ETag": etag})
        if is_known(request.headers, etag):
            return replace(answer, status=304, body=b"")
        return answer

    def _simulated(self, answers: Sequence[Answer]) -> dict[str, str]:
        """Return the time on the clock of each list of the index whose days are simulated."""
        return {
            name: clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            for answer, clock in zip(answers, self._clocks, strict=True)
            for name, value in _document(answer).items()
            if clock is not None and isinstance(value, list) and value
        }


def _dated(answer: Answer, clock: Callable[[], datetime] | None) -> Answer:
    """Return the response with the clock's time; without a clock as it is."""
    if clock is None:
        return answer
    date = format_datetime(clock().astimezone(UTC), usegmt=True)
    return replace(answer, headers={**answer.headers, "Date": date})


def _document(answer: Answer) -> Mapping[str, Any]:
    """Return the JSON object of a response; empty for any other body."""
    try:
        document = json.loads(answer.body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _joined(indexes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return an index with the lists and objects of all; of two texts the first."""
    found: dict[str, Any] = {}
    for index in indexes:
        for name, value in index.items():
            before = found.get(name)
            if isinstance(value, list) and isinstance(before, list):
                found[name] = [*before, *value]
            elif isinstance(value, dict) and isinstance(before, dict):
                found[name] = {**before, **value}
            else:
                found.setdefault(name, value)
    return found


def _topics(index: Mapping[str, Any]) -> frozenset[str]:
    entries = (each for listed in index.values() if isinstance(listed, list) for each in listed)
    return frozenset(
        str(topic)
        for entry in entries
        if isinstance(entry, dict)
        for topic in (entry.get("topic"), *_list(entry.get("topics")))
    )


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
