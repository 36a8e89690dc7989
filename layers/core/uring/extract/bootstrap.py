"""Builds the text extractor, the only function that carries readers of files."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.limits import Limits
from uring.extract.service import Extractor
from uring.extract.settings import ExtractorSettings
from uring.runtime.invocation import Function
from uring.runtime.telemetry import LambdaTelemetry, Telemetry

# Lambda's interpreter finds its own libraries by it. The child gets nothing else of ours.
_INHERITED: Final = ("LD_LIBRARY_PATH",)
# Kept for the result, after the longest wait for a child.
_STORING_SECONDS: Final = 10


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    telemetry: Telemetry | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Function:
    """Return the text extractor for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = ExtractorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    inherited = {name: environment[name] for name in _INHERITED if name in environment}

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

    extractor = Extractor(
        S3Objects(clients.get("s3"), settings.data_bucket), extract_in_time, telemetry
    )
    return Function(extractor.run, clients, telemetry)
