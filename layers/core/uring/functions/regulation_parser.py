"""Wires the regulation parser."""

from collections.abc import Sequence

from uring.aws.invoke import InvokedExtractor
from uring.functions.parts import Parts
from uring.functions.web import fetcher
from uring.functions.workers import WorkerSettings, worker
from uring.regulations.table import RegistryTable
from uring.regulations.texts.family import PAUSES_SECONDS, RegulationTexts
from uring.regulations.texts.read import TextReader
from uring.regulations.texts.state import TextState
from uring.runtime.invocation import Work
from uring.runtime.settings import Name


class Settings(WorkerSettings):
    """Settings of the regulation parser; ``extractor`` is the name of the text extractor."""

    registry_table: Name
    extractor: Name


def wire(settings: Settings, parts: Parts, *, pauses: Sequence[int] = PAUSES_SECONDS) -> Work:
    """Return the regulation parser's work; simulations pass other ``pauses``."""
    objects = parts.bucket(settings.data_bucket)
    extract = InvokedExtractor(
        objects, parts.clients.get("lambda"), settings.extractor, backoff=parts.backoff
    )
    texts = RegulationTexts(
        TextReader(fetcher(settings), extract),
        objects,
        RegistryTable(parts.table(settings.registry_table)),
        backoff=parts.backoff,
        pauses=pauses,
    )
    # One file after the other: all of them are on one site.
    return worker(texts, TextState, settings, parts, groups=1)
