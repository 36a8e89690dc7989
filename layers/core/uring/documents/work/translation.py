"""The translation of a Markdown text; its structure stays unchanged, letter by letter.

    text ─► spans ─► lines' words, masked ─► pieces ─► batches of at most 10,000 bytes ─► service
                                                          │
    text ◄─ spans ◄─ unmasked ◄─ as many lines as before? ┴─ no ─► each line, each run of words

A batch is one request, with line breaks between its lines. If the answer has another number of
lines, each line is sent alone. If a line loses a mark, the words between its marks are sent alone.
So no answer of a service can change a heading, a table or a link.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from uring.documents.work.answers import Answers
from uring.documents.work.lines import LinePiece, TextLine, batches_of, one_line
from uring.documents.work.markdown import spans
from uring.documents.work.masks import split
from uring.documents.work.ports import GoOn, Spend, TranslatedDocument
from uring.documents.work.spending import Prices, charged
from uring.errors import Permanent
from uring.language import AUTO, TranslatedText, Translator

VERSION: Final = 1
"""The version of the method; raised when the same text and answers give another translation."""

_SERVICE: Final = "translate"


class TextTooLong(Permanent):
    """Raised when a text is longer than the limit."""


class DocumentTranslator:
    """Translates Markdown with a service for plain text.

    Args:
        translator: the service.
        answers: kept answers.
        prices: prices of the service.
        most_characters: the most characters of a text.
    """

    def __init__(
        self,
        translator: Translator,
        answers: Answers,
        *,
        prices: Prices | None = None,
        most_characters: int = 10_000_000,
    ) -> None:
        self._translator = translator
        self._answers = answers
        self._prices = prices or Prices()
        self._most_characters = most_characters

    @property
    def version(self) -> str:
        """All that a translation depends on besides text and languages: method and service."""
        return f"{VERSION};{self._translator.variant}"

    def translate(
        self, text: str, *, target: str, spend: Spend, go_on: GoOn, source: str = AUTO
    ) -> TranslatedDocument:
        """Translate a text; answers to earlier tries are not paid for again.

        Args:
            text: Markdown.
            target: code of the language.
            spend: the account that pays.
            go_on: called before each request and at the end.
            source: code of the language of the text, if known.

        Raises:
            TextTooLong: the text is longer than the limit.
            CapReached: the daily budget is spent; the answers so far are kept.
            Unavailable, Misconfigured, UnsupportedLanguages, LanguageUnclear, RequestRefused: see
                `uring.language`.
        """
        if len(text) > self._most_characters:
            raise TextTooLong(
                f"the text has {len(text)} characters, at most {self._most_characters} are "
                "translated; split the document"
            )
        parts = list(spans(text))
        lines = [TextLine.of(span) for span in parts if span.is_words]
        batches = list(batches_of(lines))
        job = _Job(self, target, source, spend, lambda done: go_on(done, len(batches)))
        for done, batch in enumerate(batches):
            job.go_on(done)
            job.translate(batch)
        job.go_on(len(batches))
        translated = (line.result() for line in lines)
        return TranslatedDocument(
            "".join(next(translated) if span.is_words else span.text for span in parts),
            job.found,
            target,
            job.characters,
            job.cost_micros,
            job.requests,
        )

    def estimate(self, text: str) -> int:
        """Return the micro-dollars that a translation costs if nothing goes wrong."""
        return self._prices.translation(
            sum(len(span.text) for span in spans(text) if span.is_words)
        )

    def ask(self, text: str, source: str, target: str, spend: Spend) -> "_Answer":
        """Return a translation of one text, kept or new."""
        request = {
            "text": text,
            "source": source,
            "target": target,
            "variant": self._translator.variant,
        }
        kept = self._answers.find(_SERVICE, request)
        if kept is not None and isinstance(kept.get("text"), str):
            return _Answer(TranslatedText(kept["text"], str(kept.get("source", ""))))
        price = self._prices.translation(len(text))
        answer = charged(
            spend,
            price,
            lambda: self._translator.translate(text, source=source, target=target),
            cost=lambda _: price,
            keep=lambda new: self._answers.keep(
                _SERVICE, request, {"text": new.text, "source": new.source}
            ),
        )
        return _Answer(answer, price, 1)


@dataclass(frozen=True, slots=True)
class _Answer:
    translated: TranslatedText
    cost_micros: int = 0
    requests: int = 0


class _Job:
    """The translation of one text.

    The first detected language other than the target is the source language of all later requests.
    """

    def __init__(
        self,
        translator: DocumentTranslator,
        target: str,
        source: str,
        spend: Spend,
        go_on: Callable[[int], None],
    ) -> None:
        self.go_on = go_on
        self.found = "" if source == AUTO else source
        self.characters = self.cost_micros = self.requests = 0
        self._translator = translator
        self._target = target
        self._source = source
        self._spend = spend

    def translate(self, batch: Sequence[LinePiece]) -> None:
        text = "\n".join(piece.masked.text for piece in batch)
        lines = self._ask(text).split("\n")
        if len(lines) == len(batch):
            for piece, line in zip(batch, lines, strict=True):
                self._take(piece, line)
            return
        for piece in batch:
            self._take(piece, self._ask(piece.masked.text))

    def _take(self, piece: LinePiece, line: str) -> None:
        unmasked = piece.masked.unmask(one_line(line))
        piece.take(self._by_words(piece) if unmasked is None else unmasked)

    def _by_words(self, piece: LinePiece) -> str:
        return piece.masked.join([self._words(words) for words in split(piece.masked.text)[0]])

    def _words(self, words: str) -> str:
        core = words.strip()
        if not any(map(str.isalpha, core)):
            return words
        start = words.index(core)
        # Brackets that a service invents are removed, without another request.
        translated = re.sub("[⟦⟧]", "", one_line(self._ask(core)))
        return f"{words[:start]}{translated}{words[start + len(core) :]}"

    def _ask(self, text: str) -> str:
        answer = self._translator.ask(text, self._source, self._target, self._spend)
        self.characters += len(text)
        self.cost_micros += answer.cost_micros
        self.requests += answer.requests
        language = answer.translated.source
        self.found = self.found or language
        if self._source == AUTO and language not in ("", AUTO, self._target):
            self._source = self.found = language
        return answer.translated.text
