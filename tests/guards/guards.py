"""What keeps data safe, each thing with the edit that takes it away and the test that must fall.

Not a survey of all code: these are the guards that the protocols name. Each is switched off in a
copy of the library, and its test runs against the copy.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Guard:
    """One edit. It is compared as syntax: neither comments nor the breaking of lines count.

    Attributes:
        name: what is taken away.
        file: in ``layers/core/uring``.
        where: the qualified name of the function or class that holds it; empty: anywhere.
        old: an expression, or statements in a row, there exactly once.
        new: what stands there instead.
        test: the test that must fail, as pytest names it, below ``tests/``.
    """

    name: str
    file: str
    where: str
    old: str
    new: str
    test: str


_SINGLE: Final = (
    "faults/test_crash_points.py::"
    "test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does"
)
_WEATHER_SINGLE: Final = (
    "faults/test_weather_crash_points.py::test_any_single_fault_loses_and_doubles_nothing"
)

GUARDS: Final = (
    # Commit and drain.
    Guard(
        "If-Match on every write",
        "aws/objects.py",
        "S3Objects.put",
        '{"IfNoneMatch": "*"} if if_match is None else {"IfMatch": if_match}',
        "{}",
        "adapters/test_object_store.py::test_replacing_what_another_replaced_is_refused[s3]",
    ),
    Guard(
        "a lost race starts again from reading",
        "changes/register.py",
        "StateRegister.write",
        'raise Superseded(f"{key}: another run committed first") from None',
        "before = Version(before.state, stored.etag if stored else None)",
        "engine/test_register.py::TestWrite::test_a_lost_race_is_superseded_and_changes_nothing",
    ),
    Guard(
        "a fresh writer token a write",
        "changes/register.py",
        "StateRegister.write",
        "self._token()",
        '"worker"',
        "engine/test_register.py::TestWrite::"
        "test_the_same_content_by_another_writer_is_not_taken_for_its_own",
    ),
    Guard(
        "its own write is recognised after a lost answer",
        "changes/register.py",
        "StateRegister.write",
        "stored is not None and stored.body == body",
        "False",
        "engine/test_register.py::TestWrite::test_its_own_write_whose_answer_was_lost_is_a_success",
    ),
    Guard(
        "a write that met 409 is tried again",
        "changes/register.py",
        "StateRegister.write",
        "(PreconditionFailed, Contended, Unavailable)",
        "(PreconditionFailed, Unavailable)",
        "engine/test_register.py::TestWrite::test_a_write_that_never_arrived_is_sent_again",
    ),
    Guard(
        "seq only grows",
        "changes/register.py",
        "StateRegister.write",
        "max(before.state.seq + 1, int(self._clock().timestamp()))",
        "int(self._clock().timestamp())",
        "engine/test_register.py::TestWrite::test_seq_grows_also_when_the_clock_goes_back",
    ),
    Guard(
        "the outbox is committed with the change",
        "changes/outbox.py",
        "OutboxPublisher.commit",
        "return self.drain(self.register.write(before, state), projections)",
        """
            bare = self.register.write(before, state.replace(outbox=()))
            return self.drain(Version(state, bare.etag), projections)
        """,
        "engine/test_check.py::TestDrain::"
        "test_what_is_pending_is_published_even_when_the_site_is_down",
    ),
    Guard(
        "the outbox is drained before the site is asked",
        "changes/check.py",
        "Checker._check",
        "version = self._publisher.drain(version, projections)",
        "",
        "engine/test_check.py::TestDrain::"
        "test_what_is_pending_is_published_before_the_site_is_asked",
    ),
    Guard(
        "visible before announced",
        "changes/outbox.py",
        "OutboxPublisher.drain",
        """
            projections.write(state)
            pushes = [event for event in state.outbox if event.push]
            accepted = self._outlet.send([projections.message(state, event) for event in pushes])
        """,
        """
            pushes = [event for event in state.outbox if event.push]
            accepted = self._outlet.send([projections.message(state, event) for event in pushes])
            projections.write(state)
        """,
        f"{_SINGLE}[new]",
    ),
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
        f"{_SINGLE}[new]",
    ),
    Guard(
        "what the queue refused stays in the outbox",
        "changes/outbox.py",
        "OutboxPublisher.drain",
        "event.event_id not in accepted",
        "not accepted",
        "engine/test_check.py::TestDrain::test_only_what_was_refused_stays_pending",
    ),
    Guard(
        "a refusal within a batch is looked for",
        "aws/queues.py",
        "_send",
        'accepted.update(chunk[int(sent["Id"])].name for sent in answer.get("Successful", []))',
        "accepted.update(entry.name for entry in chunk)",
        "adapters/test_translation.py::TestPartialAnswers::"
        "test_only_what_was_accepted_counts_and_nothing_is_sent_behind_a_refusal",
    ),
    Guard(
        "what leaves the state is kept elsewhere first",
        "changes/outbox.py",
        "OutboxPublisher.commit",
        """
            if first is not None:
                first()
            return self.drain(self.register.write(before, state), projections)
        """,
        """
            version = self.register.write(before, state)
            if first is not None:
                first()
            return self.drain(version, projections)
        """,
        f"{_SINGLE}[scrolled off and back]",
    ),
    Guard(
        "a run that never committed lowers no revision",
        "records/seen.py",
        "SeenStore.add",
        "record_id not in known or known[record_id].revision <= record.revision",
        "True",
        "engine/test_seen.py::test_the_higher_revision_stays",
    ),
    Guard(
        "a job older than its interval is dropped",
        "changes/check.py",
        "Checker.check",
        "age > timedelta(minutes=job.interval_minutes)",
        "False",
        "engine/test_check.py::TestRefusals::"
        "test_a_job_older_than_its_interval_is_dropped_untouched",
    ),
    Guard(
        "a bug is a failed check, not a silent one",
        "changes/worker.py",
        "Worker._handle",
        "Exception",
        "Retryable",
        "weather/test_worker.py::TestBatch::test_a_bug_is_a_failed_run_that_is_tried_again",
    ),
    Guard(
        "a refused check comes back within its interval",
        "changes/worker.py",
        "Worker._handle",
        "min(job.interval_minutes * 60 // _TRIES_AN_INTERVAL, _LONGEST_PAUSE_SECONDS)",
        "1080",
        "engine/test_worker_lines.py::TestRefused::test_it_comes_back_in_good_time",
    ),
    Guard(
        "what stands behind a failure is not tried",
        "runtime/batches.py",
        "BatchRunner._run",
        """
            self._keep(rest, error)
            return rest
        """,
        "self._keep(rest, error)",
        "unit/test_batches.py::test_a_failure_fails_the_rest_of_its_group_and_nothing_else",
    ),
    # Two releases side by side.
    Guard(
        "keys of another release are kept",
        "changes/state.py",
        "Stored",
        '"allow"',
        '"ignore"',
        "engine/test_state_model.py::TestReleases::"
        "test_keys_of_another_release_are_kept_and_written_back",
    ),
    Guard(
        "a newer schema that can be read is left alone",
        "changes/state.py",
        "SourceState.from_json",
        "state.schema_version > SCHEMA",
        "False",
        "engine/test_state_model.py::TestReleases::test_a_newer_schema_waits_for_its_release",
    ),
    Guard(
        "a newer schema that cannot be read is left alone",
        "changes/state.py",
        "SourceState.from_json",
        "_schema_of(body) > SCHEMA",
        "False",
        "engine/test_check.py::TestReleases::"
        "test_a_newer_schema_is_left_as_it_is_and_the_site_in_peace",
    ),
    Guard(
        "a state that lost a key is none",
        "changes/state.py",
        "SourceState.from_json",
        "sorted(cls.model_fields.keys() - state.model_fields_set - cls.later)",
        "[]",
        "engine/test_state_model.py::test_a_stored_state_has_every_key",
    ),
    Guard(
        "a newer release's state is no failed check",
        "changes/worker.py",
        "Worker._handle",
        "(Permanent, NewerRelease)",
        "Permanent",
        "engine/test_corrupt_state.py::"
        "test_a_newer_releases_state_waits_for_it_and_is_never_a_dead_letter",
    ),
    Guard(
        "a newer message waits for its release",
        "contracts.py",
        "_Message.parse",
        "(version := _version_of(body)) > cls.newest",
        "False",
        "engine/test_contracts.py::TestReleases::test_a_newer_version_waits_for_its_release",
    ),
    Guard(
        "a newer message is not rejected",
        "runtime/batches.py",
        "BatchRunner._run",
        "Permanent",
        "(Permanent, NewerRelease)",
        "engine/test_worker_lines.py::"
        "test_a_newer_releases_job_is_given_back_and_is_no_dead_letter",
    ),
    Guard(
        "a newer message comes back when its release may be there",
        "runtime/batches.py",
        "BatchRunner._keep",
        "self._returns.defer(rest, _UNTIL_REDEPLOYED_SECONDS)",
        "pass",
        "unit/test_notifier.py::test_a_newer_releases_message_waits_for_it_and_claims_nothing",
    ),
    Guard(
        "a message of version 1 is read",
        "contracts.py",
        "ChangePublished._version_1",
        '{**data, "version": 2, "content": {**content, "is_pinned": pin}}',
        "data",
        "engine/test_contracts.py::TestReleases::test_a_change_of_version_1_is_read",
    ),
    # What happened, and what readers see of it.
    Guard(
        "the archive drops repeats by event id",
        "records/archive.py",
        "append",
        "event.event_id.encode() not in held",
        "True",
        "engine/test_archive.py::TestAppend::test_appending_twice_is_appending_once",
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
        "engine/test_archive.py::TestAdd::"
        "test_each_event_goes_to_the_month_in_which_it_was_detected",
    ),
    Guard(
        "an older projection never replaces a newer one",
        "records/latest.py",
        "Latest.write",
        "_seq(published) >= state.seq",
        "_seq(published) == state.seq",
        "engine/test_latest.py::test_a_newer_document_that_appears_meanwhile_stays",
    ),
    Guard(
        "the first sight of a board is silent",
        "records/apply.py",
        "_classify",
        "state.baseline_at is None",
        "False",
        "engine/test_apply.py::TestBaseline::test_the_first_page_is_stored_and_silent",
    ),
    Guard(
        "other rules that change most ids tell nothing",
        "records/apply.py",
        "_classify",
        "seen.reread and unknown_ids * 2 > len(seen.records)",
        "False",
        "engine/test_apply.py::TestReread::test_where_most_are_unknown_the_ids_changed",
    ),
    Guard(
        "what comes back was read by older rules",
        "records/apply.py",
        "_classify",
        'by_old_rules and change.kind == "edited"',
        "False",
        "engine/test_apply.py::TestReread::"
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
        "engine/test_apply.py::TestDeletedAndRenamed::"
        "test_it_is_told_once_and_comes_back_with_its_next_revision",
    ),
    Guard(
        "a deleted record that returns has returned, whatever it says now",
        "records/diff.py",
        "_kind",
        "not before.hash",
        "False",
        "engine/test_diff.py::TestDeleted::test_one_that_is_back_has_returned_whatever_it_says_now",
    ),
    Guard(
        "a record is deleted once",
        "records/diff.py",
        "diff",
        "record.hash and key not in present",
        "key not in present",
        "engine/test_diff.py::TestDeleted::"
        "test_what_is_on_the_page_was_never_known_or_is_deleted_already_does_not_count",
    ),
    Guard(
        "a renamed record's old id is no record any more",
        "records/apply.py",
        "_known_after",
        'after[change.old_id] = after[change.old_id]._replace(hash="", last_seen=stamp)',
        "pass",
        "engine/test_apply.py::TestDeletedAndRenamed::"
        "test_an_old_name_that_is_used_again_counts_on",
    ),
    Guard(
        "a renamed record's old id counts on",
        "records/apply.py",
        "_known_after",
        'after[change.old_id] = after[change.old_id]._replace(hash="", last_seen=stamp)',
        "del after[change.old_id]",
        "engine/test_apply.py::TestDeletedAndRenamed::"
        "test_an_old_name_that_is_used_again_counts_on",
    ),
    Guard(
        "a flood is one push",
        "records/apply.py",
        "apply",
        "_digested([_pushed(event, policy) for event in events], policy.digest_over)",
        "[_pushed(event, policy) for event in events]",
        "engine/test_apply.py::TestDigest::"
        "test_above_it_the_newest_stands_for_all_and_the_archive_has_them",
    ),
    # Notices.
    Guard(
        "an edited entry is read anew in silence",
        "notices/family.py",
        "apply_visit",
        "not state.is_read_by(source.reading)",
        "False",
        "notices/test_notice_visit.py::TestEditedEntry::test_another_selector_is_taken_in_silence",
    ),
    Guard(
        "a page without rows is not believed",
        "notices/page.py",
        "read_page",
        "not page.rows and source.expect.min_rows",
        "page.rows is None",
        "engine/test_check.py::TestBadPages::test_it_changes_nothing_that_readers_see",
    ),
    Guard(
        "a page is judged by itself",
        "notices/visit.py",
        "Visitor._look",
        "judge_page(source.expect, text, page.items)",
        "pass",
        "notices/test_notice_visit.py::TestJudged::test_by_itself",
    ),
    Guard(
        "a page is judged beside what was before",
        "notices/visit.py",
        "Visitor._look",
        "place.knows_board",
        "False",
        "notices/test_notice_visit.py::TestJudged::test_beside_what_was_before",
    ),
    Guard(
        "robots.txt is honoured",
        "notices/visit.py",
        "_obey",
        "source.request.honour_robots and decision is not None and not decision.allowed",
        "False",
        "notices/test_notice_visit.py::TestRobots::test_what_it_forbids_is_not_fetched",
    ),
    Guard(
        "a host is asked by one at a time",
        "fetch/host_locks.py",
        "HostLocks.hold",
        "host in self._busy",
        "False",
        "fetch/test_fetch_answers.py::test_one_host_is_asked_by_one_thread_at_a_time",
    ),
    Guard(
        "a folder of another family is no department",
        "notices/source.py",
        "_check_id",
        '(info.context or {}).get("taken", {}).get(text)',
        "None",
        "notices/test_notice_plan.py::test_a_folder_of_another_family_is_no_department",
    ),
    # Weather.
    Guard(
        "weather: nothing older replaces what is stored",
        "weather/product.py",
        "merge",
        "new is not None and (last is None or not _is_older(product, new, last))",
        "new is not None",
        "weather/test_product.py::TestMerge::test_nothing_older_replaces_what_is_stored",
    ),
    Guard(
        "weather: an incomplete list lifts no warning",
        "weather/gateway/collect.py",
        "Gateway._warnings",
        "failed = dict.fromkeys(airports, missing)",
        "pass",
        "weather/gateway/test_ask.py::test_an_incomplete_list_lifts_nothing",
    ),
    Guard(
        "weather: what was committed is published before anybody is asked",
        "changes/check.py",
        "Checker._check",
        "version = self._publisher.drain(version, projections)",
        "",
        "weather/test_runs.py::test_death_at_every_step_is_made_good_by_the_next_run",
    ),
    Guard(
        "weather: the gateway's key is in nothing that is said",
        "weather/gateway/client.py",
        "GatewayClient._attempt",
        "failure.redacted(self._key.redact)",
        "failure",
        "weather/gateway/test_gateway_key.py::test_the_key_is_in_no_message_whatever_a_server_repeats",
    ),
    Guard(
        "weather: a stale warning ends at its end",
        "weather/product.py",
        "_kept",
        "[each for each in each_once.values() if not _ended(each, now)]",
        "[*each_once.values()]",
        "weather/test_product.py::TestMerge::test_stale_warnings_end_when_they_said",
    ),
    Guard(
        "weather: our own marks do not make a change",
        "weather/product.py",
        "canonical_hash",
        "{icao: _own(report) for icao, report in airports.items()}",
        "{**airports}",
        "weather/test_product.py::TestHash::test_4_and_20_our_own_marks_do_not_count",
    ),
    Guard(
        "weather: latest.json never goes back",
        "weather/files.py",
        "ProductFiles.write",
        "shown is not None and _fetched_at(shown) >= _fetched_at(body)",
        "False",
        f"{_WEATHER_SINGLE}[weather: SPECI and METAR]",
    ),
    Guard(
        "weather: a run that waited for longer than its interval is skipped",
        "changes/check.py",
        "Checker.check",
        "age > timedelta(minutes=job.interval_minutes)",
        "False",
        "weather/test_worker.py::TestBatch::"
        "test_15_a_job_that_waited_behind_a_long_run_is_skipped_with_a_warning",
    ),
    Guard(
        "weather: two warnings of one type are two",
        "weather/product.py",
        "_warned",
        'unmatched[each["wrng_type_key"]] > 0',
        "True",
        "weather/test_product.py::TestEvents::test_8_two_of_one_type_are_two",
    ),
    Guard(
        "weather: what went and came back alike is told again",
        "weather/family.py",
        "_outbox_event",
        'f"{event.id}.{fetched_at}"',
        "event.id",
        "faults/test_weather_crash_points.py::"
        "test_an_undisturbed_run_keeps_every_promise[weather: warning gone and back]",
    ),
    Guard(
        "weather: a refused run comes back within its interval",
        "changes/worker.py",
        "Worker._handle",
        "min(job.interval_minutes * 60 // _TRIES_AN_INTERVAL, _LONGEST_PAUSE_SECONDS)",
        "1080",
        "weather/test_worker.py::TestBatch::"
        "test_a_refused_run_comes_back_after_a_third_of_its_interval",
    ),
    Guard(
        "weather: what has ended is not raised",
        "weather/product.py",
        "_warned",
        "key in before or (_ended(each, now) and not changes)",
        "key in before",
        "weather/test_product.py::TestEvents::test_8_one_that_has_ended_is_not_raised",
    ),
    Guard(
        "weather: a row that is not believed hides no other",
        "weather/product.py",
        "_kept",
        'partial["warnings"] if partial else ()',
        "()",
        "weather/test_product.py::TestMerge::"
        "test_what_is_believed_of_a_list_that_is_not_is_added_and_lifts_nothing",
    ),
    Guard(
        "weather: NIL never replaces what was told of the same minute",
        "weather/product.py",
        "_age",
        'not (header.get("nil") or header.get("translation_failed"))',
        "False",
        "weather/test_product.py::TestMerge::"
        "test_of_two_at_one_time_the_one_that_replaces_the_other_stays",
    ),
    Guard(
        "weather: the key goes along with no redirect",
        "weather/gateway/client.py",
        "GatewayClient._ask",
        "0",
        "5",
        "weather/gateway/test_gateway.py::test_no_redirect_is_followed",
    ),
    Guard(
        "weather: a key that is none is read again",
        "weather/bootstrap/worker.py",
        "build",
        "Gateway(gateway, key.forget)",
        "Gateway(gateway, lambda: None)",
        "weather/test_bootstrap.py::test_a_key_that_is_none_is_read_again_once_it_is_corrected",
    ),
    Guard(
        "weather: a key that was refused is read again",
        "weather/gateway/collect.py",
        "Gateway._noted",
        "self._key_refused()",
        "None",
        "weather/gateway/test_ask.py::test_a_key_that_is_refused_is_read_again_and_nothing_else_is",
    ),
    Guard(
        "weather: the messages of an answer have one limit together",
        "weather/gateway/envelope.py",
        "_items",
        "left -= sum(1 for _ in item.message.document.walk())",
        "pass",
        "weather/gateway/test_envelope.py::test_the_messages_of_an_answer_have_one_limit_together",
    ),
    Guard(
        "weather: the key goes nowhere without TLS",
        "weather/settings.py",
        "WeatherWorkerSettings._keeps_the_key_to_itself",
        'scheme == "http" and rest.partition("/")[0] not in self.allowed_private_hosts',
        "False",
        "unit/test_settings.py::test_a_wrong_setting_of_the_weather_is_named",
    ),
    Guard(
        "weather: a run ends, whatever the gateway does",
        "weather/gateway/client.py",
        "GatewayClient._attempt",
        "self._clock() + timedelta(seconds=spacing) >= self._ends",
        "False",
        "weather/gateway/test_gateway.py::test_a_run_that_has_gone_on_for_too_long_asks_no_more",
    ),
    Guard(
        "weather: only the newest ten files are kept",
        "weather/files.py",
        "ProductFiles.write",
        "self._files.remove(key)",
        "None",
        "weather/test_runs.py::TestTheDocument::"
        "test_9_10_11_the_eleventh_file_removes_the_oldest_and_latest_stays",
    ),
    # Pushes.
    Guard(
        "a live claim holds others off",
        "aws/ledger.py",
        "",
        '"#state = :claimed AND lease_until_ms <= :now_ms"',
        '"#state = :claimed"',
        "adapters/test_ledger.py::"
        "test_a_live_claim_holds_others_off_until_its_lease_ends[dynamodb]",
    ),
    Guard(
        "the condition compares the expiry itself",
        "aws/ledger.py",
        "",
        '"expires_at < :now"',
        '"expires_at < :now AND attribute_not_exists(#key)"',
        "adapters/test_ledger.py::"
        "test_an_expired_item_that_was_not_deleted_yet_is_as_good_as_absent[dynamodb]",
    ),
    Guard(
        "a retry is not before its time",
        "aws/ledger.py",
        "",
        '"#state = :retry AND not_before_ms <= :now_ms"',
        '"#state = :retry"',
        "adapters/test_ledger.py::test_a_retry_holds_everybody_off_until_it_is_due[dynamodb]",
    ),
    Guard(
        "only the owner leaves a claim",
        "aws/ledger.py",
        "",
        '"#owner = :me AND #state = :claimed"',
        '"(#owner = :me OR #owner <> :me) AND #state = :claimed"',
        "adapters/test_ledger.py::test_a_zombie_cannot_touch_its_successors_claim",
    ),
    Guard(
        "a held claim is never acknowledged",
        "push/notifier.py",
        "Notifier._notify",
        "seconds = max(1, ceil((claim.until - now).total_seconds()))",
        "return",
        "unit/test_notifier.py::TestClaims::"
        "test_a_live_claim_of_another_is_given_back_until_its_lease_ends",
    ),
    Guard(
        "what was sent is claimed no more",
        "push/notifier.py",
        "Notifier._notify",
        "isinstance(claim, AlreadyDone)",
        'isinstance(claim, AlreadyDone) and claim.state == "DEAD"',
        "unit/test_notifier.py::TestSent::test_a_redelivery_is_acknowledged_and_not_pushed_again",
    ),
    Guard(
        "SENT is written",
        "push/notifier.py",
        "Notifier._mark_sent",
        "self._ledger.sent(change.ledger_key, owner, now=now, expires_at=now + self._kept)",
        "None",
        "unit/test_notifier.py::TestSent::test_a_redelivery_is_acknowledged_and_not_pushed_again",
    ),
    Guard(
        "the dead letter before DEAD",
        "push/notifier.py",
        "Notifier._reject",
        """
            self._returns.reject(record, error)
            try:
                self._ledger.dead(
                    change.ledger_key,
                    owner,
                    reason=refusal.reason,
                    expires_at=self._clock() + self._kept,
                )
            except ClaimLost as lost:
                self._telemetry.problem("claim_lost", key=change.ledger_key, reason=str(lost))
        """,
        """
            try:
                self._ledger.dead(
                    change.ledger_key,
                    owner,
                    reason=refusal.reason,
                    expires_at=self._clock() + self._kept,
                )
            except ClaimLost as lost:
                self._telemetry.problem("claim_lost", key=change.ledger_key, reason=str(lost))
            self._returns.reject(record, error)
        """,
        "unit/test_notifier.py::TestRejected::"
        "test_the_dead_letter_is_there_before_the_ledger_says_dead",
    ),
    Guard(
        "Retry-After is a floor",
        "push/notifier.py",
        "Notifier._retry_later",
        "refusal.after_seconds",
        "0",
        "unit/test_notifier.py::TestRetryLater::"
        "test_a_refusal_for_now_comes_back_when_it_is_due_with_all_behind_it",
    ),
    Guard(
        "one POST an attempt",
        "push/fcm.py",
        "FcmSender.__init__",
        "HTTPAdapter(max_retries=0)",
        'HTTPAdapter(max_retries=__import__("urllib3").Retry(2, allowed_methods=None))',
        "push/test_fcm.py::test_a_connection_dropped_after_the_body_may_have_been_delivered",
    ),
    # The watch.
    Guard(
        "a family whose configuration cannot be read stops no other",
        "watch/monitor.py",
        "Monitor.run",
        "unreadable.append(error)",
        "raise",
        "watch/test_families.py::TestAFamilyWithoutItsConfiguration::test_it_stops_no_other",
    ),
    Guard(
        "a family whose configuration cannot be read stays in the index",
        "watch/monitor.py",
        "Monitor._write_index",
        "before.get(family.registered.index_key, [])",
        "[]",
        "watch/test_families.py::TestAFamilyWithoutItsConfiguration::test_it_stops_no_other",
    ),
    Guard(
        "an index is never made of older facts",
        "watch/monitor.py",
        "Monitor.run",
        "all(each.is_complete for each in seen)",
        "True",
        "watch/test_monitor.py::test_an_index_is_never_made_of_older_facts",
    ),
    Guard(
        "the watch replaces only what it read",
        "watch/monitor.py",
        "Monitor._put",
        "return False",
        "return self._put(key, self._objects.get(key), body, content_type, cache=cache)",
        "watch/test_monitor.py::test_nothing_newer_is_ever_replaced",
    ),
    Guard(
        "an alert is sent before it is remembered",
        "watch/monitor.py",
        "Monitor._tell",
        """
            send(self._alerts, lines)
            for line in lines:
                self._telemetry.event("alerted", line=line)
            for each, _, down in told:
                after = Memory(facts=dict(each.facts), down=down)
                if after != each.memory:
                    body = after.model_dump_json().encode()
                    self._put(memory_key(each.family.name), each.stored, body)
        """,
        """
            for each, _, down in told:
                after = Memory(facts=dict(each.facts), down=down)
                if after != each.memory:
                    body = after.model_dump_json().encode()
                    self._put(memory_key(each.family.name), each.stored, body)
            send(self._alerts, lines)
        """,
        "watch/test_down_and_up.py::TestAlerts::"
        "test_a_death_before_it_is_remembered_tells_again_and_loses_nothing",
    ),
)
