"""A file of any readable format, or a text that was stored."""

import re
from pathlib import Path
from typing import Final

from uring.errors import UringError
from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.formats import READABLE

_HEAD: Final = re.compile(r"\A---\n.*?^---\n\n?", re.DOTALL | re.MULTILINE)


class FileWithoutText(UringError):
    """A file without a text to compare. The message names the file, the outcome and the remedy."""


def read_file(path: Path) -> Extraction:
    """Return what the text extractor makes of a file.

    Raises:
        OSError: it cannot be read.
    """
    return extract(path.read_bytes(), formats=READABLE)


def text_of(path: Path) -> str:
    """Return a file's text; one that is Markdown by its name is taken as it stands.

    Raises:
        NoText: it has none.
        OSError: it cannot be read.
    """
    if path.suffix == ".md":
        # As it is published: its head tells where it comes from, and is no part of it.
        return _HEAD.sub("", path.read_text("utf-8", "replace"), count=1)
    extraction = read_file(path)
    if extraction.outcome != "text":
        raise FileWithoutText(f"{path}: {extraction.outcome}: {extraction.reason}")
    return extraction.text
