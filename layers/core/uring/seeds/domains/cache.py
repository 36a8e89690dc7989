"""The robots.txt of each domain, shared by all partitions with that domain (S13).

    processing/robots/mom.gov.sg.json

A copy is valid for a day, and for an hour if the domain did not answer (RFC 9309, section 2.4);
later tries of a message refuse such a copy of an earlier try. An unreadable copy counts as missing:
the domain is asked.
"""

import base64
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.clock import Clock, parse_timestamp
from uring.objects import Bucket
from uring.seeds.collect.answers import RobotsAnswer
from uring.seeds.partition import PROCESSING

_GOOD_FOR: Final = timedelta(hours=24)
_BAD_FOR: Final = timedelta(hours=1)


class _Copy(BaseModel):
    model_config = ConfigDict(extra="ignore")

    answer: RobotsAnswer
    body: str
    epoch: str = ""


class RobotsCache:
    """Copies of robots.txt in the bucket; safe to share between threads.

    Args:
        again_after: the age at which a later try asks an unreachable domain again; shorter than the
            pause between two tries.
    """

    def __init__(self, bucket: Bucket, *, clock: Clock, again_after: timedelta) -> None:
        self._bucket = bucket
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
        stored = self._bucket.get(_key(domain))
        if stored is None:
            return None
        try:
            copy = _Copy.model_validate_json(stored.body)
            body = base64.b64decode(copy.body, validate=True)
        except (ValidationError, ValueError):
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
        self._bucket.write(_key(domain), copy.model_dump_json().encode(), "application/json")


def _holds(answer: RobotsAnswer, now: datetime, most: timedelta) -> bool:
    if answer.fetched_at is None:
        return False
    age = now - parse_timestamp(answer.fetched_at)
    return timedelta() <= age < most


def _key(domain: str) -> str:
    return f"{PROCESSING}robots/{domain}.json"
