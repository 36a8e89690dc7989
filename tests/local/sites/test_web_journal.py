"""What the web was asked outlives a kill."""

import os
from pathlib import Path

import pytest

from uring_local.sites.web.journal import Asked, DamagedWebJournal, WebJournal


def asked(path: str, process: int = 1) -> Asked:
    return Asked(1, "a.com", "a.com", path, process)


def test_a_later_process_goes_on_with_the_journal(tmp_path: Path) -> None:
    first = WebJournal(tmp_path / "requests")
    first.begin(["2026-03-02/z.com"])
    first.ask(asked("/robots.txt"))
    first.note(day=2, late="b.com")
    second = WebJournal(tmp_path / "requests")
    assert second.process == 2
    assert second.asked == (asked("/robots.txt"),)
    assert second.robots_tries(1, "a.com") == 1
    assert second.late == {2: {"b.com"}}
    second.begin(["2026-03-02/a.com"])
    assert second.collected == {1: {"2026-03-02/z.com"}, 2: {"2026-03-02/a.com"}}
    first.close()
    second.close()


def test_a_line_that_a_kill_tore_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "requests"
    first = WebJournal(path)
    first.begin([])
    first.ask(asked("/robots.txt"))
    first.close()
    os.truncate(path, path.stat().st_size - 7)
    again = WebJournal(path)
    assert again.asked == ()
    again.begin([])
    again.ask(asked("/sitemap.xml", 2))
    again.close()
    assert WebJournal(path).asked == (asked("/sitemap.xml", 2),)


def test_a_whole_line_that_is_no_request_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "requests"
    path.write_text('{"day": 1}\n')
    with pytest.raises(DamagedWebJournal, match="requests: line 1"):
        WebJournal(path)
