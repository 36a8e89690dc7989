"""Lambda functions that are invoked: the text extractor, and a function that continues its work."""

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from uring.aws.errors import translated
from uring.changes.retry import Backoff, rewrite
from uring.errors import Contended, Misconfigured, SuspectPage, Unavailable
from uring.extract.extraction import Extraction
from uring.objects import Objects

_FOLDER: Final = "processing/extract/"
# Lambda's names of the errors that the file did not cause: uRing's own, a broken deployment.
_RETRYABLE: Final = frozenset(
    {
        *(kind.__name__ for kind in (Contended, Misconfigured, Unavailable)),
        "Runtime.ImportModuleError",
        "Runtime.HandlerNotFound",
        "Runtime.UserCodeSyntaxError",
    }
)


class InvokedExtractor:
    """Reads files: invokes the text extractor and waits for it; safe to share between threads.

    File and text go through the bucket. A file is stored by its hash, so that a second try finds
    the object of the first.
    """

    def __init__(self, objects: Objects, client: Any, function: str, *, backoff: Backoff) -> None:
        self._objects = objects
        self._client = client
        self._function = function
        self._backoff = backoff

    def __call__(self, body: bytes, formats: Collection[str]) -> Extraction:
        """Return the text of a file in one of these formats, or the reason why it has none.

        Raises:
            SuspectPage: ``extractor_failed``: the extractor failed on this file.
            Unavailable: the call failed, or the extractor did not reach the bucket.
            Misconfigured: no such function, or no permission.
        """
        key = _FOLDER + hashlib.sha256(body).hexdigest()
        rewrite(
            self._objects,
            key,
            lambda there: body if there is None else None,
            backoff=self._backoff,
            content_type="application/octet-stream",
            likely_absent=True,
        )
        what = f"lambda:Invoke {self._function}"
        with translated(what):
            answer = self._client.invoke(
                FunctionName=self._function,
                Payload=json.dumps({"key": key, "formats": sorted(formats)}).encode(),
            )
            said = answer["Payload"].read()
        if "FunctionError" in answer:
            if _error_type(said) in _RETRYABLE:
                raise Unavailable(f"{what}: {said.decode(errors='replace')[:300]}")
            raise SuspectPage(
                "extractor_failed",
                f"{self._function}: {said.decode(errors='replace')[:300]}; its log has the file",
            )
        stored = self._objects.get(json.loads(said)["key"])
        if stored is None:
            raise Unavailable(f"{what}: its result is missing; the next try makes it again")
        return Extraction.from_json(stored.body)


def _error_type(said: bytes) -> str:
    """Return the name of the exception that ended a function; empty for a malformed answer."""
    try:
        return str(json.loads(said)["errorType"])
    except (ValueError, TypeError, KeyError):
        return ""


class Invoker:
    """Invokes one function with events."""

    def __init__(self, client: Any, function: str) -> None:
        self._client = client
        self._function = function

    def __call__(self, event: Mapping[str, Any], /) -> None:
        """Send an event without waiting for the result; Lambda retries a failed run.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such function, or no permission.
        """
        with translated(f"lambda:Invoke {self._function}"):
            self._client.invoke(
                FunctionName=self._function,
                InvocationType="Event",
                Payload=json.dumps(event).encode(),
            )
