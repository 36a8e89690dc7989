"""A wrong option ends before anything starts; how fast a run goes, by its own clock."""

from datetime import date
from pathlib import Path
from typing import Final

import pytest

from uring_local.cli import application, main
from uring_local.run import launch
from uring_local.run.options import Options
from uring_local.sites.campus.judge import Judge
from uring_local.sites.campus.model import Notice, Page

WRONG: Final = {
    "--family": ("", "wether", "notices,weather"),
    "--ticks": ("x", "0", "-1", "1e999"),
    "--speed": ("x", "0", "-3", "nan", "inf", "1e7"),
    "--seed": ("x", ""),
    "--allow-host": (
        "",
        "nonsense",
        "127.0.0.1",
        "127.0.0.1:1,x",
        "127.0.0.1:99999",
        "a:0",
        "http://x:80",
    ),
    "--fcm-fault": ("", "503", "504:0.5", "503:0", "503:2", "503:nan", "429:0.1:x", "429:0.1:-1"),
    "--gateway-fault": ("x", "-0.1", "1", "nan"),
    "--rhythm": ("", "soonest"),
    "--domains": ("x", "9", "1000001"),
}
UNFIT: Final = (
    "--gateway-fault 0.1 --family notices",
    "--domains 20 --family weather",
    "--config sitemap.json --family weather",
    "--allow-host 127.0.0.1:8964 --family seeds",
    "--rhythm sooner --family weather",
    "--rhythm sooner",
    "--fcm-fault 503:0.3 --fcm-fault 503:0.8",
)
# A file is judged by what is in it: exit code 1, as that of `uring try` and `uring config check`.
FILE: Final = "--config"


@pytest.fixture
def starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(options: Options) -> None:
        pytest.fail(f"a run began: {options}")

    monkeypatch.setattr(launch, "launch", started)


def test_each_option_with_a_value_is_tried_here() -> None:
    arguments = application()["run"].assemble_argument_collection(parse_docstring=False)
    valued = {each.name for each in arguments if each.hint not in (bool, Options)}
    assert valued == {*WRONG, FILE}


@pytest.mark.usefixtures("starts_nothing")
@pytest.mark.parametrize(
    "words",
    [
        *([option, value] for option in WRONG for value in WRONG[option]),
        *(line.split() for line in UNFIT),
    ],
    ids=" ".join,
)
def test_a_wrong_option_is_named_before_anything_starts(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", *words])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)
    assert words[0] in said.err


@pytest.mark.parametrize(
    ("options", "pace", "ticks_a_day"),
    [
        (Options(), 60, 8_640),
        (Options(ticks=9), 0, 86_400),
        (Options(ticks=9, speed=1), 1, 144),
        (Options(ticks=9, speed=120), 120, 17_280),
        (Options(config=Path("sitemap.json")), 1, 144),
    ],
)
def test_a_tick_is_shorter_by_the_speed(options: Options, pace: float, ticks_a_day: int) -> None:
    assert (options.pace, options.ticks_a_day) == (pace, ticks_a_day)


def _edits(ticks_a_day: int) -> int:
    """Return the recorded edits of a notice whose title goes to and fro on a hundred ticks."""
    judge = Judge(["cs"], ticks_a_day)
    for tick in range(1, 101):
        marker = " (other)" if tick % 2 else ""
        notice = Notice("1", 1, "one", date(2026, 3, 2), "", 1, marker)
        judge.observe(tick, {"cs": Page((), (notice,), 1, tick, tick)})
    return sum(entry.kind == "edited" for entry in judge.journal)


def test_a_notice_that_goes_to_and_fro_rests_by_the_clock_of_the_functions() -> None:
    """A hundred ticks without waiting are minutes to the worker: its pause of an hour goes on."""
    assert (_edits(86_400), _edits(144)) == (3, 5)
