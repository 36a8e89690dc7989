"""Answers that were paid for, by the hash of the whole request: none is paid for twice.

    processing/answers/{service}/{sha256}.json      {"answer": …}

The hash covers all that an answer depends on: texts, languages, settings, model, prompt. Two that
ask at once may both pay; a lock keeps them apart. Any writer's answer is as good as another's.
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
        """Return what a request was answered; None where that is not known, or not readable.

        Raises:
            Unavailable: the bucket does not answer.
        """
        stored = self._bucket.get(_key(service, request))
        if stored is None:
            return None
        try:
            answer = json.loads(stored.body)["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            # Asking again is a matter of cents, and puts it right.
            return None
        return answer if isinstance(answer, dict) else None

    def keep(self, service: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Keep an answer.

        Raises:
            Unavailable: the bucket does not answer; it may have been kept.
        """
        body = json.dumps({"answer": answer}).encode()
        self._bucket.write(_key(service, request), body, "application/json")


def _key(service: str, request: Mapping[str, Any]) -> str:
    # ASCII alone: a lone surrogate cannot be written in UTF-8.
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":")).encode()
    return f"{FOLDER}{service}/{hashlib.sha256(canonical).hexdigest()}.json"
