"""Guards of the document store: entries, issues, jobs, money, and what the janitor may remove."""

from typing import Final

from guard import Guard

_OPERATIONS: Final = "documents/test_operations.py"
_EXTREMES: Final = "documents/test_document_extremes.py"
_ATTACHMENTS: Final = f"{_EXTREMES}::TestAttachments"
_STALE: Final = f"{_EXTREMES}::TestStale"
_PUBLISHING: Final = f"{_EXTREMES}::TestPublishing"
_LARGE: Final = f"{_EXTREMES}::TestLargePages"
_ITEMS: Final = "documents/test_document_items.py"
_JOBS: Final = "documents/test_document_jobs.py"
_COSTS: Final = "documents/test_document_costs.py"
_WORKER: Final = "documents/test_document_worker.py"
_JANITOR: Final = "documents/test_document_janitor.py"
_HOSTILE_TESTS: Final = "documents/test_hostile_documents.py"
_REPEATS: Final = "documents/api/test_api_repeats.py"
_LISTS: Final = "documents/api/test_api_lists.py"
_INTAKE: Final = "documents/test_document_intake.py"
_SINGLE: Final = (
    "faults/test_document_crash_points.py::test_any_single_fault_loses_and_doubles_nothing"
)

_ENTRIES: Final = (
    Guard(
        "documents: what another release stores is written back",
        "documents/store/items.py",
        "StoredItem",
        'ConfigDict(frozen=True, extra="allow")',
        'ConfigDict(frozen=True, extra="ignore")',
        f"{_ITEMS}::test_attributes_that_are_not_known_are_written_back",
    ),
    Guard(
        "documents: what another release adds to a reference is written back",
        "documents/store/issues.py",
        "IssueReference",
        'ConfigDict(frozen=True, extra="allow")',
        'ConfigDict(frozen=True, extra="ignore")',
        f"{_ITEMS}::test_what_a_newer_release_adds_to_a_reference_is_written_back",
    ),
    Guard(
        "documents: an item of a newer schema waits",
        "documents/store/items.py",
        "StoredItem.read",
        "isinstance(version, int) and version > cls.newest",
        "False",
        f"{_ITEMS}::test_an_item_of_a_newer_schema_waits_for_its_release",
    ),
    Guard(
        "documents: an entry is of one version of its attachment",
        "documents/store/policies.py",
        "PolicyEntry.is_of",
        "attachment.etag != self.etag",
        "False",
        f"{_ATTACHMENTS}::test_two_uploads_in_one_second_are_told_apart_by_their_tags",
    ),
    Guard(
        "documents: an entry is no older than its attachment",
        "documents/store/policies.py",
        "PolicyEntry.is_of",
        "modified is None or parse_timestamp(self.created) >= modified.replace(microsecond=0)",
        "True",
        f"{_ATTACHMENTS}::"
        "test_an_entry_of_the_same_second_holds_and_one_of_the_second_before_does_not",
    ),
    Guard(
        "documents: a clock behind the bucket's reads an attachment once",
        "documents/operations/originals.py",
        "OriginalWork.compute",
        "timestamp(max(self._clock(), head.modified or self._clock()))",
        "timestamp(self._clock())",
        f"{_ATTACHMENTS}::test_a_clock_behind_that_of_the_bucket_does_not_read_for_ever",
    ),
    Guard(
        "documents: the bytes are of the version that was looked at",
        "documents/operations/originals.py",
        "OriginalWork._extracted",
        "stored is not None and stored.etag == head.etag",
        "stored is not None",
        f"{_ATTACHMENTS}::test_bytes_of_another_version_than_was_looked_at_are_not_taken",
    ),
    Guard(
        "documents: an attachment that goes costs its page nothing",
        "documents/operations/policies.py",
        "Policies.all",
        "with suppress(NoSuchAttachment): entries.append(self.original(page, source, report))",
        "entries.append(self.original(page, source, report))",
        f"{_ATTACHMENTS}::test_one_that_goes_while_its_page_is_read_costs_the_job_nothing",
    ),
    Guard(
        "documents: an attachment that came back keeps its entries",
        "documents/operations/policies.py",
        "Policies._forget",
        "gone = self._gone(page, prefix, there())",
        "gone = self._gone(page, prefix, set())",
        f"{_ATTACHMENTS}::test_one_that_comes_back_while_its_lock_is_waited_for_keeps_its_entry",
    ),
    Guard(
        "documents: a name is no beginning of another",
        "documents/operations/policies.py",
        "Policies._gone",
        "prefix == POLICY_PREFIX or source_of(key) == prefix.removeprefix(POLICY_PREFIX)",
        "True",
        f"{_OPERATIONS}::test_an_attachment_that_is_gone_leaves_no_entry_and_stale_issues",
    ),
    Guard(
        "documents: a translation is of the original's text",
        "documents/store/policies.py",
        "PolicyEntry.is_translation_of",
        "original.has_text and self.original_sha256 == original.sha256",
        "original.has_text",
        f"{_OPERATIONS}::test_a_translation_is_paid_once_and_an_edit_pays_for_what_changed",
    ),
    Guard(
        "documents: a translation is published while its original is there",
        "documents/operations/translations.py",
        "TranslationWork.parts",
        'Condition(original, {"sha256": self._original.sha256})',
        'Condition(original, {"page": self._original.page})',
        f"{_PUBLISHING}::test_a_translation_of_a_text_that_is_gone_is_not_published",
    ),
    Guard(
        "documents: no two leases write one text",
        "documents/names.py",
        "body_key",
        'f"{bodies(page)}{sha256}.{owner}"',
        'f"{bodies(page)}{sha256}.{owner[:0]}"',
        f"{_PUBLISHING}::test_no_two_leases_write_one_key",
    ),
    Guard(
        "documents: a clear that lost its lock removes nothing more",
        "documents/operations/clear.py",
        "clear",
        "write(table, lease, batch)",
        "table.transact(page, batch)",
        f"{_PUBLISHING}::test_a_clear_that_stalled_removes_nothing_of_what_came_since",
    ),
)

