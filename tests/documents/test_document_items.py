"""Stored items: what another release adds stays, what is none of ours is an error with a remedy."""

from collections.abc import Mapping
from typing import Any

import pytest
from fakes.documents import Office

from uring.documents.names import JOBS
from uring.documents.store.analysis import AnalysisEntry
from uring.documents.store.issues import IssueReference, StoredIssue
from uring.documents.store.items import StoredItem
from uring.documents.store.policies import PolicyEntry
from uring.errors import CorruptState, NewerRelease
from uring.tables import Item

PAGE = "page-1"


def stored() -> dict[str, Item]:
    """An item of each kind, by key."""
    office = Office()
    office.upload(PAGE, "a", "ISSUE(fees)")
    job = office.submit(1, PAGE, "issues")
    items = {key.partition(":")[0]: item for key, item in office.table.query(PAGE, "")}
    status = office.table.get(JOBS, job)
    assert status is not None
    return {**items, "job": status}


ITEMS = stored()
KINDS: list[tuple[str, type[StoredItem]]] = [
    ("policy", PolicyEntry),
    ("issue", StoredIssue),
    ("analysis", AnalysisEntry),
]
each_kind = pytest.mark.parametrize(("name", "kind"), KINDS, ids=[name for name, _ in KINDS])


@each_kind
def test_reading_and_writing_changes_nothing(name: str, kind: type[StoredItem]) -> None:
    assert kind.read("here", ITEMS[name]).item() == ITEMS[name]


@each_kind
def test_attributes_that_are_not_known_are_written_back(name: str, kind: type[StoredItem]) -> None:
    more = {"later": "x", "count": 7, "nothing": None, "item": "not the method", "read": 1}
    found = kind.read("here", {**ITEMS[name], **more})
    assert found.item() == {**ITEMS[name], **more}
    assert found.model_copy(update={"fence": 9}).item() == {**ITEMS[name], **more, "fence": 9}


@each_kind
def test_an_item_of_a_newer_schema_waits_for_its_release(name: str, kind: type[StoredItem]) -> None:
    with pytest.raises(NewerRelease, match=r"here: schema 2, .* deploy"):
        kind.read("here", {**ITEMS[name], "schema_version": 2, "page": 5})


@each_kind
def test_an_item_of_the_release_before_has_no_fence_and_no_version(
    name: str, kind: type[StoredItem]
) -> None:
    bare = {key: value for key, value in ITEMS[name].items() if key != "schema_version"}
    assert kind.read("here", bare).schema_version == 1


@pytest.mark.parametrize(
    ("name", "kind", "change"),
    [
        ("policy", PolicyEntry, {"etag": None}),
        ("policy", PolicyEntry, {"created": "2026-11-22"}),
        ("policy", PolicyEntry, {"notes": "[" * 100_000}),
        ("policy", PolicyEntry, {"notes": "{"}),
        ("policy", PolicyEntry, {"notes": '{"a": 1}'}),
        ("policy", PolicyEntry, {"characters": "many"}),
        ("issue", StoredIssue, {"references": "[1]"}),
        ("issue", StoredIssue, {"references": "null"}),
        ("issue", StoredIssue, {"state": "closed"}),
        ("issue", StoredIssue, {"severity": ""}),
        ("issue", StoredIssue, {"id": "1"}),
        ("issue", StoredIssue, {"version": "x"}),
        ("issue", StoredIssue, {"is_stale": 2}),
        ("analysis", AnalysisEntry, {"texts": "[]"}),
        ("analysis", AnalysisEntry, {"texts": '{"a": 1}'}),
        ("analysis", AnalysisEntry, {"findings": None}),
    ],
)
def test_rubbish_is_named_by_its_field_and_never_shown(
    name: str, kind: type[StoredItem], change: Mapping[str, Any]
) -> None:
    with pytest.raises(CorruptState, match=r"^here: .*remove this item, nothing else") as caught:
        kind.read("here", {**ITEMS[name], **change})
    assert len(str(caught.value)) < 200


def test_what_a_newer_release_adds_to_a_reference_is_written_back() -> None:
    item = {
        **ITEMS["issue"],
        "references": '[{"end": 3, "later": "x", "quote": "abc", "source": "a", '
        '"start": 0, "text_sha256": ""}]',
    }
    issue = StoredIssue.read("here", item)
    assert issue.references[0].quote == "abc"
    assert issue.model_copy(update={"is_stale": True}).item()["references"] == item["references"]


def test_references_of_one_place_are_equal() -> None:
    one, other = (IssueReference(source="a", start=0, end=3, quote="abc") for _ in range(2))
    assert one == other
    assert len({one, other}) == 1
