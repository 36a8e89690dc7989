"""Wires the text extractor, the only function that carries parsers of file formats."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.readers.reading import ExtractLimits
from uring.extract.service import Extractor
from uring.functions.parts import Parts
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name

# Lambda's interpreter needs it to find its own libraries. The child gets no other variable.
_INHERITED: Final = ("LD_LIBRARY_PATH",)
# Reserved to store the result, after the longest wait for a child.
_STORING_SECONDS: Final = 10


class Settings(BaseSettings):
    """Settings of the text extractor: the bucket of its input and its results."""

    data_bucket: Name


def wire(
    settings: Settings,
    parts: Parts,
    *,
    limits: ExtractLimits = ExtractLimits(),  # noqa: B008 - frozen
) -> Work:
    """Return the text extractor's work."""
    variables = parts.environment
    inherited = {name: variables[name] for name in _INHERITED if name in variables}

    def extract_in_time(
        body: bytes, formats: Collection[str], time_left: Callable[[], float]
    ) -> Extraction:
        seconds = max(min(limits.wall_seconds, time_left() - _STORING_SECONDS), 1)
        return extract(
            body,
            formats=formats,
            limits=replace(limits, wall_seconds=seconds),
            environment=inherited,
        )

    objects = parts.bucket(settings.data_bucket)
    return Extractor(objects, extract_in_time, parts.telemetry).run
