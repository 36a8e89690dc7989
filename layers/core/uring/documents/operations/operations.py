"""Runs the operation that a job's message names."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from uring.clock import Clock
from uring.documents.costs import DailyBudget
from uring.documents.jobs import Jobs
from uring.documents.messages import JobMessage
from uring.documents.names import derived_id
from uring.documents.operations.analyses import Analyses, texts_of
from uring.documents.operations.clear import clear
from uring.documents.operations.findings import IssueWriter
from uring.documents.operations.policies import Policies
from uring.documents.operations.report import ReportsProgress
from uring.documents.store.policies import PolicyEntry
from uring.documents.work.ports import Spend
from uring.errors import WriteConflict
from uring.locks import Locks
from uring.tables import Table

_MOST_ROUNDS: Final = 3
_MOST_FAILURES: Final = 20

_Step: TypeAlias = Callable[[JobMessage, ReportsProgress], dict[str, Any]]


class Operations:
    """The operations of the worker; each can be repeated after a run that ended halfway."""

    def __init__(
        self,
        table: Table,
        locks: Locks,
        policies: Policies,
        analyses: Analyses,
        issues: IssueWriter,
        jobs: Jobs,
        budget: DailyBudget,
        *,
        clock: Clock,
    ) -> None:
        self._table = table
        self._locks = locks
        self._policies = policies
        self._analyses = analyses
        self._issues = issues
        self._jobs = jobs
        self._budget = budget
        self._clock = clock
        self._steps: dict[str, _Step] = {
            "policies": self._catalogue,
            "policy": self._policy,
            "issues": self._analyse,
            "clear": self._clear,
            "refresh": self._refresh,
        }

    def run(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        """Run the operation of a message; return the result for the job's status.

        Raises:
            Permanent: another try cannot succeed; the message says why.
            Retryable: another try may succeed.
        """
        return self._steps[message.operation](message, report)

    def _catalogue(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        entries = self._policies.all(message.page, report)
        return {
            "policies": len(entries),
            "with_text": len([entry for entry in entries if entry.has_text]),
        }

    def _policy(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        source = message.source or ""
        if message.language:
            spend = self._spend(message)
            entry = self._policies.translation(
                message.page, source, message.language, spend, report
            )
        else:
            entry = self._policies.original(message.page, source, report)
        return _told(entry)

    def _analyse(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        spend = self._spend(message)
        for _ in range(_MOST_ROUNDS):
            entries = self._policies.all(message.page, report)
            if not texts_of(entries):
                self._remove_left_behind(message.page)
            analysis = self._analyses.of(message.page, entries, spend, report)
            issues = self._issues.apply(analysis)
            # An upload in the meantime found no analysis to renew: analyse again.
            if self._analyses.inputs(self._originals(message.page)) == analysis.inputs:
                return {
                    "findings": analysis.findings,
                    "issues": issues,
                    "policies": len(analysis.texts),
                    "failed": len(analysis.failed),
                    "failures": [*analysis.failed.values()][:_MOST_FAILURES],
                }
        raise WriteConflict(
            f"{message.page}: its attachments changed during every try; try again later"
        )

    def _clear(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        report("clearing")
        return {"removed": clear(self._table, self._locks, message.page)}

    def _refresh(self, message: JobMessage, report: ReportsProgress) -> dict[str, Any]:
        """Update entry and issues after an attachment was uploaded or removed (D11)."""
        page, source = message.page, message.source or ""
        is_gone = self._policies.head(page, source) is None
        if is_gone:
            self._policies.forget(page, source)
        else:
            self._policies.original(page, source, report)
        analysis = self._analyses.stored(page)
        if analysis is None:
            return {}
        originals = self._originals(page)
        inputs = self._analyses.inputs(originals)
        is_counted_on = is_gone and source in (analysis.without_text or ())
        if inputs == analysis.inputs and analysis.applied == inputs and not is_counted_on:
            return {}
        self._issues.mark_stale(page, lambda: texts_of(self._originals(page)))
        if not texts_of(originals) and not self._policies.has_malformed(page):
            self._remove_left_behind(page)
        else:
            # One job for each observed change, however often this runs. Texts that go and come back
            # are observed again. A failed job, at the cap for example, is repeated by the janitor.
            again = JobMessage(
                job=derived_id(page, "issues", analysis.body, inputs, message.cause),
                page=page,
                operation="issues",
                submitted_at=self._clock(),
            )
            self._jobs.submit(again)
        return {}

    def _remove_left_behind(self, page: str) -> None:
        self._issues.remove_left_behind(
            page, lambda source: self._policies.head(page, source) is not None
        )

    def _originals(self, page: str) -> list[PolicyEntry]:
        return [*self._policies.store.originals(page).values()]

    def _spend(self, message: JobMessage) -> Spend:
        return self._budget.spend(
            message.page, lambda micros: self._jobs.spent(message.job, micros)
        )


def _told(entry: PolicyEntry) -> dict[str, Any]:
    return {
        "source": entry.source,
        "language": entry.language or None,
        "outcome": entry.outcome,
        "reason": entry.reason,
        "characters": entry.characters,
    }
