"""Edits of issues by people: severity, notes, state (D5). No edit overwrites another.

read ─► the editor's version? ─► lock of the issue ─► read, compare again ─► write version + 1
└ only_if version
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from uring.clock import Clock
from uring.documents.names import issue_lock
from uring.documents.store.issues import TRANSITIONS, IssueStore, Severity, State, StoredIssue
from uring.errors import Permanent, WriteConflict
from uring.locks import Lease, Locks, write
from uring.tables import Table, Write

WAIT_SECONDS: Final = 5

Holds: TypeAlias = Callable[[StoredIssue], bool]
"""Returns whether an issue is still the version that the editor saw."""


class NoSuchIssue(Permanent):
    """Raised when a page has no issue with this id."""


class EditSuperseded(Permanent):
    """Raised when an issue is no longer the version that the editor saw.

    Attributes:
        current: the stored issue.
    """

    def __init__(self, current: StoredIssue) -> None:
        super().__init__(f"{current.page}:{current.key}: it is at version {current.version}")
        self.current = current


class IllegalTransition(Permanent):
    """Raised when an issue cannot go from its state to the requested one.

    Attributes:
        allowed: the states that it can go to.
    """

    def __init__(self, issue: StoredIssue, state: State) -> None:
        self.allowed = TRANSITIONS[issue.state]
        super().__init__(
            f"it is {issue.state} and cannot become {state}; it can become "
            f"{' or '.join(self.allowed)}"
        )


class IssueEditor:
    """Edits issues, each under its own lock."""

    def __init__(self, table: Table, locks: Locks, *, clock: Clock) -> None:
        self._table = table
        self._locks = locks
        self._clock = clock
        self._store = IssueStore(table)

    def classify(self, page: str, issue: str, severity: Severity, holds: Holds) -> StoredIssue:
        """Set the severity of an issue; return the issue after the edit.

        An edit without a change writes nothing.

        Raises:
            NoSuchIssue: the page has no such issue; nothing was written.
            Superseded: ``holds`` returned False; nothing was written.
            LockTimeoutError: others hold the issue's lock; nothing was written.
            Retryable: the edit may have been written.
        """
        set_by_person = {"severity": severity, "is_classified": True}
        return self._edit(page, issue, holds, lambda _: set_by_person, "classify")

    def annotate(self, page: str, issue: str, notes: str, holds: Holds) -> StoredIssue:
        """Replace an issue's notes; see `classify`."""
        return self._edit(page, issue, holds, lambda _: {"notes": notes}, "annotate")

    def transition(self, page: str, issue: str, state: State, holds: Holds) -> StoredIssue:
        """Move an issue to another state; see `classify`.

        Raises:
            IllegalTransition: its state does not allow it; nothing was written.
        """

        def change(before: StoredIssue) -> Mapping[str, str]:
            if state not in TRANSITIONS[before.state]:
                raise IllegalTransition(before, state)
            return {"state": state}

        return self._edit(page, issue, holds, change, "transition")

    def _edit(
        self,
        page: str,
        issue: str,
        holds: Holds,
        change: Callable[[StoredIssue], Mapping[str, Any]],
        what: str,
    ) -> StoredIssue:
        # Checked before the lock too: an unknown page gets no lock item.
        self._found(page, issue, holds)
        with self._locks.hold(
            page, issue_lock(issue), wait_seconds=WAIT_SECONDS, what=what
        ) as lease:
            before = self._found(page, issue, holds)
            after = before.model_copy(update=dict(change(before)))
            return before if after == before else self._write(before, after, lease)

    def _found(self, page: str, issue: str, holds: Holds) -> StoredIssue:
        found = self._store.get(page, issue)
        if found is None:
            raise NoSuchIssue(f"{page}: there is no issue {issue}")
        if not holds(found):
            raise EditSuperseded(found)
        return found

    def _write(self, before: StoredIssue, after: StoredIssue, lease: Lease) -> StoredIssue:
        edited = before.next_version(
            after, fence=lease.fence, writer=lease.owner, now=self._clock()
        )
        part = Write(edited.key, edited.item(), {"version": before.version})
        if write(self._table, lease, [part]):
            return edited
        stored = self._store.get(edited.page, edited.id)
        if stored is not None and stored.writer == lease.owner:
            # The first try was written; its response was lost.
            return stored
        raise WriteConflict(
            f"{edited.page}:{edited.key}: it was edited without its lock; try again"
        )