_ISSUES: Final = (
    Guard(
        "documents: an analysis that was overtaken is not applied",
        "documents/operations/findings.py",
        "IssueWriter.apply",
        "newest.inputs != entry.inputs",
        "False",
        f"{_STALE}::test_an_analysis_that_was_overtaken_is_not_applied",
    ),
    Guard(
        "documents: an analysis counts as applied while it is the newest",
        "documents/operations/findings.py",
        "IssueWriter.apply",
        '{"inputs": entry.inputs}',
        "None",
        f"{_STALE}::test_an_analysis_that_is_published_while_another_is_applied_is_applied_next",
    ),
    Guard(
        "documents: the fence of an analysis is that of its leader",
        "documents/operations/findings.py",
        "IssueWriter.apply",
        '{"applied": entry.inputs, "issues": len(found)}',
        '{"applied": entry.inputs, "issues": len(found), "fence": lease.fence}',
        f"{_PUBLISHING}::test_fences_at_an_item_never_fall",
    ),
    Guard(
        "documents: issues are written under their lock",
        "documents/operations/findings.py",
        "IssueWriter._write_all",
        "write(self._table, lease, batch)",
        "self._table.transact(lease.root, batch)",
        f"{_STALE}::test_one_that_is_overtaken_between_two_transactions_writes_nothing_more",
    ),
    Guard(
        "documents: an issue is written over the version that was read",
        "documents/operations/findings.py",
        "IssueWriter._edit",
        '{"version": before.version}',
        "None",
        f"{_STALE}::test_an_edit_without_the_lock_is_not_overwritten",
    ),
    Guard(
        "documents: what is stale is looked at again under the lock",
        "documents/operations/findings.py",
        "IssueWriter.mark_stale",
        """
        if not self._changed(page, texts()):
            return 0
        with self._held(page, "mark stale") as lease:
            found = self._changed(page, texts())
            if found:
                self._unapply(page, lease)
            self._write_all(lease, [self._edit(each, _stale(each), lease) for each in found])
            return len(found)
        """,
        """
        now = texts()
        with self._held(page, "mark stale") as lease:
            found = self._changed(page, now)
            self._write_all(lease, [self._edit(each, _stale(each), lease) for each in found])
            return len(found)
        """,
        f"{_STALE}::test_a_refresh_that_stalled_marks_nothing_that_was_analysed_meanwhile",
    ),
    Guard(
        "documents: issues with long notes fit into transactions",
        "documents/operations/findings.py",
        "_batches",
        "needed > room",
        "False",
        f"{_LARGE}::test_issues_with_long_notes_fit_into_transactions",
    ),
    Guard(
        "documents: an analysis of texts that changed meanwhile is followed by another",
        "documents/operations/operations.py",
        "Operations._analyse",
        "self._analyses.inputs(self._originals(message.page)) == analysis.inputs",
        "True",
        f"{_STALE}::test_a_text_that_changes_during_the_first_analysis_is_analysed_too",
    ),
    Guard(
        "documents: an analysis that failed is another job the next day",
        "documents/operations/operations.py",
        "Operations._refresh",
        'derived_id(page, "issues", analysis.body, inputs, message.cause)',
        'derived_id(page, "issues", analysis.body, inputs)',
        f"{_JANITOR}::test_an_analysis_that_failed_is_made_up_for_the_next_day",
    ),
    Guard(
        "documents: texts that went and came back are another job",
        "documents/operations/operations.py",
        "Operations._refresh",
        'derived_id(page, "issues", analysis.body, inputs, message.cause)',
        'derived_id(page, "issues", analysis.body, inputs, f"{self._clock():%Y-%m-%d}")',
        f"{_OPERATIONS}::test_texts_that_went_and_came_back_are_analysed_the_same_day",
    ),
    Guard(
        "documents: an edit is of the version that its editor saw, under the lock, too",
        "documents/edits.py",
        "IssueEditor._edit",
        "before, is_done = self._found(page, issue, holds, edit)",
        "before, is_done = self._found(page, issue, lambda _: True, edit)",
        "documents/api/test_api_issues.py",
    ),
    Guard(
        "documents: an edit is written over the version that was read",
        "documents/edits.py",
        "IssueEditor._write",
        '{"version": before.version}',
        "None",
        "documents/api/test_api_issues.py",
    ),
)

