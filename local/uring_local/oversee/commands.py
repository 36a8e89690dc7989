"""`uring pause`, `uring resume`, `uring refused`: for operators of a stack.

Their libraries are imported where they are needed: the other commands, and `--help`, work without
them.
"""

from uring_local.options import Json


def pause_source(
    source: str, /, *, until: str, stack: str, family: str | None = None, as_json: Json = False
) -> None:
    """Pause a source: it is not asked, and nobody is alerted of it, until a day.

    Readers keep what is published, and index.json says until when. A second pause replaces the
    first; `uring resume` ends it.

    Args:
        source: its name, such as a department's id or metar.
        until: the day on which it is asked again, such as 2026-12-01: its beginning in Korea. Or a
            time with its zone, such as 2026-12-01T09:00+09:00.
        stack: the deployed stack's name.
        family: the source's, where two families have one of this name.
        as_json: print one JSON object.
    """
    from uring_local.oversee import pause

    pause.show(pause.pause(source, until, stack=stack, family=family), as_json=as_json)


def resume_source(
    source: str, /, *, stack: str, family: str | None = None, as_json: Json = False
) -> None:
    """End a source's pause: it is asked at its next tick.

    Args:
        source: its name, such as a department's id or metar.
        stack: the deployed stack's name.
        family: the source's, where two families have one of this name.
        as_json: print one JSON object.
    """
    from uring_local.oversee import pause

    pause.show(pause.resume(source, stack=stack, family=family), as_json=as_json)


def show_refused(
    source: str,
    /,
    *,
    stack: str,
    family: str | None = None,
    text: bool = False,
    as_json: Json = False,
) -> bool:
    """Show the last page of a source that was refused, as the worker saw it.

    Each row with what is wrong with it, beside what was read before. A page is kept for a week.
    Exit code 1 if none is kept.

    Args:
        source: its name, such as a department's id.
        stack: the deployed stack's name.
        family: the source's, where two families have one of this name.
        text: print the page itself; hidden characters are shown by their codes.
        as_json: print one JSON object.
    """
    from uring_local.oversee import refused

    return refused.show(source, stack=stack, family=family, text=text, as_json=as_json)
