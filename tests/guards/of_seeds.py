"""Guards of the seed engine: raw files, domains, counters."""

from typing import Final

from guard import Guard

_RAW: Final = "seeds/test_raw_files.py"
_REJECTED: Final = "seeds/test_rejected_records.py"
_RECORDS: Final = "seeds/test_raw_records.py"
_DOMAIN: Final = "seeds/test_domain_worker.py"
_PAUSES: Final = "seeds/test_domain_pauses.py"
_OVERTAKEN: Final = "seeds/test_overtaken_collections.py"
_PROGRESS: Final = "seeds/test_progress.py"
_SPREAD: Final = "seeds/test_spread_counters.py"
_ORCHESTRATE: Final = "seeds/test_seed_orchestrate.py"
_RANGE: Final = "seeds/test_ranges.py"
_ROOM: Final = "seeds/test_large_bodies.py"
_REFILL: Final = "seeds/test_refilled_batches.py"
_MESSAGES: Final = "seeds/test_seed_messages.py"
_HOLDS: Final = "seeds/test_held_partitions.py"
_LOST: Final = "seeds/test_lost_messages.py"
_BUDGETS: Final = "seeds/test_run_budgets.py"
_BATCHES: Final = "runtime/test_batches.py"
_SINGLE: Final = "faults/test_seed_crash_points.py::test_any_single_fault_loses_and_doubles_nothing"

_READ: Final = (
    Guard(
        "seeds: behind a bad record reading goes on where the next one begins",
        "seeds/files/raw.py",
        "RawRecords._length",
        "self._to_next_record() or self._to_list_end()",
        "self._to_list_end()",
        f"{_RECORDS}::test_a_record_that_is_no_json_costs_itself",
    ),
    Guard(
        "seeds: a bad record's brackets are believed only if another record follows",
        "seeds/files/raw.py",
        "RawRecords._length",
        "end > 0 and _FOLLOWS.match(self._text, end)",
        "end > 0",
        f"{_RECORDS}::test_a_random_damage_costs_no_other_record_in_any_order",
    ),
    Guard(
        "seeds: a record that lost a bracket does not swallow the others",
        "seeds/files/raw.py",
        "RawRecords._record",
        "is_doubtful and not _MORE.match(self._text, behind)",
        "False",
        f"{_RECORDS}::test_a_bad_record_costs_itself_in_any_order_of_keys",
    ),
    Guard(
        "seeds: a list within a broken record does not end the list",
        "seeds/files/raw.py",
        "RawRecords._is_list_end",
        "end == FAR or is_file_end(self._text, end)",
        "True",
        f"{_RECORDS}::test_a_bad_record_costs_itself_in_any_order_of_keys",
    ),
    Guard(
        "seeds: a list behind the list is not read",
        "seeds/files/raw.py",
        "RawRecords._is_end",
        "self._is_list_end() or not self._to_next_record()",
        "not self._to_next_record()",
        f"{_RECORDS}::test_a_list_ends_where_its_file_goes_on",
    ),
    Guard(
        "seeds: bad records of a file without a good one are kept",
        "seeds/files/reader.py",
        "DatasetReader._of",
        "run.rejected.store(self._bucket, run.message.file_path)",
        "pass",
        f"{_REJECTED}::test_those_of_a_file_without_a_good_record_are_kept",
    ),
    Guard(
        "seeds: junk without an end is given up",
        "seeds/files/raw.py",
        "RawRecords._fill",
        "self._junk > _LONGEST_JUNK",
        "False",
        f"{_RECORDS}::test_a_file_without_an_end_is_given_up",
    ),
)

