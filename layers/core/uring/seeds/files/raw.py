"""The records of a raw file, streamed: a file of any size takes the memory of one record.

{"meta": {...}, "records": [{"raw_url": ..., "domain_id": ...}, ...]}      (specs/002, 4.1.1)
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import ijson

from uring.errors import Misconfigured, Permanent

_RECORDS: Final = "records.item"
_CHUNK_BYTES: Final = 16 * 1024
# A record has about 600 bytes. The parser keeps a whole text in memory.
_LONGEST_RECORD: Final = 1024 * 1024
# The parser names each level by its path: its memory is quadratic in depth, and it reads a chunk
# before it yields a record. Brackets in texts count as well; records have few.
_MOST_BRACKETS: Final = 1_000
_MARK: Final = b"\xef\xbb\xbf"
_BRACKET: Final = re.compile(rb"[\[{]")
_FAST: Final = "yajl2_c"


class NoDataset(Permanent):
    """A file without a readable record: not JSON, or of another shape."""


def assert_fast() -> None:
    """Refuse the pure parser: it is seventeen times slower, and ijson falls back to it silently.

    Raises:
        Misconfigured: the wheel is built for another platform.
    """
    if ijson.backend_name != _FAST:
        raise Misconfigured(
            f"ijson: backend {ijson.backend_name}, not {_FAST}: the function was built for another "
            "platform; build it for the architecture and runtime that it is deployed on"
        )


class RawRecords:
    """The records of one file, in order; can be iterated once.

    A byte-order mark is skipped. A cut or broken file yields the records before the break.

    Args:
        read: returns at most that number of bytes, none at the end.

    Attributes:
        problem: why reading stopped before the end of the list; empty if it did not.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._bytes = self._brackets = 0
        self._is_begun = False
        self._excess = ""
        self.problem = ""

    def __iter__(self) -> Iterator[Any]:
        """Yield each record unchanged, also when it is not an object.

        Raises:
            NoDataset: there is no list of records, or it has none.
            Unavailable: the connection broke.
        """
        count = 0
        try:
            # With use_float a number of more than 64 bits ends the file; without it, a number of
            # thousands of digits ends the process.
            for record in ijson.items(self, _RECORDS, buf_size=_CHUNK_BYTES, use_float=True):
                self._bytes = self._brackets = 0
                count += 1
                yield record
        except (ijson.JSONError, UnicodeDecodeError, ValueError) as error:
            self.problem = _first_line(error)
        if self._excess:
            self.problem = f"after record {count}: {self._excess}"
        if not count:
            raise NoDataset(
                f"records: no record could be read ({self.problem or 'empty or missing'}); "
                'the file must be an object {"meta": …, "records": […]}'
            )

    def read(self, amount: int) -> bytes:
        """Return at most ``amount`` bytes for the parser; none at the end or beyond a limit."""
        # The parser first asks for 0 bytes, to distinguish bytes from text.
        if amount == 0 or self._excess:
            return b""
        data = self._read(min(amount, _CHUNK_BYTES))
        if not self._is_begun and data:
            self._is_begun = True
            data = self._without_mark(data)
        self._bytes += len(data)
        if self._bytes > _LONGEST_RECORD:
            self._excess = f"more than {_LONGEST_RECORD} bytes in one record"
            return b""
        return self._not_too_deep(data)

    def _not_too_deep(self, data: bytes) -> bytes:
        """Return the data before the first bracket beyond the limit."""
        brackets = data.count(b"[") + data.count(b"{")
        self._brackets += brackets
        if max(brackets, self._brackets // 2) <= _MOST_BRACKETS:
            return data
        self._excess = "too many brackets: nested too deeply"
        last = next(islice(_BRACKET.finditer(data), _MOST_BRACKETS // 2, None))
        return data[: last.start()]

    def _without_mark(self, data: bytes) -> bytes:
        # One more byte than the mark: an empty result would mean the end.
        while len(data) <= len(_MARK) and (more := self._read(_CHUNK_BYTES)):
            data += more
        return data.removeprefix(_MARK)


def as_record(value: Any) -> Mapping[str, Any]:
    """Return a record as a mapping.

    Raises:
        ValueError: it is not an object, or its ``raw_url`` is not a text.
    """
    if not isinstance(value, dict):
        raise ValueError("the record is not an object")  # noqa: TRY004 - of the input
    if not isinstance(value.get("raw_url"), str):
        raise ValueError("raw_url: missing or not a text")  # noqa: TRY004 - of the input
    return value


def _first_line(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return str(text).partition("\n")[0][:200]
