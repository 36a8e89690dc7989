"""A file of any readable format, or a stored text."""

import re
from pathlib import Path
from typing import Final

from uring.errors import UringError
from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.formats import READABLE

_HEAD: Final = re.compile(r"\A---\n.*?^---\n\n?", re.DOTALL | re.MULTILINE)


class FileWithoutText(UringError):
    """A file has no text to compare. The message names the file, the outcome and the reason."""


def read_file(path: Path) -> Extraction:
    """Return the text extractor's result for a file; an unreadable format is an outcome.

    Raises:
        OSError: it cannot be read.
    """
    return extract(path.read_bytes(), formats=READABLE)


def text_of(path: Path) -> str:
    """Return a file's text; a stored text (.md) is returned as it is, without its head.

    Raises:
        NoText: the file has no text.
        OSError: it cannot be read.
    """
    if path.suffix == ".md":
        # As published, with a head that names the origin; the head is not part of the text.
        return _HEAD.sub("", path.read_text("utf-8", "replace"), count=1)
    extraction = read_file(path)
    if extraction.outcome != "text":
        raise FileWithoutText(f"{path}: {extraction.outcome}: {extraction.reason}")
    return extraction.text
