"""What paid work gives to a job on a page, and what it asks of the job. Ports."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from uring.documents.work.findings import Finding

GoOn = Callable[[int, int], None]
"""Called with the requests that are done and all of them; raises to end the work."""


class Spend(Protocol):
    """The account of a job, in millionths of a dollar."""

    @property
    def spent(self) -> int:
        """The sum of all settled calls."""
        ...

    def reserve(self, micros: int) -> None:
        """Take an estimate from the account.

        Raises:
            CapReached: the account does not have it; nothing may be called.
        """
        ...

    def settle(self, reserved: int, actual: int) -> None:
        """Put the account right behind a call."""
        ...


@dataclass(frozen=True, slots=True)
class TranslatedDocument:
    """A translation.

    Attributes:
        text: Markdown.
        source_language: code of the language of the original, as the service found; empty where
            no word was translated.
        target: code of the language of the translation.
        characters: that were sent, so that they were paid for, now or before.
        cost_micros: of this translation; what was paid before costs nothing.
        requests: to the service, without those that had been answered before.
    """

    text: str
    source_language: str
    target: str
    characters: int = 0
    cost_micros: int = 0
    requests: int = 0

    @property
    def text_sha256(self) -> str:
        """Hash of the text in UTF-8."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class TranslatesDocuments(Protocol):
    """Translates whole documents; `uring.documents.work.translation` has the real one."""

    def translate(self, text: str, *, target: str, spend: Spend, go_on: GoOn) -> TranslatedDocument:
        """Translate a text; what earlier tries were answered is not paid again.

        Args:
            text: Markdown.
            target: a code of `uring.documents.languages`.
            spend: pays.
            go_on: called before each request and at the end.

        Raises:
            CapReached: the account is empty; what was done is kept.
            Permanent: the text cannot be translated.
            Retryable: another try may succeed.
        """
        ...


class AnalysesPolicies(Protocol):
    """Finds issues in texts; `uring.documents.work.analysis` has the real one."""

    @property
    def version(self) -> str:
        """Names the model and the prompt: another one may find other things in the same texts."""
        ...

    def analyse(self, texts: Mapping[str, str], *, spend: Spend, go_on: GoOn) -> Sequence[Finding]:
        """Return the issues in policies; what earlier tries were answered is not paid again.

        Args:
            texts: of policies, in Markdown, by source.
            spend: pays.
            go_on: called before each request and at the end.

        Raises:
            CapReached: the account is empty; what was done is kept.
            Permanent: the texts cannot be analysed.
            Retryable: another try may succeed.
        """
        ...
