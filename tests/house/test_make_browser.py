"""`make browser` installs what is missing, and says what it needs where it cannot."""

import shutil
import subprocess
from pathlib import Path

import pytest

from uring_local.project import ROOT

ROOT_USER = {"id": "echo 0"}
A_USER = {"id": "echo 1000"}
CHROMIUM = {"chromium": "", "chromium-headless-shell": ""}
WANTED = "chromium chromium-headless-shell fontconfig fonts-nanum"
KOREAN = {"fc-list": "echo NanumGothic"}
ONE_OF_TWO = {"chromium": "", **KOREAN}
NO_FONT = {"fc-list": ""}
APT = {"apt-get": 'echo "$@" >> "$LOG"', "env": 'shift; "$@"'}
SUDO = {"sudo": 'echo sudo >> "$LOG"; "$@"'}


def make(tmp_path: Path, programs: dict[str, str]) -> tuple[int, str, str]:
    """Its exit code, what it asked for, and its errors, on a machine that has these programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, line in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    log = tmp_path / "log"
    log.touch()
    program = shutil.which("make")
    assert program
    run = subprocess.run(
        [program, "--no-print-directory", "browser"],
        cwd=ROOT,
        env={"PATH": str(folder), "LOG": str(log)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return run.returncode, log.read_text(encoding="utf-8"), run.stderr


def test_what_is_there_is_not_installed(tmp_path: Path) -> None:
    assert make(tmp_path, {**CHROMIUM, **KOREAN, **APT, **ROOT_USER}) == (0, "", "")


@pytest.mark.parametrize("there", [{**CHROMIUM, **NO_FONT}, CHROMIUM, ONE_OF_TWO, {}])
def test_the_browser_and_a_font_with_korean_are_installed(
    tmp_path: Path, there: dict[str, str]
) -> None:
    """Without one the pictures have boxes in place of letters."""
    code, asked, _ = make(tmp_path, {**there, **APT, **ROOT_USER})
    assert code == 0
    assert asked.splitlines()[-1].endswith(WANTED)


def test_who_is_not_root_asks_by_sudo(tmp_path: Path) -> None:
    code, asked, _ = make(tmp_path, {**APT, **A_USER, **SUDO})
    assert (code, asked.count("sudo\n")) == (0, 2)


@pytest.mark.parametrize("there", [{**APT, **A_USER}, {**SUDO, **A_USER}, ROOT_USER])
def test_where_nothing_can_be_installed_it_says_what_to_install(
    tmp_path: Path, there: dict[str, str]
) -> None:
    code, asked, errors = make(tmp_path, there)
    assert code != 0
    assert asked == ""
    assert errors.startswith(f"install {WANTED}")


def test_the_gate_asks_for_it_first() -> None:
    """Not after ten minutes of what needs no browser."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\ncheck: setup browser ##" in text
