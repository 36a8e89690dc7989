"""The regulations end to end: three weeks of two registries in one process, killed once."""

import json
from pathlib import Path

import pytest
from documented import REGULATIONS, arguments
from uring_command import assert_all_is_well, events, kill, summary, uring

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.stack.stack import Endpoint


def test_killed_weeks_end_with_the_table_texts_and_pushes_that_the_sites_journal_has(
    stack: Endpoint,
) -> None:
    """Whatever the sites did: vanish, come back, rename, serve other pages, or no readable file.

    Killed while a change is pushed; the days before it are played again for the judge alone.
    """
    run = (*arguments(REGULATIONS, ticks=21), "--json", "--seed", "3")
    kill(stack, "pushed", *run)
    rest = uring(*run, endpoint=stack)
    assert rest.returncode == 0, rest.stdout[-2000:] + rest.stderr
    found = summary(rest.stdout)
    assert_all_is_well(found)
    assert found["until"] == "2026-03-22T16:00:00+00:00"
    assert found["ticks"] < 21
    assert found["runs"].keys() == {"success", "partial", "failed"}
    assert found["kinds"].keys() == {
        "new",
        "edited",
        "renamed",
        "returned",
        "deleted",
        "text_changed",
    }
    assert found["dead_letters"] == 2
    assert found["differences"] == found["kinds"]["text_changed"]


def test_a_list_of_ones_own_is_read_by_the_real_engine_and_its_archive_is_the_judge(
    tmp_path: Path,
) -> None:
    """A revision between two runs is pushed with the words that changed."""
    with LoopbackServer(Faculty().respond) as site:
        entry = {
            "id": "faculty_rules",
            "name": "Rules",
            "url": f"http://{site.host}/list",
            "rows": "table tr",
            "fields": {
                "title": "td a",
                "file_no": {"select": "a", "attribute": "href", "parameter": "no"},
                "preview": "a",
                "download": "a",
            },
            "formats": ["html"],
        }
        config = tmp_path / "mine.json"
        config.write_text(json.dumps({"registries": [entry]}))
        run = uring(
            *("run", "--config", str(config), "--allow-host", site.host, "--json"),
            *("--ticks", "2", "--speed", "100000"),
        )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert_all_is_well(found)
    assert (found["family"], found["pushed"]) == ("regulations", 2)
    pushed = [event["kind"] for event in events(run.stdout) if event["event"] == "pushed"]
    assert pushed == ["edited", "text_changed"]


class Faculty:
    """A small registry of its own; its second rule is revised after the first look at the list."""

    def __init__(self) -> None:
        self._looks = 0

    def respond(self, request: Request) -> Answer:
        html = {"Content-Type": "text/html; charset=utf-8"}
        if request.path == "/list":
            self._looks += 1
            links = {"Lending": 1, "Reading rooms": 2 if self._looks == 1 else 7, "Fees": 3}
            rows = (f'<tr><td><a href="/f?no={no}">{name}</a>' for name, no in links.items())
            return Answer(200, f"<table>{''.join(rows)}</table>".encode(), html)
        if request.path == "/f":
            words = f"제1조(목적) 이 규정은 {request.query['no']}번 서가를 다룬다."
            return Answer(200, f"<html><body><p>{words}</p></body></html>".encode(), html)
        return Answer(404)


@pytest.mark.parametrize("option", [("--domains", "70"), ("--gateway-fault", "0.1")])
def test_what_belongs_to_another_family_is_refused(option: tuple[str, str]) -> None:
    refused = uring("run", "--family", "regulations", *option)
    assert refused.returncode == 2
    assert refused.stderr.startswith("uring run: ")
