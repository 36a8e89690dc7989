"""The diff: pure, total, and consistent with what is known by then (N5, N6, N19)."""

import pytest
from hypothesis import given
from record_pages import PROPERTY, STAMP, hints, known_of, pages, saw

from uring.records.diff import Change, ListHints, diff
from uring.records.model import Known, Observation

GONE = Known("", 3, False, STAMP, STAMP)
"""A record that was deleted."""


def kinds(changes: tuple[Change, ...]) -> list[tuple[str, str, int]]:
    return [(change.id, change.kind, change.revision) for change in changes]


def applied(known: dict[str, Known], changes: tuple[Change, ...]) -> dict[str, Known]:
    """What is known after these changes."""
    after = dict(known)
    for change in changes:
        seen = change.observation
        digest, marked = (seen.hash, seen.is_marked) if seen else ("", False)
        after[change.id] = Known(digest, change.revision, marked, STAMP, STAMP)
        if change.old_id is not None:
            after[change.old_id] = after[change.old_id]._replace(hash="")
    return after


@PROPERTY
@given(pages)
def test_a_page_compared_with_itself_is_no_change(seen: list[Observation]) -> None:
    assert diff(known_of(seen), seen) == ()


@PROPERTY
@given(pages, pages, hints)
def test_applying_a_diff_leads_to_what_was_seen(
    before: list[Observation], seen: list[Observation], told: ListHints
) -> None:
    """Whatever is hinted: what was seen is known, what was deleted is gone, and that is all."""
    known = known_of(before)
    changes = diff(known, seen, told)
    after = applied(known, changes)
    page = {each.id: each for each in seen}
    assert {(key, after[key].hash, after[key].is_marked) for key in page} == {
        (each.id, each.hash, each.is_marked) for each in seen
    }
    gone = {key for key, record in after.items() if not record.hash}
    renamed = {change.old_id for change in changes} - {None}
    assert gone == ({*told.deleted} & known.keys() - page.keys()) | renamed
    assert renamed <= {*told.renamed.values()} - page.keys()
    assert diff(after, seen, told) == ()


@PROPERTY
@given(pages, pages, hints)
def test_a_record_changes_once_and_its_revision_by_one(
    before: list[Observation], seen: list[Observation], told: ListHints
) -> None:
    known = known_of(before)
    changes = diff(known, seen, told)
    assert len({change.id for change in changes}) == len(changes)
    for change in changes:
        assert change.before == known.get(change.old_id or change.id)
        assert change.revision == (change.before.revision + 1 if change.before else 1)


@PROPERTY
@given(pages, pages)
def test_without_a_hint_it_never_speaks_of_what_is_not_on_the_page(
    before: list[Observation], after: list[Observation]
) -> None:
    changed = [change.observation for change in diff(known_of(before), after)]
    assert changed == [each for each in after if each in changed]


class TestChanges:
    def test_a_new_id_is_revision_1(self) -> None:
        assert diff({}, [saw("1")]) == (Change("new", "1", 1, None, saw("1")),)

    def test_another_hash_is_an_edit_with_the_next_revision(self) -> None:
        before = Known("hash0", 6, False, STAMP, STAMP)
        seen = saw("1", 1)
        assert diff({"1": before}, [seen]) == (Change("edited", "1", 7, before, seen),)

    @pytest.mark.parametrize("marked", [True, False])
    def test_a_mark_that_flips_is_a_revision_of_its_own(self, marked: bool) -> None:  # noqa: FBT001
        known = {"1": Known("hash0", 1, not marked, STAMP, STAMP)}
        changes = diff(known, [saw("1", marked=marked)])
        assert kinds(changes) == [("1", "marked" if marked else "unmarked", 2)]

    def test_an_edit_that_also_marks_is_one_edit(self) -> None:
        known = {"1": Known("hash0", 1, False, STAMP, STAMP)}
        (change,) = diff(known, [saw("1", 1, marked=True)])
        assert change.kind == "edited"
        assert change.observation == saw("1", 1, marked=True)

    def test_what_left_the_page_is_no_change(self) -> None:
        assert diff(known_of([saw("1"), saw("2")]), [saw("2")]) == ()


