"""Edits of issues by people: severity, notes, state (D5). No edit overwrites another.

read ─► the editor's version? ─► lock of the issue ─► read, compare again ─► write version + 1
└ only_if version
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from uring.clock import Clock
from uring.documents.names import issue_lock
from uring.documents.store.issues import TRANSITIONS, Issue, IssueStore, Severity, State
from uring.errors import Permanent, WriteConflict
from uring.locks import Lease, Locks, write
from uring.tables import Table, Write

WAIT_SECONDS: Final = 5

Holds: TypeAlias = Callable[[Issue], bool]
"""Tells whether an issue is still the one that the editor saw."""


class NoSuchIssue(Permanent):
    """A page has no issue of this id."""


class Superseded(Permanent):
    """The issue is not the one any more that the editor saw.

    Attributes:
        current: the issue as it is.
    """

    def __init__(self, current: Issue) -> None:
        super().__init__(f"{current.page}:{current.key}: it is at version {current.version}")
        self.current = current


class IllegalTransition(Permanent):
    """The issue does not go from its state to this one.

    Attributes:
        allowed: the states that it goes to.
    """

    def __init__(self, issue: Issue, state: State) -> None:
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

    def classify(self, page: str, issue: str, severity: Severity, holds: Holds) -> Issue:
        """Give an issue another severity; return it as it is then.

        Raises:
            NoSuchIssue: there is none; nothing was written.
            Superseded: ``holds`` says no; likewise.
            LockTimeoutError: others work on it; likewise.
            Retryable: it may have been written.
        """
        return self._edit(page, issue, holds, lambda _: {"severity": severity}, "classify")

    def annotate(self, page: str, issue: str, notes: str, holds: Holds) -> Issue:
        """Replace an issue's notes; see `classify`."""
        return self._edit(page, issue, holds, lambda _: {"notes": notes}, "annotate")

    def transition(self, page: str, issue: str, state: State, holds: Holds) -> Issue:
        """Bring an issue into another state; see `classify`.

        Raises:
            IllegalTransition: it does not go there from its state.
        """

        def change(before: Issue) -> Mapping[str, str]:
            if state not in TRANSITIONS[before.state]:
                raise IllegalTransition(before, state)
            return {"state": state}

        return self._edit(page, issue, holds, change, "transition")

    def _edit(
        self,
        page: str,
        issue: str,
        holds: Holds,
        change: Callable[[Issue], Mapping[str, str]],
        what: str,
    ) -> Issue:
        # A page that nobody knows gets no locks.
        self._found(page, issue, holds)
        with self._locks.hold(
            page, issue_lock(issue), wait_seconds=WAIT_SECONDS, what=what
        ) as lease:
            before = self._found(page, issue, holds)
            after = before.model_copy(update=dict(change(before)))
            return before if after == before else self._write(before, after, lease)

    def _found(self, page: str, issue: str, holds: Holds) -> Issue:
        found = self._store.get(page, issue)
        if found is None:
            raise NoSuchIssue(f"{page}: there is no issue {issue}")
        if not holds(found):
            raise Superseded(found)
        return found

    def _write(self, before: Issue, after: Issue, lease: Lease) -> Issue:
        edited = before.next_version(
            after, fence=lease.fence, writer=lease.owner, now=self._clock()
        )
        part = Write(edited.key, edited.item(), {"version": before.version})
        if write(self._table, lease, [part]):
            return edited
        stored = self._store.get(edited.page, edited.id)
        if stored is not None and stored.writer == lease.owner:
            # Its answer was lost, and it was tried again.
            return stored
        raise WriteConflict(f"{edited.page}:{edited.key}: it is edited without its lock; try again")
