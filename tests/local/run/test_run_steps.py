"""What a set-up tells: a line per step in a pipe, one line in place on a terminal."""

from io import StringIO

from rich.console import Console

from uring_local.run.steps import steps


def told(console: Console) -> str:
    output = StringIO()
    console.file = output
    with steps(console, "starting") as tell:
        for step in ("building", "building", "deploying [red]"):
            tell(step)
    return output.getvalue()


def test_a_pipe_gets_each_step_once() -> None:
    assert told(Console()) == "starting\nbuilding\ndeploying [red]\n"


def test_a_terminal_is_left_as_it_was() -> None:
    output = told(Console(force_terminal=True, width=80))
    assert "deploying [red]" in output
    # The line is taken away again.
    assert output.endswith(("\x1b[2K", "\x1b[?25h\r\x1b[1A\x1b[2K"))
