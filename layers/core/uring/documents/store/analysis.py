"""The newest analysis of a page: its texts, its findings, whether they were applied."""

import hashlib
import json
from collections.abc import Mapping
from typing import ClassVar, Final

from uring.clock import Timestamp
from uring.documents.names import ANALYSIS
from uring.documents.store.items import StoredItem
from uring.errors import CorruptState
from uring.tables import Item, Table

_NEVER: Final = "1970-01-01T00:00:00Z"


class AnalysisEntry(StoredItem):
    """An analysis of a page: its texts and its findings.

    Attributes:
        inputs: hash of the texts and of the analyst's version.
        texts: SHA-256 of each policy's text, by source.
        without_text: the attachments that existed then and had no text; None in an analysis of an
            earlier release.
        body: key of the findings in the bucket, JSON.
        findings: the number of findings.
        failed: the reason by source, of policies that could not be analysed.
        kept: the policies that were not asked about as a whole: an earlier answer was kept.
        issues: the number of issues that the findings are; None before they are written, and in an
            analysis of an earlier release.
        applied: the ``inputs`` whose findings were all written as issues; empty before.
        cost_micros: in millionths of a dollar.
    """

    packed: ClassVar[frozenset[str]] = frozenset({"texts", "failed", "kept", "without_text"})

    page: str
    inputs: str
    texts: Mapping[str, str]
    without_text: tuple[str, ...] | None = None
    body: str
    findings: int
    failed: Mapping[str, str] = {}
    kept: tuple[str, ...] = ()
    issues: int | None = None
    applied: str = ""
    created: Timestamp
    cost_micros: int = 0

    @property
    def written(self) -> int | None:
        """The number of issues that the findings are; None if they are to be written still."""
        return self.issues if self.applied == self.inputs else None


def inputs_of(texts: Mapping[str, str], analyst: str) -> str:
    """Return the hash that identifies an analysis: of its texts and of the analyst's version.

    Args:
        texts: SHA-256 of each policy's text, by source.
        analyst: the version of the analyst.
    """
    said = json.dumps([analyst, sorted(texts.items())])
    return hashlib.sha256(said.encode()).hexdigest()


def stored_analysis(table: Table, page: str) -> AnalysisEntry | None:
    """Return the newest analysis of a page; None without one.

    A malformed one counts as an analysis of nothing: the page is analysed again.

    Raises:
        NewerRelease: a newer release wrote it.
    """
    item = table.get(page, ANALYSIS)
    return None if item is None else read_analysis(page, item)


def read_analysis(page: str, item: Item) -> AnalysisEntry:
    """Read the item of an analysis, see `stored_analysis`."""
    try:
        return AnalysisEntry.read(f"{page}:{ANALYSIS}", item)
    except CorruptState:
        return AnalysisEntry(page=page, inputs="", texts={}, body="", findings=0, created=_NEVER)
