"""The `uring` command line: what a mistake, `--help`, `--version` and a shell get of it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from cyclopts import App

from uring_local.cli import application, main

HEAVY = ("boto3", "pydantic", "firebase_admin", "bs4", "selectolax", "uring.sources.config")


def commands(app: App, *path: str) -> Iterator[tuple[str, ...]]:
    """Every command that runs something, by the words that call it."""
    for name in app:
        if not name.startswith("-"):
            below = [*commands(app[name], *path, name)]
            yield from below or [(*path, name)]


def test_the_commands_are_those_that_are_documented() -> None:
    assert {" ".join(words) for words in commands(application())} == {
        *(
            "run",
            "add",
            "try",
            "diff",
            "cost",
            "compile",
            "copy",
            "decide",
            "deploy",
            "doctor",
            "env",
            "list",
            "check",
            "top",
        ),
        *("pause", "refused", "resume", "retract"),
        "rhythm show",
        *("config check", "config upload", "config schema", "config split"),
        *("push test", "state show", "state repair", "weather parse"),
        *("queue list", "queue show", "queue redrive"),
        *("seeds migrate", "seeds collect", "seeds orchestrate", "seeds report", "seeds status"),
        *("seeds pause", "seeds resume", "seeds stop", "seeds work"),
        *("seeds rejected list", "seeds rejected retry"),
        *("regulations diff", "regulations extract", "regulations parse"),
        "regulations history",
        *(
            "documents upload",
            "documents put",
            "documents policies",
            "documents policy",
            "documents analyse",
        ),
        *("documents issues", "documents issue", "documents classify", "documents annotate"),
        *("documents transition", "documents job", "documents clear", "documents openapi"),
        *("documents history", "documents locks"),
        "domains collect",
        "domains normalize",
        "domains robots",
        "domains show",
        "domains sitemap",
        *("regulations dead-letters list", "regulations dead-letters retry"),
        "web upload",
    }


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on which each entry is a line; the application keeps the one it has printed to."""
    application.cache_clear()
    monkeypatch.setenv("COLUMNS", "400")


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("words", [(), *commands(application())], ids=" ".join)
def test_help_says_something_of_everything(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-h"]) == 0
    short = capsys.readouterr().out
    assert main([*words, "--help"]) == 0
    assert capsys.readouterr().out == short
    entries = [line.strip("│ *") for line in short.splitlines() if line.startswith("│")]
    # Each line has two columns: the name, what it is.
    assert [entry for entry in entries if "  " not in entry] == []


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["rnu"], 'Did you mean "run"?'),
        (["config", "chek"], 'Did you mean "check"?'),
        (["try", "--jsno", "cs"], "Did you mean --json?"),
        (["--verion"], "Did you mean --version?"),
        (["--json", "run"], "Options come after their command."),
        (["help", "seds"], 'Did you mean "seeds"?'),
        (["run", "--family", "wether"], 'Did you mean "weather"?'),
        (["run", "--ticks", "0"], "Must be > 0"),
        (["run", "--gateway-fault", "1"], "Must be < 1"),
        (["run", "--rhythm", "soonest"], 'Choose from: "uniform", "sooner", "thrifty"'),
        (["run", "--fcm-fault", "503:2"], "write a number above 0 and at most 1"),
        (["run", "--no-json"], "Unknown option"),
        # Judged before a stack has started, half a minute later.
        (["run", "--allow-host", "nonsense"], "write HOST:PORT such as 127.0.0.1:8964"),
        (["run", "--domains", "1"], "Must be >= 10"),
        # A sleep has its limit, too.
        (["top", "--every", "9999999999"], "Must be <= 3600"),
        (["seeds", "status", "--watch", "--every", "inf"], "Must be <= 3600"),
        (["try", "cs", "--page", "--json"], "write a file's name, or - for the standard input"),
        (["queue", "redrive", "NotifyQueue", "--stack", "uring"], "either --id"),
        (["queue", "redrive", "Q", "--stack", "uring", "--id", "1", "--all"], "either --id"),
        (["queue", "show", "Q", "--stack", "uring", "--limit", "0"], "Must be >= 1"),
        (["seeds", "orchestrate", "--stack", "uring", "--date", "2026-02-30"], "--date"),
        (["seeds", "migrate"], "either --stack or --bucket"),
        (["diff", "cs", "--before", "a"], "--after requires an argument"),
    ],
)
def test_a_mistake_is_one_line_with_the_remedy(
    arguments: list[str], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("uring")
    assert remedy in line
    assert line.endswith("--help)")


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_that_of_the_package(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([flag]) == 0
    assert capsys.readouterr().out.strip() == version("uring")


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    """As `git help add`, `gh help`: of all, and of a command."""
    for words in ([], ["queue", "list"]):
        assert main([*words, "--help"]) == 0
        asked = capsys.readouterr().out
        for word in ("help", "help help"):
            assert main([*word.split(), *words]) == 0
            assert capsys.readouterr().out == asked


def test_help_has_four_headings_and_no_command_stands_outside(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One alphabetical list of thirty names tells nobody where to begin."""
    main(["help"])
    headings = re.findall(r"╭─ (.*?) ─", capsys.readouterr().out)
    assert headings == [
        *("Try, on this machine", "Sources", "Deploy", "Operate a deployed stack", "Options"),
    ]


@pytest.mark.parametrize(
    ("old", "new"), [("seeds orchestrate", "seeds collect"), ("documents put", "documents upload")]
)
def test_an_old_name_works_for_one_more_release_and_names_the_new_one(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is in no help."""
    group, name = old.split()
    main([group, "--help"])
    assert f"│ {name} " not in capsys.readouterr().out
    # Nothing is sent: the old name is told before the command finds no such stack.
    arguments = ["page", "no-such-file"] if group == "documents" else []
    assert main([group, name, *arguments, "--stack", "uring-dev", "--region", "xx-none-1"]) != 0
    assert capsys.readouterr().err.startswith(f"uring: {old} is {new} now; ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_and_options(shell: str) -> None:
    script = application().generate_completion(shell=shell)  # type: ignore[arg-type]
    for word in ("upload", "fcm-fault", "credentials-secret"):
        assert word in script


def test_help_waits_for_no_library_of_a_command() -> None:
    code = f"""
import sys
from uring_local.cli import main
main(["--help"])
print([name for name in {HEAVY} if name in sys.modules])
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_has_enough_is_no_fault(tmp_path: Path) -> None:
    """As in ``uring regulations diff --json OLD NEW | head -c 30``."""
    texts = [tmp_path / name for name in ("old.md", "new.md")]
    for text, word in zip(texts, ("하나", "둘"), strict=True):
        text.write_text("".join(f"제{number}조(가) {word}\n\n" for number in range(1, 4_000)))
    with subprocess.Popen(
        [Path(sys.executable).with_name("uring"), "regulations", "diff", "--json", *texts],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.read(30)
        run.stdout.close()
        told = run.stderr.read()
    assert (run.returncode, told) == (141, b"")


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("uring config schema >&-", 0, ""),
        ("uring config schema >/dev/full", 1, "uring: No space left on device\n"),
        (
            "uring try konkuk_cse --page - <&-",
            1,
            "uring: the standard input is closed: name a file\n",
        ),
    ],
)
def test_streams_that_a_shell_has_closed_cause_no_traceback(
    line: str, code: int, said: str
) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.defpath])
    run = subprocess.run(
        ["/bin/sh", "-c", line],
        env={**os.environ, "PATH": path},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (code, said)


@pytest.mark.parametrize("arguments", [["cost"], ["--help"], ["cost", "--json"]])
def test_a_pipe_that_is_closed_at_once_is_silent(arguments: list[str]) -> None:
    """As in ``uring cost | true``: rich ends the program with 1 of its own."""
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [Path(sys.executable).with_name("uring"), *arguments],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write)
    assert (run.returncode, run.stderr) == (141, b"")
