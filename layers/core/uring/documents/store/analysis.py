"""The newest analysis of a page: of which texts, what it found, whether it was applied."""

import hashlib
import json
from collections.abc import Mapping
from typing import ClassVar

from uring.clock import Timestamp
from uring.documents.names import ANALYSIS
from uring.documents.store.items import StoredItem
from uring.tables import Table


class AnalysisEntry(StoredItem):
    """An analysis of a page: of which texts, and its findings.

    Attributes:
        inputs: hash of the texts and of the analyst's version.
        texts: SHA-256 of each policy's text, by source.
        body: key of the findings in the bucket, JSON.
        findings: how many.
        applied: the ``inputs`` whose findings all are issues; empty until then.
        cost_micros: in millionths of a dollar.
    """

    packed: ClassVar[frozenset[str]] = frozenset({"texts"})

    page: str
    inputs: str
    texts: Mapping[str, str]
    body: str
    findings: int
    applied: str = ""
    created: Timestamp
    cost_micros: int = 0


def inputs_of(texts: Mapping[str, str], analyst: str) -> str:
    """Return what names an analysis: its texts' hashes by source, and the analyst's version."""
    said = json.dumps([analyst, sorted(texts.items())])
    return hashlib.sha256(said.encode()).hexdigest()


def stored_analysis(table: Table, page: str) -> AnalysisEntry | None:
    """Return the newest analysis of a page; None where there is none."""
    item = table.get(page, ANALYSIS)
    return None if item is None else AnalysisEntry.read(f"{page}:{ANALYSIS}", item)
