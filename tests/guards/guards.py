"""What keeps data safe, each thing with the edit that takes it away and the test that must fall.

Not a survey of all code: these are the guards that the protocols name. Each is switched off in a
copy of the library, and its test runs against the copy.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Guard:
    """One edit.

    Attributes:
        name: what is taken away.
        file: in ``layers/core/uring``.
        old: what stands there, exactly once.
        new: what stands there instead.
        test: the test that must fail, as pytest names it, below ``tests/``.
    """

    name: str
    file: str
    old: str
    new: str
    test: str


_SINGLE: Final = (
    "faults/test_crash_points.py::"
    "test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does"
)

_ANNOUNCE: Final = (
    "        announced = [event for event in state.outbox if event.push]\n"
    "        accepted = self._outlet.send("
    "[_message(event, publication) for event in announced])\n"
)

GUARDS: Final = (
    Guard(
        "If-Match on every write",
        "aws/objects.py",
        '{"IfNoneMatch": "*"} if if_match is None else {"IfMatch": if_match}',
        "{}",
        "adapters/test_object_store.py::test_replacing_what_another_replaced_is_refused[s3]",
    ),
    Guard(
        "a lost race starts again from reading",
        "changes/register.py",
        'raise Superseded(f"{key}: another run committed first") from None',
        "before = Version(before.state, stored.etag if stored else None)",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "a fresh writer token a write",
        "changes/register.py",
        "writer=self._token()",
        'writer="worker"',
        "unit/test_register.py::TestWrite::"
        "test_the_same_content_by_another_writer_is_not_taken_for_its_own",
    ),
    Guard(
        "its own write is recognised after a lost answer",
        "changes/register.py",
        "if stored is not None and stored.body == body:",
        "if stored is None:",
        "unit/test_register.py::TestWrite::test_its_own_write_whose_answer_was_lost_is_a_success",
    ),
    Guard(
        "a write that met 409 is tried again",
        "changes/register.py",
        "except (PreconditionFailed, Contended, Unavailable):",
        "except (PreconditionFailed, Unavailable):",
        "unit/test_register.py::TestWrite::test_a_write_that_never_arrived_is_sent_again",
    ),
    Guard(
        "seq only grows",
        "changes/register.py",
        "seq = max(before.state.seq + 1, int(self._clock().timestamp()))",
        "seq = int(self._clock().timestamp())",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "the outbox is committed with the change",
        "changes/publisher.py",
        "return self.drain(self.register.write(before, state), publication)",
        "bare = self.register.write(before, state.replace(outbox=()))\n"
        "        return self.drain(Version(state, bare.etag), publication)",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "the outbox is drained before the site is asked",
        "notices/collect.py",
        "version = self._publisher.drain(version, publication)",
        "pass",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "visible before announced",
        "changes/publisher.py",
        f"        self._latest.write(state, publication)\n{_ANNOUNCE}",
        f"{_ANNOUNCE}        self._latest.write(state, publication)\n",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "archived before the outbox is emptied",
        "changes/publisher.py",
        "        if state.outbox:\n            self._archive",
        "        if state.outbox and not state.outbox[0].push:\n            self._archive",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "what the queue refused stays in the outbox",
        "changes/publisher.py",
        "if event.event_id not in accepted)",
        "if not accepted)",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "a refusal within a batch is looked for",
        "aws/queues.py",
        'accepted.update(chunk[int(sent["Id"])].name for sent in answer.get("Successful", []))',
        "accepted.update(entry.name for entry in chunk)",
        "adapters/test_translation.py::TestPartialAnswers::"
        "test_only_what_was_accepted_counts_and_nothing_is_sent_behind_a_refusal",
    ),
    Guard(
        "what leaves the state is remembered first",
        "changes/publisher.py",
        "        if spill:\n            self.register.remember(state.source, spill)\n"
        "        return self.drain(self.register.write(before, state), publication)",
        "        version = self.register.write(before, state)\n"
        "        if spill:\n            self.register.remember(state.source, spill)\n"
        "        return self.drain(version, publication)",
        f"{_SINGLE}[scrolled off and back]",
    ),
    Guard(
        "the archive drops repeats by event id",
        "records/archive.py",
        "if event.event_id.encode() not in held]",
        "if event]",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "the archive's month is fixed in the outbox",
        "records/model.py",
        "return self.detected_at[:4] + self.detected_at[5:7]",
        "import time\n\n        return time.strftime('%Y%m', time.gmtime())",
        "unit/test_archive.py::TestAdd::test_each_event_goes_to_the_month_in_which_it_was_detected",
    ),
    Guard(
        "an older projection never replaces a newer one",
        "records/latest.py",
        "_seq(published) >= state.seq else body",
        "_seq(published) == state.seq else body",
        f"{_SINGLE}[edited before the retry]",
    ),
    Guard(
        "the first sight of a board is silent",
        "records/diff.py",
        'kind: Kind = "baseline" if silent or misread else change.kind',
        'kind: Kind = "baseline" if misread else change.kind',
        "unit/test_diff.py::TestBaseline::test_the_first_page_is_stored_and_silent",
    ),
    Guard(
        "a page without rows is not believed",
        "notices/page.py",
        "    if not page.rows and source.expect.min_rows:\n",
        "    if page.rows is None:\n",
        "unit/test_collect.py::TestBadPages::test_it_changes_nothing_that_readers_see",
    ),
    Guard(
        "an edited entry is read anew in silence",
        "notices/collect.py",
        "reread=visit.reread",
        "reread=False",
        "unit/test_visit.py::TestEditedEntry::test_another_selector_is_taken_in_silence",
    ),
    Guard(
        "what comes back was read by older rules",
        "records/diff.py",
        'misread = record.id in old_rules and (reread or change.kind == "edited")',
        "misread = record.id in old_rules and reread",
        "unit/test_diff.py::TestReread::"
        "test_what_was_away_meanwhile_is_taken_anew_when_it_comes_back",
    ),
    Guard(
        "a flood is one push",
        "records/diff.py",
        "events = _digested(events, terms.digest_over)",
        "events = events",
        "unit/test_diff.py::TestDigest::test_above_it_the_newest_stands_for_all_and_the_archive_has_them",
    ),
    Guard(
        "a page is judged by itself",
        "notices/visit.py",
        "judge_page(source.expect, text, page.items)",
        "pass",
        "replay/test_replay.py::test_nothing_is_pushed_without_reason_and_nothing_missed",
    ),
    Guard(
        "a page is judged beside what was before",
        "notices/visit.py",
        "            judge_change(\n",
        "            (lambda *_, **__: None)(\n",
        "replay/test_replay.py::test_what_hides_a_page_is_seen_through",
    ),
    Guard(
        "robots.txt is honoured",
        "notices/visit.py",
        "if known is not None and not known.allowed:",
        "if known is None:",
        "unit/test_visit.py::TestRobots::test_what_it_forbids_is_not_fetched",
    ),
    Guard(
        "a host is asked by one at a time",
        "fetch/host_locks.py",
        "while host in self._busy:",
        "while False:",
        "fetch/test_fetch_answers.py::test_one_host_is_asked_by_one_thread_at_a_time",
    ),
    Guard(
        "weather: nothing older replaces what is stored",
        "weather/product.py",
        "if new is not None and (last is None or not _is_older(product, new, last)):",
        "if new is not None:",
        "weather/test_product.py::TestMerge::test_nothing_older_replaces_what_is_stored",
    ),
    Guard(
        "weather: an incomplete list lifts no warning",
        "weather/gateway/collect.py",
        "if listed.missing:",
        "if listed.missing > 99:",
        "weather/test_ask.py::test_an_incomplete_list_lifts_nothing",
    ),
    Guard(
        "weather: what was committed is published before anybody is asked",
        "weather/collect.py",
        "version = self._publisher.publish(version)",
        "pass",
        "weather/test_runs.py::test_death_at_every_step_is_made_good_by_the_next_run",
    ),
    Guard(
        "weather: the gateway's key is in nothing that is said",
        "weather/gateway/client.py",
        "return failure.redacted(self._key.redact)",
        "return failure",
        "weather/test_gateway_key.py",
    ),
    Guard(
        "weather: a stale warning ends at its end",
        "weather/product.py",
        "in_force = [each for each in each_once.values() if not _ended(each, now)]",
        "in_force = [*each_once.values()]",
        "weather/test_product.py",
    ),
    Guard(
        "weather: our own marks do not make a change",
        "weather/product.py",
        "plain = {icao: _own(report) for icao, report in airports.items()}",
        "plain = {**airports}",
        "weather/test_product.py::TestHash::test_4_and_20_our_own_marks_do_not_count",
    ),
    Guard(
        "weather: latest.json never goes back",
        "weather/publisher.py",
        "return None if shown is not None and _fetched_at(shown) >= _fetched_at(body) else body",
        "return body",
        "faults/test_weather_crash_points.py",
    ),
    Guard(
        "weather: a run that waited for longer than its interval is skipped",
        "weather/collect.py",
        "if age > timedelta(minutes=job.interval_minutes):",
        "if age > timedelta(days=9999):",
        "weather/test_worker.py::TestBatch",
    ),
    Guard(
        "weather: two warnings of one type are two",
        "weather/product.py",
        'changes = unmatched[each["wrng_type_key"]] > 0',
        "changes = True",
        "weather/test_product.py",
    ),
    Guard(
        "weather: what went and came back alike is told again",
        "weather/collect.py",
        'told_id = f"{happening.id}.{fetched_at}"',
        "told_id = happening.id",
        "faults/test_weather_crash_points.py",
    ),
    Guard(
        "weather: a refused run comes back within its interval",
        "weather/worker.py",
        "seconds = job.interval_minutes * _SECONDS_OF_A_MINUTE",
        "seconds = 1080",
        "weather/test_worker.py::TestBatch",
    ),
    Guard(
        "weather: what has ended is not raised",
        "weather/product.py",
        "if key in before or (_ended(each, now) and not changes):",
        "if key in before:",
        "weather/test_product.py",
    ),
    Guard(
        "weather: a row that is not believed hides no other",
        "weather/product.py",
        'added = partial["warnings"] if partial else ()',
        "added = ()",
        "weather/test_product.py",
    ),
    Guard(
        "weather: NIL never replaces what was told of the same minute",
        "weather/product.py",
        'not (header.get("nil") or header.get("translation_failed")),',
        "False,",
        "weather/test_product.py",
    ),
    Guard(
        "weather: a bug is a failed run, not a silent one",
        "weather/worker.py",
        "except Exception as error:",
        "except Retryable as error:",
        "weather/test_worker.py",
    ),
    Guard(
        "weather: the key goes along with no redirect",
        "weather/gateway/client.py",
        "most_redirects=0,",
        "",
        "weather/test_gateway.py",
    ),
    Guard(
        "weather: a key that is none is read again",
        "weather/bootstrap/worker.py",
        "            key.forget()\n",
        "",
        "weather/test_bootstrap.py",
    ),
    Guard(
        "weather: the messages of an answer have one limit together",
        "weather/gateway/envelope.py",
        "left -= sum(1 for _ in item.message.document.walk())",
        "pass",
        "weather/test_envelope.py::test_the_messages_of_an_answer_have_one_limit_together",
    ),
    Guard(
        "weather: a key that was refused is read again",
        "weather/gateway/collect.py",
        "            self._key_refused()",
        "            pass",
        "weather/test_ask.py::test_a_key_that_is_refused_is_read_again_and_nothing_else_is",
    ),
    Guard(
        "weather: the key goes nowhere without TLS",
        "runtime/settings.py",
        'if scheme == "http" and',
        "if not scheme and",
        "unit/test_settings.py::test_a_wrong_setting_of_the_weather_is_named",
    ),
    Guard(
        "weather: a run ends, whatever the gateway does",
        "weather/gateway/client.py",
        "if self._clock() + timedelta(seconds=spacing) >= self._ends:",
        "if spacing < 0:",
        "weather/test_gateway.py::test_a_run_that_has_gone_on_for_too_long_asks_no_more",
    ),
    Guard(
        "weather: only the newest ten files are kept",
        "weather/publisher.py",
        "            self._files.remove(key)",
        "            pass",
        "weather/test_runs.py",
    ),
    Guard(
        "a job older than its interval is dropped",
        "notices/collect.py",
        "if age > timedelta(minutes=source.interval_minutes):",
        "if age > timedelta(days=9999):",
        "unit/test_collect.py::TestRefusals::test_a_job_older_than_its_interval_is_dropped_untouched",
    ),
    Guard(
        "what stands behind a failure is not tried",
        "runtime/batches.py",
        "            except Retryable as error:\n                self._problem(record, error)\n"
        "                return rest\n",
        "            except Retryable as error:\n                self._problem(record, error)\n",
        "unit/test_batches.py::test_a_failure_fails_the_rest_of_its_group_and_nothing_else",
    ),
    Guard(
        "a live claim holds others off",
        "aws/ledger.py",
        "#state = :claimed AND lease_until_ms <= :now_ms",
        "#state = :claimed",
        "adapters/test_ledger.py::"
        "test_a_live_claim_holds_others_off_until_its_lease_ends[dynamodb]",
    ),
    Guard(
        "the condition compares the expiry itself",
        "aws/ledger.py",
        '({OTHER_EVENT})"',
        '({OTHER_EVENT})".replace(EXPIRED, "attribute_not_exists(#key)")',
        "adapters/test_ledger.py::"
        "test_an_expired_item_that_was_not_deleted_yet_is_as_good_as_absent[dynamodb]",
    ),
    Guard(
        "a retry is not before its time",
        "aws/ledger.py",
        "#state = :retry AND not_before_ms <= :now_ms",
        "#state = :retry",
        "adapters/test_ledger.py::test_a_retry_holds_everybody_off_until_it_is_due[dynamodb]",
    ),
    Guard(
        "only the owner leaves a claim",
        "aws/ledger.py",
        'MINE = "#owner = :me AND #state = :claimed"',
        'MINE = "#state = :claimed AND :me = :me"',
        "adapters/test_ledger.py::test_a_zombie_cannot_touch_its_successors_claim",
    ),
    Guard(
        "a held claim is never acknowledged",
        "push/notifier.py",
        "            seconds = max(1, ceil((claim.until - now).total_seconds()))\n",
        "            return\n",
        "unit/test_notifier.py::TestClaims::"
        "test_a_live_claim_of_another_is_given_back_until_its_lease_ends",
    ),
    Guard(
        "what was sent is claimed no more",
        "push/notifier.py",
        "if isinstance(claim, AlreadyDone):",
        'if isinstance(claim, AlreadyDone) and claim.state == "DEAD":',
        f"{_SINGLE}[new]",
    ),
    Guard(
        "SENT is written",
        "push/notifier.py",
        "self._ledger.sent(change.ledger_key, owner, now=now, expires_at=now + self._kept)",
        "pass",
        f"{_SINGLE}[new]",
    ),
    Guard(
        "the dead letter before DEAD",
        "push/notifier.py",
        "        self._returns.reject(record, error)\n        try:\n",
        "        try:\n",
        f"{_SINGLE}[FCM refuses]",
    ),
    Guard(
        "Retry-After is a floor",
        "push/notifier.py",
        "            refusal.after_seconds,\n",
        "            0,\n",
        "unit/test_notifier.py::TestRetryLater::"
        "test_a_refusal_for_now_comes_back_when_it_is_due_with_all_behind_it",
    ),
    Guard(
        "one POST an attempt",
        "push/fcm.py",
        "HTTPAdapter(max_retries=0)",
        'HTTPAdapter(max_retries=__import__("urllib3").Retry(2, allowed_methods=None))',
        "push/test_fcm.py::test_a_connection_dropped_after_the_body_may_have_been_delivered",
    ),
)
