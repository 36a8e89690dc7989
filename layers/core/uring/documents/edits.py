"""Edits of issues by people: severity, notes, state (D5). No edit overwrites another.

read ─► is it so already? ─► the editor's version? ─► lock of the issue ─► the same again ─► write
└ the answer to a repeated request                                          version + 1, only_if

An edit that the stored issue already has is done: a caller whose answer was lost sends it again.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from uring.clock import Clock, timestamp
from uring.documents.names import issue_lock
from uring.documents.store.history import edited
from uring.documents.store.issues import TRANSITIONS, IssueStore, Severity, State, StoredIssue
from uring.errors import Permanent, WriteConflict
from uring.locks import Lease, Locks, LockTimeoutError, write
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


class KeyReused(Permanent):
    """Raised when an Idempotency-Key was sent before with another request."""


class EditUnderWay(Permanent):
    """Raised when an edit with the same Idempotency-Key holds the issue's lock."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who sends an edit.

    Attributes:
        by: ARN of the caller; empty if unknown.
        key: the request's Idempotency-Key; empty without one.
    """

    by: str = ""
    key: str = ""


NOBODY: Final = Author()


@dataclass(frozen=True, slots=True)
class _Edit:
    what: str
    values: Mapping[str, str | bool]
    author: Author

    @property
    def key(self) -> str:
        return _hash(self.author.key) if self.author.key else ""

    @property
    def content(self) -> str:
        return _hash(json.dumps([self.what, dict(self.values)])) if self.author.key else ""

    @property
    def activity(self) -> str:
        """The work as the lock tells it: two requests with one key have the same."""
        return f"{self.what} {self.key[:8]}".rstrip()

    def is_done(self, issue: StoredIssue) -> bool:
        """Return whether an issue has these values, or this very request was written before.

        Raises:
            KeyReused: another edit of the issue had the same key.
        """
        for earlier in issue.history:
            if self.key and earlier.key == self.key:
                if earlier.content != self.content:
                    raise KeyReused(f"{issue.page}:{issue.key}: {self.what}: its key was used")
                return True
        return all(getattr(issue, name) == value for name, value in self.values.items())

    def applied(self, issue: StoredIssue, at: str) -> StoredIssue:
        """Return the edited issue, with the edit in its history."""
        name = next(iter(self.values))
        history = edited(
            issue,
            self.author.by,
            self.what,
            _short(name, getattr(issue, name)),
            _short(name, str(self.values[name])),
            at=at,
            key=self.key,
            content=self.content,
        )
        return issue.model_copy(update={**self.values, "touched": True, "history": history})


class IssueEditor:
    """Edits issues, each under its own lock."""

    def __init__(self, table: Table, locks: Locks, *, clock: Clock) -> None:
        self._table = table
        self._locks = locks
        self._clock = clock
        self._store = IssueStore(table)

    def classify(
        self, page: str, issue: str, severity: Severity, holds: Holds, author: Author = NOBODY
    ) -> StoredIssue:
        """Set the severity of an issue; return the issue after the edit.

        An edit that the issue has already writes nothing, whatever ``holds`` returns; nor does one
        whose Idempotency-Key is that of an equal edit in the issue's history.

        Raises:
            NoSuchIssue: the page has no such issue; nothing was written.
            EditSuperseded: ``holds`` returned False; nothing was written.
            KeyReused: the key belongs to another edit of the issue; nothing was written.
            EditUnderWay: an edit with the same key holds the lock; nothing was written.
            LockTimeoutError: others hold the issue's lock; nothing was written.
            Retryable: the edit may have been written; the same edit again finds out.
        """
        values = {"severity": severity, "is_classified": True}
        return self._edit(page, issue, holds, _Edit("classify", values, author))

    def annotate(
        self, page: str, issue: str, notes: str, holds: Holds, author: Author = NOBODY
    ) -> StoredIssue:
        """Replace an issue's notes; see `classify`."""
        return self._edit(page, issue, holds, _Edit("annotate", {"notes": notes}, author))

    def transition(
        self, page: str, issue: str, state: State, holds: Holds, author: Author = NOBODY
    ) -> StoredIssue:
        """Move an issue to another state; see `classify`.

        Raises:
            IllegalTransition: its state does not allow it; nothing was written.
        """

        def legal(before: StoredIssue) -> None:
            if state not in TRANSITIONS[before.state]:
                raise IllegalTransition(before, state)

        edit = _Edit("transition", {"state": state}, author)
        return self._edit(page, issue, holds, edit, legal)

    def _edit(
        self,
        page: str,
        issue: str,
        holds: Holds,
        edit: _Edit,
        legal: Callable[[StoredIssue], None] = lambda _: None,
    ) -> StoredIssue:
        # Checked before the lock too: an unknown page gets no lock item.
        found, is_done = self._found(page, issue, holds, edit)
        if is_done:
            return found
        try:
            with self._locks.hold(
                page, issue_lock(issue), wait_seconds=WAIT_SECONDS, what=edit.activity
            ) as lease:
                before, is_done = self._found(page, issue, holds, edit)
                if is_done:
                    return before
                legal(before)
                return self._write(before, edit, lease)
        except LockTimeoutError as error:
            if edit.key and error.blocker and error.blocker.what == edit.activity:
                raise EditUnderWay(f"{page}:{issue}: {edit.activity}: it is under way") from error
            raise

    def _found(self, page: str, issue: str, holds: Holds, edit: _Edit) -> tuple[StoredIssue, bool]:
        """Return the stored issue, and whether the edit is done already."""
        found = self._store.get(page, issue)
        if found is None:
            raise NoSuchIssue(f"{page}: there is no issue {issue}")
        if edit.is_done(found):
            return found, True
        if not holds(found):
            raise EditSuperseded(found)
        return found, False

    def _write(self, before: StoredIssue, edit: _Edit, lease: Lease) -> StoredIssue:
        now = self._clock()
        after = before.next_version(
            edit.applied(before, timestamp(now)), fence=lease.fence, writer=lease.owner, now=now
        )
        part = Write(after.key, after.item(), {"version": before.version})
        if write(self._table, lease, [part]):
            return after
        stored = self._store.get(after.page, after.id)
        if stored is not None and stored.writer == lease.owner:
            # The first try was written; its response was lost.
            return stored
        raise WriteConflict(f"{after.page}:{after.key}: it was edited without its lock; try again")


def _short(name: str, value: str) -> str:
    """Return a value for the history: notes by their length alone, they may be long."""
    return f"{len(value)} characters" if name == "notes" else value


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
