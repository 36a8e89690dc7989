"""Kept answers of paid services, by the hash of the whole request: none is paid for twice.

    processing/answers/{service}/{sha256}.json      {"answer": …}

The hash covers all that an answer depends on: texts, languages, settings, model, prompt. Two
requests at once may both be paid; a lock prevents that. Either of two answers may be kept.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from uring.objects import Bucket

FOLDER: Final = "processing/answers/"


class Answers:
    """Kept answers of paid services."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def find(self, service: str, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the kept answer of a request; None if it is missing or malformed.

        Raises:
            Unavailable: the bucket failed.
        """
        stored = self._bucket.get(_key(service, request))
        if stored is None:
            return None
        try:
            answer = json.loads(stored.body)["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            # Another request costs cents, and replaces the malformed answer.
            return None
        return answer if isinstance(answer, dict) else None

    def keep(self, service: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keep an answer.

        Raises:
            Unavailable: the bucket failed; the answer may have been kept.
        """
        body = json.dumps({"answer": answer}).encode()
        self._bucket.write(_key(service, request), body, "application/json")


def _key(service: str, request: Mapping[str, Any]) -> str:
    # ASCII alone: a lone surrogate cannot be written in UTF-8.
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":")).encode()
    return f"{FOLDER}{service}/{hashlib.sha256(canonical).hexdigest()}.json"
