"""Plain text and Markdown: the text itself, tidied."""

import re
from typing import Final

from uring.errors import SuspectPage
from uring.extract.readers.markdown import tidy
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring.fetch.decode import decode_html

_BLANK_LINES: Final = re.compile(r"\n{3,}")


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the tidied text, one blank line for a run; a blank file gives an empty one.

    Raises:
        Unreadable: ``damaged``: no known charset fits.
    """
    try:
        text = decode_html(body, None).text
    except SuspectPage as error:
        raise Unreadable("damaged", error.detail) from error
    tidied = _BLANK_LINES.sub("\n\n", tidy(text).strip("\n"))
    return FileReading(f"{tidied}\n" if tidied else "")