class TestDeleted:
    def test_only_what_is_proven_to_be(self) -> None:
        known = known_of([saw("3"), saw("2"), saw("1")])
        changes = diff(known, [saw("3", 1)], ListHints(deleted=["2"]))
        assert kinds(changes) == [("3", "edited", 2), ("2", "deleted", 2)]
        assert (changes[1].before, changes[1].observation) == (known["2"], None)

    def test_what_is_on_the_page_was_never_known_or_is_deleted_already_does_not_count(self) -> None:
        known = known_of([saw("1")]) | {"2": GONE}
        assert diff(known, [saw("1")], ListHints(deleted=["1", "2", "3"])) == ()

    def test_named_twice_it_is_deleted_once(self) -> None:
        """Two events of one name would make the state one that cannot be read."""
        changes = diff(known_of([saw("1")]), [], ListHints(deleted=["1", "1"]))
        assert kinds(changes) == [("1", "deleted", 2)]

    @pytest.mark.parametrize("version", [0, 1])
    def test_one_that_is_back_has_returned_whatever_it_says_now(self, version: int) -> None:
        known = applied(
            known_of([saw("1")]), diff(known_of([saw("1")]), [], ListHints(deleted=["1"]))
        )
        assert kinds(diff(known, [saw("1", version)])) == [("1", "returned", 3)]


class TestReturned:
    def test_unchanged_it_counts_where_it_was_away(self) -> None:
        known = known_of([saw("2"), saw("1")])
        changes = diff(known, [saw("2"), saw("1")], ListHints(gone=["1"]))
        assert kinds(changes) == [("1", "returned", 2)]

    def test_an_edit_on_the_way_is_an_edit(self) -> None:
        changes = diff(known_of([saw("1")]), [saw("1", 1)], ListHints(gone=["1"]))
        assert kinds(changes) == [("1", "edited", 2)]


class TestRenamed:
    def test_it_goes_on_counting_under_its_new_id(self) -> None:
        before = Known("hash0", 4, False, STAMP, STAMP)
        changes = diff({"1": before}, [saw("9", 1)], ListHints(renamed={"9": "1"}))
        assert changes == (Change("renamed", "9", 5, before, saw("9", 1), "1"),)

    def test_nor_is_its_old_id_a_deletion(self) -> None:
        changes = diff(
            known_of([saw("1")]), [saw("9")], ListHints(deleted=["1"], renamed={"9": "1"})
        )
        assert kinds(changes) == [("9", "renamed", 2)]

    @pytest.mark.parametrize(
        "known",
        [
            pytest.param([], id="its old id was never seen"),
            pytest.param([saw("1")], id="its old id is still there"),
        ],
    )
    def test_what_nothing_was_renamed_to_is_new(self, known: list[Observation]) -> None:
        changes = diff(known_of(known), [*known, saw("9")], ListHints(renamed={"9": "1"}))
        assert kinds(changes) == [("9", "new", 1)]

    def test_an_id_that_is_known_is_no_new_name(self) -> None:
        known = known_of([saw("9"), saw("1")])
        assert diff(known, [saw("9")], ListHints(renamed={"9": "1"})) == ()

    def test_a_name_that_was_given_up_counts_on_from_its_own_revisions(self) -> None:
        given_up = Known("", 6, False, STAMP, STAMP)
        known = {**known_of([saw("1")]), "9": given_up}
        changes = diff(known, [saw("9")], ListHints(renamed={"9": "1"}))
        assert kinds(changes) == [("9", "renamed", 7)]

    def test_one_record_has_one_new_name(self) -> None:
        told = ListHints(renamed={"9": "1", "8": "1"})
        changes = diff(known_of([saw("1")]), [saw("8"), saw("9")], told)
        assert kinds(changes) == [("8", "new", 1), ("9", "renamed", 2)]
