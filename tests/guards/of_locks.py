"""Guards of the locks: catalogue, decisions, leases, work that is done once."""

from typing import Final

from guard import Guard

_ORDERS: Final = "locks/test_lock_interleavings.py"
_THREE: Final = f"{_ORDERS}::test_every_order_of_three_clients_keeps_every_lock"
_PAUSE: Final = (
    f"{_ORDERS}::test_a_pause_past_the_lease_at_any_point_writes_nothing_behind_a_newer_lock"
)
_CLOCKS: Final = f"{_ORDERS}::test_clocks_ten_seconds_apart_never_show_two_leases"
_HISTORIES: Final = f"{_ORDERS}::test_random_faults_pauses_and_clocks_keep_every_lock"
_SET_BACK: Final = "locks/test_lock_clocks.py"
_QUEUE: Final = "locks/test_lock_queue.py"
_LEASES: Final = "locks/test_leases.py"
_ONCE: Final = "locks/test_once.py"
_ONCE_HISTORIES: Final = (
    "locks/test_once_histories.py::test_nobody_is_told_what_does_not_concern_it"
)

# What the checker of random histories reports, each alone.
_BY_HISTORIES: Final = (
    Guard(
        "histories of locks: a write without its check",
        "locks/lease.py",
        "write",
        "[*parts, lease.check()]",
        "list(parts)",
        _HISTORIES,
    ),
    Guard(
        "histories of locks: no conflict between levels",
        "locks/paths.py",
        "conflicts",
        "one[:shared] == other[:shared]",
        "one == other",
        _HISTORIES,
    ),
    Guard(
        "histories of locks: no line",
        "locks/decide.py",
        "_blocker",
        "(number is None or ticket < number) and conflicts(path, request.path)",
        "False",
        _HISTORIES,
    ),
    Guard(
        "histories of locks: no compare-and-swap",
        "locks/catalogue.py",
        "replacement",
        'NOTHING if version is None else {"version": version}',
        "None",
        _HISTORIES,
    ),
    Guard(
        "histories of locks: no wait for a lock's end",
        "locks/decide.py",
        "without_expired",
        "_live(catalogue.held, now_ms - skew_ms)",
        "{}",
        _HISTORIES,
    ),
    Guard(
        "histories of locks: a fence that does not grow",
        "locks/decide.py",
        "_granted",
        "catalogue.fence + 1",
        "catalogue.fence",
        _HISTORIES,
    ),
)

