"""The result of reading a file, with one outcome word.

text          the file's text was read
no_text       the file has no text: a scan, a blank
unsupported   no reader for the format or for this kind of it
encrypted     the file needs a password or a certificate
wrong_format  another format than the source promised, or an unknown one
too_big       more bytes, pages, parts or characters than are read
damaged       the file breaks its format
killed        the reader exceeded its time or memory, or died
"""

from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.errors import CorruptState

VERSION: Final = 4
"""The version of the readers; a reader that gives another text for the same bytes raises it."""

Outcome = Literal[
    "text",
    "no_text",
    "unsupported",
    "encrypted",
    "wrong_format",
    "too_big",
    "damaged",
    "killed",
]
_PERMANENT: Final = {"no_text", "unsupported", "encrypted", "too_big"}


class Extraction(BaseModel):
    """The text of a file, or the reason for its lack.

    Attributes:
        outcome: one word; see the module.
        reason: a sentence for people with the remedy; empty where a text was read.
        format: by the bytes, one of `uring.extract.formats.NAMES`.
        text: Markdown in NFC; a PDF's pages begin with ``<!-- page N -->``.
        pages: the number of a PDF's pages; None for other formats.
        unreliable_pages: pages, counted from 1, whose fonts do not map their codes to characters,
            or that draw text which cannot be read.
        truncated: whether a page holds more characters than are read of a page.
        notes: sentences on the parts that the text lacks.
        source_sha256: of the file.
        text_sha256: of the text in UTF-8; empty without a text.
        version: of the readers.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    outcome: Outcome
    reason: str = ""
    format: str
    text: str = ""
    pages: int | None = None
    unreliable_pages: tuple[int, ...] = ()
    truncated: bool = False
    notes: tuple[str, ...] = ()
    source_sha256: str
    text_sha256: str = ""
    version: int = VERSION

    @property
    def is_permanent(self) -> bool:
        """True when only another file at the source can help.

        An error page, a broken transfer and a killed reader may succeed at the next try.
        """
        return self.outcome in _PERMANENT

    def to_json(self) -> bytes:
        """Return the JSON that `from_json` reads."""
        return self.model_dump_json().encode()

    @classmethod
    def from_json(cls, body: bytes) -> Self:
        """Read a stored extraction.

        Raises:
            CorruptState: the body is not an extraction.
        """
        try:
            return cls.model_validate_json(body)
        except ValidationError as error:
            fields = ", ".join(
                str(problem["loc"][0]) if problem["loc"] else "the body"
                for problem in error.errors(include_url=False, include_input=False)[:10]
            )
            raise CorruptState(
                f"an extraction with wrong {fields}; remove the object: the file is read again"
            ) from error