_KEPT: Final = (
    Guard(
        "seeds: bad records are kept before the checkpoint that says done",
        "seeds/files/reader.py",
        "DatasetReader._finish",
        """
        run.rejected.store(self._bucket, path)
        self._save(run, count, is_done=True, problem=records.problem)
        """,
        """
        self._save(run, count, is_done=True, problem=records.problem)
        run.rejected.store(self._bucket, path)
        """,
        f"{_REJECTED}::test_a_death_between_two_writes_costs_none",
    ),
    Guard(
        "seeds: a file that ends early has no mark",
        "seeds/files/worker.py",
        "FileWorker._handle",
        "not checkpoint.problem",
        "True",
        f"{_RAW}::test_a_file_that_breaks_off_is_partial",
    ),
    Guard(
        "seeds: an earlier release's mark of a partial file is none",
        "seeds/files/worker.py",
        "_is_of",
        'mark.get("status") == "partial"',
        "False",
        f"{_RAW}::test_what_an_earlier_release_lost_behind_a_bad_record_is_sent_now",
    ),
    Guard(
        "seeds: a partial file is read on from its checkpoint",
        "seeds/files/reader.py",
        "DatasetReader._begun",
        "start.problem",
        "False",
        f"{_RAW}::test_what_an_earlier_release_lost_behind_a_bad_record_is_sent_now",
    ),
)

_FILES: Final = (
    Guard(
        "seeds: a file that changed while it was read is read anew",
        "seeds/files/reader.py",
        "DatasetReader._refuse_changed",
        "head is None or head.etag != etag",
        "False",
        f"{_RAW}::test_a_file_that_changed_is_read_from_its_beginning",
    ),
    Guard(
        "seeds: a stalled reader of an older file does not take the checkpoint back",
        "seeds/files/reader.py",
        "DatasetReader._begun",
        "self._refuse_changed(message.file_path, reading.etag)",
        "pass",
        f"{_OVERTAKEN}::test_a_stalled_reader_of_the_older_file_leaves_the_newer_ones_checkpoint",
    ),
    Guard(
        "seeds: a checkpoint counts for its own file and collection",
        "seeds/files/reader.py",
        "DatasetReader._begun",
        "(start.epoch, start.etag, start.lap) != (message.epoch, reading.etag, message.lap)",
        "False",
        f"{_RAW}::test_force_reads_a_file_again_and_its_repeat_does_not",
    ),
    Guard(
        "seeds: a reading gives way to a newer collection",
        "seeds/files/reader.py",
        "DatasetReader._begun",
        "is_newer(start.epoch, start.lap if is_lap else 0)",
        "False",
        f"{_OVERTAKEN}::test_a_forced_collection_takes_over_a_file_that_is_handed_over",
    ),
    Guard(
        "seeds: messages go before the checkpoint that vouches for them",
        "seeds/files/reader.py",
        "DatasetReader._save",
        """
        self._domains.send(self._pack(run.waiting))
        """,
        """
        before = run.checkpoint
        self._checkpoints.write(run.message.raw, before.moved(index=index), run.etag)
        self._domains.send(self._pack(run.waiting))
        """,
        f"{_RAW}::test_a_death_sends_at_the_most_a_stride_again",
    ),
    Guard(
        "seeds: no more domains are sent than the day's ceiling",
        "seeds/files/reader.py",
        "DatasetReader._save",
        "(ceiling := self._takes(run.message, len(run.waiting)))",
        "(ceiling := None)",
        f"{_RAW}::test_a_file_beyond_the_days_ceiling_is_held_and_goes_on_where_it_stopped",
    ),
    Guard(
        "seeds: workers that take at once do not pass the ceiling together",
        "seeds/progress.py",
        "Progress.take",
        '{"domains": most - domains}',
        "{}",
        f"{_RAW}::test_workers_that_take_at_once_never_pass_the_ceiling_together",
    ),
    Guard(
        "seeds: a file that no invocation comes through is given up",
        "seeds/files/reader.py",
        "DatasetReader._read",
        "is_due and not has_time()",
        "False",
        f"{_RAW}::test_a_file_too_large_for_an_invocation_to_come_back_to_is_a_dead_letter",
    ),
    Guard(
        "seeds: one reader moves a checkpoint",
        "seeds/files/checkpoint.py",
        "CheckpointRegister.write",
        "self._objects.put(key, body, if_match=etag, content_type=JSON)",
        """self._objects.put(
            key, body, if_match=getattr(self._objects.get(key), "etag", None), content_type=JSON
        )""",
        f"{_RAW}::test_two_readers_of_one_file_do_not_both_go_on",
    ),
    Guard(
        "seeds: a file has its mark once it is read to its end",
        "seeds/files/worker.py",
        "FileWorker._handle",
        "not checkpoint.is_done",
        "False",
        f"{_RAW}::test_what_is_left_of_a_file_is_handed_over",
    ),
    Guard(
        "seeds: a death behind the last checkpoint costs no figures",
        "seeds/files/worker.py",
        "FileWorker._handle",
        "note(checkpoint)",
        "pass",
        f"{_SINGLE}[seeds: a file that breaks off]",
    ),
    Guard(
        "seeds: a forced collection reads a file that has a mark",
        "seeds/files/worker.py",
        "_is_of",
        'message.force and mark.get("epoch") != message.epoch',
        "False",
        f"{_RAW}::test_force_reads_a_file_again_and_its_repeat_does_not",
    ),
    Guard(
        "seeds: a mark is of the file that was listed",
        "seeds/files/worker.py",
        "_is_of",
        'not message.etag or mark.get("etag", message.etag) == message.etag',
        "True",
        f"{_RAW}::test_a_listing_tells_of_a_file_that_became_another_one",
    ),
    Guard(
        "seeds: a file that ends early says so",
        "seeds/files/raw.py",
        "RawRecords._records",
        """
        self.problem = f"after record {number}: {self.problem or 'the file ends within its list'}"
        """,
        "pass",
        f"{_RAW}::test_a_file_that_breaks_off_is_partial",
    ),
    Guard(
        "seeds: a file without a record is no dataset",
        "seeds/files/raw.py",
        "RawRecords.__iter__",
        "not count",
        "False",
        f"{_RAW}::test_a_file_that_can_never_be_read_is_a_dead_letter_at_once",
    ),
    Guard(
        "seeds: the domains of a file take bounded memory",
        "seeds/files/seen.py",
        "SeenDomains.add",
        "len(self._slots) < self._most_slots",
        "True",
        f"{_RAW}::test_the_domains_of_a_file_are_remembered_up_to_a_bound",
    ),
)