_WORK: Final = (
    Guard(
        "documents: a job never goes back from its end",
        "documents/jobs.py",
        "Jobs._change",
        '(item.get("state") in ENDED) != has_ended',
        "False",
        f"{_JOBS}::test_a_job_never_goes_back_from_its_end",
    ),
    Guard(
        "documents: a status is written over the one that was read",
        "documents/jobs.py",
        "Jobs._change",
        "Write(job, changed, item)",
        "Write(job, changed)",
        f"{_JOBS}::test_an_end_that_comes_between_read_and_write_stays",
    ),
    Guard(
        "documents: a job is noted before it is sent",
        "documents/jobs.py",
        "Jobs.submit",
        """
        if self._table.transact(JOBS, writes):
            self._queue.send([message])
            return status
        """,
        """
        self._queue.send([message])
        if self._table.transact(JOBS, writes):
            return status
        """,
        f"{_JOBS}::test_a_job_is_noted_before_it_is_sent_and_sent_again_where_that_failed",
    ),
    Guard(
        "documents: a status that has expired is none",
        "documents/jobs.py",
        "Jobs._has_expired",
        "status.expires_at <= _seconds(self._clock())",
        "False",
        f"{_JOBS}::test_one_that_expired_and_was_not_removed_yet_is_submitted_anew",
    ),
    Guard(
        "documents: what ended is not done again",
        "documents/worker.py",
        "DocumentWorker._handle",
        'message.operation != "refresh" and not self._jobs.is_open(message.job)',
        "False",
        f"{_WORKER}::test_a_job_that_ended_or_that_nobody_knows_is_not_done",
    ),
    Guard(
        "documents: a job whose worker dies has an end",
        "documents/worker.py",
        "DocumentWorker._refuse_deadly",
        "record.receive_count > MOST_RECEIVES",
        "False",
        f"{_WORKER}::test_a_job_whose_worker_dies_again_and_again_fails_and_rings",
    ),
    Guard(
        "documents: waiting for a lock is no fault of a job",
        "documents/worker.py",
        "_is_others",
        "isinstance(error, Retryable) and not isinstance(error, _OPERATORS)",
        "False",
        f"{_WORKER}::test_what_may_succeed_later_is_tried_for_an_hour_and_is_no_dead_letter",
    ),
    Guard(
        "documents: of a bug whoever asked reads only that there is one",
        "documents/worker.py",
        "_told",
        "isinstance(error, MalformedMessage) or not isinstance(error, (Permanent, Retryable))",
        "False",
        f"{_WORKER}::test_a_bug_is_tried_again_then_fails_its_job_and_is_a_dead_letter",
    ),
    Guard(
        "documents: no page spends more than its cap",
        "documents/costs.py",
        "DailyBudget.add",
        "spent + micros > self._cap",
        "False",
        f"{_COSTS}::test_a_call_is_not_made_where_its_estimate_would_pass_the_cap",
    ),
    Guard(
        "documents: two that reserve at once do not pass the cap together",
        "documents/costs.py",
        "DailyBudget.add",
        "Write(key, _raised(stored, micros, now), stored or NOTHING)",
        "Write(key, _raised(stored, micros, now))",
        f"{_COSTS}::test_one_that_is_overtaken_again_and_again_gives_up_and_reserves_nothing",
    ),
    Guard(
        "documents: all pages together spend no more than the stack's cap",
        "documents/costs.py",
        "DailyBudget._addition",
        '{"micros": self._stack_cap - micros}',
        "{}",
        f"{_COSTS}::test_a_page_that_reserves_between_read_and_write_leaves_no_room_beyond_the_ceiling",
    ),
    Guard(
        "documents: the first two of a day are both on the stack's account",
        "documents/costs.py",
        "DailyBudget._addition",
        "Write(key, _raised(stack, micros, now), stack or NOTHING, SYSTEM)",
        "Write(key, _raised(stack, micros, now), None, SYSTEM)",
        f"{_COSTS}::test_a_page_that_reserves_between_read_and_write_leaves_no_room_beyond_the_ceiling",
    ),
    Guard(
        "documents: what is paid for is on the account",
        "documents/work/spending.py",
        "charged",
        "spend.reserve(most)",
        "most = 0",
        f"{_SINGLE}[documents: a translation in pieces]",
    ),
    Guard(
        "documents: the lease is looked at behind the reservation",
        "documents/work/spending.py",
        "LeasedSpend.reserve",
        "self._ensure()",
        "pass",
        f"{_COSTS}::test_a_worker_that_stalls_behind_its_reservation_pays_nothing_that_another_has_"
        "paid",
    ),
    Guard(
        "documents: what a lost lease had reserved is given back",
        "documents/work/spending.py",
        "LeasedSpend.reserve",
        "self._spend.settle(micros, 0)",
        "pass",
        f"{_COSTS}::test_a_worker_that_stalls_behind_its_reservation_pays_nothing_that_another_has_"
        "paid",
    ),
    Guard(
        "documents: an answer that was paid for is looked for first",
        "documents/work/answers.py",
        "Answers.find",
        "stored is None",
        "True",
        f"{_SINGLE}[documents: a translation in pieces]",
    ),
    Guard(
        "documents: a file larger than is read is not fetched",
        "documents/operations/originals.py",
        "OriginalWork._extracted",
        "head.size > _MOST_BYTES",
        "False",
        f"{_EXTREMES}::TestReaders::test_a_file_larger_than_is_read_is_not_even_fetched",
    ),
    Guard(
        "documents: a partition of ours is no page",
        "documents/names.py",
        "Attachment.at",
        "match is None or match[1] in _RESERVED or source_problem(match[2])",
        "match is None or source_problem(match[2])",
        f"{_INTAKE}::test_a_key_that_no_attachment_can_have_is_told_and_passed_over",
    ),
)

