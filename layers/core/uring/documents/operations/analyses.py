"""An analysis of a page's policies: made once a set of texts, then applied to its issues (D11).

The holder of the analysis lock asks the model; editors of issues are not locked out. The findings
are stored before anything else happens: a crash after that pays for nothing again.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from pydantic import TypeAdapter, ValidationError

from uring.clock import Clock, timestamp
from uring.documents.names import ANALYSIS, ANALYSIS_LOCK, body_key
from uring.documents.operations.report import NoText, PageTooLarge, ReportsProgress
from uring.documents.store.analysis import AnalysisEntry, inputs_of, stored_analysis
from uring.documents.store.policies import PolicyEntry, PolicyStore, TextLost
from uring.documents.work.findings import Finding
from uring.documents.work.ports import AnalysesPolicies, Spend
from uring.documents.work.spending import LeasedSpend
from uring.errors import CorruptState, Unavailable
from uring.locks import FoundValue, Lease, Once
from uring.objects import Bucket
from uring.tables import Part, Table, Write

WAIT_SECONDS: Final = 150
# The longest time that a model writes; a call that is cut off is paid for nothing.
_MODEL_SECONDS: Final = 320
# The limit for all texts of a page together; they are in memory at once.
_MOST_CHARACTERS: Final = 10_000_000


class AnalysisWork:
    """Implements `uring.locks.Work`: the analysis of a page's texts at one moment."""

    def __init__(
        self,
        page: str,
        policies: Sequence[PolicyEntry],
        analyst: AnalysesPolicies,
        store: PolicyStore,
        table: Table,
        bucket: Bucket,
        *,
        clock: Clock,
        spend: Spend,
        report: ReportsProgress,
    ) -> None:
        self._page = page
        self._policies = policies
        self._analyst = analyst
        self._store = store
        self._table = table
        self._bucket = bucket
        self._clock = clock
        self._spend = spend
        self._report = report
        self._texts = texts_of(policies)
        self._without_text = tuple(each.source for each in policies if not each.has_text)
        self._inputs = _inputs(policies, analyst)
        self._began = timestamp(clock())

    def read(self) -> FoundValue[AnalysisEntry] | None:
        """Return the stored analysis, fresh if it is of these texts; None without one.

        A new job repeats an analysis that failed on a policy. An analysis is made again if it is to
        be applied and its findings are missing, or if it counts on an attachment that is gone.
        """
        entry = stored_analysis(self._table, self._page)
        if entry is None:
            return None
        is_whole = not entry.failed or entry.created >= self._began
        there = {*self._texts, *self._without_text}
        is_fresh = (
            entry.inputs == self._inputs and is_whole and there.issuperset(entry.without_text or ())
        )
        if is_fresh and entry.written is None:
            is_fresh = self._bucket.head(entry.body) is not None
        return FoundValue(entry, is_fresh=is_fresh)

    def compute(self, lease: Lease) -> AnalysisEntry:
        """Ask the model, and store its findings under a key that only this lease writes."""
        before = self._spend.spent

        def go_on(done: int, of: int) -> None:
            lease.ensure()
            needs = _MODEL_SECONDS if done < of else 0
            self._report(f"analysing: {done} of {of}", needs=needs)

        texts, lost = self._read()
        untrusted = {entry.source for entry in self._policies if entry.is_untrusted}
        spend = LeasedSpend(self._spend, lease.ensure)
        found = self._analyst.analyse(texts, untrusted=untrusted, spend=spend, go_on=go_on)
        body = json.dumps([each.model_dump() for each in found], ensure_ascii=False).encode()
        entry = AnalysisEntry(
            page=self._page,
            inputs=self._inputs,
            texts=self._texts,
            without_text=self._without_text,
            body=body_key(self._page, hashlib.sha256(body).hexdigest(), lease.owner),
            findings=len(found),
            failed={**lost, **found.failed},
            kept=found.kept,
            created=timestamp(self._clock()),
            cost_micros=self._spend.spent - before,
            fence=lease.fence,
        )
        lease.ensure()
        self._bucket.write(entry.body, body, "application/json")
        return entry

    def _read(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the texts by source, and the reasons for missing ones.

        Raises:
            NoText: no text can be read.
        """
        texts: dict[str, str] = {}
        lost: dict[str, str] = {}
        for entry in self._policies:
            if not entry.has_text:
                continue
            try:
                texts[entry.source] = self._store.text(entry)
            except TextLost as error:
                lost[entry.source] = str(error)
        if not texts:
            raise NoText(f"{self._page}: {'; '.join(lost.values())}")
        return texts, lost

    def parts(self, value: AnalysisEntry, lease: Lease) -> Sequence[Part]:  # noqa: ARG002
        """Return the write that publishes the analysis."""
        return [Write(ANALYSIS, value.item())]


class Analyses:
    """The analyses of pages."""

    def __init__(
        self,
        table: Table,
        bucket: Bucket,
        store: PolicyStore,
        analyst: AnalysesPolicies,
        *,
        clock: Clock,
        once: Once,
    ) -> None:
        self._table = table
        self._bucket = bucket
        self._store = store
        self._analyst = analyst
        self._clock = clock
        self._once = once

    def stored(self, page: str) -> AnalysisEntry | None:
        """Return the newest analysis of a page; None without one."""
        return stored_analysis(self._table, page)

    def inputs(self, policies: Sequence[PolicyEntry]) -> str:
        """Return the hash that an analysis of these policies would have now."""
        return _inputs(policies, self._analyst)

    def of(
        self, page: str, policies: Sequence[PolicyEntry], spend: Spend, report: ReportsProgress
    ) -> AnalysisEntry:
        """Return the analysis of these originals, made now or before.

        Raises:
            NoText: none of them has a text.
            PageTooLarge: the texts together exceed the limit.
            CapReached: the page may spend no more today.
            Retryable: another try may succeed.
        """
        readable = [entry for entry in policies if entry.has_text]
        if not readable:
            raise NoText(f"{page}: no attachment has a text; `uring documents policies` says why")
        characters = sum(entry.characters for entry in readable)
        if characters > _MOST_CHARACTERS:
            raise PageTooLarge(
                f"{page}: its texts have {characters:,} characters, at most {_MOST_CHARACTERS:,} "
                "are analysed; split the page"
            )
        work = AnalysisWork(
            page,
            policies,
            self._analyst,
            self._store,
            self._table,
            self._bucket,
            clock=self._clock,
            spend=spend,
            report=report,
        )
        return self._once.get_or_compute(page, ANALYSIS_LOCK, work, wait_seconds=WAIT_SECONDS)

    def found(self, entry: AnalysisEntry) -> list[Finding]:
        """Return the findings of an analysis.

        Raises:
            Unavailable: the analysis is being replaced, or S3 failed.
            CorruptState: the stored findings are malformed.
        """
        stored = self._bucket.get(entry.body)
        if stored is None:
            raise Unavailable(f"{entry.body}: is missing; a newer analysis replaced it")
        try:
            return _FOUND.validate_json(stored.body)
        except ValidationError as error:
            raise CorruptState(
                f"{entry.body}: not a list of findings; remove {entry.page}:analysis"
            ) from error


_FOUND: Final = TypeAdapter(list[Finding])


def _inputs(policies: Sequence[PolicyEntry], analyst: AnalysesPolicies) -> str:
    untrusted = [each.source for each in policies if each.has_text and each.is_untrusted]
    # Without such a source it is the hash of earlier releases: nothing is analysed again for it.
    version = ";".join([analyst.version, *sorted(untrusted)])
    return inputs_of(texts_of(policies), version)


def texts_of(policies: Sequence[PolicyEntry]) -> dict[str, str]:
    """Return the hash of each text by source."""
    return {entry.source: entry.sha256 for entry in policies if entry.has_text}
