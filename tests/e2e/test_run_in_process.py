"""The main job end to end, its functions in one process."""

from dataclasses import replace

import pytest
from documented import NOTICES_WITH_FAULTS, arguments
from uring_command import (
    assert_all_is_well,
    events,
    kill,
    summaries,
    summary,
    uring,
)

from uring_local.stack.stack import Endpoint, address_variable, used_services

RUN = ("run", "--in-process", "--json", "--seed", "7")
# What one family shows, in half the time of all of them.
NOTICES = (*RUN, "--family", "notices")


def test_runs_with_one_seed_end_with_the_same_summaries_alone_and_together() -> None:
    together = uring(*RUN, "--ticks", "2")
    assert together.returncode == 0, together.stderr
    found = summaries(together.stdout)
    for family in ("notices", "weather"):
        alone = uring(*RUN, "--family", family, "--ticks", "2")
        assert alone.returncode == 0, alone.stderr
        assert summary(alone.stdout) == found[family]
    assert_all_is_well(found["notices"])
    assert found["weather"]["wrong"] == found["weather"]["lost"] == 0
    assert found["weather"]["outcomes"]["baseline"] == 3
    assert found["regulations"]["wrong"] == found["regulations"]["lost"] == 0
    assert found["regulations"]["texts"] == found["regulations"]["outcomes"]["baseline"] - 2
    assert found["seeds"]["wrong"] == found["seeds"]["lost"] == 0
    assert found["seeds"]["domains"] == 60 + 15
    ticks = [event for event in events(together.stdout) if event["event"] == "tick"]
    families = ["notices", "weather", "regulations", "seeds"]
    assert [event["family"] for event in ticks] == families * 2


def test_a_calm_tick_asks_each_board_once_and_writes_nothing() -> None:
    run = uring(*NOTICES, "--ticks", "4")
    assert run.returncode == 0, run.stderr
    calm = [event for event in events(run.stdout) if event["event"] == "tick"][-1]
    departments = calm["checked"]
    assert departments >= 12
    assert calm["http_requests"] == departments
    # Every job has a hint.
    assert "NoticeWorker" not in calm["aws_calls"]
    assert calm["aws_calls"]["NoticeOrchestrator"].get("s3:PutObject", 0) == 0


def test_every_change_is_pushed_though_fcm_refuses_some_and_drops_some_answers() -> None:
    run = uring(*arguments(NOTICES_WITH_FAULTS), "--json")
    assert run.returncode == 0, run.stdout + run.stderr
    found = summaries(run.stdout)["notices"]
    assert_all_is_well(found)
    assert found["fcm_faults"]["503"] > 0
    # A dropped answer was delivered, so it is pushed again: that repeat, and no other.
    assert found["repeated"] == {"answer_lost": found["fcm_faults"]["drop"]}


@pytest.mark.parametrize(("kill_at", "command"), [("tick 1", RUN), ("pushed", NOTICES)])
def test_a_killed_run_goes_on_where_it_was(
    stack: Endpoint, kill_at: str, command: tuple[str, ...]
) -> None:
    """Nothing is lost and nothing doubled by kill -9 in the middle of a tick."""
    kill(stack, kill_at, *command, "--ticks", "3")
    rest = uring(*command, "--ticks", "3", endpoint=stack)
    found = summary(rest.stdout)
    assert rest.returncode == 0, rest.stdout[-2000:] + rest.stderr
    ticks = [event["tick"] for event in events(rest.stdout) if event["event"] == "tick"]
    assert ticks[-1] == 3
    assert found["ticks"] == len(ticks)
    assert_all_is_well(found)
    # The jobs that the killed run had left met the site as it stood then.
    reasons = {event.get("reason") for event in events(rest.stdout)}
    assert "not_found" not in reasons


def test_a_stack_may_be_named_service_by_service(stack: Endpoint) -> None:
    """A service that the list lacks would be asked at an address that nobody has."""
    names = [address_variable(service) for service in used_services(in_process=True)]
    several = replace(stack, environment=dict.fromkeys(names, stack.url))
    run = uring(*RUN, "--ticks", "2", endpoint=several)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    assert_all_is_well(summary(run.stdout))
    assert "left out: weather and regulations" in run.stderr


def test_data_of_another_run_are_left_alone(stack: Endpoint) -> None:
    assert uring(*NOTICES, "--ticks", "1", endpoint=stack).returncode == 0
    for more, told in (
        (("--seed", "7", "--config", "config/sitemap.json"), "belong to another run"),
        (("--seed", "8"), "--seed 7"),
    ):
        refused = uring("run", "--in-process", *more, "--ticks", "1", endpoint=stack)
        assert refused.returncode == 1
        assert told in refused.stderr