_SWEEPS: Final = (
    Guard(
        "documents: the janitor keeps away from partitions of ours",
        "documents/janitor/janitor.py",
        "Janitor.work",
        "not is_page(page)",
        "False",
        f"{_JANITOR}::test_a_folder_with_a_name_that_no_page_has_is_none",
    ),
    Guard(
        "documents: a text without an entry stays for a day",
        "documents/janitor/pages.py",
        "PageSweeper._orphans",
        "now - listed.modified > GRACE",
        "True",
        f"{_JANITOR}::test_a_text_written_just_before_its_entry_is_left_alone",
    ),
    Guard(
        "documents: a text that an item names stays",
        "documents/janitor/pages.py",
        "PageSweeper._orphans",
        "listed.key not in named",
        "True",
        f"{_JANITOR}::test_a_page_that_lives_keeps_all_it_has",
    ),
    Guard(
        "documents: a page without attachments stays for a day",
        "documents/janitor/pages.py",
        "PageSweeper._deleted",
        "now.timestamp() - since < GRACE.total_seconds()",
        "False",
        f"{_JANITOR}::test_a_deleted_page_goes_a_day_after_it_was_seen_to_the_last_item",
    ),
    Guard(
        "documents: the day begins anew for a page that came back",
        "documents/janitor/pages.py",
        "PageSweeper._renewed",
        "GONE in items",
        "False",
        f"{_JANITOR}::test_an_attachment_that_comes_back_within_the_day_keeps_its_page",
    ),
    Guard(
        "documents: a page is looked at again before it is cleared",
        "documents/janitor/pages.py",
        "PageSweeper._deleted",
        "clear(self._table, self._locks, page, is_still_gone)",
        "clear(self._table, self._locks, page)",
        f"{_JANITOR}::test_an_attachment_that_comes_back_under_the_janitor_s_hands_keeps_its_page",
    ),
    Guard(
        "documents: the texts of a deleted page go last",
        "documents/janitor/pages.py",
        "PageSweeper.sweep",
        "return swept + self._deleted(page, items, now)",
        "swept += self._deleted(page, items, now)",
        f"{_JANITOR}::test_the_texts_of_a_deleted_page_outlive_its_items",
    ),
    Guard(
        "documents: a catalogue in use stays",
        "documents/janitor/pages.py",
        "PageSweeper._is_forgotten",
        "_is_idle(page, catalogue, now)",
        "True",
        f"{_JANITOR}::test_a_catalogue_that_somebody_uses_stays_and_its_page_with_it",
    ),
    Guard(
        "documents: a mark of a folder is no attachment",
        "documents/janitor/pages.py",
        "PageSweeper._attachments",
        "attachment is not None",
        "True",
        f"{_JANITOR}::test_what_is_no_attachment_keeps_no_page_alive",
    ),
)

