"""Numbers and their nouns."""


def counted(number: int, noun: str) -> str:
    """Return ``1 change``, ``2 changes``, ``0 pushes``."""
    ending = "es" if noun.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"