_DOMAINS: Final = (
    Guard(
        "seeds: a domain that has its mark is not asked",
        "seeds/domains/domain.py",
        "DomainWork.collect",
        "mark is not None and self._is_collected(message, mark)",
        "False",
        f"{_DOMAIN}::test_a_domain_that_is_done_costs_one_head",
    ),
    Guard(
        "seeds: a domain is asked again when it wants to be",
        "seeds/domains/pauses.py",
        "pause_of",
        "math.ceil(min(retry_after or 0.0, LONGEST_PAUSE_SECONDS))",
        "0",
        f"{_PAUSES}::test_a_domain_is_asked_again_when_it_wants_to_be",
    ),
    Guard(
        "seeds: a domain without a turn is not unreachable",
        "seeds/domains/domain.py",
        "DomainWork._robots",
        "answer.is_postponed",
        "False",
        f"{_PAUSES}::test_a_domain_without_a_turn_waits_and_is_never_unreachable",
    ),
    Guard(
        "seeds: a mark is of its collection",
        "seeds/domains/domain.py",
        "DomainWork._is_collected",
        "message.force and epoch != message.epoch",
        "False",
        f"{_DOMAIN}::test_force_collects_again_once",
    ),
    Guard(
        "seeds: an older collection's message replaces no newer result",
        "seeds/domains/domain.py",
        "DomainWork._is_collected",
        "return self._progress.is_current(partition, epoch)",
        "return False",
        f"{_OVERTAKEN}::test_a_message_of_an_older_collection_adds_nothing_to_a_newer_one",
    ),
    Guard(
        "seeds: another message about a collected domain is settled, too",
        "seeds/domains/domain.py",
        "DomainWork._is_collected",
        "not is_author(message, mark)",
        "False",
        f"{_OVERTAKEN}::test_two_ids_of_one_domain_settle_both_messages",
    ),
    Guard(
        "seeds: another message about an unreachable domain is settled, too",
        "seeds/domains/domain.py",
        "DomainWork.settle",
        "first != author(result.message)",
        "False",
        f"{_OVERTAKEN}::test_every_message_about_a_domain_that_stays_down_is_settled_once",
    ),
    Guard(
        "seeds: a domain that does not answer is asked thrice",
        "seeds/domains/worker.py",
        "DomainWorker._handle_domain",
        "not answer.is_reachable and record.receive_count < MOST_RECEIVES",
        "False",
        f"{_DOMAIN}::test_a_domain_that_answers_at_the_second_try_is_collected",
    ),
    Guard(
        "seeds: a domain that does not answer has no mark",
        "seeds/domains/domain.py",
        "DomainWork.settle",
        """
        if result.is_reachable:
            self._store.mark(result, first)
        """,
        "self._store.mark(result, first)",
        f"{_DOMAIN}::test_a_domain_that_never_answers_is_asked_three_times_and_told",
    ),
    Guard(
        "seeds: an outage leaves the result before it",
        "seeds/domains/domain.py",
        "DomainWork.settle",
        "each.is_reachable or not each.replaces",
        "True",
        f"{_OVERTAKEN}::test_an_outage_costs_no_earlier_result",
    ),
    Guard(
        "seeds: a domain is counted before its mark",
        "seeds/domains/domain.py",
        "DomainWork.settle",
        "self._store.write([each for each in results if each.is_reachable or not each.replaces])",
        """
        self._store.write([each for each in results if each.is_reachable or not each.replaces])
        for each in results:
            if each.is_reachable:
                self._store.mark(each, author(each.message))
        """,
        f"{_SINGLE}[seeds: a domain that answers at the second try]",
    ),
    Guard(
        "seeds: the mark comes behind the metadata",
        "seeds/domains/store.py",
        "ResultStore._metadata",
        "self._bucket.write(key, metadata.to_json(), _JSON, metadata.object_metadata())",
        """
        self.mark(result, author(message))
        self._bucket.write(key, metadata.to_json(), _JSON, metadata.object_metadata())
        """,
        f"{_SINGLE}[seeds: a domain that answers at the second try]",
    ),
    Guard(
        "seeds: evidence that cannot be saved costs no result",
        "seeds/domains/store.py",
        "ResultStore._save",
        """
        try:
            self._bucket.write(key, body, kind)
        except UringError as error:
            self._telemetry.warning("evidence_not_saved", key=key, reason=str(error))
            return False
        """,
        "self._bucket.write(key, body, kind)",
        f"{_DOMAIN}::test_evidence_that_cannot_be_saved_costs_no_result",
    ),
    Guard(
        "seeds: a forced collection asks although there is a copy",
        "seeds/domains/cache.py",
        "RobotsCache.read",
        "epoch is not None and copy.epoch != epoch",
        "False",
        f"{_DOMAIN}::test_a_copy_of_just_now_is_none_for_a_forced_collection",
    ),
    Guard(
        "seeds: a further try asks although there is a copy",
        "seeds/domains/cache.py",
        "RobotsCache.read",
        "_BAD_FOR if is_first else self._again_after",
        "_BAD_FOR",
        f"{_DOMAIN}::test_a_domain_that_answers_at_the_second_try_is_collected",
    ),
    Guard(
        "seeds: partitions that wait together share a collection",
        "seeds/domains/domain.py",
        "DomainWork._collected",
        "latest is None or not is_same or not (again is None or again.covers(latest))",
        "True",
        f"{_OVERTAKEN}::test_the_partitions_that_wait_together_share_one_collection",
    ),
    Guard(
        "seeds: a collection is of one robots.txt",
        "seeds/domains/domain.py",
        "DomainWork._collected",
        "latest is not None and latest.robots == robots[0]",
        "latest is not None",
        f"{_DOMAIN}::test_the_whole_pipeline",
    ),
    Guard(
        "seeds: messages that wait together ask once a try",
        "seeds/domains/cache.py",
        "RobotsCache.read",
        "_BAD_FOR if is_first else self._again_after",
        "_BAD_FOR if is_first else timedelta()",
        f"{_OVERTAKEN}::test_the_messages_that_wait_together_ask_a_dead_domain_once_a_try",
    ),
    Guard(
        "seeds: an outage is believed for an hour",
        "seeds/domains/cache.py",
        "RobotsCache.read",
        "_GOOD_FOR if copy.answer.is_reachable else _BAD_FOR if is_first else self._again_after",
        "_GOOD_FOR if copy.answer.is_reachable or is_first else self._again_after",
        f"{_DOMAIN}::test_a_redriven_domain_leaves_the_unreachable",
    ),
)