_REQUESTS: Final = (
    Guard(
        "documents: an edit that is there is done",
        "documents/edits.py",
        "IssueEditor._found",
        "edit.is_done(found)",
        "False",
        f"{_REPEATS}::test_an_edit_whose_answer_was_lost_at_any_call_is_done_once",
    ),
    Guard(
        "documents: a key is of one edit",
        "documents/edits.py",
        "_Edit.is_done",
        "earlier.content != self.content",
        "False",
        f"{_REPEATS}::TestKeys::test_another_request_with_its_key_is_refused",
    ),
    Guard(
        "documents: analyses push no person's edit out",
        "documents/store/history.py",
        "edited",
        "each.by == ANALYSIS",
        "False",
        f"{_HOSTILE_TESTS}::TestTheNewestWords"
        "::test_analyses_push_no_edit_of_a_person_out_of_the_history",
    ),
    Guard(
        "documents: an edit in the release before is a person's",
        "documents/store/issues.py",
        "StoredIssue.read",
        'known.pop(_KNOWN_WRITER, item.get("writer")) != item.get("writer")',
        "False",
        "documents/test_document_releases.py"
        "::test_what_a_person_did_in_the_release_before_is_not_overwritten",
    ),
    Guard(
        "documents: two equal jobs at once are one",
        "documents/jobs.py",
        "Jobs.submit",
        "Write(_place(message), place, shared or NOTHING)",
        "Write(_place(message), place)",
        f"{_JOBS}::test_of_two_equal_requests_at_once_one_makes_the_job",
    ),
    Guard(
        "documents: a job under way answers no later request",
        "documents/jobs.py",
        "Jobs._shared",
        'status.state == "submitted"',
        "not status.has_ended",
        f"{_JOBS}::test_a_job_under_way_is_not_shared_and_the_next_one_is",
    ),
    Guard(
        "documents: a key is of one job",
        "documents/jobs.py",
        "Jobs.submit",
        "not there.is_of(message)",
        "False",
        f"{_REPEATS}::TestJobs::test_a_key_of_another_job_is_refused",
    ),
    Guard(
        "documents: a list is read from where the part before ended to look",
        "documents/api/answers.py",
        "first_of",
        "looked_at == most_looked_at",
        "False",
        f"{_LISTS}::TestNext::test_objects_that_are_no_attachments_are_passed_by",
    ),
    Guard(
        "documents: an unreadable issue costs no list",
        "documents/store/issues.py",
        "IssueStore.each",
        'StoredIssue.readable(f"{page}:{key}", item)',
        'StoredIssue.read(f"{page}:{key}", item)',
        f"{_LISTS}::TestUnreadable::test_the_others_are_listed_and_these_are_counted",
    ),
    Guard(
        "documents: a name has one form",
        "documents/names.py",
        "source_problem",
        'is_normalized("NFC", name)',
        "True",
        f"{_LISTS}::TestNames::test_any_other_name_is_refused_everywhere",
    ),
    Guard(
        "documents: the release before waits for names that it cannot read",
        "documents/messages.py",
        "JobMessage._versioned",
        '{**values, "version": 2}',
        "values",
        "documents/test_document_releases.py::"
        "test_a_name_that_the_release_before_refuses_waits_there_for_this_one",
    ),
)


