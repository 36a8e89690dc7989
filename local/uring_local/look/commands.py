"""`uring list`, `uring check` and `uring top`, for an operator.

boto3, pydantic and rich are imported where they are needed: `--help` works without.
"""

from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from uring_local.options import Json


def list_sources(
    *,
    stack: str,
    troubled: Annotated[bool, Parameter(name="--needs-look")] = False,
    as_json: Json = False,
) -> bool:
    """List all sources of a stack: how each is, and when it was last read.

    This is what the monitor publishes, as on the operator's page. Exit code 1 if a source needs a
    look: it failed three times in a row, is not checked, has a damaged state, or is silent for
    longer than usual.

    Args:
        stack: the deployed stack's name.
        troubled: list only sources that need a look.
        as_json: print one JSON list.
    """
    from uring.clock import system_clock
    from uring_local.look.index import read_index
    from uring_local.look.show import show, show_json
    from uring_local.operate.bucket import open_bucket

    sources = read_index(open_bucket(stack)).sources
    shown = [source for source in sources if source.needs_look or not troubled]
    if as_json:
        show_json(shown)
    else:
        show(shown, len(sources), system_clock())
    return not any(source.needs_look for source in sources)


def check_source(source: str, /, *, stack: str) -> bool:
    """Have a source checked again now, even if it waits after failures.

    Sends the job that the orchestrator sends. The result is in the source's health within a minute
    or two.

    Args:
        source: the id of a board or registry, or metar, taf or warning.
        stack: the deployed stack's name.
    """
    from uring_local.look.again import check_again

    print(check_again(source, stack))
    return True


def watch_stack(
    *, stack: str, every: Annotated[int, Parameter(validator=Number(gte=1, lte=3600))] = 10
) -> bool:
    """Watch a stack in a terminal: its queues, its sources, their last checks.

    Sources that need a look come first. The key ? shows all keys: r checks a source again, p pauses
    it, d shows its newest changes, or the page that was refused. Without a terminal the queues and
    the sources are printed once; then the exit code is 1 if a source needs a look.

    Args:
        stack: the deployed stack's name.
        every: seconds between two refreshes.
    """
    from uring_local.top.loop import watch

    return watch(stack, every)
