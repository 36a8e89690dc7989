"""Guards of notice boards, of fetching, and of what is told of every source."""

from typing import Final

from guard import Guard

GUARDS: Final = (
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
        "sources/guards.py",
        "judge_rows",
        "not page.rows and entry.expect.min_rows",
        "page.rows is None",
        "changes/test_check.py::TestBadPages::test_it_changes_nothing_that_readers_see",
    ),
    Guard(
        "a page is judged by itself",
        "notices/visit.py",
        "NoticeVisitor._look",
        "judge_page(source.expect, text, page.items, NOUNS)",
        "pass",
        "notices/test_notice_visit.py::TestJudged::test_by_itself",
    ),
    Guard(
        "a page is judged beside what was before",
        "notices/visit.py",
        "NoticeVisitor._look",
        "place.knows_board",
        "False",
        "notices/test_notice_visit.py::TestJudged::test_beside_what_was_before",
    ),
    Guard(
        "robots.txt is honoured",
        "sources/requests.py",
        "obey",
        "entry.request.honour_robots and decision is not None and not decision.allowed",
        "False",
        "notices/test_notice_visit.py::TestRobots::test_what_it_forbids_is_not_fetched",
    ),
    Guard(
        "entries that are too many cost themselves alone",
        "sources/config.py",
        "load_entries",
        "enumerate(entries[:SOURCE_LIMIT])",
        "enumerate(entries if len(entries) <= SOURCE_LIMIT else ())",
        "sources/test_config.py::test_entries_beyond_the_most_are_refused_and_the_others_checked",
    ),
    Guard(
        "of a file that is too large what fits is checked",
        "sources/document.py",
        "read_document",
        "not text",
        "True",
        "sources/test_config.py::test_of_a_file_that_is_too_large_the_entries_that_fit_are_checked",
    ),
    Guard(
        "a host has no more requests at once than it may have",
        "fetch/host_locks.py",
        "HostLocks.hold",
        "self._busy[host] >= self._abreast",
        "False",
        "fetch/test_host_locks.py::test_so_many_at_once_and_the_next_when_one_leaves",
    ),
    Guard(
        "no request begins too soon after another",
        "fetch/host_locks.py",
        "HostLocks.hold",
        "self._is_too_soon(host)",
        "False",
        "fetch/test_host_locks.py::test_beside_another_none_begins_too_soon",
    ),
    Guard(
        "a folder of another family is no department",
        "sources/entry.py",
        "_check_id",
        '(info.context or {}).get("taken", {}).get(text)',
        "None",
        "sources/test_plan.py::test_a_folder_of_another_family_is_no_department",
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
        "a number that grows is no write",
        "watch/status.py",
        "told",
        '{**document, "seq": 0, "consecutive_failures": capped}',
        "dict(document)",
        "watch/test_monitor.py::TestCost::test_a_number_that_grows_is_no_write",
    ),
    Guard(
        "the watch replaces only what it read",
        "watch/publish.py",
        "Publisher.put",
        "return False",
        "return self.put(key, self._objects.get(key), body, content_type, cache=cache)",
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
            if self._readers:
                self._readers.remember()
            for each, _, down in told:
                after = MonitorMemory(
                    facts=dict(each.facts),
                    down=down,
                    pending=dict(each.pending),
                    ran_at=timestamp(now),
                    resumed_at=each.resumed_at,
                    indexed=each.indexed,
                )
                if after.is_written(each.memory, now):
                    body = after.model_dump_json().encode()
                    self._publisher.put(memory_key(each.family.name, each.shard), each.stored, body)
        """,
        """
            for each, _, down in told:
                after = MonitorMemory(
                    facts=dict(each.facts),
                    down=down,
                    pending=dict(each.pending),
                    ran_at=timestamp(now),
                    resumed_at=each.resumed_at,
                    indexed=each.indexed,
                )
                if after.is_written(each.memory, now):
                    body = after.model_dump_json().encode()
                    self._publisher.put(memory_key(each.family.name, each.shard), each.stored, body)
            send(self._alerts, lines)
        """,
        "watch/test_down_and_up.py::TestAlerts::"
        "test_a_death_before_it_is_remembered_tells_again_and_loses_nothing",
    ),
    Guard(
        "a part that fails for long is told to people",
        "watch/status.py",
        "_parts_down",
        "age >= _PART_DOWN_AFTER",
        "False",
        "weather/test_weather_health.py::"
        "test_people_hear_of_one_airport_that_fails_for_an_hour_and_when_it_is_well_again",
    ),
    Guard(
        "no source is begun without the time for what comes after it",
        "watch/due.py",
        "DueSources._turn",
        "time_left() <= _RESERVE_SECONDS",
        "False",
        "watch/test_due.py::test_what_there_is_no_time_for_is_left",
    ),
    Guard(
        "an entry with a newer release's keys waits for that release",
        "sources/config.py",
        "entry_of",
        'all(problem["type"] == "extra_forbidden" for problem in problems)',
        "False",
        "changes/test_check.py::TestRefusals::test_an_entry_with_a_newer_releases_keys_waits_for_it",
    ),
    Guard(
        "a newer release's state keeps nobody else out of the index",
        "watch/due.py",
        "DueSources._turn",
        "Outcome(due.known, is_newer=True)",
        "Outcome(due.known, is_done=False)",
        "watch/test_monitor.py::test_a_newer_releases_state_keeps_nobody_else_from_being_shown",
    ),
    # Pages: what their reading may cost, and what a row is.
    Guard(
        "a page has so many elements at most",
        "reading/lists/html_limits.py",
        "parse",
        "look.tags > _LIMITS.elements",
        "False",
        "reading/lists/test_html_limits.py::test_a_page_of_too_many_elements_is_refused_unparsed",
    ),
    Guard(
        "a row inside another keeps its parts in both",
        "reading/lists/html_search.py",
        "_parents",
        "above is not parent and above.mem_id in parents",
        "False",
        "reading/lists/test_html_search.py::"
        "test_what_is_in_a_row_inside_another_belongs_to_both[in a row]",
    ),
    Guard(
        "a tag with brackets in its values is examined",
        "reading/lists/html_limits.py",
        "_glance",
        "bool(_LONG_TAG.search(page)) or _has_odd_tag(page)",
        "bool(_LONG_TAG.search(page))",
        "reading/lists/test_html_limits.py::test_a_page_that_would_exhaust_the_parser_is_refused_quickly"
        "[attributes in a large page]",
    ),
    Guard(
        "a page is as deep as its tree is",
        "reading/lists/html_limits.py",
        "parse",
        "look.tags > _FEW_TAGS",
        "False",
        "reading/lists/test_html_depth.py::test_the_innermost_element_counts",
    ),
    Guard(
        "a long page is looked at before it is parsed further",
        "reading/lists/html_limits.py",
        "_parts",
        "at and not at % _STEP",
        "False",
        "reading/lists/test_html_depth.py::test_elements_in_each_other_are_refused_before_they_cost",
    ),
    Guard(
        "what is in a template counts",
        "reading/lists/html_limits.py",
        "parse",
        "_refuse_hidden(part)",
        "pass",
        "reading/lists/test_html_depth.py::test_elements_in_templates_are_refused_before_they_cost",
    ),
    Guard(
        "a page is so wide at most",
        "reading/lists/html_limits.py",
        "parse",
        "_refuse_wide(tree)",
        "pass",
        "reading/lists/test_html_depth.py::test_more_elements_beside_each_other_than_a_list_has_are_refused",
    ),
    Guard(
        "a selector is searched step by step",
        "reading/lists/html_search.py",
        "_steps",
        "has_many and sign in _OF_MANY",
        "False",
        "reading/lists/test_html_search_steps.py::test_no_page_makes_a_search_take_long",
    ),
    Guard(
        "a selector that only its end closes is searched alone",
        "reading/lists/html_search.py",
        "_joined",
        "all(map(_PLAIN.fullmatch, selectors))",
        "True",
        "reading/lists/test_html_search.py::test_selectors_together_match_what_each_does",
    ),
)
