"""Guards of lists of records: which change is one, and where it goes."""

from typing import Final

from guard import SINGLE, Guard

GUARDS: Final = (
    Guard(
        "archived before the outbox is emptied",
        "records/latest.py",
        "RecordProjections.write",
        """
            if state.outbox:
                self._archive.add(state.source, state.outbox, self._publication.fields)
        """,
        """
            if state.outbox and not state.outbox[0].push:
                self._archive.add(state.source, state.outbox, self._publication.fields)
        """,
        f"{SINGLE}[new]",
    ),
    Guard(
        "a run that never committed lowers no revision",
        "records/seen.py",
        "SeenStore.add",
        "record_id not in known or known[record_id].revision <= record.revision",
        "True",
        "records/test_seen.py::test_the_higher_revision_stays",
    ),
    # What happened, and what readers see of it.
    Guard(
        "the archive drops repeats by event id",
        "records/archive.py",
        "append",
        "event.event_id.encode() not in held",
        "True",
        "records/test_archive.py::TestAppend::test_appending_twice_is_appending_once",
    ),
    Guard(
        "the archive's month is fixed in the outbox",
        "records/model.py",
        "Event.month",
        "return self.detected_at[:4] + self.detected_at[5:7]",
        """
            import time

            return time.strftime("%Y%m", time.gmtime())
        """,
        "records/test_archive.py::TestAdd::"
        "test_each_event_goes_to_the_month_in_which_it_was_detected",
    ),
    Guard(
        "an older projection never replaces a newer one",
        "records/latest.py",
        "Latest.write",
        "_seq(published) >= state.seq",
        "_seq(published) == state.seq",
        "records/test_latest.py::test_a_newer_document_that_appears_meanwhile_stays",
    ),
    Guard(
        "the first sight of a board is silent",
        "records/apply.py",
        "_classify",
        "state.baseline_at is None",
        "False",
        "records/test_apply.py::TestBaseline::test_the_first_page_is_stored_and_silent",
    ),
    Guard(
        "other rules that change most ids tell nothing",
        "records/apply.py",
        "_classify",
        "seen.reread and unknown_ids * 2 > len(seen.records)",
        "False",
        "records/test_apply.py::TestReread::test_where_most_are_unknown_the_ids_changed",
    ),
    Guard(
        "what comes back was read by older rules",
        "records/apply.py",
        "_classify",
        'state.is_stale(change.before) and change.kind == "edited"',
        "False",
        "records/test_apply.py::TestReread::"
        "test_what_was_away_meanwhile_is_taken_anew_when_it_comes_back",
    ),
    Guard(
        "a deleted record that returns is no new one",
        "records/apply.py",
        "_known_after",
        "after[change.id] = Known(digest, change.revision, is_marked, first_seen, stamp)",
        """
            if seen is None:
                del after[change.id]
            else:
                after[change.id] = Known(digest, change.revision, is_marked, first_seen, stamp)
        """,
        "records/test_apply.py::TestDeletedAndRenamed::"
        "test_it_is_told_once_and_comes_back_with_its_next_revision",
    ),
    Guard(
        "a deleted record that returns has returned, whatever it says now",
        "records/diff.py",
        "_kind",
        "not before.hash",
        "False",
        "records/test_diff.py::TestDeleted::test_one_that_is_back_has_returned_whatever_it_says_now",
    ),
    Guard(
        "a record is deleted once",
        "records/diff.py",
        "diff",
        "record.hash and key not in present",
        "key not in present",
        "records/test_diff.py::TestDeleted::"
        "test_what_is_on_the_page_was_never_known_or_is_deleted_already_does_not_count",
    ),
    Guard(
        "a renamed record's old id is no record any more",
        "records/apply.py",
        "_known_after",
        'after[change.old_id] = after[change.old_id]._replace(hash="", last_seen=stamp)',
        "pass",
        "records/test_apply.py::TestDeletedAndRenamed::"
        "test_an_old_name_that_is_used_again_counts_on",
    ),
    Guard(
        "a renamed record's old id counts on",
        "records/apply.py",
        "_known_after",
        'after[change.old_id] = after[change.old_id]._replace(hash="", last_seen=stamp)',
        "del after[change.old_id]",
        "records/test_apply.py::TestDeletedAndRenamed::"
        "test_an_old_name_that_is_used_again_counts_on",
    ),
    Guard(
        "a state that is taken anew begins a history of its own",
        "records/apply.py",
        "apply",
        "state.replace(history=stamp)",
        "state",
        "records/test_taken_anew.py::"
        "test_an_edit_that_repeats_an_earlier_revision_is_archived_and_pushed",
    ),
    Guard(
        "a flood is one push",
        "records/apply.py",
        "apply",
        "_digested(events, policy.digest_over)",
        "events",
        "records/test_apply.py::TestDigest::"
        "test_above_it_the_newest_stands_for_all_and_the_archive_has_them",
    ),
)
