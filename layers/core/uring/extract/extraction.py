"""The result of reading a file, with one outcome word.

text          its text is there
no_text       it has none: a scan, a blank
unsupported   its format, or this kind of it, is not read
encrypted     it asks for a password or a certificate
wrong_format  it is of another format than the source promised, or none
too_big       more bytes, pages, parts or characters than are read
damaged       it breaks its format
killed        its reader took more time or memory than it may, or died
"""

from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.errors import CorruptState

VERSION: Final = 1
"""The version of the readers: raised when the same bytes give another text."""

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
    """The text of a file, or why there is none.

    Attributes:
        outcome: one word; see the module.
        reason: a sentence for people with the remedy; empty when there is a text.
        format: as the bytes tell it, ``unknown`` where they tell none.
        text: Markdown in NFC; a PDF's pages begin with ``<!-- page N -->``.
        pages: of a PDF; other formats have none.
        unreliable_pages: whose fonts do not say for which characters their codes stand, from 1.
        truncated: whether a page said more than is read of one.
        notes: sentences on what the text lacks.
        source_sha256: of the file.
        text_sha256: of the text in UTF-8; empty without one.
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
        """True when no other try can help until the source has another file.

        A page of an error, a broken transfer and a killed reader may be another matter next time.
        """
        return self.outcome in _PERMANENT

    def to_json(self) -> bytes:
        """Return the JSON that `from_json` reads."""
        return self.model_dump_json().encode()

    @classmethod
    def from_json(cls, body: bytes) -> Self:
        """Read a stored extraction.

        Raises:
            CorruptState: it is none.
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