GUARDS: Final = (
    *_BY_HISTORIES,
    Guard(
        "locks: a catalogue is replaced as it was read",
        "locks/catalogue.py",
        "replacement",
        'NOTHING if version is None else {"version": version}',
        "None",
        _THREE,
    ),
    Guard(
        "locks: the first catalogue is written once",
        "locks/catalogue.py",
        "replacement",
        'NOTHING if version is None else {"version": version}',
        'None if version is None else {"version": version}',
        _THREE,
    ),
    Guard(
        "locks: a protected write carries the lease's check",
        "locks/lease.py",
        "write",
        "[*parts, lease.check()]",
        "list(parts)",
        _PAUSE,
    ),
    Guard(
        "locks: another's lock is taken after the skew",
        "locks/decide.py",
        "without_expired",
        "_live(catalogue.held, now_ms - skew_ms)",
        "_live(catalogue.held, now_ms)",
        _CLOCKS,
    ),
    Guard(
        "locks: a holder stops before the skew",
        "locks/lease.py",
        "Lease.seconds_left",
        "max(0.0, usable - self._skew_ms / MILLISECONDS)",
        "max(0.0, usable)",
        _CLOCKS,
    ),
    Guard(
        "locks: a clock that was set back lengthens no lease",
        "locks/lease.py",
        "Lease.seconds_left",
        "min(by_wall, self._end.monotonic - self._store.monotonic())",
        "by_wall",
        f"{_SET_BACK}::test_a_lease_ends_in_time_though_the_clock_was_set_back",
    ),
    Guard(
        "locks: a lease ends while its machine is suspended",
        "locks/lease.py",
        "Lease.seconds_left",
        "min(by_wall, self._end.monotonic - self._store.monotonic())",
        "self._end.monotonic - self._store.monotonic()",
        f"{_SET_BACK}::test_a_lease_does_not_outlive_the_sleep_of_its_machine",
    ),
    Guard(
        "locks: a ticket lives as the lease does",
        "locks/decide.py",
        "LockRequest.ticket_ms",
        "max(_LEAST_TICKET_MS, self.lease_ms // 6)",
        "20_000",
        f"{_QUEUE}::test_a_dead_waiter_is_in_the_way_for_its_ticket_and_the_skew_alone",
    ),
    Guard(
        "locks: ancestors and descendants conflict",
        "locks/paths.py",
        "conflicts",
        "one[:shared] == other[:shared]",
        "one == other",
        f"{_LEASES}::test_equal_ancestor_and_descendant_conflict_by_whole_segments",
    ),
    Guard(
        "locks: earlier tickets come first",
        "locks/decide.py",
        "_blocker",
        "(number is None or ticket < number) and conflicts(path, request.path)",
        "False",
        f"{_QUEUE}::test_a_lock_of_the_whole_page_is_granted_under_a_stream_of_fine_ones",
    ),
    Guard(
        "locks: a lock that is released is not lost",
        "locks/lease.py",
        "Lease.release",
        "self._is_told, True, True",
        "self._is_told, True, self._is_told",
        "documents/test_lock_telemetry.py"
        "::test_a_renewal_in_the_middle_of_a_release_has_lost_nothing",
    ),
    Guard(
        "locks: only its holder renews or releases a lock",
        "locks/lease.py",
        "Lease._mine",
        "held is not None and (held.owner, held.fence) == (self.owner, self.fence)",
        "held is not None",
        f"{_LEASES}::test_a_stranger_changes_nothing",
    ),
    Guard(
        "locks: a lock whose answer was lost is found again",
        "locks/decide.py",
        "decide",
        "mine is not None and mine.owner == request.owner",
        "False",
        f"{_LEASES}::test_a_lost_answer_costs_another_try",
    ),
    Guard(
        "locks: who fails leaves neither ticket nor lock",
        "locks/decide.py",
        "without",
        "replace(catalogue, held=held, waiting=waiting)",
        "None",
        f"{_QUEUE}::test_a_deadline_is_kept_and_leaves_neither_ticket_nor_lock",
    ),
    Guard(
        "locks: a new catalogue starts above a removed one",
        "locks/catalogue.py",
        "parse_catalogue",
        "Catalogue(None, now_ms)",
        "Catalogue(None, 0)",
        f"{_LEASES}::test_a_catalogue_that_was_removed_gives_no_fence_twice",
    ),
    Guard(
        "locks: a catalogue is kept until a new one counts from above it",
        "locks/catalogue.py",
        "Catalogue.is_unused",
        "self.fence < before_ms and all((each.expires_at_ms < before_ms for each in entries))",
        "all((each.expires_at_ms < before_ms for each in entries))",
        "documents/test_document_janitor.py::"
        "test_a_new_catalogue_never_counts_from_below_a_removed_one",
    ),
    Guard(
        "locks: a counter that is set by hand is above all before",
        "locks/catalogue.py",
        "_count",
        "now_ms + _AHEAD_MS",
        "now_ms",
        f"{_LEASES}::test_after_the_remedy_for_a_counter_fences_and_versions_only_rise",
    ),
    Guard(
        "locks: another release's attributes are kept",
        "locks/catalogue.py",
        "replacement",
        "catalogue.others",
        "{}",
        f"{_LEASES}::test_another_releases_attributes_and_keys_are_kept",
    ),
    Guard(
        "locks: a full catalogue takes no more",
        "locks/catalogue.py",
        "Catalogue.is_full",
        "len(self.held) + len(self.waiting) >= MOST_ENTRIES",
        "False",
        f"{_LEASES}::test_a_full_catalogue_refuses_and_still_releases",
    ),
    Guard(
        "once: a leader reads again before it works",
        "locks/once.py",
        "_Call._lead",
        "found is not None and found.is_fresh",
        "False",
        f"{_ONCE}::test_a_result_that_came_between_read_and_lock_is_not_computed_again",
    ),
    Guard(
        "once: who waited is told of the failure",
        "locks/once.py",
        "_Call._raise_failure",
        "came_since or 0 < left_ms <= _MOST_FAILURE_MS",
        "0 < left_ms <= _MOST_FAILURE_MS",
        f"{_ONCE}::test_who_waited_is_told_of_the_failure_whatever_the_clocks_say",
    ),
    Guard(
        "once: a failure from before the call is no news to who waits",
        "locks/once.py",
        "_Call._raise_failure",
        "is_new and self.awaited is not None and fence >= self.awaited",
        "self.awaited is not None and fence >= self.awaited",
        _ONCE_HISTORIES,
    ),
    Guard(
        "once: a failure is gone after seconds",
        "locks/once.py",
        "_Call._raise_failure",
        "0 < left_ms <= _MOST_FAILURE_MS",
        "True",
        f"{_ONCE}::test_a_failure_is_shared_by_all_who_wait_and_gone_after_seconds",
    ),
    Guard(
        "once: a lost answer to a publication is read up on",
        "locks/once.py",
        "_Call._publish",
        "found is not None and found.is_fresh",
        "False",
        f"{_ONCE}::test_a_lost_answer_to_the_publication_computes_nothing_again",
    ),
    Guard(
        "once: the result is published under the lease",
        "locks/once.py",
        "_Call._publish",
        "write(self.table, lease, parts)",
        "self.table.transact(lease.root, parts)",
        f"{_ONCE}::test_a_leader_that_was_paused_past_its_lease_publishes_nothing",
    ),
)
