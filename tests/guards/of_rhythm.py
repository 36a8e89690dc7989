"""Guards of the rhythm: no source is asked too seldom, too often, or twice in a tick."""

from typing import Final

from guard import Guard

_TABLES: Final = "sources/test_rhythm.py::"
_TICKS: Final = (
    "sources/test_rhythm_ticks.py::test_a_gap_is_between_the_intervals_at_its_ends_but_for_a_tick"
)
_PLAN: Final = "sources/test_plan.py::"
_INDEX: Final = "watch/test_pace.py::"

GUARDS: Final = (
    # Tables.
    Guard(
        "minutes of a table have bounds",
        "sources/rhythm.py",
        "_check_minutes",
        "not SHORTEST <= minutes <= LONGEST",
        "False",
        f"{_TABLES}test_a_refused_table_says_what_to_write",
    ),
    Guard(
        "the first hours that fit count",
        "sources/rhythm.py",
        "Rhythm.week",
        "reversed(self.hours)",
        "self.hours",
        f"{_TABLES}test_the_first_hours_that_fit_count_and_holes_are_otherwise",
    ),
    Guard(
        "hours are of the zone of the source",
        "sources/rhythm.py",
        "hour_of_week",
        "at.astimezone(ZoneInfo(zone))",
        "at",
        f"{_TABLES}test_hours_are_of_the_zone_of_the_source",
    ),
    Guard(
        "an interval above ten minutes is the shortest under any rhythm",
        "notices/source.py",
        "Source.week",
        "max(shortest, minutes)",
        "minutes",
        f"{_INDEX}test_a_long_interval_is_the_shortest_under_any_rhythm",
    ),
    Guard(
        "an entry's own rhythm counts",
        "notices/source.py",
        "Source.week",
        "self.rhythm or RHYTHMS[of_all]",
        "RHYTHMS[of_all]",
        f"{_INDEX}test_ten_minutes_are_the_shortest_without_busy_hours",
    ),
    Guard(
        "a rhythm is no part of a job's entry",
        "notices/source.py",
        "Source",
        "Field(default=None, exclude=True)",
        "Field(default=None)",
        f"{_PLAN}test_a_rhythm_changes_when_a_source_is_asked_and_nothing_in_its_job",
    ),
    # Borders of hours.
    Guard(
        "an interval goes on in the next hour",
        "sources/rhythm.py",
        "Weekly.turn",
        "weeks * self._before[-1] + self._before[hour]",
        "(local.toordinal() * 24 + local.hour) * 60 * (_INTERVAL // self.week[hour])",
        _TICKS,
    ),
    Guard(
        "clocks that change end an interval",
        "sources/rhythm.py",
        "Weekly.turn",
        "local.utcoffset()",
        "0",
        _TICKS,
    ),
    # Ticks.
    Guard(
        "sources are due in minutes of their own",
        "changes/jobs.py",
        "Planned.due",
        "int.from_bytes(hashlib.sha256(self.source.encode()).digest()[:8], 'big')",
        "0",
        f"{_TABLES}test_many_sources_are_not_due_at_once",
    ),
    Guard(
        "a job's interval is that between two ticks at least",
        "changes/jobs.py",
        "Planned.due",
        "max(self.rhythm(scheduled_at), minutes)",
        "self.rhythm(scheduled_at)",
        f"{_TABLES}test_without_busy_ticks_a_short_interval_is_that_of_the_schedule",
    ),
    Guard(
        "no minute is lost where one schedule follows the other",
        "changes/jobs.py",
        "Ticks.since",
        "next((n for n in back if self._has(begin - timedelta(minutes=n))), self.minutes)",
        "2 if at.hour in self.busy_hours else self.minutes",
        _TICKS,
    ),
    # The plan that is kept.
    Guard(
        "an edited file is read",
        "sources/plan.py",
        "EntriesPlan.__call__",
        "self._known != (body, taken)",
        "self._known is None",
        f"{_PLAN}test_an_edited_file_counts_at_the_next_tick",
    ),
    Guard(
        "an unchanged file is read once",
        "sources/plan.py",
        "EntriesPlan.__call__",
        "self._known != (body, taken)",
        "True",
        f"{_PLAN}test_an_unchanged_file_is_read_once_and_its_problems_stay_reported",
    ),
    Guard(
        "a folder that another family takes is closed at the next tick",
        "sources/plan.py",
        "EntriesPlan.__call__",
        "self._known != (body, taken)",
        "self._known is None or self._known[0] != body",
        f"{_PLAN}test_a_folder_that_another_family_takes_is_closed_at_the_next_tick",
    ),
    # Enumerated.
    Guard(
        "a tick that is repeated after an edit has the same names of jobs",
        "contracts.py",
        "Job.job_id",
        "f'{self.source}.{self.scheduled_at:%Y%m%dT%H%M}'",
        "f'{self.source}.{self.scheduled_at:%Y%m%dT%H%M}.{self.interval_minutes}'",
        "faults/test_rhythm_crash_points.py::test_any_single_fault_is_harmless",
    ),
)
