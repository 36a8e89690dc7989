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
# A record has about 600 bytes; a longer one is skipped.
_LONGEST_RECORD: Final = 1024 * 1024
_LONGEST_KEPT: Final = 4_000
# JavaScript reads a longer number as a float, too; Python would refuse 4,300 digits.
_LONGEST_INT: Final = 15

_BLANKS: Final = re.compile(r"[\s,\ufeff]*")
_LIST: Final = re.compile(r'"records"\s*:\s*\[')
# A text, whole or cut by the end of what is read, or a bracket.
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_FOLLOWS: Final = re.compile(r"\s*(?:,\s*\{|,?\s*\])")
_LAST: Final = re.compile(r"\]\s*\}\s*\Z")
_ENOUGH: Final = 100
_CLOSES: Final[Mapping[str, str]] = {"{": "}", "[": "]"}


class NoDataset(Permanent):
    """A file without a readable record: not JSON, or of another shape."""


class BadRecord(NamedTuple):
    """A part of the list that is no JSON.

    Attributes:
        reason: what is wrong, in words.
        text: the part, at most its first 4,000 characters.
    """

    reason: str
    text: str


class _NotJson(Exception):  # noqa: N818 - a value, not a fault of ours
    """There is no value at this place.

    Attributes:
        reason: what is wrong.
        length: of the part, in characters; 0 if its end is not known.
        is_torn: brackets do not match: its end is a guess.
    """

    def __init__(self, reason: str, length: int = 0, *, is_torn: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.length = length
        self.is_torn = is_torn


class RawRecords:
    """The records of one file, in order; can be iterated once.

    The file is read as JavaScript reads text: a byte-order mark is skipped, a byte that is not
    UTF-8 is U+FFFD, control characters may stand in texts, numbers have any size. A part that is
    no JSON costs itself: reading goes on where the next record begins.

    Args:
        read: returns at most that number of bytes, none at the end.

    Attributes:
        problem: why reading stopped before the end of the list; empty if it did not.
        meta: the file's ``meta`` as far as it was read; empty without one.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._json = json.JSONDecoder(strict=False, parse_int=_number)
        self._text = ""
        self._at = 0
        self._is_all = False
        self._begins, self._is_known = _beginning("raw_url"), False
        self.problem = ""
        self.meta: Mapping[str, Any] = {}

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
        """Go to the beginning of a list of records, behind what is no JSON."""
        while (found := _LIST.search(self._text, self._at)) is None:
            if len(self._text) - self._at > _LONGEST_RECORD or not self._fill():
                return False
        self._at = found.end()
        return True

    def _records(self) -> Iterator[Any]:
        """Yield the records of the list that is begun, up to its end or the file's."""
        number = 0
        while not self._is_end():
            # A list within the list is a bracket too many, or no record.
            if self._is_next("["):
                continue
            try:
                value = self._value()
            except _NotJson as error:
                length = self._length(error)
                if not length:
                    self.problem = f"after record {number}: the file ends within its list"
                    return
                kept = self._text[self._at : self._at + min(length, _LONGEST_KEPT)]
                self._at += length
                value = BadRecord(error.reason, kept)
            number += 1
            if not self._is_known and isinstance(value, dict) and "raw_url" in value:
                self._is_known, self._begins = True, _beginning(next(iter(value)))
            yield value

    def _is_end(self) -> bool:
        """Return whether the list ends here, and go behind it: no record follows."""
        if self._peek() != "]":
            return False
        is_end = not self._to_next_record()
        self._at += 1
        return is_end

    def _length(self, error: _NotJson) -> int:
        """Return the length of a part that is no JSON; 0 if the file ends within it.

        Its brackets are believed if another record or the list's end follows, else the beginning of
        the next record; of the last record, the end of the file.
        """
        if error.length and not error.is_torn:
            while len(self._text) - self._at - error.length < _ENOUGH and self._fill():
                pass
            if _FOLLOWS.match(self._text, self._at + error.length):
                return error.length
        length = self._to_next_record()
        if not length and self._is_all and (end := _LAST.search(self._text, self._at)):
            return end.start() - self._at
        return length

    def _to_next_record(self) -> int:
        """Return the number of characters to where the next record begins; 0 if none does."""
        while (found := self._begins.search(self._text, self._at + 1)) is None:
            if len(self._text) - self._at > _LONGEST_RECORD:
                # Of a part without an end its beginning is enough; a record may begin at its cut.
                kept = self._text[self._at : self._at + _LONGEST_KEPT]
                self._text, self._at = kept + self._text[-_LONGEST_KEPT:], 0
            if not self._fill():
                return 0
        return found.start() - self._at

    def _is_next(self, character: str) -> bool:
        """Return whether this character is next, and go behind it."""
        is_next = self._peek() == character
        self._at += is_next
        return is_next

    def _peek(self) -> str:
        """Return the next character that is no blank and no comma; empty at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
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
        wanted = 0
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
                self._refuse(reason)
                if self._is_all:
                    raise _NotJson(reason) from None
            else:
                # A number may go on in what is not read yet.
                if end < len(self._text) or self._is_all:
                    if self._begins.search(self._text, self._at + 1, end):
                        raise _NotJson("another record begins within it", is_torn=True)
                    self._at = end
                    return value
            if len(self._text) - self._at > _LONGEST_RECORD:
                raise _NotJson(f"more than {_LONGEST_RECORD} characters without an end")
            # Twice as much for each try: a long record is not tried after each chunk.
            while self._fill() and len(self._text) < 2 * wanted:
                pass
            wanted = len(self._text)

    def _refuse(self, reason: str) -> None:
        """Raise `_NotJson` if the end of what is no JSON is read, by its brackets.

        The beginning of a record within it is its end, too: a bracket or quote was lost.
        """
        expected: list[str] = []
        for token in _TOKEN.finditer(self._text, self._at):
            sign, end = token[0], token.end()
            if token.start() > self._at and not expected:
                raise _NotJson(reason, token.start() - self._at)
            if sign in _CLOSES:
                expected.append(_CLOSES[sign])
            elif sign in _CLOSES.values() and expected:
                if sign != expected.pop():
                    raise _NotJson(reason, token.start() - self._at, is_torn=True)
                if not expected:
                    found = self._begins.search(self._text, self._at + 1, end)
                    raise _NotJson(reason, (found.start() if found else end) - self._at)

    def _fill(self) -> bool:
        """Read a chunk behind the text, without what was read before it; False at the end."""
        if self._is_all:
            return False
        data = self._read(_CHUNK_BYTES)
        self._is_all = not data
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._at = 0
        return True


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
    return re.compile(r"\{\s*" + re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)