_RENEWAL: Final = "documents/test_issue_renewal.py"
_HOSTILE: Final = (
    Guard(
        "documents: a finding is not swallowed by an issue about another matter",
        "documents/operations/matching.py",
        "_by_likeness",
        "not issue.is_touched or _is_alike(finding.title, issue.title)",
        "True",
        f"{_RENEWAL}::TestAnotherMatter::test_it_is_an_issue_of_its_own",
    ),
    Guard(
        "documents: two findings about one sentence are two issues",
        "documents/operations/matching.py",
        "matched",
        "title = finding.title.casefold()",
        'title = ""',
        f"{_HOSTILE_TESTS}::TestNothingIsLost"
        "::test_two_findings_that_quote_the_same_words_are_two_issues",
    ),
    Guard(
        "documents: an issue's words are the newest analysis's",
        "documents/operations/renewal.py",
        "found_again",
        "not issue.is_touched",
        "False",
        f"{_HOSTILE_TESTS}::TestTheNewestWords"
        "::test_a_wording_from_a_hostile_document_goes_with_it",
    ),
    Guard(
        "documents: a severity that a person set stays",
        "documents/operations/renewal.py",
        "found_again",
        "not issue.is_classified",
        "True",
        f"{_HOSTILE_TESTS}::TestTheNewestWords"
        "::test_a_severity_by_a_person_stays_and_so_do_the_words",
    ),
    Guard(
        "documents: what was said in sight of a document goes with it",
        "documents/operations/renewal.py",
        "is_left_behind",
        "not {*analysis.texts, *analysis.without_text} >= {*issue.found_with}",
        "False",
        f"{_HOSTILE_TESTS}::TestTakenOut::test_its_inventions_go_and_what_a_person_touched_stays",
    ),
    Guard(
        "documents: a person's work does not go with a document",
        "documents/operations/renewal.py",
        "is_left_behind",
        "issue.is_touched or analysis.without_text is None",
        "analysis.without_text is None",
        f"{_HOSTILE_TESTS}::TestTakenOut::test_its_inventions_go_and_what_a_person_touched_stays",
    ),
    Guard(
        "documents: an attachment that has no text for now is not taken out",
        "documents/operations/renewal.py",
        "is_left_behind",
        "{*analysis.texts, *analysis.without_text}",
        "{*analysis.texts}",
        f"{_RENEWAL}::TestWithoutText",
    ),
    Guard(
        "documents: what was said in sight of a text goes with that text",
        "documents/operations/renewal.py",
        "is_left_behind",
        "bool(changed) and changed != issue.sources",
        "False",
        f"{_RENEWAL}::TestReplaced::test_what_it_made_the_model_say_goes",
    ),
    Guard(
        "documents: a kept answer is no second look",
        "documents/operations/renewal.py",
        "not_found",
        "issue.sources.isdisjoint(analysis.kept)",
        "True",
        f"{_RENEWAL}::TestTwice::test_a_kept_answer_is_no_second_look",
    ),
    Guard(
        "documents: a malformed entry is made again before issues go",
        "documents/operations/operations.py",
        "Operations._refresh",
        "not texts_of(originals) and not self._policies.has_malformed(page)",
        "not texts_of(originals)",
        f"{_RENEWAL}::TestWithoutText"
        "::test_a_malformed_entry_beside_one_that_is_taken_out_is_made_again",
    ),
    Guard(
        "documents: an untrusted attachment is seen alone",
        "documents/work/windows.py",
        "windows",
        "source in apart or len(text) > limit",
        "len(text) > limit",
        f"{_HOSTILE_TESTS}::TestApart::test_no_other_policy_is_in_sight_of_it",
    ),
    Guard(
        "documents: a quotation is bounded as it stands in the text",
        "documents/work/verification.py",
        "Verification._reference",
        "place is None or place[1] - place[0] > MOST_QUOTED",
        "place is None",
        f"{_HOSTILE_TESTS}::TestBounds"
        "::test_a_quotation_over_a_long_blank_is_dropped_and_the_others_are_stored",
    ),
    Guard(
        "documents: addresses are taken out of descriptions",
        "documents/work/plain.py",
        "_once",
        '_without_addresses(_BRACKETS.sub("] ", text)).strip()',
        '_BRACKETS.sub("] ", text).strip()',
        "documents/work/test_plain_words.py::test_nothing_of_an_address_is_left_and_twice_is_once",
    ),
)

GUARDS: Final = (*_HOSTILE, *_ENTRIES, *_ISSUES, *_WORK, *_SWEEPS, *_REQUESTS)
