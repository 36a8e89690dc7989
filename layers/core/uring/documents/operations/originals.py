"""The text of an attachment: extracted once for each version, under a lock (D2, D10)."""

import hashlib
from collections.abc import Callable, Collection, Sequence
from typing import Final

from uring.clock import Clock, timestamp
from uring.documents.names import Attachment, body_key
from uring.documents.operations.report import NoSuchAttachment, ReportsProgress
from uring.documents.store.policies import PolicyEntry, PolicyStore
from uring.errors import SourceTrouble, Unavailable
from uring.extract.extraction import Extraction
from uring.extract.formats import READABLE
from uring.extract.readers.reading import ExtractLimits
from uring.locks import FoundValue, Lease
from uring.objects import Bucket, ObjectHead
from uring.tables import Part, Write

UNTRUSTED: Final = "untrusted"
"""The metadata of an attachment (``x-amz-meta-untrusted: true``) that a model shall see alone."""

Extract = Callable[[bytes, Collection[str]], Extraction]

_MOST_BYTES: Final = ExtractLimits().body_bytes
_MOST_TRIES: Final = 3
# The most time of an extractor call, which is waited for; a second call needs it again.
_EXTRACTOR_SECONDS: Final = 150


class OriginalWork:
    """Implements `uring.locks.Work`: the text of one attachment, in the version of ``head``.

    Args:
        head: the attachment's metadata.
        report: called before each step.
    """

    def __init__(
        self,
        attachment: Attachment,
        head: ObjectHead,
        store: PolicyStore,
        bucket: Bucket,
        extract: Extract,
        *,
        clock: Clock,
        report: ReportsProgress,
    ) -> None:
        self._attachment = attachment
        self._head = head
        self._store = store
        self._bucket = bucket
        self._extract = extract
        self._clock = clock
        self._report = report

    def read(self) -> FoundValue[PolicyEntry] | None:
        """Return the stored entry, fresh if it is of this version; None without one."""
        entry = self._store.get(self._attachment.page, self._attachment.source)
        return None if entry is None else FoundValue(entry, is_fresh=entry.is_of(self._head))

    def compute(self, lease: Lease) -> PolicyEntry:
        """Extract the attachment, and store its text under a key that only this lease writes."""
        self._report(f"extracting {self._attachment.source}", needs=_EXTRACTOR_SECONDS)
        head, extraction = self._extracted(lease)
        text = extraction.text.encode()
        sha256 = hashlib.sha256(text).hexdigest()
        page = self._attachment.page
        entry = PolicyEntry(
            page=page,
            source=self._attachment.source,
            etag=head.etag,
            modified=timestamp(head.modified or self._clock()),
            created=timestamp(max(self._clock(), head.modified or self._clock())),
            outcome=extraction.outcome,
            reason=extraction.reason,
            format=extraction.format,
            body=body_key(page, sha256, lease.owner),
            sha256=sha256,
            characters=len(extraction.text),
            notes=extraction.notes[:20],
            is_untrusted=_is_untrusted(head),
            fence=lease.fence,
        )
        lease.ensure()
        self._bucket.write(entry.body, text, "text/markdown; charset=utf-8")
        return entry

    def parts(self, value: PolicyEntry, lease: Lease) -> Sequence[Part]:  # noqa: ARG002
        """Return the write that publishes the text."""
        return [Write(value.key, value.item())]

    def _extracted(self, lease: Lease) -> tuple[ObjectHead, Extraction]:
        for _ in range(_MOST_TRIES):
            head = self._bucket.head(self._attachment.key)
            if head is None:
                raise no_such(self._attachment)
            if head.size > _MOST_BYTES:
                return head, _too_big(head.size)
            stored = self._bucket.get(self._attachment.key)
            if stored is not None and stored.etag == head.etag:
                return head, self._read(stored.body, lease)
        raise Unavailable(f"{self._attachment.key}: it changes while it is read")

    def _read(self, body: bytes, lease: Lease) -> Extraction:
        """Extract a document; try a second time if the extractor dies.

        A second death is the outcome ``killed``: an error would block the analysis of the whole
        page.
        """
        extraction = self._tried(body)
        if extraction.outcome != "killed":
            return extraction
        lease.ensure()
        self._report(f"extracting {self._attachment.source} again", needs=_EXTRACTOR_SECONDS)
        return self._tried(body)

    def _tried(self, body: bytes) -> Extraction:
        try:
            return self._extract(body, READABLE)
        except SourceTrouble:
            reason = "the text extractor failed on it; save it in another format, upload it again"
            return Extraction(outcome="killed", reason=reason, format="unknown", source_sha256="")


def _is_untrusted(head: ObjectHead) -> bool:
    """Return whether the uploader marked an attachment as untrusted, by its metadata."""
    return head.metadata.get(UNTRUSTED, "false").strip().lower() not in ("", "0", "false", "no")


def no_such(attachment: Attachment) -> NoSuchAttachment:
    """Return the error for a missing attachment."""
    return NoSuchAttachment(
        f"{attachment.page} has no attachment {attachment.source}; upload it to {attachment.key}"
    )


def _too_big(size: int) -> Extraction:
    return Extraction(
        outcome="too_big",
        reason=f"{size:,} bytes, at most {_MOST_BYTES:,} are read; split the document",
        format="unknown",
        source_sha256="",
    )
