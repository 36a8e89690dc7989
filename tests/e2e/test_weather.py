"""The weather end to end: simulated days in one process; deployed: `test_enforced_families`."""

from documented import WEATHER, arguments
from uring_command import assert_all_is_well, summary, uring


def test_files_are_changes_and_pushes_are_events_though_the_gateway_fails() -> None:
    """Half a day."""
    run = uring(*arguments(WEATHER, ticks=80), "--json", "--seed", "7")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert found["files"] == found["changes"]
    assert found["files"]["metar"] > 20
    assert found["pushed"] > 20
    assert_all_is_well(found)
    assert len(found["gateway_faults"]) > 20
    assert found["stale_runs"] > 20
    assert "fake-weather-key" not in run.stdout + run.stderr


def test_what_belongs_to_the_other_family_is_refused() -> None:
    for options in (
        ("run", "--family", "notices", "--gateway-fault", "0.1"),
        ("run", "--config", "config/sitemap.json", "--gateway-fault", "0.1"),
        ("run", "--family", "weather", "--config", "config/sitemap.json"),
        ("run", "--family", "weather", "--gateway-fault", "1"),
    ):
        refused = uring(*options)
        assert refused.returncode == 2
        assert refused.stderr.startswith("uring run: ")
