"""Translation and conversation with a model: ports, their values and errors.

The adapters are `uring.aws.translate` and `uring.aws.bedrock`, the fakes in the tests. Both are
paid for each request: a caller keeps the answers.

| what came of a call                          | error                | was it charged        |
|----------------------------------------------|----------------------|-----------------------|
| throttled, 5xx                               | Unavailable          | no                    |
| no answer, or one that cannot be read        | Unanswered           | perhaps               |
| no permission, no such model or terminology  | Misconfigured        | no                    |
| no translation between these languages       | UnsupportedLanguages | no                    |
| the language of the text is not clear        | LanguageUnclear      | no                    |
| the request breaks the service's rules       | RequestRefused       | no                    |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from uring.errors import Permanent, Unavailable

MOST_BYTES: Final = 10_000
"""The most bytes of one text that is translated, in UTF-8 (Amazon Translate's limit)."""
AUTO: Final = "auto"
"""The source language that a service finds out by itself."""


class Unanswered(Unavailable):
    """A paid call without a usable answer: it may have been done, and charged."""


class UnsupportedLanguages(Permanent):
    """No translation between two languages; the message names them."""


class LanguageUnclear(Permanent):
    """A text of which the service cannot tell the language; name it."""


class RequestRefused(Permanent):
    """A request that breaks the service's rules: a bug, or a setting that the message names."""


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text in another language.

    Attributes:
        text: as the service gave it.
        source: code of the language that it was in, as the service found.
    """

    text: str
    source: str


class Translator(Protocol):
    """A service that translates plain text."""

    @property
    def variant(self) -> str:
        """Name the settings that its answers depend on; the same settings, the same name."""
        ...

    def translate(self, text: str, *, source: str, target: str) -> TranslatedText:
        """Translate one text of at most `MOST_BYTES`, not blank.

        Args:
            text: to translate.
            source: code of its language, or `AUTO`.
            target: code of the language to translate into.

        Raises:
            Unanswered, Unavailable, Misconfigured, UnsupportedLanguages, LanguageUnclear,
            RequestRefused: see the module.
        """
        ...


@dataclass(frozen=True, slots=True)
class Tool:
    """The form that a model has to fill in.

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
class Reply:
    """A model's word; nothing of it is verified.

    Attributes:
        input: of the tool; None where it used none, or another one.
        stopped: the service's reason for the end: ``tool_use``, ``max_tokens``, ….
        input_tokens: that are charged, as are ``output_tokens``.
    """

    input: Any
    stopped: str
    input_tokens: int
    output_tokens: int


class Converses(Protocol):
    """A model that answers by filling in a tool's form."""

    @property
    def model(self) -> str:
        """Name the model."""
        ...

    def converse(self, question: Question) -> Reply:
        """Ask once; never tries again by itself.

        Raises:
            Unanswered, Unavailable, Misconfigured, RequestRefused: see the module.
        """
        ...
