"""The robots.txt of each domain, shared by all partitions with that domain (S13).

    table: robots/mom.gov.sg   copy   {"copy": …}              up to 8 KB, compressed
                                      {"object": …}            its key: a larger copy
    processing/robots/mom.gov.sg.json

A copy is valid for a day, and for an hour if the domain did not answer (RFC 9309, section 2.4);
later tries of a message refuse such a copy of an earlier try. An unreadable copy counts as missing:
the domain is asked.
"""

import base64
import zlib
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.clock import Clock, parse_timestamp
from uring.objects import Bucket
from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.partition import PROCESSING
from uring.tables import Item, PutTable

_GOOD_FOR: Final = timedelta(hours=24)
_BAD_FOR: Final = timedelta(hours=1)
# DynamoDB deletes the item some time later, for nothing.
_KEPT_FOR: Final = timedelta(days=2)
_KEY: Final = "copy"
# A KB costs a write unit; eight cost as much as an object.
_MOST_CHARACTERS: Final = 8_000
# The copy's own limit: a robots.txt of 1 MB in base64, and its addresses.
_MOST_BYTES: Final = 12 * 1024 * 1024


class _Copy(BaseModel):
    model_config = ConfigDict(extra="ignore")

    answer: RobotsAnswer
    body: str
    epoch: str = ""


class RobotsCache:
    """Copies of robots.txt; safe to share between threads.

    Args:
        bucket: for large copies.
        table: for all others; each domain has a partition of its own.
        again_after: the age at which a later try asks an unreachable domain again; shorter than the
            pause between two tries.
    """

    def __init__(
        self, bucket: Bucket, table: PutTable, *, clock: Clock, again_after: timedelta
    ) -> None:
        self._bucket = bucket
        self._table = table
        self._clock = clock
        self._again_after = again_after

    def read(
        self, domain: str, *, epoch: str | None = None, is_first: bool = True
    ) -> tuple[RobotsAnswer, bytes] | None:
        """Return a domain's robots.txt and its body; None without a valid copy.

        Args:
            domain: the registrable domain.
            epoch: of a forced collection, which uses only its own copies; else None.
            is_first: True at the first try of a message. Each later try asks an unreachable domain
                again, once for all of its messages.
        """
        stored = self._table.get(_partition(domain), _KEY)
        if stored is None:
            return None
        try:
            copy = _Copy.model_validate_json(self._document(domain, stored))
            body = base64.b64decode(copy.body, validate=True)
        except (ValidationError, ValueError, zlib.error):
            return None
        if epoch is not None and copy.epoch != epoch:
            return None
        most = (
            _GOOD_FOR if copy.answer.is_reachable else _BAD_FOR if is_first else self._again_after
        )
        return (copy.answer, body) if _holds(copy.answer, self._clock(), most) else None

    def keep(self, domain: str, answer: RobotsAnswer, body: bytes, *, epoch: str) -> None:
        """Store the new answer of a domain, in place of any older copy."""
        copy = _Copy(answer=answer, body=base64.b64encode(body).decode(), epoch=epoch)
        document = copy.model_dump_json(exclude_defaults=True).encode()
        packed = base64.b64encode(zlib.compress(document)).decode()
        place: Item = {"copy": packed}
        if len(packed) > _MOST_CHARACTERS:
            key = _object_key(domain)
            self._bucket.write(key, document, "application/json")
            place = {"object": key}
        expires_at = int((self._clock() + _KEPT_FOR).timestamp())
        item: Item = {**place, "expires_at": expires_at}
        self._table.put(_partition(domain), _KEY, item)

    def _document(self, domain: str, stored: Item) -> bytes:
        """Return the JSON of a copy; empty if its object is missing.

        Raises:
            ValueError, zlib.error: it cannot be read.
        """
        if "object" in stored:
            found = self._bucket.get(_object_key(domain))
            return found.body if found is not None else b""
        packed = base64.b64decode(str(stored.get("copy", "")), validate=True)
        return zlib.decompressobj().decompress(packed, _MOST_BYTES)


def _holds(answer: RobotsAnswer, now: datetime, most: timedelta) -> bool:
    if answer.fetched_at is None:
        return False
    age = now - parse_timestamp(answer.fetched_at)
    return timedelta() <= age < most


def _partition(domain: str) -> str:
    return f"robots/{domain}"


def _object_key(domain: str) -> str:
    return f"{PROCESSING}robots/{domain}.json"
