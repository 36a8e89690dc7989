"""Translation and conversation with a model: ports, their values and errors.

The adapters are `uring.aws.translate` and `uring.aws.bedrock`, the fakes in the tests. Each request
to either is charged, so the caller stores the answers.

| result of a call                             | error                | charged               |
|----------------------------------------------|----------------------|-----------------------|
| throttled, 5xx                               | Unavailable          | no                    |
| no answer, or an unreadable one              | Unanswered           | perhaps               |
| no permission, no such model or terminology  | Misconfigured        | no                    |
| no translation between these languages       | UnsupportedLanguages | no                    |
| the language of the text is not clear        | LanguageUnclear      | no                    |
| the request breaks the service's rules       | RequestRefused       | no                    |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

from pydantic import AfterValidator

from uring.errors import Permanent, Unavailable

MOST_BYTES: Final = 10_000
"""The most UTF-8 bytes of one text to translate (Amazon Translate's limit)."""
AUTO: Final = "auto"
"""The code that makes the service detect the source language."""
# Amazon Translate's codes (its documentation, 2026).
_CODES: Final = (
    "af sq am ar hy az bn bs bg ca zh zh-TW hr cs da fa-AF nl en et fa tl fi fr fr-CA ka de el gu "
    "ht ha he hi hu is id ga it ja kn kk ko lv lt mk ms ml mt mr mn no ps pl pt pt-PT pa ro ru sr "
    "si sk sl so es es-MX sw sv ta te th tr uk ur uz vi cy"
)
LANGUAGES: Final = frozenset(_CODES.split())


def _is_known(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError("not a target language of translations; write a code like en, ko, pt-PT")
    return code


Language = Annotated[str, AfterValidator(_is_known)]


class Unanswered(Unavailable):
    """A call without a usable answer: it may have been executed, and charged."""


class UnsupportedLanguages(Permanent):
    """The service does not translate between two languages; the message names them."""


class LanguageUnclear(Permanent):
    """The service could not detect the language of a text: name it in the call."""


class RequestRefused(Permanent):
    """A request that breaks the service's rules: a bug, or a setting that the message names."""


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text in another language.

    Attributes:
        text: as the service returned it.
        source: code of the original language, given or detected.
    """

    text: str
    source: str


class Translator(Protocol):
    """A service that translates plain text."""

    @property
    def variant(self) -> str:
        """A name for the settings that its answers depend on: equal for equal settings."""
        ...

    def translate(self, text: str, *, source: str, target: str) -> TranslatedText:
        """Translate one text of at most `MOST_BYTES`, not blank.

        Args:
            text: the text to translate.
            source: code of its language, or `AUTO`.
            target: code of the language to translate into.

        Raises:
            Unanswered, Unavailable, Misconfigured, UnsupportedLanguages, LanguageUnclear,
            RequestRefused: see the module.
        """
        ...


@dataclass(frozen=True, slots=True)
class Tool:
    """The form for a model to fill in.

    Attributes:
        schema: JSON Schema of its input, an object.
    """

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a model: instructions, texts, and the one tool that it must use.

    Attributes:
        system: instructions.
        texts: of the user's message, in their order.
        most_tokens: of the answer.
    """

    system: str
    texts: tuple[str, ...]
    tool: Tool
    most_tokens: int


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply; nothing in it is verified.

    Attributes:
        input: of the tool; None if the model used no tool, or another one.
        stopped: the service's reason for the end: ``tool_use``, ``max_tokens``, ….
        input_tokens: the charged tokens of the question; ``output_tokens`` are charged as well.
    """

    input: Any
    stopped: str
    input_tokens: int
    output_tokens: int


class Converses(Protocol):
    """A model that answers by filling in a tool's form."""

    @property
    def model(self) -> str:
        """The name of the model."""
        ...

    def converse(self, question: Question) -> ModelReply:
        """Ask once, without retries.

        Raises:
            Unanswered, Unavailable, Misconfigured, RequestRefused: see the module.
        """
        ...
