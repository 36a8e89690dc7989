"""Guards of the hint: its rules, in their order; each without which news would go back or wait."""

from typing import Final

from guard import Guard

_CHECKS: Final = "changes/test_hint.py::"
_KEPT: Final = "changes/test_hinting.py::"
_ROWS: Final = "changes/test_hinted_rows.py::"

GUARDS: Final = (
    # 1: an answer from before the state was read.
    Guard(
        "a hinted answer counts for the hint's own state alone",
        "changes/check.py",
        "_Hinted.observer",
        "self.glance.go_on if version.etag == self.etag else self.glance.observe_again",
        "self.glance.go_on",
        f"{_CHECKS}TestTheAnswerIsOfTheState::test_a_page_older_than_the_state_is_thrown_away",
    ),
    Guard(
        "hinted trouble counts for the hint's own state alone",
        "changes/check.py",
        "_Hinted.observer",
        "self.glance.go_on if version.etag == self.etag else self.glance.observe_again",
        "self.glance.go_on",
        f"{_CHECKS}TestTheAnswerIsOfTheState::test_trouble_older_than_the_state_is_thrown_away",
    ),
    Guard(
        "commits never rest on an older page, enumerated",
        "changes/check.py",
        "_Hinted.observer",
        "self.glance.go_on if version.etag == self.etag else self.glance.observe_again",
        "self.glance.go_on",
        "faults/test_hinted_crash_points.py::test_a_page_never_goes_back_behind_a_stall",
    ),
    # 2: what has something to do.
    *(
        Guard(
            f"no hint of a state {what}",
            "changes/hint.py",
            "hint_of",
            old,
            new,
            f"{_CHECKS}TestMade::{test}",
        )
        for what, old, new, test in (
            (
                "with an outbox",
                "not state.outbox",
                "True",
                "test_one_with_an_outbox_has_none",
            ),
            (
                "that readers do not see",
                "state.is_published and not state.outbox and health.retry_at is None",
                "not state.outbox and health.retry_at is None",
                "test_one_that_is_not_has_none",
            ),
            (
                "that waits",
                "health.retry_at is None",
                "True",
                "test_one_in_trouble_has_none[retry_at]",
            ),
            (
                "that is paused",
                "health.paused_until is not None",
                "False",
                "test_one_that_is_paused_has_none_and_its_site_is_not_asked",
            ),
            (
                "in trouble",
                'health.status != "ok"',
                "False",
                "test_one_in_trouble_has_none[status]",
            ),
        )
    ),
    *(
        Guard(
            f"no hint of a board {what}",
            "notices/state.py",
            "NoticeState.recognition",
            old,
            "False",
            f"{_CHECKS}TestMade::{test}",
        )
        for what, old, test in (
            ("never read", "self.baseline_at is None", "test_one_that_is_not_has_none"),
            ("whose page is unnamed", "not page", "test_one_that_is_not_has_none"),
            (
                "that robots.txt forbids",
                "asked and not asked.allowed",
                "test_one_that_robots_txt_forbids_has_none",
            ),
        )
    ),
    # 3: the first delivery, soon.
    Guard(
        "a hint is for the first delivery",
        "changes/worker.py",
        "Worker._handle",
        "record.receive_count == 1",
        "True",
        f"{_CHECKS}TestFirstDelivery::test_a_second_delivery_reads_the_state",
    ),
    Guard(
        "a renewed job is no first delivery",
        "changes/worker.py",
        "Worker._handle",
        "not record.renewals",
        "True",
        f"{_CHECKS}TestFirstDelivery::test_so_does_a_renewed_copy",
    ),
    Guard(
        "a hint is for ten minutes",
        "changes/hint.py",
        "Hint.holds",
        "now - scheduled_at <= GOOD_FOR",
        "True",
        f"{_CHECKS}TestFirstDelivery::test_ten_minutes_behind_its_tick_it_does[11-0]",
    ),
    Guard(
        "a bad hint refuses no job",
        "contracts.py",
        "_object_or_none",
        "value if isinstance(value, dict) else None",
        "value",
        f"{_CHECKS}TestFirstDelivery::test_a_hint_that_cannot_be_read_refuses_no_job",
    ),
    # 4: once a day.
    Guard(
        "a hint ends",
        "changes/hint.py",
        "Hint.holds",
        "now < parse_timestamp(self.until)",
        "True",
        f"{_CHECKS}TestUntil::test_robots_txt_is_asked_in_the_same_write",
    ),
    Guard(
        "a hint ends with robots.txt",
        "changes/hint.py",
        "hint_of",
        "min(until, recognition.until or until)",
        "until",
        f"{_CHECKS}TestUntil::test_a_hint_ends_with_the_permission_of_robots_txt",
    ),
    Guard(
        "once a day validators are left out",
        "notices/visit.py",
        "NoticeVisitor._visit",
        "is_daily or not state.is_of(source.fingerprint)",
        "not state.is_of(source.fingerprint)",
        f"{_CHECKS}TestUntil::"
        "test_a_site_that_says_not_modified_for_ever_is_asked_without_validators_daily",
    ),
    Guard(
        "robots.txt is asked with the day's write",
        "notices/visit.py",
        "NoticeVisitor._visit",
        "ask_robots(source, decision, requests, now, addresses, again=is_daily)",
        "ask_robots(source, decision, requests, now, addresses)",
        f"{_CHECKS}TestUntil::test_robots_txt_is_asked_in_the_same_write",
    ),
    # 5: the entry.
    Guard(
        "a hint is of the job's entry",
        "changes/hint.py",
        "Hint.holds",
        "self.entry != entry",
        "False",
        f"{_CHECKS}TestEntry::test_an_edited_entry_reads_the_state",
    ),
    Guard(
        "no board is asked before its robots.txt",
        "notices/visit.py",
        "NoticeVisitor.glance",
        "source.request.honour_robots and not last.is_allowed",
        "False",
        f"{_CHECKS}TestEntry::test_an_entry_that_honours_robots_txt_has_asked_it",
    ),
    # 6: trouble.
    Guard(
        "hinted trouble goes through the state",
        "notices/visit.py",
        "NoticeVisitor._visit",
        "first.trouble is not None",
        "False",
        f"{_CHECKS}TestTrouble::test_it_is_in_the_state_at_once",
    ),
    # 7: no hints, never no jobs.
    Guard(
        "a tick without hints has jobs",
        "changes/jobs.py",
        "Orchestrator._current_hints",
        "Exception",
        "ArithmeticError",
        f"{_KEPT}TestWithout::test_where_the_list_is_refused",
    ),
    Guard(
        "a hint is handed out for the state that is listed",
        "changes/hinting.py",
        "CurrentHints._current",
        "etags.get(source) == hint.etag",
        "True",
        f"{_KEPT}TestWithout::test_of_a_state_that_was_written_since",
    ),
    Guard(
        "a hint is made of body and ETag of one answer",
        "watch/due.py",
        "DueSources._turn",
        "book.learn(source, published.state, published.facts.etag)",
        "book.learn(source, published.state, due.known.etag if due.known else '')",
        f"{_KEPT}TestKept::test_a_hint_is_made_of_the_body_that_came_with_its_etag",
    ),
    Guard(
        "a source that is not listed has no hint",
        "watch/hints.py",
        "HintBook.body",
        "Hints(hints=dict(sorted(self._after.items())))",
        "Hints(hints={**self._before, **self._after})",
        f"{_KEPT}TestKept::test_a_source_that_is_no_longer_listed_loses_its_hint",
    ),
    Guard(
        "the same hints are the same bytes",
        "watch/hints.py",
        "HintBook.body",
        "dict(sorted(self._after.items()))",
        "self._after",
        "watch/test_due.py::test_a_change_costs_one_write_of_the_hints",
    ),
    # 8: rows.
    Guard(
        "rows count on a page that is believed",
        "notices/visit.py",
        "NoticeVisitor.glance",
        "judge_page(source.expect, text, page.items, NOUNS)",
        "",
        f"{_ROWS}test_a_page_that_is_not_believed_is_not_recognised_by_its_rows",
    ),
    Guard(
        "pinned rows alone say nothing",
        "notices/item.py",
        "rows_digest",
        "all(item.is_pinned for item in items)",
        "False",
        f"{_ROWS}test_pinned_rows_alone_have_none",
    ),
    Guard(
        "rows whose dates hang on the state say nothing",
        "notices/visit.py",
        "NoticeVisitor._look",
        '"" if source.dates_need_first_seen else rows_digest(shown, fingerprint)',
        "rows_digest(shown, fingerprint)",
        f"{_ROWS}test_rows_that_mean_another_day_each_year_have_no_digest",
    ),
    Guard(
        "rows are those of the fingerprint beside them",
        "notices/item.py",
        "rows_digest",
        "[fingerprint, rows]",
        "rows",
        f"{_ROWS}test_rows_that_a_release_before_kept_name_nothing",
    ),
    Guard(
        "fingerprint, rows and validators are of one answer",
        "changes/check.py",
        "Checker._remember",
        '{**observed.refreshed, **observed.remembered, "health": health}',
        '{**observed.remembered, "health": health}',
        f"{_ROWS}test_the_days_write_takes_the_page_as_it_stands",
    ),
    # 9: the day's write.
    Guard(
        "a source that is written daily is not unchecked by day",
        "watch/status.py",
        "_unchecked",
        "last + source.heartbeat",
        "last",
        "changes/test_hinted_days.py::"
        "test_in_four_days_no_success_is_older_than_a_day_and_nobody_is_told_of_anything",
    ),
    # 10: releases.
    Guard(
        "a job without a hint is as it was before hints",
        "contracts.py",
        "Job",
        "hint is None",
        "False",
        f"{_KEPT}test_an_unhinted_job_looks_as_it_always_did",
    ),
)
