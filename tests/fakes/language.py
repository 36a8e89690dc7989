"""Services that translate and converse, in memory, and an account that pays for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from uring.errors import Permanent
from uring.language import MOST_BYTES, ModelReply, Question, TranslatedText


@dataclass
class Account:
    """An account; ``left`` micros may be spent. Remembers what was reserved and settled."""

    left: int = 1_000_000_000
    reserved: list[int] = field(default_factory=list)
    settled: list[tuple[int, int]] = field(default_factory=list)

    @property
    def spent(self) -> int:
        return sum(actual for _, actual in self.settled)

    def reserve(self, micros: int) -> None:
        if micros > self.left:
            raise Permanent("the account is empty")
        self.left -= micros
        self.reserved.append(micros)

    def settle(self, reserved: int, actual: int) -> None:
        self.left += reserved - actual
        self.settled.append((reserved, actual))


@dataclass
class FakeTranslator:
    """Translates by a function; refuses what Amazon Translate refuses."""

    say: Callable[[str], str] = str
    language: str = "ko"
    variant: str = "fake"
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def translate(self, text: str, *, source: str, target: str) -> TranslatedText:
        assert text.strip(), "blank texts are refused"
        assert len(text.encode()) <= MOST_BYTES, "the service refuses longer texts"
        self.asked.append((text, source, target))
        return TranslatedText(self.say(text), self.language)

    @property
    def texts(self) -> list[str]:
        return [text for text, _, _ in self.asked]


@dataclass
class FakeModel:
    """Answers what it is told to, in turn; a reply, a tool's input, or an error to raise."""

    answers: Sequence[Any]
    model: str = "fake-model"
    asked: list[Question] = field(default_factory=list)

    def converse(self, question: Question) -> ModelReply:
        for text in (question.system, *question.texts):
            assert text
            text.encode()
        answer = self.answers[len(self.asked)]
        self.asked.append(question)
        if isinstance(answer, Exception):
            raise answer
        return (
            answer if isinstance(answer, ModelReply) else ModelReply(answer, "tool_use", 1_000, 100)
        )
