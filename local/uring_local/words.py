"""Words for people: counted nouns, times, and foreign text made safe for a terminal."""

from typing import Final

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400


def counted(number: int, noun: str) -> str:
    """Return ``1 change``, ``2 changes``, ``0 pushes``."""
    ending = "es" if noun.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def printable(text: str) -> str:
    """Return a text with its unprintable characters escaped, so that it cannot control a terminal.

    Line ends and tabs are escaped too.
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def duration(seconds: float) -> str:
    """Return seconds in their two largest units: ``2 h 05 min``; below a minute in one."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"
    return f"{whole // _DAY:,} d {whole % _DAY // _HOUR} h"
