"""Guards of the gateway and the products of aviation weather."""

from typing import Final

from guard import WEATHER_SINGLE, Guard

GUARDS: Final = (
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
        'failed = dict.fromkeys(airports, _unbelieved("rows_missing", missing))',
        "pass",
        "weather/gateway/test_ask.py::test_an_incomplete_list_lifts_nothing",
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
        f"{WEATHER_SINGLE}[weather: SPECI and METAR]",
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
)
