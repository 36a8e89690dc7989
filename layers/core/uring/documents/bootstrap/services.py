"""Services as the operations know them: paid, and their answers kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from uring.documents.operations.report import Spends
from uring.documents.work.analysis import PolicyAnalyst
from uring.documents.work.findings import PolicyText
from uring.documents.work.translation import DocumentTranslator


@dataclass(frozen=True, slots=True)
class Translation:
    """Implements `uring.documents.operations.translations.Translated`."""

    text: str
    source_language: str


class PageTranslator:
    """Implements `uring.documents.operations.translations.TranslatesDocuments`."""

    def __init__(self, translator: DocumentTranslator) -> None:
        self._translator = translator

    def translate(
        self, text: str, *, target: str, spend: Spends, go_on: Callable[[int, int], None]
    ) -> Translation:
        """Translate a text."""
        translated = self._translator.translate(text, target=target, spend=spend, go_on=go_on)
        return Translation(translated.text, translated.source)


class PageAnalyst:
    """Implements `uring.documents.operations.analyses.AnalysesPolicies`."""

    def __init__(self, analyst: PolicyAnalyst) -> None:
        self._analyst = analyst

    @property
    def version(self) -> str:
        """Name the model and the prompt."""
        return self._analyst.version

    def analyse(
        self, texts: Mapping[str, str], *, spend: Spends, go_on: Callable[[int, int], None]
    ) -> Sequence[object]:
        """Return what is found in texts; in the order of their names, whatever order they come in.

        The same texts are the same request then, which was answered, and paid, before.
        """
        policies = [PolicyText(source, texts[source]) for source in sorted(texts)]
        return self._analyst.analyse(policies, spend=spend, go_on=go_on)
