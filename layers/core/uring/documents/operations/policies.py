"""Originals and translations by name, and the removal of entries without attachment (D3)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from uring.clock import Clock
from uring.documents.names import (
    POLICIES_LOCK,
    POLICY_PREFIX,
    Attachment,
    attachments,
    policy_key,
    policy_lock,
    source_of,
)
from uring.documents.operations.originals import Extract, OriginalWork, no_such
from uring.documents.operations.report import (
    NoSuchAttachment,
    NoText,
    PageTooLarge,
    ReportsProgress,
)
from uring.documents.operations.translations import TranslationWork
from uring.documents.store.policies import PolicyEntry, PolicyStore
from uring.documents.work.ports import Spend, TranslatesDocuments
from uring.locks import Locks, Once, write
from uring.objects import Bucket, ObjectHead
from uring.tables import Table, Write, batches

WAIT_SECONDS: Final = 150
"""The wait for a lock, or for another worker's result: longer than a dead holder's lease."""
MOST_ATTACHMENTS: Final = 500


class Policies:
    """The policies of pages."""

    def __init__(
        self,
        table: Table,
        bucket: Bucket,
        locks: Locks,
        extract: Extract,
        translator: TranslatesDocuments,
        *,
        clock: Clock,
        once: Once,
    ) -> None:
        self.store = PolicyStore(table, bucket)
        self._table = table
        self._bucket = bucket
        self._locks = locks
        self._extract = extract
        self._translator = translator
        self._clock = clock
        self._once = once

    def sources(self, page: str) -> Iterator[str]:
        """Yield the names of a page's attachments.

        Raises:
            PageTooLarge: the page has more than 500 attachments.
        """
        number = 0
        for listed in self._bucket.list(attachments(page)):
            found = Attachment.at(listed.key)
            if found is None:
                continue
            number += 1
            if number > MOST_ATTACHMENTS:
                raise PageTooLarge(
                    f"{page}: more than {MOST_ATTACHMENTS} attachments; split the page"
                )
            yield found.source

    def head(self, page: str, source: str) -> ObjectHead | None:
        """Return an attachment's metadata, without its bytes; None for a missing attachment."""
        return self._bucket.head(Attachment(page, source).key)

    def has_malformed(self, page: str) -> bool:
        """Return whether an entry is malformed: its text is not known before it is made again."""
        return any(entry is None for _, entry in self.store.each(page))

    def original(self, page: str, source: str, report: ReportsProgress) -> PolicyEntry:
        """Return the text of an attachment, extracted now or before.

        Raises:
            NoSuchAttachment: the page has no attachment of this name.
            Retryable: another try may succeed.
        """
        attachment = Attachment(page, source)
        head = self._bucket.head(attachment.key)
        if head is None:
            raise no_such(attachment)
        work = OriginalWork(
            attachment,
            head,
            self.store,
            self._bucket,
            self._extract,
            clock=self._clock,
            report=report,
        )
        return self._once.get_or_compute(page, policy_lock(source), work, wait_seconds=WAIT_SECONDS)

    def translation(
        self, page: str, source: str, language: str, spend: Spend, report: ReportsProgress
    ) -> PolicyEntry:
        """Return an attachment's text in another language, translated now or before.

        Raises:
            NoSuchAttachment: the page has no attachment of this name.
            NoText: the attachment has no text; the message says why.
            CapReached: the page may spend no more today.
            Retryable: another try may succeed.
        """
        original = self.original(page, source, report)
        if not original.has_text:
            raise NoText(f"{source}: {original.outcome}: {original.reason}")
        work = TranslationWork(
            original,
            language,
            self.store,
            self._bucket,
            self._translator,
            clock=self._clock,
            spend=spend,
            report=report,
        )
        return self._once.get_or_compute(
            page, policy_lock(source, language), work, wait_seconds=WAIT_SECONDS
        )

    def all(self, page: str, report: ReportsProgress) -> list[PolicyEntry]:
        """Return the entries of a page's attachments; remove the entries of missing ones."""
        entries = []
        for source in [*self.sources(page)]:
            # An attachment that is removed meanwhile is left out.
            with suppress(NoSuchAttachment):
                entries.append(self.original(page, source, report))
        self._forget(page, POLICIES_LOCK, POLICY_PREFIX, lambda: {*self.sources(page)})
        return entries

    def forget(self, page: str, source: str) -> None:
        """Remove the entries of a missing attachment; do nothing if the attachment exists."""

        def there() -> set[str]:
            return set() if self.head(page, source) is None else {source}

        self._forget(page, policy_lock(source), policy_key(source), there)

    def _forget(
        self, page: str, path: tuple[str, ...], prefix: str, there: Callable[[], set[str]]
    ) -> None:
        if not self._gone(page, prefix, there()):
            return
        with self._locks.hold(page, path, wait_seconds=WAIT_SECONDS, what="forget") as lease:
            # Checked again under the lock: an attachment may have come back during the wait.
            gone = self._gone(page, prefix, there())
            for batch in batches([Write(key, None)] for key in gone):
                write(self._table, lease, batch)

    def _gone(self, page: str, prefix: str, there: set[str]) -> list[str]:
        return [
            key
            for key, _ in self._table.query(page, prefix)
            # A prefix may match longer names: `policy:1` begins `policy:12` as well.
            if source_of(key) not in there
            and (prefix == POLICY_PREFIX or source_of(key) == prefix.removeprefix(POLICY_PREFIX))
        ]
