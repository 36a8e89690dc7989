"""A name that becomes part of a path is refused if a client on the way would make another of it."""

# ruff: noqa: RUF001 - full-width letters and dots are what is tested.

from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from requests import Request

from uring.contracts import Topic
from uring.documents import names
from uring.errors import Misconfigured
from uring.regulations.revision import revision_of
from uring.regulations.texts.job import ParseEntry
from uring.seeds import messages, partition
from uring.segments import Segment, is_segment
from uring.sources.entry import SourceId
from uring.subscriptions.subscriber import DeviceId
from uring.weather.iwxxm.fields import Icao
from uring_local.operate.signed import segment

REFUSED = [
    "",
    ".",
    "..",
    "...",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%252e%252e",
    "%25252e%25252e",
    "%2525252525252e",
    "．．",
    "‥",
    "%ef%bc%8e%ef%bc%8e",
    "%c0%ae%c0%ae",
    "..;a=b",
    "..%3ba",
    ";",
    "..?a",
    "..#a",
    ".\t.",
    ".\n.",
    "%2e%0a%2e",
    ".\u200b.",
    ".\u00ad.",
    " .. ",
    "a/b",
    "a\\b",
    "a%2fb",
    "a%5cb",
    "a%252fb",
    "a／b",
    "a\tb",
    "a\x00",
    "a%00",
    "a\u2028",
]
TAKEN = [
    "a",
    "a.b",
    "..a",
    "a..",
    "100%",
    "kw.%EC%9E%A5",
    "공지 사항",
    "a;b",
    "~",
    "-",
    "a b",
    "%zz",
]


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_client_would_rewrite_is_no_segment(name: str) -> None:
    assert not is_segment(name)
    with pytest.raises(ValidationError, match="not a single part of an address"):
        TypeAdapter(Segment).validate_python(name)


@pytest.mark.parametrize("name", TAKEN)
def test_other_names_are_segments(name: str) -> None:
    assert is_segment(name)


@given(st.text(alphabet="ab.%2e5cfF~_-", min_size=1, max_size=12))
@settings(max_examples=300, deadline=None, database=None, derandomize=True)
def test_a_topic_is_where_its_address_says(topic: str) -> None:
    """As the HTTP client sends it, and as a server sees it that decodes it once more."""
    try:
        TypeAdapter(Topic).validate_python(topic)
    except ValidationError:
        return
    address = f"http://fcm.invalid/v1/{quote(topic, safe='')}"
    sent = Request("DELETE", address).prepare().path_url
    assert unquote(sent.removeprefix("/v1/")) == topic
    again = Request("DELETE", f"http://fcm.invalid/v1/{unquote(topic)}").prepare()
    assert urlsplit(again.url or "").path.startswith("/v1/")


PARTS: dict[str, Any] = {
    "topic": Topic,
    "device": DeviceId,
    "source": SourceId,
    "page": names.Page,
    "attachment": names.Source,
    "issue": names.IssueId,
    "job": names.JobId,
    "country": messages.Country,
    "category": messages.Category,
    "day": messages.Day,
    "domain": messages.Domain,
    "domain id": messages.DomainId,
    "airport": Icao,
    "regulation": ParseEntry.__annotations__["file_no"],
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_of_a_path_or_key_is_such_a_name(part: str) -> None:
    """Each type of a name that addresses and keys are made of."""
    adapter = TypeAdapter(PARTS[part])
    for name in REFUSED:
        with pytest.raises(ValidationError):
            adapter.validate_python(name)


@pytest.mark.parametrize("name", REFUSED)
def test_keys_that_are_read_back_have_no_such_part(name: str) -> None:
    assert names.Attachment.at(f"pages/{name}/attachments/a.pdf") is None
    assert names.Attachment.at(f"pages/handbook/attachments/{name}") is None
    assert not names.is_body(f"pages/{name}/bodies/{'0' * 64}.owner")
    assert partition.Partition.named(f"sg/{name}/2026-01-28") is None
    assert (
        partition.RawFile.at(f"datasets/country=sg/category={name}/date=2026-01-28/raw_0001.json")
        is None
    )


@pytest.mark.parametrize("name", REFUSED)
def test_a_revision_is_no_such_name(name: str) -> None:
    """`uring regulations history` names files by it; a site writes it."""
    revision = revision_of(name)
    assert not revision or is_segment(revision)


@pytest.mark.parametrize("name", REFUSED)
def test_a_command_sends_no_such_name(name: str) -> None:
    """`uring documents text PAGE ..` would be a signed request to another address."""
    with pytest.raises(Misconfigured, match="is not a name"):
        segment(name)


def test_a_command_sends_every_other_name_encoded() -> None:
    assert segment("휴가 a.pdf") == "%ED%9C%B4%EA%B0%80%20a.pdf"
