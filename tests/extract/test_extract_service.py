"""The function: an event, a file, a result that is computed once a version."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from importlib import util
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import boto3
import pytest
from extract_papers import STATUTE
from fakes.objects import FlakyBucket, MemoryBucket
from fakes.telemetry import RecordingTelemetry
from moto import mock_aws

from uring.errors import (
    Contended,
    CorruptState,
    MalformedMessage,
    Misconfigured,
    PreconditionFailed,
)
from uring.extract.extract import extract
from uring.extract.extraction import VERSION, Extraction
from uring.extract.service import Extractor
from uring.functions.entry_point import build
from uring_local.sites.files.hwpx import hwpx
from uring_local.sites.files.pdf import pdf

FUNCTION = "uring.functions.text_extractor"
BODY = hwpx(STATUTE)
KEY = f"processing/extract/{hashlib.sha256(BODY).hexdigest()}"
RESULT = f"{KEY}.{VERSION}.json"
EVENT = {"key": KEY, "formats": ["pdf", "hwpx"]}


class Counting:
    """Extracts, or gives what it is told to, and counts."""

    def __init__(self, outcome: str | None = None) -> None:
        self.calls = 0
        self.outcome = outcome

    def __call__(self, body: bytes, formats: Collection[str], _: Callable[[], float]) -> Extraction:
        self.calls += 1
        extraction = extract(body, formats=formats)
        if self.outcome is None:
            return extraction
        return extraction.model_copy(update={"outcome": self.outcome, "text": ""})


def extractor(objects: MemoryBucket, counting: Counting) -> Extractor:
    objects.plant(KEY, BODY)
    return Extractor(objects, counting, RecordingTelemetry())


def seconds() -> float:
    return 60


def test_a_file_becomes_its_text() -> None:
    objects = MemoryBucket()
    assert extractor(objects, Counting()).run(EVENT, seconds) == {"key": RESULT}
    assert Extraction.from_json(objects.body(RESULT)).outcome == "text"


def test_what_is_there_is_not_computed_again() -> None:
    objects, counting = MemoryBucket(), Counting()
    for _ in range(3):
        assert extractor(objects, counting).run(EVENT, seconds) == {"key": RESULT}
    assert (counting.calls, objects.writes) == (1, 1)


def test_a_killed_reader_is_tried_again_and_its_result_replaced() -> None:
    objects, counting = MemoryBucket(), Counting("killed")
    extractor(objects, counting).run(EVENT, seconds)
    counting.outcome = None
    extractor(objects, counting).run(EVENT, seconds)
    assert counting.calls == 2
    assert Extraction.from_json(objects.body(RESULT)).outcome == "text"


def test_another_expected_format_is_another_question() -> None:
    objects, counting = MemoryBucket(), Counting()
    for formats, outcome in (
        (["pdf"], "wrong_format"),
        (["hwpx"], "text"),
        (["pdf", "html"], "wrong_format"),
    ):
        extractor(objects, counting).run({**EVENT, "formats": formats}, seconds)
        assert Extraction.from_json(objects.body(RESULT)).outcome == outcome
    assert counting.calls == 3


@pytest.mark.parametrize("refusal", [PreconditionFailed(RESULT), Contended(RESULT)])
def test_the_result_of_a_faster_invocation_stays(refusal: Exception) -> None:
    objects = FlakyBucket(refused=[refusal])
    assert extractor(objects, Counting()).run(EVENT, seconds) == {"key": RESULT}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"key": "state/notices/a.json"}, "key"),
        ({"key": f"{KEY}/../../state"}, "key"),
        ({"key": KEY.upper()}, "key"),
        ({"key": None}, "key"),
        ({"formats": []}, "formats"),
        ({"formats": "pdf"}, "formats"),
        ({"formats": ["scroll"]}, "formats"),
        ({"formats": [["pdf"]]}, "formats"),
    ],
)
def test_an_event_that_breaks_its_contract_names_the_field(
    change: dict[str, Any], field: str
) -> None:
    with pytest.raises(MalformedMessage, match=f"ExtractRequest: {field}: "):
        extractor(MemoryBucket(), Counting()).run({**EVENT, **change}, seconds)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(MalformedMessage, match=f"{KEY} does not exist"):
        Extractor(MemoryBucket(), Counting(), RecordingTelemetry()).run(EVENT, seconds)


def test_a_file_under_anothers_name_is_not_read() -> None:
    objects, counting = MemoryBucket(), Counting()
    service = extractor(objects, counting)
    objects.plant(KEY, pdf(STATUTE))
    with pytest.raises(CorruptState, match="store it again"):
        service.run(EVENT, seconds)
    assert counting.calls == 0


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "fake")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    with mock_aws():
        client = boto3.client("s3")
        # Another test of the process may hold its mock for longer, and this bucket with it.
        name = f"uring-data-{uuid4().hex}"
        monkeypatch.setenv("DATA_BUCKET", name)
        client.create_bucket(
            Bucket=name,
            CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"},
        )
        yield client


def test_the_entry_point_stores_the_text(bucket: Any) -> None:
    bucket.put_object(Bucket=os.environ["DATA_BUCKET"], Key=KEY, Body=BODY)
    path = Path(__file__).parents[2] / "functions" / "text_extractor" / "app.py"
    spec = util.spec_from_file_location("text_extractor_app", path)
    assert spec is not None
    assert spec.loader is not None
    app = util.module_from_spec(spec)
    spec.loader.exec_module(app)
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
    assert app.handler(EVENT, context) == {"key": RESULT}
    stored = bucket.get_object(Bucket=os.environ["DATA_BUCKET"], Key=RESULT)
    assert json.loads(stored["Body"].read())["outcome"] == "text"


def test_too_little_time_ends_the_reader_and_not_the_function(bucket: Any) -> None:
    body = pdf(STATUTE, endless=True)
    key = f"processing/extract/{hashlib.sha256(body).hexdigest()}"
    bucket.put_object(Bucket=os.environ["DATA_BUCKET"], Key=key, Body=body)
    function = build(
        FUNCTION, {"DATA_BUCKET": os.environ["DATA_BUCKET"]}, telemetry=RecordingTelemetry()
    )
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 1_000)
    answer = function.handle({"key": key, "formats": ["pdf"]}, context)
    stored = bucket.get_object(Bucket=os.environ["DATA_BUCKET"], Key=answer["key"])["Body"].read()
    assert Extraction.from_json(stored).outcome == "killed"


def test_settings_name_what_is_missing() -> None:
    with pytest.raises(Misconfigured, match="DATA_BUCKET"):
        build(FUNCTION, {})


def test_the_parent_loads_no_reader() -> None:
    """PDFium and its like are for the child."""
    program = "import sys, uring.functions.text_extractor; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert {*done.stdout.split()}.isdisjoint({"bs4", "olefile", "pypdfium2"})
