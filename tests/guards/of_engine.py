"""Guards of commit and drain, queues and batches: of what every family stands on."""

from typing import Final

from guard import SINGLE, Guard

GUARDS: Final = (
    # Commit and drain.
    Guard(
        "If-Match on every write",
        "aws/objects.py",
        "S3Bucket.put",
        '{"IfNoneMatch": "*"} if if_match is None else {"IfMatch": if_match}',
        "{}",
        "aws/test_objects.py::test_replacing_what_another_replaced_is_refused[moto]",
    ),
    Guard(
        "a lost race starts again from reading",
        "changes/register.py",
        "StateRegister.write",
        'raise Superseded(f"{key}: another run committed first") from None',
        "before = Version(before.state, stored.etag if stored else None)",
        "changes/test_register.py::TestWrite::test_a_lost_race_is_superseded_and_changes_nothing",
    ),
    Guard(
        "a fresh writer token a write",
        "changes/register.py",
        "StateRegister.write",
        "self._token()",
        '"worker"',
        "changes/test_register.py::TestWrite::"
        "test_the_same_content_by_another_writer_is_not_taken_for_its_own",
    ),
    Guard(
        "its own write is recognised after a lost answer",
        "changes/register.py",
        "StateRegister.write",
        "stored is not None and stored.body == body",
        "False",
        "changes/test_register.py::TestWrite::test_its_own_write_whose_answer_was_lost_is_a_success",
    ),
    Guard(
        "a write that met 409 is tried again",
        "changes/register.py",
        "StateRegister.write",
        "(PreconditionFailed, Contended, Unavailable)",
        "(PreconditionFailed, Unavailable)",
        "changes/test_register.py::TestWrite::test_a_write_that_never_arrived_is_sent_again",
    ),
    Guard(
        "seq only grows",
        "changes/register.py",
        "StateRegister.write",
        "max(before.state.seq + 1, state.seq + 1, int(self._clock().timestamp()))",
        "int(self._clock().timestamp())",
        "changes/test_register.py::TestWrite::test_seq_grows_also_when_the_clock_goes_back",
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
        "changes/test_check.py::TestDrain::"
        "test_what_is_pending_is_published_even_when_the_site_is_down",
    ),
    Guard(
        "the outbox is drained before the site is asked",
        "changes/check.py",
        "Checker._compare",
        "version = self._publisher.drain(version, projections)",
        "",
        "changes/test_check.py::TestDrain::"
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
        f"{SINGLE}[new]",
    ),
    Guard(
        "what the queue refused stays in the outbox",
        "changes/outbox.py",
        "OutboxPublisher.drain",
        "event.event_id not in accepted",
        "not accepted",
        "changes/test_check.py::TestDrain::test_what_was_refused_and_what_is_behind_it_stays_pending",
    ),
    Guard(
        "what is a week old is no news",
        "changes/outbox.py",
        "OutboxPublisher._unless_old",
        "self._clock() - parse_timestamp(event.detected_at) > PUSHED_WITHIN",
        "False",
        "changes/test_outbox.py::test_a_change_is_pushed_within_a_week",
    ),
    Guard(
        "a refusal within a batch is looked for",
        "aws/queues.py",
        "_send",
        '[entries[int(sent["Id"])] for sent in answer.get("Successful", [])]',
        "list(entries)",
        "aws/test_aws_errors.py::TestPartialAnswers::"
        "test_behind_a_refusal_nothing_of_its_topic_is_sent",
    ),
    Guard(
        "behind a refusal nothing of its topic is sent",
        "aws/queues.py",
        "NotifyQueue.send",
        "entry in taken and group",
        "group",
        "aws/test_aws_errors.py::TestPartialAnswers::"
        "test_behind_a_refusal_nothing_of_its_topic_is_sent",
    ),
    Guard(
        "a topic holds back no other",
        "contracts.py",
        "ChangePublished.group",
        "return self.topic",
        "return self.source",
        "push/test_topics.py::test_a_refused_airport_holds_back_no_other",
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
        f"{SINGLE}[scrolled off and back]",
    ),
    Guard(
        "a job older than its interval is dropped",
        "changes/check.py",
        "Checker.check",
        "self.time_left(job) < timedelta()",
        "False",
        "changes/test_check.py::TestRefusals::"
        "test_a_job_older_than_its_interval_is_dropped_untouched",
    ),
    Guard(
        "a job that is older than what was read since is dropped",
        "changes/check.py",
        "Checker._compare",
        "is_checked_since(state.health, job.scheduled_at)",
        "False",
        "changes/test_old_jobs.py::"
        "test_a_dead_letter_with_an_old_entry_does_not_overwrite_a_newer_reading",
    ),
    Guard(
        "a job that fails to its interval's end is a dead letter",
        "changes/worker.py",
        "Worker._defer",
        """
            raise TriesUsedUp(
                f"{job.source}: failed until its interval was over, {reason}"
            ) from error
        """,
        "pass",
        "changes/test_failing_jobs.py::test_each_job_of_a_source_that_fails_becomes_a_dead_letter",
    ),
    Guard(
        "a bug is a failed check, not a silent one",
        "changes/worker.py",
        "Worker._handle",
        "Exception",
        "Retryable",
        "weather/test_weather_jobs.py::TestBatch::test_a_bug_is_a_failed_run_that_is_tried_again",
    ),
    Guard(
        "a refused check comes back within its interval",
        "changes/worker.py",
        "Worker._defer",
        "min(job.interval_minutes * 60 // _TRIES_AN_INTERVAL, _LONGEST_PAUSE_SECONDS)",
        "1080",
        "changes/test_worker.py::TestRefused::test_it_comes_back_in_good_time",
    ),
    Guard(
        "what stands behind a failure is not tried",
        "runtime/batches.py",
        "BatchRunner._run",
        "if not self._is_given_up(record, error):\n    return self._keep(rest, error)",
        "if not self._is_given_up(record, error):\n    self._keep(rest, error)",
        "runtime/test_batches.py::test_a_failure_fails_the_rest_of_its_group_and_nothing_else",
    ),
    # Two releases side by side.
    Guard(
        "keys of another release are kept",
        "changes/state.py",
        "StatePart",
        '"allow"',
        '"ignore"',
        "changes/test_state.py::TestReleases::"
        "test_keys_of_another_release_are_kept_and_written_back",
    ),
    Guard(
        "a newer schema that can be read is left alone",
        "changes/state.py",
        "SourceState.from_json",
        "state.schema_version > SCHEMA",
        "False",
        "changes/test_state.py::TestReleases::test_a_newer_schema_waits_for_its_release",
    ),
    Guard(
        "a newer schema that cannot be read is left alone",
        "changes/state.py",
        "SourceState.from_json",
        "schema_of(body) > SCHEMA",
        "False",
        "changes/test_check.py::TestReleases::"
        "test_a_newer_schema_is_left_as_it_is_and_the_site_in_peace",
    ),
    Guard(
        "a known source without a state is not taken for new",
        "changes/check.py",
        "Checker._restore",
        "not projections.is_known(source)",
        "True",
        "changes/test_absent_state.py::"
        "test_the_news_of_that_very_check_is_pushed_and_nothing_is_archived_twice",
    ),
    Guard(
        "a state that lost a key is none",
        "changes/state.py",
        "SourceState.from_json",
        "sorted(due - state.model_fields_set)",
        "[]",
        "changes/test_state.py::test_a_stored_state_has_every_key",
    ),
    Guard(
        "a newer release's state is no failed check",
        "changes/worker.py",
        "Worker._handle",
        "(Permanent, NewerRelease, Deferred)",
        "(Permanent, Deferred)",
        "changes/test_corrupt_state.py::"
        "test_a_newer_releases_state_waits_for_it_and_is_never_a_dead_letter",
    ),
    Guard(
        "a newer message waits for its release",
        "contracts.py",
        "Message.parse",
        "(version := _version_of(body)) > cls.newest",
        "False",
        "test_contracts.py::TestReleases::test_a_newer_version_waits_for_its_release",
    ),
    Guard(
        "a newer message is not rejected",
        "runtime/batches.py",
        "BatchRunner._run",
        "Permanent",
        "(Permanent, NewerRelease)",
        "changes/test_worker.py::test_a_newer_releases_job_is_given_back_and_is_no_dead_letter",
    ),
    Guard(
        "a newer message comes back when its release may be there",
        "runtime/batches.py",
        "BatchRunner._keep",
        "first, longest = _ROLLING_SECONDS, _ROLLED_BACK_SECONDS",
        "pass",
        "push/test_notifier.py::test_a_newer_releases_message_waits_for_it_and_claims_nothing",
    ),
    Guard(
        "weather: what was committed is published before anybody is asked",
        "changes/check.py",
        "Checker._compare",
        "version = self._publisher.drain(version, projections)",
        "",
        "weather/test_runs.py::test_death_at_every_step_is_made_good_by_the_next_run",
    ),
    Guard(
        "weather: a run that waited for longer than its interval is skipped",
        "changes/check.py",
        "Checker.check",
        "self.time_left(job) < timedelta()",
        "False",
        "weather/test_weather_jobs.py::TestBatch::"
        "test_15_a_job_that_waited_behind_a_long_run_is_skipped_with_a_warning",
    ),
    Guard(
        "weather: a refused run comes back within its interval",
        "changes/worker.py",
        "Worker._defer",
        "min(job.interval_minutes * 60 // _TRIES_AN_INTERVAL, _LONGEST_PAUSE_SECONDS)",
        "1080",
        "weather/test_weather_jobs.py::TestBatch::"
        "test_a_refused_run_comes_back_after_a_third_of_its_interval",
    ),
    Guard(
        "a monitor that was away waits an interval before it says unchecked",
        "watch/monitor.py",
        "_Seen.left",
        "self.newer | self.waiting",
        "self.newer",
        "watch/test_never_checked.py::"
        "test_a_stack_that_comes_back_after_days_waits_for_the_first_checks",
    ),
    Guard(
        "and no longer than that",
        "watch/status.py",
        "waits_for_first_check",
        "now - parse_timestamp(resumed_at) <= longest",
        "True",
        "watch/test_never_checked.py::"
        "test_but_says_after_an_interval_which_source_no_check_has_reached",
    ),
)
