"""`uring add` asks twice: what differs by itself stays out of the entry, or is doubted."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_fifty_boards import NOTICES, html

from uring_local.cli import main
from uring_local.loopback import Answer, LoopbackServer, Request


def add(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    page: Callable[[int], str],
    *more: str,
) -> tuple[int, dict[str, Any], list[float]]:
    """The answer for a list that is another page at each request, and the pauses between."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    times = 0

    def respond(request: Request) -> Answer:
        nonlocal times
        if request.path == "/robots.txt":
            return Answer(404, b"")
        times += 1
        return Answer(200, page(times).encode(), {"Content-Type": "text/html; charset=utf-8"})

    with LoopbackServer(respond) as server:
        url = f"http://{server.host}/news/list"
        code = main(["add", url, "--config", str(tmp_path / "none"), "--json", *more])
    return code, json.loads(capsys.readouterr().out), waited


def board(link: str, title: str = "{t}", key: str = "{id}") -> Callable[[int], str]:
    """A board whose links and titles take the number of the request, in ``{n}``."""

    def page(n: int) -> str:
        rows = ""
        for at, (number, name, day, _) in enumerate(NOTICES):
            own = {"id": number, "n": n, "at": at, "count": at + n * 3, "t": name}
            own["key"] = key.format(**own)
            rows += f"<tr><td class=s><a href='{link.format(**own)}'>{title.format(**own)}</a></td>"
            rows += f"<td class=d>{day}</td></tr>"
        return html(f"<table class=b><tbody>{rows}</tbody></table>")

    return page


STEADY = board("v?no={id}&m=7")


def test_a_list_that_stays_is_asked_once_more_after_a_minute(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, answer, waited = add(tmp_path, capsys, monkeypatch, STEADY)
    assert (code, waited) == (0, [60])
    assert "link_parameters" not in answer["entry"]


def test_it_is_not_where_nobody_wants_to_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, waited = add(tmp_path, capsys, monkeypatch, STEADY, "--again", "0")
    assert (code, waited) == (0, [])


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ("v?no={id}&p_auth=x{n}7", ["no"]),
        ("v?m=7&no={id}&_csrf=q{n}&ts=1764{n}", ["m", "no"]),
        ("v?no={id}&key=k{n}{at}", ["no"]),
    ],
)
def test_parameters_that_rotate_are_left_out_of_links(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    link: str,
    kept: list[str],
) -> None:
    code, answer, _ = add(tmp_path, capsys, monkeypatch, board(link))
    assert code == 0, answer
    assert answer["entry"]["link_parameters"] == kept
    assert all("x2" not in item["link"] and "q2" not in item["link"] for item in answer["items"])
    assert any("differ from request to request" in reason for reason in answer["reasons"])


def test_a_path_that_rotates_is_doubted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, answer, _ = add(tmp_path, capsys, monkeypatch, board("(S(t{n}k))/v?no={id}"))
    assert code == 1
    assert any("fields.link.template" in reason for reason in answer["reasons"])


@pytest.mark.parametrize("title", ["{t} [{count}]", "{t} ({count})", "{t}[{count}]"])
def test_numbers_at_the_end_of_titles_that_count_are_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    code, answer, _ = add(tmp_path, capsys, monkeypatch, board("v?no={id}", title))
    assert code == 0, answer
    assert [item["title"] for item in answer["items"]] == [name for _, name, _, _ in NOTICES]


def test_titles_that_differ_otherwise_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, answer, _ = add(tmp_path, capsys, monkeypatch, board("v?no={id}", "{count} 명 / {t}"))
    assert any("titles differ from request to request" in each for each in answer["reasons"])


def test_ids_that_are_new_at_each_request_are_doubted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, answer, _ = add(tmp_path, capsys, monkeypatch, board("v?no={n}9{id}"))
    assert code == 1
    assert any("the ids differ from request to request" in each for each in answer["reasons"])


def test_a_second_answer_that_fails_costs_no_proposal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, answer, _ = add(tmp_path, capsys, monkeypatch, lambda n: STEADY(n) if n < 2 else "")
    assert code == 0
    assert len(answer["entry"]["fields"]) >= 3
