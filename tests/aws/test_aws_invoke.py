"""The invoked text extractor: what its answers mean for a file (R5)."""

import hashlib
import io
import json
from contextlib import suppress
from typing import Any

import pytest
from fakes.clock import VirtualClock
from fakes.objects import MemoryBucket
from fakes.sender import Died
from fakes.telemetry import RecordingTelemetry

from uring.aws.invoke import InvokedExtractor
from uring.changes.retry import Backoff
from uring.errors import SuspectPage, Unavailable
from uring.extract.extraction import Extraction
from uring.extract.service import Extractor

BODY = b"%PDF-1.7"


class Lambda:
    """Answers an invocation as Lambda does."""

    def __init__(self, said: bytes, *, is_error: bool = False) -> None:
        self._said = said
        self._error = {"FunctionError": "Unhandled"} if is_error else {}

    def invoke(self, **_: Any) -> dict[str, Any]:
        return {"Payload": io.BytesIO(self._said), **self._error}


def ask(client: Lambda) -> Extraction:
    objects = MemoryBucket()
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
    with pytest.raises(Unavailable, match="is missing"):
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


class Dying:
    """Objects whose k-th call dies, after it took effect or before."""

    def __init__(self, inner: MemoryBucket, number: int, *, after: bool) -> None:
        self._inner, self._left, self._after = inner, number, after

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **more: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise Died(name)
            answer = getattr(self._inner, name)(*arguments, **more)
            if self._left == 0:
                raise Died(name)
            return answer

        return call


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("number", range(1, 6))
def test_a_death_at_any_object_leaves_a_file_that_the_next_try_reads(
    number: int, *, after: bool
) -> None:
    """The file is staged, then its text is stored; each under a hash, so that both may repeat."""
    bucket, backoff = MemoryBucket(), Backoff(sleep=VirtualClock().advance)
    dying: Any = Dying(bucket, number, after=after)
    with suppress(Died):
        InvokedExtractor(dying, Extracting(dying), "extractor", backoff=backoff)(BODY, ["pdf"])
    healthy = InvokedExtractor(bucket, Extracting(bucket), "extractor", backoff=backoff)
    assert healthy(BODY, ["pdf"]).text == "a text"
    assert {len(versions) for versions in bucket.versions.values()} == {1}


class Extracting:
    """A Lambda client that runs the real service."""

    def __init__(self, objects: Any) -> None:
        def extract(body: bytes, formats: Any, time_left: Any) -> Extraction:
            del formats, time_left
            digest = hashlib.sha256(body).hexdigest()
            return Extraction(outcome="text", format="pdf", text="a text", source_sha256=digest)

        self._service = Extractor(objects, extract, RecordingTelemetry())

    def invoke(self, *, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803
        answer = self._service.run(json.loads(Payload), lambda: 60.0)
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}
