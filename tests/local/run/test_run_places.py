"""What a run tells its operator's page, and its view."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from uring_local.run.places import places, scene, shown
from uring_local.run.run import Stage
from uring_local.sites.simulations import SIMULATIONS


def stage(family: str, **changes: Any) -> Stage:
    fields = {
        "family": family,
        "listed": SIMULATIONS[family].listed,
        "list_key": SIMULATIONS[family].list_key,
        "list_body": b"{}",
        "hosts": ("127.0.0.1:8080",),
        "sources": [(f"{family}-1", "a name")],
        "opened": None,
        **changes,
    }
    return cast("Stage", SimpleNamespace(simulation=SimpleNamespace(**fields)))


def test_each_list_of_a_run_is_a_file_and_its_stack_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path.parent)
    stages = [stage("notices"), stage("weather", list_body=b"", hosts=()), stage("seeds", hosts=())]
    names = ["uring", "uring-weather", "uring-seeds"]
    here = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    told = places(stages, names, tmp_path, here, own=None, is_embedded=True)
    file = f"{tmp_path.name}/sitemap.json"
    assert told == {
        "departments": {"stack": "uring", "file": file, "hosts": "127.0.0.1:8080"},
        "weather": {"stack": "uring-weather"},
        "watches": {
            "stack": "uring-seeds",
            "file": f"{tmp_path.name}/watches.json",
            "hosts": "",
        },
    }
    assert (tmp_path / "sitemap.json").read_bytes() == b"{}"
    assert json.loads((tmp_path / "stacks.json").read_text()) == dict.fromkeys(names, here)


def test_a_list_of_the_user_s_stays_where_it_is_and_a_stack_of_theirs_is_not_announced(
    tmp_path: Path,
) -> None:
    """Their variables may have keys."""
    own = tmp_path / "my list.json"
    own.write_text("{}")
    run = tmp_path / "run"
    run.mkdir()
    told = places([stage("notices")], ["uring"], run, {"K": "secret"}, own=own, is_embedded=False)
    assert told["departments"]["file"] == f"'{own}'"
    assert [*run.iterdir()] == []


def test_a_path_is_short_for_a_second_terminal_here_and_whole_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "a" / "b.json") == "a/b.json"
    assert shown(tmp_path.parent / "b.json") == str(tmp_path.parent / "b.json")


def test_the_view_has_all_sources_both_addresses_and_the_simulated_families() -> None:
    made = scene([stage("notices"), stage("weather", opened=object())], "http://127.0.0.1:8000/")
    assert (made.client, made.status) == (
        "http://127.0.0.1:8000/",
        "http://127.0.0.1:8000/status/",
    )
    assert made.sources == [("notices", "notices-1", "a name"), ("weather", "weather-1", "a name")]
    assert made.simulated == ["weather"]
