"""``state/regulation_texts/{text}.json``: a list of one record, the text of a regulation."""

from collections.abc import Sequence
from typing import ClassVar, Self

from pydantic import Field

from uring.changes.state import OutboxEvent, Stored
from uring.clock import Timestamp
from uring.records.model import RecordState


class TextVersion(Stored):
    """A text as it was read from a regulation's file.

    Attributes:
        file_no: of the file.
        title: of the regulation at that time.
        source_url: where the file was fetched.
        source_sha256: of the file's bytes.
        text_sha256: of the Markdown, in UTF-8.
        format: of the file, such as ``pdf``.
        pages: of the file, where its format has pages.
        unreliable_pages: those whose letters the file's fonts do not vouch for.
        notes: what the text lacks, in sentences.
        articles: how many were found.
        read_at: when.
    """

    file_no: str
    title: str
    source_url: str
    source_sha256: str
    text_sha256: str
    format: str
    pages: int | None = None
    unreliable_pages: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    articles: int = Field(default=0, ge=0)
    read_at: Timestamp


class TextState(RecordState):
    """The state of one regulation's text.

    Attributes:
        registry: the regulation's.
        text: as it is now.
        before: as it was before; None where another file says the same.
        difference: the key, without its ending, of what changed last.
        is_stored: whether readers have it, and its queue entry is gone.
    """

    later: ClassVar[frozenset[str]] = RecordState.later

    registry: str = ""
    text: TextVersion | None = None
    before: TextVersion | None = None
    difference: str = ""
    is_stored: bool = True

    @property
    def is_published(self) -> bool:
        """True when readers have this state, its outbox aside."""
        return super().is_published and self.is_stored

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """See `SourceState.published`."""
        return super().published(left).replace(is_stored=True)
