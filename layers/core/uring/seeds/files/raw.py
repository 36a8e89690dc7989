"""The records of a raw file, streamed: a file of any size takes the memory of one record.

{"meta": {...}, "records": [{"raw_url": ..., "domain_id": ...}, ...]}  (specs/002, 4.1.1)

bytes ─► text, U+FFFD for a bad byte ─► one value after the other ─► record
                                         └ not JSON ─► to where the next one begins ─► BadRecord
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from uring.errors import Permanent

_CHUNK_BYTES: Final = 64 * 1024
# A record has about 600 characters; a longer record than this may be skipped.
_LONGEST_RECORD: Final = 1024 * 1024
# Reading ends behind this number of bytes without a record.
_LONGEST_JUNK: Final = 16 * 1024 * 1024
_LONGEST_KEPT: Final = 4_000
# JavaScript reads a longer number as a float, too; Python would refuse 4,300 digits.
_LONGEST_INT: Final = 15
# A record that holds others is rare; a broken one is not tried as one for ever.
_LONGEST_NESTED: Final = 64 * 1024
_MOST_NESTED_TRIES: Final = 1_000
# Blanks within a record's beginning, and what is looked at behind a part.
_BLANK: Final = r"\s{0,100}"
_ENOUGH: Final = 400

_BLANKS: Final = re.compile(r"[\s,\ufeff]*")
# A list within the list is a bracket too many, or no record.
_BEFORE_RECORD: Final = re.compile(r"[\s,\ufeff\[]*")
_LIST: Final = re.compile(r'"records"\s*:\s*\[')
# A text, whole or cut by the end of what is read, or a bracket.
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_FOLLOWS: Final = re.compile(r"\s*(?:,\s*\{|,?\s*\])")
_LAST: Final = re.compile(r"\]\s*\}\s*\Z")
_CLOSES: Final[Mapping[str, str]] = {"{": "}", "[": "]"}


class NoDataset(Permanent):
    """A file without a readable record: not JSON, or of another shape."""


class BadRecord(NamedTuple):
    """A part of the list that is not JSON.

    Attributes:
        reason: what is wrong, in words.
    """

    reason: str


class _NotJson(Exception):
    """There is no value at this place."""


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
        self._json = json.JSONDecoder(strict=False, parse_int=_number)
        # What is read and not yet done begins at `_at`, the last record at `_start`.
        self._text, self._start, self._at = "", 0, 0
        self._is_all = False
        self._junk = 0
        # No record begins before `_clear`; one begins at `_next`, if that is not negative.
        self._begins, self._is_known = _beginning("raw_url"), False
        self._next, self._clear = -1, 0
        self._nested_tries = _MOST_NESTED_TRIES
        self.problem = ""
        self.meta: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        """The last record as it stands in the file, at most its first 4,000 characters."""
        return self._text[self._start : min(self._at, self._start + _LONGEST_KEPT)]

    def __iter__(self) -> Iterator[Any]:
        """Yield each record unchanged, also when it is not an object; a `BadRecord` for others.

        Raises:
            NoDataset: there is no list of records, or it has none.
            Unavailable: the connection broke.
        """
        count = 0
        self._is_next("{")
        while self._is_at_list():
            for record in self._records():
                count += not isinstance(record, BadRecord)
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
        except _NotJson:
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
            except _NotJson as error:
                length = self._length()
                if not length:
                    self.problem = f"after record {number}: " + (
                        self.problem or "the file ends within its list"
                    )
                    return
                self._start, self._at = self._at, self._at + length
                value = BadRecord(str(error))
            number += 1
            self._junk = 0
            yield value

    def _is_end(self) -> bool:
        """Return whether the list ends here, and go behind it: no record follows."""
        while self._peek(_BEFORE_RECORD) == "]":
            if not self._to_next_record():
                self._at += 1
                return True
            self._at += 1
        return False

    def _record(self) -> Any:
        """Return the record at this place, and go behind it.

        Raises:
            _NotJson: there is none; the place is the same.
        """
        while not self._find_next() and len(self._text) - self._at <= _LONGEST_RECORD:
            if not self._fill():
                break
        if not 0 <= self._next - self._at <= _LONGEST_NESTED:
            return self._learned(self._value())
        try:
            # Of a broken record nothing behind the next one's beginning is read.
            value, length = self._decoded(self._text[self._at : self._next])
        except _NotJson:
            value, length = self._nested()
        self._start, self._at = self._at, self._at + length
        return self._learned(value)

    def _nested(self) -> tuple[Any, int]:
        """Return a record that holds the beginning of another one, and its length.

        Of a record that lost a bracket the others would be parts: it must end like a record.

        Raises:
            _NotJson: it does not.
        """
        self._nested_tries -= 1
        if self._nested_tries < 0:
            raise _NotJson("it ends within the next record")
        while len(self._text) - self._at < _LONGEST_NESTED and self._fill():
            pass
        text = self._text[self._at : self._at + _LONGEST_NESTED]
        value, length = self._decoded(text)
        if not _FOLLOWS.match(text, length):
            raise _NotJson("another record begins within it")
        self._nested_tries += 1
        return value, length

    def _learned(self, value: Any) -> Any:
        """Note how records begin in this file, by its first one."""
        if not self._is_known and isinstance(value, dict) and "raw_url" in value:
            key = next(iter(value))
            self._is_known = True
            if key != "raw_url" and len(key) < _ENOUGH // 4:
                self._begins, self._next, self._clear = _beginning(key), -1, 0
        return value

    def _length(self) -> int:
        """Return the length of a part that is not JSON; 0 if the file ends within it.

        Its brackets are believed if another record or the list's end follows, else the beginning of
        the next record; of the last record, the end of the file.
        """
        length = self._to_brackets()
        if length:
            while len(self._text) - self._at - length < _ENOUGH and self._fill():
                pass
            if _FOLLOWS.match(self._text, self._at + length):
                return length
        length = self._to_next_record()
        if not length and self._is_all and (end := _LAST.search(self._text, self._at)):
            return end.start() - self._at
        return length

    def _to_brackets(self) -> int:
        """Return the number of characters to where the brackets of a part close; 0 if not."""
        expected: list[str] = []
        end = self._next if self._find_next() else len(self._text)
        for token in _TOKEN.finditer(self._text, self._at, end):
            sign = token[0]
            if token.start() > self._at and not expected:
                return token.start() - self._at
            if sign in _CLOSES:
                expected.append(_CLOSES[sign])
            elif sign in _CLOSES.values() and expected:
                if sign != expected.pop():
                    return 0
                if not expected:
                    return token.end() - self._at
        return 0

    def _to_next_record(self) -> int:
        """Return the number of characters to where the next record begins; 0 if none does."""
        while not self._find_next():
            if len(self._text) - self._at > _LONGEST_RECORD:
                # Of a part without an end its beginning is enough; a record may begin at its cut.
                kept = self._text[self._at : self._at + _LONGEST_KEPT]
                self._text, self._at, self._clear = kept + self._text[-_LONGEST_KEPT:], 0, 0
            if not self._fill():
                return 0
        return self._next - self._at

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
            _NotJson: there is none; the place is the same.
        """
        self._peek()
        while True:
            try:
                value, end = self._decoded(self._text, self._at)
            except _NotJson:
                if self._is_all:
                    raise
                if len(self._text) - self._at > _LONGEST_RECORD:
                    raise _NotJson(f"more than {_LONGEST_RECORD} characters") from None
            else:
                # A number may go on in what is not read yet.
                if end < len(self._text) or self._is_all:
                    self._start, self._at = self._at, end
                    return value
            # Twice as much for each try: a long value is not tried after each chunk.
            wanted = 2 * (len(self._text) - self._at)
            while self._fill() and len(self._text) < wanted:
                pass

    def _decoded(self, text: str, at: int = 0) -> tuple[Any, int]:
        """Return the value at a place of a text, and its end.

        Raises:
            _NotJson: there is none.
        """
        try:
            return self._json.raw_decode(text, at)
        except RecursionError:
            raise _NotJson("nested too deep") from None
        except json.JSONDecodeError as error:
            raise _NotJson(f"{error.msg} at its character {error.pos - at + 1}") from None

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
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._next -= self._at
        # A beginning may be cut by the end of what was read before.
        self._clear = max(0, self._clear - self._at - _ENOUGH)
        self._at = 0
        return not self._is_all


def as_record(value: Any) -> Mapping[str, Any]:
    """Return a record as a mapping.

    Raises:
        ValueError: it is not JSON, no object, or its ``raw_url`` is not a text.
    """
    if isinstance(value, BadRecord):
        raise ValueError(f"not JSON: {value.reason}")  # noqa: TRY004 - of the input
    if not isinstance(value, dict):
        raise ValueError("the record is not an object")  # noqa: TRY004 - of the input
    if not isinstance(value.get("raw_url"), str):
        raise ValueError("raw_url: missing or not a text")  # noqa: TRY004 - of the input
    return value


def _beginning(key: str) -> re.Pattern[str]:
    """Return a pattern of the beginning of a record whose first key this is."""
    name = re.escape(json.dumps(key, ensure_ascii=False))
    return re.compile(rf"\{{{_BLANK}{name}{_BLANK}:")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)
