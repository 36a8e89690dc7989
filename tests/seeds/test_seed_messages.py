"""The layout of the bucket and the messages of both queues (S2, S5, S6, S8)."""

import json
from typing import Any

import pytest
from fakes.seeds import PARTITION, raw_path

from uring.errors import MalformedMessage, NewerRelease
from uring.seeds.messages import DomainMessage, OrchestrateRequest, PartitionInfo, SeedMessage
from uring.seeds.partition import (
    Partition,
    RawFile,
    build_domain_result_path,
    build_raw_dataset_path,
    dataset_prefix,
)

INFO = {"country": "sg", "category": "news", "date": "2026-01-28"}
DOMAIN = {
    "domain_id": "gov:sg:mom.gov.sg",
    "domain_url": "https://www.mom.gov.sg/newsroom",
    "registrable_domain": "mom.gov.sg",
    "authority": "gov",
    "partition_info": INFO,
}


def test_the_paths_are_the_document_s() -> None:
    assert build_raw_dataset_path("SG", "news", "2026-01-28", 1) == (
        "datasets/country=sg/category=news/date=2026-01-28/raw_0001.json"
    )
    assert build_domain_result_path(Partition("sg", "news", "2026-01-28"), "mom.gov.sg") == (
        "processing/country=sg/category=news/date=2026-01-28/mom.gov.sg"
    )


def test_a_folder_is_safe_whatever_the_domain_is_called() -> None:
    folder = build_domain_result_path(PARTITION, "../a b/é_x.com")
    assert folder.endswith("/.._a_b___x.com")
    assert folder.count("/") == 4


@pytest.mark.parametrize(
    "path",
    [
        "datasets/country=sg/category=news/date=2026-01-28/raw_0001.json.success",
        "datasets/country=sg/category=news/date=2026-01-28/raw_metadata.json",
        "datasets/country=sg/category=news/date=2026-01-28/raw_1.json",
        "datasets/country=sg/category=news/date=2026-01-28/raw_00001.json",
        "datasets/country=SG/category=news/date=2026-01-28/raw_0001.json",
        "datasets/country=sg/category=news/date=2026-13-28/raw_0001.json",
        "datasets/country=sg/category=../date=2026-01-28/raw_0001.json",
        "datasets/country=sg/category=a/b/date=2026-01-28/raw_0001.json",
        "research/datasets/country=sg/category=news/2026-01-28_0001.json",
        "datasets/country=sg/category=news/date=2026-01-28/raw_0001.json\n",
        "x/datasets/country=sg/category=news/date=2026-01-28/raw_0001.json",
    ],
)
def test_any_other_object_is_no_raw_file(path: str) -> None:
    assert RawFile.at(path) is None


@pytest.mark.parametrize("number", [1, 9999, 10_000, 999_999])
def test_a_raw_file_is_found_by_its_own_path(number: int) -> None:
    raw = RawFile(PARTITION, number)
    assert RawFile.at(raw.path) == raw


def test_raw_files_are_in_the_order_of_their_numbers() -> None:
    files = [RawFile(PARTITION, number) for number in (10_000, 2, 9_999)]
    assert [raw.number for raw in sorted(files)] == [2, 9_999, 10_000]


def test_a_partition_has_a_name() -> None:
    assert Partition.named("sg/news/2026-01-28") == PARTITION
    assert Partition.named(PARTITION.name) == PARTITION
    assert Partition.named("sg/news/2026-02-30") is None
    assert Partition.named("sg/news") is None


@pytest.mark.parametrize(
    ("wanted", "prefix"),
    [
        ((None, None, None), "datasets/"),
        (("sg", None, "2026-01-28"), "datasets/country=sg/"),
        (("sg", "news", None), "datasets/country=sg/category=news/"),
        (
            ("sg", "news", "2026-01-28"),
            "datasets/country=sg/category=news/date=2026-01-28/",
        ),
        ((None, "news", None), "datasets/"),
    ],
)
def test_a_filter_lists_no_more_than_it_must(
    wanted: tuple[str | None, str | None, str | None], prefix: str
) -> None:
    assert dataset_prefix(*wanted) == prefix


def test_the_document_s_messages_are_read() -> None:
    """They have no version, no force and no epoch."""
    seed = SeedMessage.parse(json.dumps({"file_path": raw_path(), "partition_info": INFO}))
    assert (seed.force, seed.epoch, seed.raw.number) == (False, "first", 1)
    domain = DomainMessage.parse(json.dumps(DOMAIN))
    assert (domain.force, domain.epoch, domain.source_file_path) == (False, "first", None)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"domain_id": "gov:sg:evil.com"}, "domain_id has another"),
        ({"authority": "com"}, "domain_id has another"),
        ({"authority": "mil"}, "authority"),
        ({"registrable_domain": "mom.gov.sg/../x"}, "registrable_domain"),
        ({"registrable_domain": "mom.gov.sg\n"}, "registrable_domain"),
        ({"registrable_domain": "sg"}, "registrable_domain"),
        ({"partition_info": {**INFO, "country": "SGP"}}, "country"),
        ({"partition_info": {**INFO, "date": "2026-02-30"}}, "date"),
        ({"partition_info": {**INFO, "category": "../x"}}, "category"),
        ({"domain_url": None}, "domain_url"),
        ({"epoch": "a b"}, "epoch"),
    ],
)
def test_a_domain_message_is_validated(change: dict[str, Any], named: str) -> None:
    with pytest.raises(MalformedMessage, match=named):
        DomainMessage.parse(json.dumps({**DOMAIN, **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"file_path": "datasets/../config/sitemap.json"},
        {"file_path": raw_path(1, Partition("my", "news", "2026-01-28"))},
        {"partition_info": {**INFO, "date": "2026-01-29"}},
    ],
)
def test_a_seed_message_names_a_raw_file_of_its_partition(change: dict[str, Any]) -> None:
    message = {"file_path": raw_path(), "partition_info": INFO, **change}
    with pytest.raises(MalformedMessage, match="not a raw file of its partition_info"):
        SeedMessage.parse(json.dumps(message))


def test_a_message_of_the_next_version_waits_for_its_release() -> None:
    body = json.dumps({**DOMAIN, "version": 2, "registrable_domain": None})
    with pytest.raises(NewerRelease):
        DomainMessage.parse(body)


def test_messages_dedup_by_what_they_ask_for() -> None:
    message = DomainMessage.parse(json.dumps({**DOMAIN, "source_file_path": raw_path(1)}))
    same = message.model_copy(update={"domain_url": "https://other.mom.gov.sg/"})
    assert message.name == same.name
    for change in ({"epoch": "again"}, {"source_file_path": raw_path(2)}):
        assert message.model_copy(update=change).name != message.name
    seed = SeedMessage(file_path=raw_path(), partition_info=PartitionInfo.of(PARTITION))
    assert len({seed.name, seed.next_part().name, seed.next_part().next_part().name}) == 3


def test_a_domain_longer_than_a_group_may_be_has_one() -> None:
    label = "a" * 60
    domain = f"{label}.{label}.{label}.com"
    message = DomainMessage.parse(
        json.dumps({**DOMAIN, "registrable_domain": domain, "domain_id": f"gov:sg:{domain}"})
    )
    assert len(message.group) <= 128


def test_a_request_names_country_category_and_date() -> None:
    assert OrchestrateRequest.model_validate({"country": "SG"}).country == "sg"
    assert OrchestrateRequest().model_dump() == {
        "country": None,
        "category": None,
        "date": None,
        "force": False,
        "most": None,
    }
