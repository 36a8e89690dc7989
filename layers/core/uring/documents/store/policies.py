"""Policies: the text of an attachment, and its translations, each an entry of its own (D2, D4).

An original is current while its attachment is unchanged. A translation is current while the text of
the original is unchanged. An entry names the object with its text; no other entry's writer writes
that object.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from uring.clock import Timestamp, parse_timestamp
from uring.documents.names import POLICY_PREFIX, policy_key, source_of
from uring.documents.store.items import StoredItem
from uring.errors import CorruptState, Unavailable
from uring.objects import Bucket, Listed, ObjectHead
from uring.tables import Item, Table

TEXT: Final = "text"


class PolicyEntry(StoredItem):
    """The entry of an attachment, or of its text in another language.

    Attributes:
        page: the page of the attachment.
        source: the attachment's name.
        language: of a translation; empty for the original.
        etag: ETag of the attachment that was read.
        modified: when that attachment was uploaded.
        created: when the entry was made, never before ``modified``.
        outcome: ``text``, or why there is no text, see `uring.extract.extraction`.
        reason: a sentence for people with the remedy; empty with a text.
        format: format of the attachment, found from its bytes.
        body: key of the text in the bucket.
        sha256: hash of the text in UTF-8.
        characters: length of the text.
        original_sha256: hash of the text that a translation was made from; empty for the original.
        original_language: language of a translation's original, as detected; else empty.
        notes: sentences on content that the text lacks.
        cost_micros: in millionths of a dollar.
        is_untrusted: whether its attachment was marked so; a model then sees it alone.
    """

    packed: ClassVar[frozenset[str]] = frozenset({"notes"})

    page: str
    source: str
    language: str = ""
    etag: str
    modified: Timestamp
    created: Timestamp
    outcome: str
    reason: str = ""
    format: str = ""
    body: str
    sha256: str
    characters: int
    original_sha256: str = ""
    original_language: str = ""
    notes: tuple[str, ...] = ()
    cost_micros: int = 0
    is_untrusted: bool = False

    @property
    def key(self) -> str:
        """The key in the table."""
        return policy_key(self.source, self.language)

    @property
    def has_text(self) -> bool:
        """True when there is a text to translate and to analyse."""
        return self.outcome == TEXT

    def is_of(self, attachment: ObjectHead | Listed) -> bool:
        """Return whether the entry was made from this version of the attachment (D2).

        False for the same bytes uploaded again after the entry was made.
        """
        if attachment.etag != self.etag:
            return False
        modified = attachment.modified
        # Entries and S3 have whole seconds; other stores list fractions.
        return modified is None or parse_timestamp(self.created) >= modified.replace(microsecond=0)

    def is_translation_of(self, original: "PolicyEntry") -> bool:
        """Return whether it was made from this original's text; False if that has no text."""
        return original.has_text and self.original_sha256 == original.sha256


class TextLost(Unavailable):
    """Raised when an entry names a text that is missing or damaged."""


class PolicyStore:
    """Reads the entries of policies and their texts."""

    def __init__(self, table: Table, bucket: Bucket) -> None:
        self._table = table
        self._bucket = bucket

    def get(self, page: str, source: str, language: str = "") -> PolicyEntry | None:
        """Return an entry; None for a missing one, or a malformed one: it is made again.

        Raises:
            NewerRelease: a newer release wrote the entry.
        """
        key = policy_key(source, language)
        item = self._table.get(page, key)
        return None if item is None else _entry(page, key, item)

    def all(self, page: str) -> Iterator[PolicyEntry]:
        """Yield the entries of a page by source and language: one query.

        Malformed entries are left out.

        Raises:
            NewerRelease: a newer release wrote an entry.
        """
        for key, item in self._table.query(page, POLICY_PREFIX):
            entry = _entry(page, key, item)
            if entry is not None:
                yield entry

    def each(self, page: str, behind: str = "") -> Iterator[tuple[str, PolicyEntry | None]]:
        """Yield the source and the entry of each item: one query.

        The entry is None if its item is malformed, or of a newer release.

        Args:
            page: the page.
            behind: the name of a source; entries up to and with that source may be left out.
        """
        after = policy_key(behind) if behind else ""
        for key, item in self._table.query(page, POLICY_PREFIX, after):
            yield source_of(key), PolicyEntry.readable(f"{page}:{key}", item)

    def originals(self, page: str) -> Mapping[str, PolicyEntry]:
        """Return the originals of a page by source."""
        return {entry.source: entry for entry in self.all(page) if not entry.language}

    def text(self, entry: PolicyEntry) -> str:
        """Return an entry's text.

        Raises:
            Unavailable: the entry is being replaced, or S3 failed.
            TextLost: the text is missing or damaged, though the entry still names it.
        """
        stored = self._bucket.get(entry.body)
        if stored is None:
            if self.get(entry.page, entry.source, entry.language) == entry:
                raise TextLost(f"{entry.source}: its stored text is missing; upload it again")
            raise Unavailable(f"{entry.body}: is missing; the entry was replaced: read it again")
        try:
            return stored.body.decode()
        except UnicodeDecodeError as error:
            raise TextLost(
                f"{entry.source}: its stored text is damaged; upload it again"
            ) from error


def _entry(page: str, key: str, item: Item) -> PolicyEntry | None:
    """Return an entry; None for a malformed one."""
    try:
        return PolicyEntry.read(f"{page}:{key}", item)
    except CorruptState:
        return None
