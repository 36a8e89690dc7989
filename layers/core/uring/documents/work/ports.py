"""Protocols between paid work and the jobs that use it."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from uring.documents.work.findings import Analysis

GoOn = Callable[[int, int], None]
"""Called with the number of requests done and of all; raises to end the work."""


class Spend(Protocol):
    """The account of a job, in millionths of a dollar."""

    @property
    def spent(self) -> int:
        """The sum of all settled calls."""
        ...

    def reserve(self, micros: int) -> None:
        """Take an estimate from the account.

        Raises:
            CapReached: the rest of the budget is smaller; the call must not be made.
        """
        ...

    def settle(self, reserved: int, actual: int) -> None:
        """Correct the account after a call: replace the estimate by the actual cost."""
        ...


@dataclass(frozen=True, slots=True)
class TranslatedDocument:
    """A translation.

    Attributes:
        text: Markdown.
        source_language: code of the original's language, as detected by the service; empty if no
            word was translated.
        target: code of the language of the translation.
        characters: number of characters sent, in this try or an earlier one.
        cost_micros: cost of this translation; kept answers cost nothing.
        requests: number of requests to the service; kept answers are not counted.
    """

    text: str
    source_language: str
    target: str
    characters: int = 0
    cost_micros: int = 0
    requests: int = 0

    @property
    def text_sha256(self) -> str:
        """The hash of the text in UTF-8."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class TranslatesDocuments(Protocol):
    """Translates whole documents; `uring.documents.work.translation` has the real one."""

    def translate(self, text: str, *, target: str, spend: Spend, go_on: GoOn) -> TranslatedDocument:
        """Translate a text; answers to earlier tries are not paid for again.

        Args:
            text: Markdown.
            target: a code of `uring.language`.
            spend: the account that pays.
            go_on: called before each request and at the end.

        Raises:
            CapReached: the daily budget is spent; the answers so far are kept.
            Permanent: the text cannot be translated.
            Retryable: another try may succeed.
        """
        ...


class AnalysesPolicies(Protocol):
    """Finds issues in texts; `uring.documents.work.analysis` has the real one."""

    @property
    def version(self) -> str:
        """The model and the prompt; another version may have other findings in the same texts."""
        ...

    def analyse(
        self, texts: Mapping[str, str], *, untrusted: Collection[str], spend: Spend, go_on: GoOn
    ) -> Analysis:
        """Return the issues in policies; answers to earlier tries are not paid for again.

        Args:
            texts: the policies' texts in Markdown, by source.
            untrusted: the sources that the model sees alone: no other policy is in sight of them.
            spend: the account that pays.
            go_on: called before each request and at the end.

        Raises:
            CapReached: the daily budget is spent; the answers so far are kept.
            Permanent: none of the texts can be analysed.
            Retryable: another try may succeed.
        """
        ...