_COUNTERS: Final = (
    Guard(
        "seeds: a domain is in a sum once",
        "seeds/counters.py",
        "DomainCounters.count",
        "Write(key, after, stored or NOTHING)",
        "Write(key, after, None)",
        f"{_PROGRESS}::test_a_domain_counts_once",
    ),
    Guard(
        "seeds: a spread domain has one place, whatever its message's id",
        "seeds/counters.py",
        "_number",
        "sha256(item.key.encode()).hexdigest()",
        "item.domain_hash",
        f"{_SPREAD}::test_two_ids_of_one_domain_count_it_once",
    ),
    Guard(
        "seeds: what the release before counted of a spread collection is in the sums",
        "seeds/counters.py",
        "places",
        "[partition.name, *(spread if epoch.endswith(SPREAD) else ())]",
        "spread if epoch.endswith(SPREAD) else [partition.name]",
        f"{_SPREAD}::test_what_the_release_before_counts_at_one_key_is_in_the_sums",
    ),
    Guard(
        "seeds: a collection keeps the keys that it began with",
        "seeds/progress.py",
        "Progress.start",
        "self._spreads and (epoch or stored is None)",
        "self._spreads",
        f"{_SPREAD}::test_a_collection_keeps_the_keys_that_it_began_with",
    ),
    Guard(
        "seeds: a forced collection counts from nothing",
        "seeds/counters.py",
        "DomainCounters.count",
        'stored is not None and stored.get("epoch") == epoch',
        "stored is not None",
        f"{_PROGRESS}::test_a_forced_collection_counts_from_nothing",
    ),
    Guard(
        "seeds: an older collection takes no newer one's count",
        "seeds/counters.py",
        "DomainCounters.count",
        'stored and not known and self._is_current(partition, str(stored.get("epoch")))',
        "False",
        f"{_OVERTAKEN}::test_an_older_message_does_not_take_the_newer_ones_count",
    ),
    Guard(
        "seeds: a forced collection's epoch stays",
        "seeds/progress.py",
        "Progress._change",
        "stored or NOTHING",
        "None",
        f"{_OVERTAKEN}::test_a_run_without_force_does_not_undo_a_forced_one_beside_it",
    ),
    Guard(
        "seeds: figures from before a stall replace no newer ones",
        "seeds/progress.py",
        "Progress._note",
        'stored is not None and str(stored.get("at", "")) > str(item["at"])',
        "False",
        f"{_OVERTAKEN}::test_figures_from_before_a_stall_replace_no_newer_ones",
    ),
    Guard(
        "seeds: figures that come between look and write are seen",
        "seeds/progress.py",
        "Progress._note",
        "stored or NOTHING",
        "None",
        f"{_OVERTAKEN}::test_figures_that_come_between_look_and_write_are_seen",
    ),
    Guard(
        "seeds: a run without force keeps a partition's epoch",
        "seeds/orchestrate.py",
        "SeedOrchestrator._send",
        "run.name if is_forced else None",
        "run.name",
        f"{_ORCHESTRATE}::test_a_partition_goes_on_with_its_epoch_until_it_is_forced",
    ),
    Guard(
        "seeds: a forced collection is gone on with as one",
        "seeds/orchestrate.py",
        "SeedOrchestrator._send",
        "started.epoch.removesuffix(SPREAD) != FIRST",
        "is_forced",
        f"{_ORCHESTRATE}::test_a_partition_goes_on_with_its_epoch_until_it_is_forced",
    ),
)

