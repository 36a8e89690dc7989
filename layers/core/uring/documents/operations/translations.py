"""The translation of a text: made once for each text and language (D4, D10)."""

import hashlib
from collections.abc import Sequence
from typing import Final

from uring.clock import Clock, timestamp
from uring.documents.names import body_key, policy_key
from uring.documents.operations.report import ReportsProgress
from uring.documents.store.policies import TEXT, PolicyEntry, PolicyStore
from uring.documents.work.ports import Spend, TranslatesDocuments
from uring.documents.work.spending import LeasedSpend
from uring.locks import FoundValue, Lease
from uring.objects import Bucket
from uring.tables import Condition, Part, Write

# Three tries of half a minute.
_CALL_SECONDS: Final = 100


class TranslationWork:
    """Implements `uring.locks.Work`: the translation of one original into one language."""

    def __init__(
        self,
        original: PolicyEntry,
        language: str,
        store: PolicyStore,
        bucket: Bucket,
        translator: TranslatesDocuments,
        *,
        clock: Clock,
        spend: Spend,
        report: ReportsProgress,
    ) -> None:
        self._original = original
        self._language = language
        self._store = store
        self._bucket = bucket
        self._translator = translator
        self._clock = clock
        self._spend = spend
        self._report = report

    def read(self) -> FoundValue[PolicyEntry] | None:
        """Return the stored entry, fresh if it is of this original; None without one."""
        entry = self._store.get(self._original.page, self._original.source, self._language)
        if entry is None:
            return None
        return FoundValue(entry, is_fresh=entry.is_translation_of(self._original))

    def compute(self, lease: Lease) -> PolicyEntry:
        """Translate the text, and store the translation under a key that only this lease writes."""
        original = self._original
        before = self._spend.spent

        def go_on(done: int, of: int) -> None:
            lease.ensure()
            what = f"translating {original.source} into {self._language}: {done} of {of}"
            self._report(what, needs=_CALL_SECONDS if done < of else 0)

        spend = LeasedSpend(self._spend, lease.ensure)
        translated = self._translator.translate(
            self._store.text(original), target=self._language, spend=spend, go_on=go_on
        )
        text = translated.text.encode()
        sha256 = hashlib.sha256(text).hexdigest()
        entry = PolicyEntry(
            page=original.page,
            source=original.source,
            language=self._language,
            etag=original.etag,
            modified=original.modified,
            created=timestamp(self._clock()),
            outcome=TEXT,
            format=original.format,
            body=body_key(original.page, sha256, lease.owner),
            sha256=sha256,
            characters=len(translated.text),
            original_sha256=original.sha256,
            original_language=translated.source_language,
            notes=original.notes,
            cost_micros=self._spend.spent - before,
            fence=lease.fence,
        )
        lease.ensure()
        self._bucket.write(entry.body, text, "text/markdown; charset=utf-8")
        return entry

    def parts(self, value: PolicyEntry, lease: Lease) -> Sequence[Part]:  # noqa: ARG002
        """Return the write that publishes it, on condition that the original is unchanged."""
        original = policy_key(self._original.source)
        return [
            Write(value.key, value.item()),
            Condition(original, {"sha256": self._original.sha256}),
        ]
