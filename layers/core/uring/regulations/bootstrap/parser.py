"""Builds the regulation parser."""

from collections.abc import Mapping, Sequence
from typing import Any

from uring.aws.extractor import InvokedExtractor
from uring.aws.tables import DynamoTable
from uring.clock import Clock, system_clock
from uring.regulations.settings import RegulationParserSettings
from uring.regulations.table import RegistryTable
from uring.regulations.texts.family import PAUSES_SECONDS, RegulationTexts
from uring.regulations.texts.read import FileReader
from uring.regulations.texts.state import TextState
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.bootstrap.worker import fetcher, worker
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
    pauses: Sequence[int] = PAUSES_SECONDS,
) -> Function:
    """Return the regulation parser for this environment.

    A run on a clock of its own has other ``pauses``.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = RegulationParserSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    objects, clients, backoff = parts.objects(settings.data_bucket), parts.clients, parts.backoff
    extract = InvokedExtractor(objects, clients.get("lambda"), settings.extractor, backoff=backoff)
    texts = RegulationTexts(
        FileReader(fetcher(settings), extract),
        objects,
        RegistryTable(
            DynamoTable(clients.get("dynamodb"), settings.registry_table, backoff=backoff)
        ),
        backoff=backoff,
        pauses=pauses,
    )
    # One file after the other: they are all of one site.
    return worker(texts, TextState, settings, parts, groups=1)
