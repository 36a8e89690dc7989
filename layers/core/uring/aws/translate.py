"""Amazon Translate, real-time text; see `uring.language.Translator`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from uring.aws.paid import Refusals, message, paid_call, refused, unreadable
from uring.changes.retry import Backoff
from uring.errors import Unavailable
from uring.language import (
    MOST_BYTES,
    LanguageUnclear,
    RequestRefused,
    TranslatedText,
    Unanswered,
    UnsupportedLanguages,
)

_CALL: Final = "translate:TranslateText"


class AmazonTranslator:
    """Implements `uring.language.Translator`; safe to share between threads.

    A call refused for a while, such as a throttled one, is repeated. A call without an answer may
    have been paid for; only the caller repeats it: the client has one attempt.

    Args:
        client: a client of the service ``translate``.
        terminologies: names of custom terminologies in the account, one at most today. Answers
            are kept under the name: a changed terminology needs another name.
        formality: ``FORMAL`` or ``INFORMAL``, if the target language has it; empty for neither.
        backoff: the waits between the tries of a call refused for a while.
    """

    def __init__(
        self,
        client: Any,
        *,
        terminologies: Sequence[str] = (),
        formality: str = "",
        backoff: Backoff | None = None,
    ) -> None:
        self._backoff = backoff or Backoff()
        self._client = client
        self._settings: dict[str, Any] = {}
        if terminologies:
            self._settings["TerminologyNames"] = list(terminologies)
        if formality:
            self._settings["Settings"] = {"Formality": formality}
        self._variant = f"amazon;{','.join(terminologies)};{formality}"

    @property
    def variant(self) -> str:
        """See `Translator.variant`."""
        return self._variant

    def translate(self, text: str, *, source: str, target: str) -> TranslatedText:
        """See `Translator.translate`."""
        what = f"{_CALL} {source} to {target}"
        length = len(text.encode("utf-8", "surrogatepass"))
        if length > MOST_BYTES:
            raise RequestRefused(
                f"{what}: a text of {length} bytes, at most {MOST_BYTES} are translated at once; "
                "cut it before"
            )
        trouble: Unavailable | None = None
        for _ in self._backoff.attempts():
            try:
                return self._asked(what, text, source, target)
            except Unanswered:
                raise
            except Unavailable as error:
                trouble = error
        raise trouble or Unavailable(what)

    def _asked(self, what: str, text: str, source: str, target: str) -> TranslatedText:
        with paid_call(what, _REFUSALS):
            answer = self._client.translate_text(
                Text=text, SourceLanguageCode=source, TargetLanguageCode=target, **self._settings
            )
        translated = answer.get("TranslatedText")
        if not isinstance(translated, str):
            raise unreadable(what)
        return TranslatedText(translated, str(answer.get("SourceLanguageCode") or source))


def _unsupported(what: str, answer: Mapping[str, Any]) -> UnsupportedLanguages:
    return UnsupportedLanguages(f"{what}: {message(answer)}; choose another language")


def _unclear(what: str, answer: Mapping[str, Any]) -> LanguageUnclear:
    guess = answer.get("DetectedLanguageCode")
    guessed = f"perhaps {guess}" if guess else "no guess"
    return LanguageUnclear(
        f"{what}: the language of the text is not clear ({guessed}); name the source language"
    )


_REFUSALS: Final[Refusals] = {
    "DetectedLanguageLowConfidenceException": _unclear,
    "InvalidParameterValueException": refused,
    "InvalidRequestException": refused,
    "TextSizeLimitExceededException": refused,
    "UnsupportedLanguagePairException": _unsupported,
    "ValidationException": refused,
}
