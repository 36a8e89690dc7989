"""The records of a raw file that could not be used, as JSON lines beside the file.

    ….json.rejected    {"index": 7, "reason": "raw_url: missing or not a text", "text": "{…}"}

The first thousand of a reading that came to the end; the object of a file that was mended is empty.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from uring.objects import Bucket
from uring.seeds.partition import REJECTED

_MOST: Final = 1_000
_LONGEST_REASON: Final = 200
_TYPE: Final = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that could not be used.

    Attributes:
        index: its number in the file, from 0; a part that is not JSON counts as one.
        reason: what is wrong, in words.
        text: the record as it stands in the file, at most its first 4,000 characters.
    """

    index: int
    reason: str
    text: str


class RejectedRecords:
    """The records of one reading that could not be used; the first thousand are kept."""

    def __init__(self) -> None:
        self._kept: list[RejectedRecord] = []

    def add(self, index: int, reason: str, text: str) -> None:
        """Keep a record, unless a thousand are kept."""
        if len(self._kept) < _MOST:
            self._kept.append(RejectedRecord(index, reason[:_LONGEST_REASON], text))

    def store(self, bucket: Bucket, path: str) -> None:
        """Write them beside the raw file at a path; without any empty those of an earlier reading.

        Raises:
            Unavailable: S3 did not answer; it may be done again.
        """
        key = path + REJECTED
        if self._kept or ((head := bucket.head(key)) and head.size):
            lines = (json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in self._kept)
            # A text may hold half of a character's code.
            bucket.write(key, "".join(lines).encode(errors="replace"), _TYPE)


def rejected_of(body: bytes) -> Iterator[RejectedRecord]:
    """Yield the records of such an object; lines of another shape are left out."""
    for line in body.decode(errors="replace").split("\n"):
        try:
            found: Any = json.loads(line)
            yield RejectedRecord(int(found["index"]), str(found["reason"]), str(found["text"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
