"""Words for people: numbers and their nouns, texts of others."""


def counted(number: int, noun: str) -> str:
    """Return ``1 change``, ``2 changes``, ``0 pushes``."""
    ending = "es" if noun.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def printable(text: str) -> str:
    """Return the words of others as they are: no control of the terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
