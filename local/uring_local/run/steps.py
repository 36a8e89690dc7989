"""Shows the steps of a set-up, before the run begins."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from uring_local.build.sam import Progress as Tell


@contextmanager
def steps(console: Console, first: str) -> Iterator[Tell]:
    """Show one step at a time: on a terminal in place with its time, in a pipe a line for each.

    Args:
        console: shows the steps.
        first: the first step.

    Yields:
        A function for the next steps; a repeat of the current step is ignored.
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
