"""The invoked text extractor: what its answers mean for a file (R5)."""

import io
import json
from typing import Any

import pytest
from fakes.clock import VirtualClock
from fakes.objects import MemoryObjects

from uring.aws.extractor import InvokedExtractor
from uring.changes.retry import Backoff
from uring.errors import SuspectPage, Unavailable
from uring.extract.extraction import Extraction

BODY = b"%PDF-1.7"


class Lambda:
    """Answers an invocation as Lambda does."""

    def __init__(self, said: bytes, *, is_error: bool = False) -> None:
        self._said = said
        self._error = {"FunctionError": "Unhandled"} if is_error else {}

    def invoke(self, **_: Any) -> dict[str, Any]:
        return {"Payload": io.BytesIO(self._said), **self._error}


def ask(client: Lambda) -> Extraction:
    objects = MemoryObjects()
    text = Extraction(outcome="text", format="pdf", text="a text", source_sha256="0" * 64)
    objects.plant("result", text.to_json())
    backoff = Backoff(sleep=VirtualClock().advance)
    return InvokedExtractor(objects, client, "extractor", backoff=backoff)(BODY, ["pdf"])


def failure(kind: str) -> Lambda:
    said = json.dumps({"errorType": kind, "errorMessage": "a reason"}).encode()
    return Lambda(said, is_error=True)


def test_its_result_is_read_where_it_says() -> None:
    assert ask(Lambda(b'{"key": "result"}')).text == "a text"


def test_a_result_that_is_gone_is_made_again() -> None:
    with pytest.raises(Unavailable, match="not there"):
        ask(Lambda(b'{"key": "another"}'))


@pytest.mark.parametrize(
    "client",
    [failure("Sandbox.Timedout"), failure("CorruptState"), Lambda(b"no JSON", is_error=True)],
)
def test_what_breaks_over_a_file_is_a_try_of_that_file(client: Lambda) -> None:
    with pytest.raises(SuspectPage) as caught:
        ask(client)
    assert caught.value.reason == "extractor_failed"


@pytest.mark.parametrize("kind", ["Unavailable", "Contended", "Misconfigured"])
def test_a_bucket_that_does_not_answer_costs_a_file_no_try(kind: str) -> None:
    with pytest.raises(Unavailable, match=kind):
        ask(failure(kind))