_NAMES: Final = (
    Guard(
        "seeds: the queue takes each part of a reading",
        "seeds/messages.py",
        "SeedMessage.name",
        "parts = (self.file_path, self.epoch, self.etag, str(self.part), str(self.force))",
        "parts = (self.file_path, self.epoch, self.etag, str(self.force))",
        f"{_RAW}::test_what_is_left_of_a_file_is_handed_over",
    ),
    Guard(
        "seeds: the queue takes a domain of each file",
        "seeds/messages.py",
        "DomainMessage.name",
        'digest(*parts, self.source_file_path or "", *lap)',
        "digest(*parts, *lap)",
        f"{_DOMAIN}::test_a_domain_of_another_file_is_a_duplicate_and_is_not_asked_again",
    ),
    Guard(
        "seeds: a message names a file of its own partition",
        "seeds/messages.py",
        "SeedMessage._is_of_its_partition",
        "raw is None or raw.partition != self.partition_info.partition",
        "raw is None",
        f"{_MESSAGES}::test_a_seed_message_names_a_raw_file_of_its_partition",
    ),
    Guard(
        "seeds: a message's domain is its id's",
        "seeds/messages.py",
        "DomainMessage._is_of_its_id",
        "authority != self.authority or domain != self.registrable_domain",
        "False",
        f"{_MESSAGES}::test_a_domain_message_is_validated",
    ),
    Guard(
        "seeds: a domain's name leaves no folder",
        "seeds/partition.py",
        "build_domain_result_path",
        '_UNSAFE.sub("_", registrable_domain)',
        "registrable_domain",
        f"{_MESSAGES}::test_a_folder_is_safe_whatever_the_domain_is_called",
    ),
    Guard(
        "seeds: a raw file has one path",
        "seeds/partition.py",
        "RawFile.at",
        "raw if raw.path == path else None",
        "raw",
        f"{_MESSAGES}::test_any_other_object_is_no_raw_file",
    ),
)

