"""The text extractor: it reads a stored file and stores its text, once per version of the readers.

    processing/extract/{sha256} ─► extract ─► processing/extract/{sha256}.{version}.json

A stored result is not computed again, except where the reader was killed, which may not happen
again, and where other formats are expected now.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Self

from uring.errors import Contended, CorruptState, MalformedMessage, PreconditionFailed
from uring.extract.extraction import VERSION, Extraction
from uring.extract.formats import READABLE
from uring.objects import Objects
from uring.runtime.telemetry import Telemetry

PREFIX: Final = "processing/extract/"

_KEY: Final = re.compile(re.escape(PREFIX) + r"([0-9a-f]{64})")

Extract = Callable[[bytes, Collection[str], Callable[[], float]], Extraction]
"""A function that extracts a file of the expected formats; the last argument gives seconds left."""


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """An event of the extractor: the key of a file, and the expected formats."""

    key: str
    formats: frozenset[str]

    @classmethod
    def parse(cls, event: Mapping[str, Any]) -> Self:
        """Read an event.

        Raises:
            MalformedMessage: a field is missing or wrong; the message names it.
        """
        key, formats = event.get("key"), event.get("formats")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise MalformedMessage(
                f'ExtractRequest: key: not "{PREFIX}" and a SHA-256 in hexadecimal digits; '
                "the caller stores the file there first"
            )
        known = {*READABLE} & {*map(str, formats)} if isinstance(formats, list) else None
        if not known:
            raise MalformedMessage(
                f"ExtractRequest: formats: not a list of one or more of {', '.join(READABLE)}; "
                "correct the caller's entry"
            )
        # A worker of a newer release may know more formats.
        return cls(key, frozenset(known))

    @property
    def result_key(self) -> str:
        """The key of the result, with the readers' version."""
        return f"{self.key}.{VERSION}.json"


class Extractor:
    """The extractor of the files of one bucket."""

    def __init__(self, objects: Objects, extract: Extract, telemetry: Telemetry) -> None:
        self._objects = objects
        self._extract = extract
        self._telemetry = telemetry

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, str]:
        """Extract one file and return the key of the result.

        Raises:
            MalformedMessage: the event breaks its contract, or the file is missing.
            CorruptState: the file's SHA-256 differs from its key, or the stored result is not an
                extraction.
            Unavailable: S3 did not answer.
        """
        request = ExtractRequest.parse(event)
        stored = self._objects.get(request.result_key)
        if stored is not None and _is_final(Extraction.from_json(stored.body), request.formats):
            return {"key": request.result_key}
        extraction = self._extract(self._file(request), request.formats, time_left)
        self._telemetry.event(
            "extracted",
            key=request.key,
            outcome=extraction.outcome,
            format=extraction.format,
            pages=extraction.pages,
            characters=len(extraction.text),
        )
        # A faster invocation has stored the result of the same bytes, or is storing it.
        with suppress(PreconditionFailed, Contended):
            self._objects.put(
                request.result_key,
                extraction.to_json(),
                if_match=stored.etag if stored else None,
                content_type="application/json",
            )
        return {"key": request.result_key}

    def _file(self, request: ExtractRequest) -> bytes:
        stored = self._objects.get(request.key)
        if stored is None:
            raise MalformedMessage(
                f"ExtractRequest: key: {request.key} does not exist; store the file there first"
            )
        if hashlib.sha256(stored.body).hexdigest() != request.key.removeprefix(PREFIX):
            raise CorruptState(f"{request.key}: its SHA-256 differs from its name; store it again")
        return stored.body


def _is_final(extraction: Extraction, formats: Collection[str]) -> bool:
    is_expected = extraction.format in formats
    return extraction.outcome != "killed" and (
        is_expected == (extraction.outcome != "wrong_format") or extraction.outcome == "unsupported"
    )
