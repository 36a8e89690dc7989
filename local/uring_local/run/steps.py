"""Tells what a set-up is doing, before there is anything to run."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from uring_local.build.sam import Progress as Tell


@contextmanager
def steps(console: Console, first: str) -> Iterator[Tell]:
    """Show one step at a time: on a terminal in place, with its seconds; in a pipe a line each.

    Args:
        console: where they are shown.
        first: the step that begins.

    Yields:
        What takes the steps after it; the same one again says nothing new.
    """
    shown = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with shown:
        task, current = shown.add_task(""), ""

        def tell(step: str) -> None:
            nonlocal current
            if step == current:
                return
            current = step
            shown.reset(task, description=step)
            if not console.is_terminal:
                console.print(step, markup=False)

        tell(first)
        yield tell