_RENEWALS: Final = (
    Guard(
        "seeds: a message that an outage took its receives goes on as a copy",
        "runtime/batches.py",
        "BatchRunner._is_renewed",
        "not self._most_receives or record.receive_count < self._most_receives - 1",
        "True",
        f"{_BATCHES}::test_an_outage_uses_up_no_receives_where_a_group_has_no_order",
    ),
    Guard(
        "seeds: a copy is not made for ever",
        "runtime/batches.py",
        "BatchRunner._is_renewed",
        "record.renewals < _MOST_RENEWALS",
        "True",
        f"{_BATCHES}::test_an_outage_of_a_week_makes_dead_letters",
    ),
    Guard(
        "seeds: a message at fault is no copy",
        "runtime/batches.py",
        "BatchRunner._give_back",
        "own_fault and position == 0",
        "False",
        f"{_BATCHES}::test_a_message_at_fault_has_three_receives_and_its_followers_go_on",
    ),
    Guard(
        "seeds: one list without a domain does not end its watch",
        "seeds/watch/verdict.py",
        "_unlist",
        "domain in memory.missing",
        "True",
        "seeds/watch/test_seed_watch.py::TestTheList::test_a_domain_that_one_list_lacks_stays",
    ),
    Guard(
        "seeds: what differs on one look is not a change of a watched file",
        "seeds/watch/settling.py",
        "settle",
        "_age(memory.since, now) < least",
        "False",
        "seeds/watch/test_watch_days.py::test_what_lasts_a_day_is_no_change",
    ),
    Guard(
        "seeds: the job of a watch comes back for its second look",
        "changes/worker.py",
        "Worker._handle",
        "check.again is not None",
        "False",
        "seeds/watch/test_second_look.py::"
        "test_the_job_comes_back_an_hour_later_and_asks_that_robots_txt_alone",
    ),
    Guard(
        "seeds: an upgrade takes watched files over without a look",
        "seeds/watch/verdict.py",
        "_compare",
        "accepted == NOTHING",
        "False",
        "seeds/watch/test_watch_releases.py::"
        "test_the_first_check_after_an_upgrade_takes_the_files_over_silently",
    ),
    Guard(
        "seeds: a copy of robots.txt is of the domain or of the record's own host",
        "seeds/domains/domain.py",
        "DomainWork._robots",
        "copy is not None and copy[0].url in robots_places(domain, message.domain_url)",
        "copy is not None",
        f"{_DOMAIN}::test_a_record_s_host_speaks_for_no_other_s",
    ),
)

