"""Guards of lists of records: which change is one, and where it goes."""

from typing import Final

from guard import SINGLE, Guard

_PUT_BACK: Final = "records/test_put_back.py::"
_ARCHIVE: Final = "records/test_archive.py::TestAdd::"

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
        "_without",
        "event.event_id not in held",
        "True",
        "records/test_archive.py::TestAppend::test_appending_twice_is_appending_once",
    ),
    Guard(
        "a file of the archive is there before it is named",
        "records/archive.py",
        "Archive._add",
        """
            if after.closed:
                self._close(folder + after.file, after.closed)
            return after.body
        """,
        """
            if after.closed and self._objects.get(folder + after.file):
                self._close(folder + after.file, after.closed)
            return after.body
        """,
        f"{SINGLE}[new]",
    ),
    Guard(
        "a late run looks for its lines in the files before",
        "records/archive.py",
        "Archive._missing",
        "min(event.detected_at for event in missing) <= before.until",
        "False",
        f"{_ARCHIVE}test_a_run_that_was_late_finds_its_lines_wherever_they_are[0]",
    ),
    Guard(
        "events of the second in which a file was closed are looked for in it",
        "records/archive.py",
        "Archive._missing",
        "min(event.detected_at for event in missing) <= before.until",
        "min(event.detected_at for event in missing) < before.until",
        f"{_ARCHIVE}test_events_of_one_second_in_two_files_are_found_again",
    ),
    Guard(
        "until knows what came late",
        "records/months.py",
        "_until",
        'max([*times, before.until if before else ""])',
        "times[-1]",
        "records/test_months.py::"
        "test_until_is_the_latest_of_all_that_went_before_in_whatever_order_it_came",
    ),
    Guard(
        "a month has no size at which a source stands still",
        "records/months.py",
        "appended",
        "not body or len(body) + len(added) <= MONTH_BYTES",
        "True",
        f"{_ARCHIVE}test_what_a_release_before_left_goes_on",
    ),
    Guard(
        "a file of the archive is never replaced",
        "records/archive.py",
        "Archive._close",
        "body if there is None else None",
        "body",
        f"{_ARCHIVE}test_a_death_between_its_two_writes_leaves_the_month_as_it_was",
    ),
    Guard(
        "no key is made of a link that is none",
        "records/months.py",
        "earlier",
        "return found if _FILE.fullmatch(found.file) else None",
        "return found",
        "records/test_months.py::test_a_link_that_is_none_is_not_followed",
    ),
    Guard(
        "no line that can carry no link is the first",
        "records/months.py",
        "_last_lines",
        'return lines if first and isinstance(first, dict) else b""',
        "return lines",
        "records/test_months.py::test_a_line_that_can_carry_no_link_is_closed_with_those_before",
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
    # A state that was put back.
    Guard(
        "a state that was put back is known by the change that readers see",
        "records/latest.py",
        "RecordProjections.recovered",
        "at is None or at == state.changed_at",
        "at is None or _seq(self._shown.body) <= state.seq",
        f"{_PUT_BACK}test_writes_of_health_do_not_hide_that_a_state_was_put_back",
    ),
    Guard(
        "latest.json is written before the archive that it witnesses",
        "records/latest.py",
        "RecordProjections.write",
        """
            self._latest.write(state, self._publication, likely)
            if state.outbox:
                self._archive.add(state.source, state.outbox, self._publication.fields)
        """,
        """
            if state.outbox:
                self._archive.add(state.source, state.outbox, self._publication.fields)
            self._latest.write(state, self._publication, likely)
        """,
        f"{_PUT_BACK}test_a_death_between_the_two_documents_leaves_no_line_without_its_witness",
    ),
    Guard(
        "an outbox that was announced before a state was put back is given up",
        "changes/check.py",
        "Checker._compare",
        """
            if version.state.is_news:
                self._catch_up(version, projections)
        """,
        "pass",
        f"{_PUT_BACK}test_an_outbox_that_was_announced_does_not_come_back",
    ),
    Guard(
        "an outbox that was not announced is drained before the state catches up",
        "records/put_back.py",
        "caught_up",
        """
            if not names <= {line.get("event_id") for line in lines}:
                return None
        """,
        "pass",
        f"{_PUT_BACK}test_an_outbox_of_a_slow_clock_is_no_sign",
    ),
    Guard(
        "the last change of a lost lineage is sent again",
        "records/put_back.py",
        "_events",
        "event.push and event.event_id in (event_id(*named, state.history), event_id(*named))",
        "False",
        f"{_PUT_BACK}test_pushes_of_the_last_change_are_sent_again_under_their_names",
    ),
    Guard(
        "a state that caught up does not recognise the page of before",
        "notices/state.py",
        "NoticeState.unread",
        """
            entry = self.fingerprint.partition(":")[0]
            return self.replace(fingerprint=entry and f"{entry}:", rows="", validators=Validators())
        """,
        "return self",
        f"{_PUT_BACK}test_a_page_that_is_the_old_one_again_is_read_again_after_it_caught_up",
    ),
    Guard(
        "a product that was put back takes the airports that readers see",
        "weather/files.py",
        "ProductFiles._caught_up",
        'self._shown is None or fetched_at <= (state.fetched_at or "")',
        "True",
        "weather/test_weather_put_back.py::test_an_event_that_was_pushed_is_not_pushed_again",
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
            if shown is None:
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
        "after[change.old_id] = given_up if seen.moved else given_up._replace(last_seen=stamp)",
        "pass",
        "records/test_apply.py::TestDeletedAndRenamed::"
        "test_an_old_name_that_is_used_again_counts_on",
    ),
    Guard(
        "a renamed record's old id counts on",
        "records/apply.py",
        "_known_after",
        "after[change.old_id] = given_up if seen.moved else given_up._replace(last_seen=stamp)",
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
