"""Words for people: counted nouns, and foreign text made safe for a terminal."""


def counted(number: int, noun: str) -> str:
    """Return ``1 change``, ``2 changes``, ``0 pushes``."""
    ending = "es" if noun.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def printable(text: str) -> str:
    """Return a text with its unprintable characters escaped, so that it cannot control a terminal.

    Line ends and tabs are escaped too.
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