_RANGES: Final = (
    Guard(
        "seeds: an outage makes the range again",
        "seeds/domains/feeder.py",
        "RangeFeeder.run",
        "run.outage is not None",
        "False",
        f"{_RANGE}::test_an_outage_of_ours_makes_the_range_again_and_asks_only_what_is_left",
    ),
    Guard(
        "seeds: the rest of a range goes on",
        "seeds/domains/feeder.py",
        "RangeFeeder._hand_on",
        "messages.append(message.rest(run.late))",
        "pass",
        f"{_RANGE}::test_what_there_is_no_time_for_goes_on_as_a_range",
    ),
    Guard(
        "seeds: two ids of one domain are not asked side by side",
        "seeds/domains/feeder.py",
        "_distinct",
        "first.setdefault(message.registrable_domain, message)",
        "first.setdefault(message.domain_id, message)",
        f"{_RANGE}::test_a_domain_under_two_ids_of_one_range_is_asked_once",
    ),
    Guard(
        "seeds: a bug costs its own domain of a range",
        "seeds/domains/feeder.py",
        "RangeFeeder._fail",
        "run.alone += domains",
        "raise error",
        f"{_RANGE}::test_a_bug_costs_its_own_domain",
    ),
    Guard(
        "seeds: an item that was counted is not counted by its group again",
        "seeds/counters.py",
        "DomainCounters._count_group",
        'Write(item.key, {"epoch": epoch, "by": item.by, **item.outcome}, NOTHING)',
        'Write(item.key, {"epoch": epoch, "by": item.by, **item.outcome}, None)',
        f"{_PROGRESS}::test_a_group_that_comes_again_counts_once",
    ),
    Guard(
        "seeds: a paused range asks for nothing",
        "seeds/domains/feeder.py",
        "RangeFeeder.run",
        "self._work.look(due[0])",
        "pass",
        f"{_RANGE}::test_a_paused_range_asks_for_no_mark",
    ),
    Guard(
        "seeds: crowded domains of a range use up no try",
        "seeds/domains/feeder.py",
        "RangeFeeder._hand_on",
        "message.later(run.crowded, at)",
        "message.next_try(run.crowded, at)",
        f"{_RANGE}::test_domains_without_a_turn_wait_a_minute_together_and_hold_no_other",
    ),
    Guard(
        "seeds: a range carries its lap",
        "seeds/ranges.py",
        "RangeMessage.name",
        "str(self.lap)",
        "''",
        f"{_RANGE}::test_a_lap_is_in_every_message_of_a_range",
    ),
    Guard(
        "seeds: what was collected without room is not reused",
        "seeds/domains/domain.py",
        "DomainWork.collect",
        "self._thread.latest = None",
        "pass",
        f"{_ROOM}::test_many_large_bodies_at_once_stay_within_the_room",
    ),
    Guard(
        "seeds: what is stored gives its room back",
        "seeds/domains/domain.py",
        "DomainWork.settle",
        "result.release()",
        "pass",
        f"{_ROOM}::test_an_outage_gives_the_room_back",
    ),
    Guard(
        "seeds: what is received and fails is not deleted",
        "seeds/domains/refill.py",
        "RefilledBatch.run",
        "each['messageId'] not in names",
        "True",
        f"{_REFILL}::test_what_fails_goes_back_to_its_queue",
    ),
    Guard(
        "seeds: a worker without time takes no more",
        "seeds/domains/refill.py",
        "RefilledBatch.run",
        "time_left() >= self._needs",
        "True",
        f"{_REFILL}::test_it_takes_no_more_when_its_time_ends",
    ),
    Guard(
        "seeds: a range that kills its workers is divided",
        "seeds/domains/worker.py",
        "DomainWorker._handle",
        "record.receive_count > MOST_RECEIVES",
        "False",
        f"{_RANGE}::test_a_range_that_kills_its_workers_is_divided",
    ),
)


