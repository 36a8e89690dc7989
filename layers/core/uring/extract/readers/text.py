"""Plain text and Markdown: the text itself, tidied."""

from uring.errors import SuspectPage
from uring.extract.readers.markdown import tidy
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring.fetch.decode import decode_html


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the tidied text; a blank file gives an empty one.

    Raises:
        Unreadable: ``damaged``: no known charset fits.
    """
    try:
        text = decode_html(body, None).text
    except SuspectPage as error:
        raise Unreadable("damaged", error.detail) from error
    tidied = tidy(text).strip("\n")
    return FileReading(f"{tidied}\n" if tidied else "")
