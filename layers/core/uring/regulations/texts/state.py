"""``state/regulation_texts/{text}.json``: a list of one record, the text of a regulation."""

from collections.abc import Sequence
from typing import ClassVar, Self

from pydantic import Field

from uring.changes.state import OutboxEvent, StatePart
from uring.clock import Timestamp
from uring.fetch.request import Validators
from uring.records.model import RecordState
from uring.regulations.values import RegulationFile


class TextVersion(StatePart):
    """A text as it was read from a regulation's file.

    Attributes:
        file_no: of the file.
        file_revision: of the file; empty where the registry does not read one.
        title: of the regulation at that time.
        source_url: the address of the file, after redirects.
        source_sha256: of the file's bytes.
        text_sha256: of the Markdown, in UTF-8.
        format: of the file, such as ``pdf``.
        pages: the number of pages; None where the format has none.
        unreliable_pages: pages, from 1, whose fonts do not map their codes to characters.
        notes: sentences on the parts that the text lacks.
        articles: the number of its articles.
        read_at: the time of the reading.
    """

    file_no: str
    file_revision: str = Field(default="", exclude_if=lambda revision: not revision)
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

    @property
    def file(self) -> RegulationFile:
        """The file that was read."""
        return RegulationFile(
            title=self.title, file_no=self.file_no, file_revision=self.file_revision
        )


class FileValidators(Validators):
    """The validators of a file; ``url`` is its address as the registry's page has it."""

    url: str = ""


class TextState(RecordState):
    """The state of one regulation's text.

    Attributes:
        registry: the id of the regulation's registry.
        text: the current text.
        before: the previous text; None where the last file had the same words.
        difference: the object key, without its ending, of the last difference; empty without one.
        validators: of the current text's file; empty for a file that an earlier release read.
        is_stored: whether the readers' files are written and the queue entry is gone.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {"validators"}

    registry: str = ""
    text: TextVersion | None = None
    before: TextVersion | None = None
    difference: str = ""
    validators: FileValidators = FileValidators()
    is_stored: bool = True

    @property
    def is_published(self) -> bool:
        """True when the readers' files show this state; its outbox may wait."""
        return super().is_published and self.is_stored

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """See `SourceState.published`."""
        return super().published(left).replace(is_stored=True)