_HELD: Final = (
    Guard(
        "seeds: a message of a stopped partition asks nobody",
        "seeds/domains/domain.py",
        "DomainWork.look",
        "self._holds.is_stopped(partition, message.epoch, message.lap)",
        "False",
        f"{_HOLDS}::test_messages_of_a_stopped_partition_end_unasked_and_are_counted",
    ),
    Guard(
        "seeds: a stop takes back no outcome",
        "seeds/counters.py",
        "DomainCounters.count",
        "yields or not amounts",
        "not amounts",
        f"{_HOLDS}::test_a_domain_that_was_counted_and_not_marked_is_asked_again_and_counted_once",
    ),
    Guard(
        "seeds: a file of a paused partition stops at its checkpoint",
        "seeds/files/worker.py",
        "FileWorker._handle",
        "not (self._holds.is_held(raw.partition) or self._backlog.is_full)",
        "not self._backlog.is_full",
        f"{_HOLDS}::test_a_paused_file_stops_at_its_next_checkpoint_and_goes_on_there",
    ),
    Guard(
        "seeds: a message of a new lap is none that the queue drops",
        "seeds/messages.py",
        "DomainMessage.name",
        "(str(self.lap),) if self.lap else ()",
        "()",
        f"{_HOLDS}::test_a_stopped_partition_is_sent_again_at_whatever_moment",
    ),
    Guard(
        "seeds: a stopped partition waits for a request that names it",
        "seeds/progress.py",
        "Progress.start",
        "known.held and not (known.held == STOPPED and is_named)",
        "known.held and known.held != STOPPED",
        f"{_HOLDS}::test_only_a_request_that_names_it_goes_on_with_a_stopped_partition",
    ),
    Guard(
        "seeds: a remembered stop does not end what was sent since",
        "seeds/holds.py",
        "_covers",
        "started.epoch == epoch and lap <= started.lap",
        "True",
        f"{_HOLDS}::test_a_remembered_stop_does_not_end_what_was_sent_since",
    ),
    Guard(
        "seeds: a file waits while the domain queue is full",
        "seeds/files/backlog.py",
        "DomainBacklog.is_full",
        "bool(self._most) and self._depth() >= self._most",
        "False",
        f"{_LOST}::test_a_file_waits_while_the_domain_queue_is_full_and_nothing_expires",
    ),
    Guard(
        "seeds: messages that expired are sent again",
        "seeds/progress.py",
        "Progress.start",
        "bool(missing and missing != known.missing)",
        "False",
        f"{_LOST}::test_messages_that_expired_are_sent_again_by_the_next_orchestration",
    ),
    Guard(
        "seeds: messages that no lap brings are not sent for ever",
        "seeds/progress.py",
        "Progress.start",
        "bool(missing and missing != known.missing)",
        "bool(missing)",
        f"{_LOST}::test_what_a_second_lap_did_not_bring_is_not_sent_for_ever",
    ),
    Guard(
        "seeds: a run keeps to its budget",
        "seeds/progress.py",
        "Progress.take",
        "if most_of_run:\n"
        "    at_most = {'domains': most_of_run - domains}\n"
        "    parts.append(Add(run, {'domains': domains}, at_most, partition=_RUNS))",
        "pass",
        f"{_BUDGETS}::test_workers_that_take_at_once_never_pass_a_budget_together",
    ),
    Guard(
        "seeds: a hoster's domains are sent apart",
        "seeds/files/reader.py",
        "DatasetReader._save",
        "run.waiting.sort(key=_digest)",
        "pass",
        f"{_RAW}::test_the_domains_of_one_hoster_are_sent_far_apart",
    ),
    Guard(
        "engine: a record that waits uses up no try",
        "runtime/batches.py",
        "BatchRecord.from_event",
        "max(1, receives - 1) if waits else receives",
        "receives",
        "aws/test_aws_queues.py::TestReturning"
        "::test_a_copy_that_waits_is_no_renewal_and_its_first_receive_no_try",
    ),
)

GUARDS: Final = (
    *_HELD,
    *_READ,
    *_KEPT,
    *_FILES,
    *_DOMAINS,
    *_COUNTERS,
    *_NAMES,
    *_RENEWALS,
    *_RANGES,
)
