"""Guards of a push that is sent once: the ledger, the notifier, FCM."""

from typing import Final

from guard import Guard

GUARDS: Final = (
    # Pushes.
    Guard(
        "a live claim holds others off",
        "aws/ledger.py",
        "",
        '"#state = :claimed AND lease_until_ms <= :now_ms"',
        '"#state = :claimed"',
        "aws/test_ledger.py::test_a_live_claim_holds_others_off_until_its_lease_ends[moto]",
    ),
    Guard(
        "the condition compares the expiry itself",
        "aws/ledger.py",
        "",
        '"expires_at < :now"',
        '"expires_at < :now AND attribute_not_exists(#key)"',
        "aws/test_ledger.py::"
        "test_an_expired_item_that_was_not_deleted_yet_is_as_good_as_absent[moto]",
    ),
    Guard(
        "a retry is not before its time",
        "aws/ledger.py",
        "",
        '"#state = :retry AND not_before_ms <= :now_ms"',
        '"#state = :retry"',
        "aws/test_ledger.py::test_a_retry_holds_everybody_off_until_it_is_due[moto]",
    ),
    Guard(
        "only the owner leaves a claim",
        "aws/ledger.py",
        "",
        '"#owner = :me AND #state = :claimed"',
        '"(#owner = :me OR #owner <> :me) AND #state = :claimed"',
        "aws/test_ledger.py::test_a_zombie_cannot_touch_its_successors_claim",
    ),
    Guard(
        "a held claim is never acknowledged",
        "push/notifier.py",
        "Notifier._notify",
        "seconds = max(1, ceil((claim.until - now).total_seconds()))",
        "return",
        "push/test_notifier.py::TestClaims::"
        "test_a_live_claim_of_another_is_given_back_until_its_lease_ends",
    ),
    Guard(
        "what was sent is claimed no more",
        "push/notifier.py",
        "Notifier._notify",
        "isinstance(claim, AlreadyDone)",
        'isinstance(claim, AlreadyDone) and claim.state == "DEAD"',
        "push/test_notifier.py::TestSent::test_a_redelivery_is_acknowledged_and_not_pushed_again",
    ),
    Guard(
        "SENT is written",
        "push/notifier.py",
        "Notifier._mark_sent",
        "self._ledger.sent(change.ledger_key, owner, now=now, expires_at=now + self._kept)",
        "None",
        "push/test_notifier.py::TestSent::test_a_redelivery_is_acknowledged_and_not_pushed_again",
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
        "push/test_notifier.py::TestRejected::"
        "test_the_dead_letter_is_there_before_the_ledger_says_dead",
    ),
    Guard(
        "Retry-After is a floor",
        "push/notifier.py",
        "Notifier._retry_later",
        "refusal.after_seconds",
        "0",
        "push/test_notifier.py::TestRetryLater::"
        "test_a_refusal_for_now_comes_back_when_it_is_due_with_all_behind_it",
    ),
    Guard(
        "the wait that FCM names is doubled",
        "push/notifier.py",
        "Notifier._retry_later",
        "max(least, FIRST_RETRY_SECONDS)",
        "FIRST_RETRY_SECONDS",
        "push/test_push_outcomes.py::"
        "test_a_quota_is_asked_again_after_a_minute_and_then_after_twice_as_long[none]",
    ),
    Guard(
        "a digest wakes no phone",
        "records/latest.py",
        "RecordProjections.message",
        "event.kind in publication.urgent and not event.digest_of",
        "event.kind in publication.urgent",
        "reader/test_clients_page.py::test_urgency_and_lifetime_are_those_of_the_table",
    ),
    Guard(
        "a background push has priority 5",
        "push/payload.py",
        "_apns",
        '{"apns-push-type": "background", "apns-priority": "5"}',
        '{"apns-push-type": "background", "apns-priority": "10"}',
        "push/test_wire.py::test_the_request_is_the_golden_one[new]",
    ),
    Guard(
        "one POST an attempt",
        "push/fcm_client.py",
        "FcmClient.__init__",
        "HTTPAdapter(max_retries=0)",
        'HTTPAdapter(max_retries=__import__("urllib3").Retry(2, allowed_methods=None))',
        "push/test_fcm.py::test_a_connection_dropped_after_the_body_may_have_been_delivered",
    ),
    # Subscriptions of browsers.
    Guard(
        "only published topics are subscribed to",
        "subscriptions/api.py",
        "SubscriptionRoute.change_subscriptions",
        "topic not in published",
        "not published",
        "subscriptions/test_subscription_api.py::test_only_published_topics_are_subscribed_to",
    ),
    Guard(
        "no other site's page may ask",
        "runtime/received.py",
        "check_body",
        "not _is_json(_media_type(event), is_typed=is_typed)",
        "False",
        "subscriptions/test_subscription_api.py::"
        "test_a_body_that_another_site_could_send_unasked_is_415",
    ),
    Guard(
        "no topic changes the address that FCM is asked at",
        "subscriptions/fcm_topics.py",
        "FcmTopics.unsubscribe",
        "not is_segment(topic)",
        "False",
        "subscriptions/test_fcm_topics.py::test_a_topic_that_would_change_the_address_is_not_sent",
    ),
    Guard(
        "no name is decoded into dots",
        "segments.py",
        "is_segment",
        "decoded == seen",
        "True",
        "test_segments.py::test_what_a_client_would_rewrite_is_no_segment",
    ),
    Guard(
        "nobody rings the alarm by an unpublished topic",
        "subscriptions/subscriber.py",
        "Subscriber.apply.run",
        'result.cause == "not_found"',
        "False",
        "subscriptions/test_subscription_api.py::"
        "test_an_unknown_address_of_an_unpublished_topic_rings_no_alarm",
    ),
    Guard(
        "an unpublished topic does not hide that the project lacks the interface",
        "subscriptions/subscriber.py",
        "Subscriber._jobs",
        "sorted(jobs, key=lambda job: job.topic not in published)",
        "jobs",
        "subscriptions/test_subscription_api.py::test_an_unpublished_topic_hides_no_failure_of_all",
    ),
    Guard(
        "a key that is there twice is not taken by its last value",
        "runtime/received.py",
        "_object",
        "key in seen",
        "False",
        "runtime/test_wrong_requests.py",
    ),
    Guard(
        "methods are case-sensitive",
        "runtime/received.py",
        "check_address",
        "received.http_method not in methods",
        "received.http_method.upper() not in methods",
        "runtime/test_wrong_requests.py",
    ),
    Guard(
        "no line names a device",
        "subscriptions/fcm_topics.py",
        "_unanswered",
        'replace(result, reason=result.reason.partition(":")[0])',
        "result",
        "subscriptions/test_fcm_topics.py::"
        "test_an_address_that_does_not_answer_is_told_without_the_device",
    ),
    Guard(
        "after a failure nothing more is begun",
        "subscriptions/subscriber.py",
        "Subscriber.apply.run",
        "failed.is_set()",
        "False",
        "subscriptions/test_subscriber.py::test_after_a_failure_nothing_more_is_begun",
    ),
    Guard(
        "what waited for over a week is not pushed",
        "push/notifier.py",
        "_is_old",
        "now - parse_timestamp(change.detected_at) > PUSHED_WITHIN",
        "False",
        "push/test_notifier.py::test_a_change_that_waited_for_over_a_week_is_not_pushed",
    ),
    Guard(
        "an outage makes no dead letter of a job",
        "changes/worker.py",
        "Worker._defer",
        "isinstance(error, _OUTAGES)",
        "False",
        "changes/test_failing_jobs.py::"
        "test_a_job_that_an_outage_used_up_is_no_dead_letter_but_counted",
    ),
)
