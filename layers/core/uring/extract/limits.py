"""The limits of a file, and of the time and memory of its reader."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExtractLimits:
    """The limits of one extraction.

    Attributes:
        body_bytes: of the file.
        pages: of a PDF.
        characters: of the text.
        memory_bytes: the address space of the child process.
        cpu_seconds: of the child process.
        wall_seconds: from the child's start to its end.
        output_bytes: of the child's answer.
    """

    body_bytes: int = 50 << 20
    pages: int = 3_000
    characters: int = 5_000_000
    memory_bytes: int = 700 << 20
    cpu_seconds: int = 60
    wall_seconds: float = 100
    output_bytes: int = 64 << 20
