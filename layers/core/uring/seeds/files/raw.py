"""The records of a raw file, streamed: a file of any size takes the memory of one record.

{"meta": {...}, "records": [{"raw_url": ..., "domain_id": ...}, ...]}  (specs/002, 4.1.1)

bytes ─► text, U+FFFD for a bad byte ─► one value after the other ─► record
                                         └ not JSON ─► to where the next one begins ─► BadRecord
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from uring.errors import Permanent
from uring.seeds.files.parts import (
    FAR,
    MISFIT,
    NEAR,
    OBJECT,
    OPENS,
    BadRecord,
    NotJson,
    beginnings,
    closed,
    decoded,
    has_url,
    is_file_end,
)

_CHUNK_BYTES: Final = 64 * 1024
# A record has about 600 characters; a longer record than this may be skipped.
_LONGEST_RECORD: Final = 1024 * 1024
# Reading ends behind this number of bytes without a record.
_LONGEST_JUNK: Final = 16 * 1024 * 1024
_LONGEST_KEPT: Final = 4_000
# A record that holds others is rare; a broken one is not tried as one for ever.
_LONGEST_NESTED: Final = 64 * 1024
# The budget of characters that are looked at a second time, and its growth by each one read: time
# grows with the file's length, whatever is in it.
_WORK: Final = 16 * 1024 * 1024
_WORK_PER_CHARACTER: Final = 8
_MOST_KEYS: Final = 4
# What is looked at behind a part.
_ENOUGH: Final = 400

_BLANKS: Final = re.compile(r"[\s,\ufeff]*")
# A list within the list is a bracket too many, or no record.
_BEFORE_RECORD: Final = re.compile(r"[\s,\ufeff\[]*")
_LIST: Final = re.compile(r'"records"\s*:\s*\[')
_FOLLOWS: Final = re.compile(r"[\s,]*[{\]]")
_MORE: Final = re.compile(r"\s*[,{\]]")
_KEY: Final = r'"(?:[^"\\]|\\.){0,100}+"\s*:'
_LIST_END: Final = re.compile(rf"\]\s*(?:\}}|,\s*{_KEY})", re.DOTALL)
_MAY_END: Final = re.compile(r"\]\s*[,}]")
_LAST: Final = re.compile(r"\]\s*\}\s*\Z")
# The sign before a record, if the comma before it may be missing.
_BEFORE: Final = (",", "[", "}")


class NoDataset(Permanent):
    """A file without a readable record: not JSON, or of another shape."""


class RawRecords:
    """The records of one file, in order; can be iterated once.

    The file is read as JavaScript reads text: a byte-order mark is skipped, a byte that is not
    UTF-8 is U+FFFD, control characters may stand in texts, numbers have any size. A part that is
    not JSON costs itself: reading goes on where the next record begins.

    Args:
        read: returns at most that number of bytes, none at the end.

    Attributes:
        problem: why reading stopped before the end of the list; empty if it did not.
        meta: the file's ``meta`` up to where it was read; empty without one.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        # What is read and not yet done begins at `_at`, the last record at `_start`.
        self._text, self._start, self._at = "", 0, 0
        self._is_all = False
        self._junk = 0
        # No record begins before `_clear`; one begins at `_next`, if that is not negative.
        self._keys = ["raw_url"]
        self._begins = beginnings(self._keys)
        self._next, self._clear = -1, 0
        self._work, self._is_good = _WORK, True
        self.problem = ""
        self.meta: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        """The last record as it stands in the file, at most its first 4,000 characters."""
        return self._text[self._start : min(self._at, self._start + _LONGEST_KEPT)]

    def __iter__(self) -> Iterator[Any]:
        """Yield each record unchanged, also when it is not an object; a `BadRecord` for others.

        Raises:
            NoDataset: there is no list of records, or none of them has a ``raw_url``.
            Unavailable: the connection broke.
        """
        count = 0
        self._is_next("{")
        while not self.problem and self._is_at_list():
            for record in self._records():
                count += has_url(record)
                yield record
        if not count:
            raise NoDataset(
                f"records: no record could be read ({self.problem or 'empty or missing'}); "
                'the file must be an object {"meta": …, "records": […]}'
            )

    def _is_at_list(self) -> bool:
        """Go on to the next list of records; False if there is none."""
        try:
            while self._peek() not in {"", "}"}:
                key = self._value()
                if key == "records" and self._is_next(":") and self._is_next("["):
                    return True
                self._is_next(":")
                value = self._value()
                if key == "meta" and isinstance(value, dict):
                    self.meta = value
        except NotJson:
            return not self.problem and self._find_list()
        return False

    def _find_list(self) -> bool:
        """Go to the beginning of a list of records, behind what is not JSON."""
        while (found := _LIST.search(self._text, self._at)) is None:
            if len(self._text) - self._at > _LONGEST_RECORD or not self._fill():
                return False
        self._at = found.end()
        return True

    def _records(self) -> Iterator[Any]:
        """Yield the records of the list that is begun, up to its end or the file's."""
        number = 0
        while not self._is_end():
            try:
                value = self._record()
            except NotJson as error:
                length = self._length()
                if not length or self.problem:
                    break
                if length > _LONGEST_NESTED and self._text[self._at + length] == "]":
                    self.problem = "its last part is not JSON and longer than a record"
                self._start, self._at = self._at, self._at + length
                value = BadRecord(str(error))
            number += 1
            self._junk, self._is_good = 0, has_url(value)
            yield value
        else:
            if not self.problem:
                return
        self.problem = f"after record {number}: {self.problem or 'the file ends within its list'}"

    def _is_end(self) -> bool:
        """Return whether the list ends here, and go behind it: no record follows."""
        while self._peek(_BEFORE_RECORD) == "]":
            if self._is_list_end() or not self._to_next_record():
                self._at += 1
                return True
            self._at += 1
        return False

    def _is_list_end(self) -> bool:
        """Return whether the bracket here is the list's: the file's object goes on, or ends.

        The bracket of a list within a broken record is not: behind it the record ends, and another
        one follows.
        """
        self._read_ahead(2 * NEAR)
        if not _LIST_END.match(self._text, self._at):
            return False
        end = self._closed(self._at + 1, "}")
        if end == MISFIT:
            # Behind a good record the list ends.
            return self._is_good
        return end == FAR or is_file_end(self._text, end)

    def _record(self) -> Any:
        """Return the record at this place, and go behind it.

        Raises:
            NotJson: there is none; the place is the same.
        """
        while not self._find_next() and len(self._text) - self._at <= _LONGEST_RECORD:
            if not self._fill():
                break
        is_doubtful = False
        if 0 <= self._next - self._at <= _LONGEST_NESTED:
            try:
                # Of a broken record nothing behind the next one's beginning is read.
                value, length = self._decoded(self._text[self._at : self._next])
            except NotJson:
                # Perhaps it holds the beginning of another one.
                is_doubtful = True
                self._read_ahead(_LONGEST_NESTED)
                end = self._at + _LONGEST_NESTED
                value, length = self._decoded(self._text[self._at : end])
        else:
            value, length = self._value_ahead()
        self._read_ahead(length + _ENOUGH)
        behind = self._at + length
        # A text may be a key, or reach from one text into another. Of a record that lost a bracket
        # the others would be parts.
        is_doubtful |= isinstance(value, str)
        is_doubtful |= self._text.count('"raw_url"', self._at, behind) > 1
        if is_doubtful and not _MORE.match(self._text, behind):
            raise NotJson("it does not end like a record")
        self._start, self._at = self._at, behind
        self._learn(value)
        return value

    def _learn(self, value: Any) -> None:
        """Note how records begin in this file: the first keys of good ones."""
        if not has_url(value):
            return
        key = next(iter(value))
        if key not in self._keys and len(self._keys) < _MOST_KEYS and len(key) < _ENOUGH // 4:
            self._keys.append(key)
            self._begins, self._next, self._clear = beginnings(self._keys), -1, 0

    def _length(self) -> int:
        """Return the length of a part that is not JSON; 0 if the file ends within it.

        Its brackets are believed if another record or the list's end follows, else the beginning of
        the next record; of the last record, the end of the list.
        """
        self._read_ahead(NEAR)
        end = self._closed(self._at, "") if self._text[self._at : self._at + 1] in OPENS else 0
        if end > 0 and _FOLLOWS.match(self._text, end):
            return end - self._at
        return self._to_next_record() or self._to_list_end()

    def _closed(self, at: int, expected: str) -> int:
        end, looked_at = closed(self._text, at, expected)
        self._work -= looked_at
        return end

    def _to_list_end(self) -> int:
        """Return the number of characters to the end of the list, behind which no record begins."""
        if not self._is_all or self.problem:
            return 0
        for found in _MAY_END.finditer(self._text, self._at):
            end = self._closed(found.start() + 1, "}")
            if end > 0 and not self._text[end:].strip():
                return found.start() - self._at
            if self._work < 0:
                break
        last = _LAST.search(self._text, self._at)
        return last.start() - self._at if last else 0

    def _to_next_record(self) -> int:
        """Return the number of characters to where the next record begins; 0 if none does."""
        done = 1
        while not (length := self._to_beginning(done)):
            done = max(1, len(self._text) - self._at - _ENOUGH)
            if self._work < 0:
                self.problem = "too much of it is broken"
                return 0
            if len(self._text) - self._at > _LONGEST_RECORD:
                # Of a part without an end its beginning is enough; a record may begin at its cut.
                kept = self._text[self._at : self._at + _LONGEST_KEPT]
                self._text, self._at, self._clear = kept + self._text[-_LONGEST_KEPT:], 0, 0
                done = len(self._text) - _ENOUGH
            if not self._fill():
                return 0
        return length

    def _to_beginning(self, done: int) -> int:
        """Return the number of characters to a record's beginning in what is read; 0 without one.

        Args:
            done: the number of characters that are already looked at.
        """
        while self._work >= 0 and (found := OBJECT.search(self._text, self._at + done)):
            length = found.start() - self._at
            self._read_ahead(length + _LONGEST_NESTED)
            begin, done = self._at + length, length + 1
            before = self._text[max(self._at, begin - _ENOUGH) : begin].rstrip()
            if before.endswith(":"):
                continue
            if before.endswith("[") and before[:-1].rstrip().endswith(":"):
                # The others of a list within a record are no records either.
                end = self._closed(begin, "]")
                if end > 0 and not is_file_end(self._text, self._closed(end, "}")):
                    done = end - self._at
                continue
            if found[1] not in self._keys and not (before[-1:] in _BEFORE and self._has_url(begin)):
                continue
            end = self._closed(begin, "]}")
            if end <= 0 or is_file_end(self._text, end):
                return length
        return 0

    def _has_url(self, begin: int) -> bool:
        """Return whether a record with a ``raw_url`` can be read at a place."""
        try:
            return has_url(self._decoded(self._text[begin : begin + _LONGEST_NESTED])[0])
        except NotJson:
            return False

    def _find_next(self) -> bool:
        """Look in what is read for the beginning of the next record; return whether it is there."""
        if self._next <= self._at and self._clear < len(self._text):
            found = self._begins.search(self._text, max(self._at + 1, self._clear))
            self._next = found.start() if found else -1
            self._clear = self._next if found else len(self._text)
        return self._next > self._at

    def _is_next(self, character: str) -> bool:
        """Return whether this character is next, and go behind it."""
        is_next = self._peek() == character
        self._at += is_next
        return is_next

    def _peek(self, blanks: re.Pattern[str] = _BLANKS) -> str:
        """Return the next character behind blanks and commas; empty at the end."""
        while True:
            found = blanks.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _value(self) -> Any:
        """Return the next value, and go behind it.

        Raises:
            NotJson: there is none; the place is the same.
        """
        value, length = self._value_ahead()
        self._at += length
        return value

    def _value_ahead(self) -> tuple[Any, int]:
        """Return the next value, and its length.

        Raises:
            NotJson: there is none.
        """
        self._peek()
        while True:
            try:
                value, end = self._decoded(self._text, self._at)
            except NotJson:
                if self._is_all:
                    raise
                if len(self._text) - self._at > _LONGEST_RECORD:
                    raise NotJson(f"more than {_LONGEST_RECORD} characters") from None
            else:
                # A number may go on in what is not read yet.
                if end < len(self._text) or self._is_all:
                    return value, end - self._at
            # Twice as much for each try: a long value is not tried after each chunk.
            self._read_ahead(2 * (len(self._text) - self._at))

    def _decoded(self, text: str, at: int = 0) -> tuple[Any, int]:
        """Return the value at a place of a text, and its end.

        Raises:
            NotJson: there is none.
        """
        try:
            return decoded(text, at)
        except NotJson as error:
            self._work -= error.looked_at
            raise

    def _read_ahead(self, length: int) -> None:
        """Read until this number of characters is there, or all."""
        while len(self._text) - self._at < length and self._fill():
            pass

    def _fill(self) -> bool:
        """Read a chunk behind the text, without what was read before it; False at the end."""
        if self._is_all:
            return False
        data = self._read(_CHUNK_BYTES)
        self._junk += len(data)
        if self._junk > _LONGEST_JUNK:
            self.problem = f"{_LONGEST_JUNK} bytes without a record"
            data = b""
        self._is_all = not data
        self._work += _WORK_PER_CHARACTER * len(data)
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._next -= self._at
        # A beginning may be cut by the end of what was read before.
        self._clear = max(0, self._clear - self._at - _ENOUGH)
        self._at = 0
        return not self._is_all
