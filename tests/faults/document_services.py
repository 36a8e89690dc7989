"""What the functions of the document store stand on.

A bucket and a table whose changes are in one row, and paid services: of two answers of the model to
one question no word is the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Never

from fakes.clock import VirtualClock
from fakes.objects import MemoryBucket
from fakes.tables import MemoryTable
from faulty import Faults

from uring.documents.work.spending import Prices
from uring.language import ModelReply, Question, TranslatedText, Unanswered
from uring.tables import Item, Part

PRICES: Final = Prices()
TOKENS: Final = 100
ISSUE: Final = re.compile(r"ISSUE\(([^)]*)\)")
_DOCUMENT: Final = re.compile(r'<document-\w+ number="(\d+)">\n(.*?)\n</document-', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the table or of the bucket.

    Attributes:
        author: of a transaction.
        partition: of it; empty for an object.
        parts: of it.
        key: of an object.
        body: that was written; None: it was removed.
    """

    author: str = ""
    partition: str = ""
    parts: tuple[Part, ...] = ()
    key: str = ""
    body: bytes | None = None


class LoggedBucket(MemoryBucket):
    """A bucket that tells its changes."""

    def __init__(self, clock: VirtualClock, log: list[Change]) -> None:
        super().__init__(clock)
        self._log = log

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        super().write(key, body, content_type, metadata)
        self._log.append(Change(key=key, body=body))

    def plant(self, key: str, body: bytes) -> None:
        super().plant(key, body)
        self._log.append(Change(key=key, body=body))

    def remove(self, key: str) -> None:
        super().remove(key)
        self._log.append(Change(key=key))


class LoggedTable:
    """A table as one author writes to it."""

    def __init__(self, inner: MemoryTable, author: str, log: list[Change]) -> None:
        self._inner = inner
        self._author = author
        self._log = log

    def get(self, partition: str, key: str) -> Item | None:
        return self._inner.get(partition, key)

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        return self._inner.query(partition, prefix, after)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        is_written = self._inner.transact(partition, parts)
        if is_written:
            self._log.append(Change(author=self._author, partition=partition, parts=tuple(parts)))
        return is_written


@dataclass(frozen=True, slots=True)
class Call:
    """A paid call.

    Attributes:
        at: how many changes there were before it.
        question: all that its answer depends on.
        mark: words of its answer that are in no other's to another question.
    """

    at: int
    question: str
    mark: str


class Paid:
    """The services behind their ports, each call kept.

    Attributes:
        micros: that they cost.
    """

    def __init__(self, log: Sequence[Change]) -> None:
        self.calls: list[Call] = []
        self.micros = 0
        self._log = log

    def note(self, question: str, mark: str, micros: int) -> None:
        """Keep a call."""
        self.calls.append(Call(len(self._log), question, mark))
        self.micros += micros


class FaultyTranslator:
    """Implements `uring.language.Translator`: a mark before each line."""

    variant = "plain"

    def __init__(self, paid: Paid, faults: Faults) -> None:
        self._paid = paid
        self._faults = faults

    def translate(self, text: str, *, source: str, target: str) -> TranslatedText:
        def answer() -> TranslatedText:
            said = "\n".join(f"[{target}] {line}" for line in text.split("\n"))
            question = f"{source}:{target}:{text}"
            self._paid.note(question, said[:20], PRICES.translation(len(text)))
            return TranslatedText(said, "ko")

        return self._faults.call("service.ask", answer, no_answer=_unanswered)


class FaultyModel:
    """Implements `uring.language.Converses`: reports each ``ISSUE(...)``, in other words a call."""

    model = "model"

    def __init__(self, paid: Paid, faults: Faults) -> None:
        self._paid = paid
        self._faults = faults

    def converse(self, question: Question) -> ModelReply:
        def answer() -> ModelReply:
            mark = f"as of call {len(self._paid.calls)}."
            micros = PRICES.conversation(TOKENS, TOKENS)
            self._paid.note("\n".join(question.texts), mark, micros)
            findings = [
                {
                    "title": found[1],
                    "description": mark,
                    "severity": "medium",
                    "references": [{"document": int(document[1]), "quote": found[0]}],
                }
                for document in _DOCUMENT.finditer(question.texts[0])
                for found in ISSUE.finditer(document[2])
            ]
            return ModelReply({"findings": findings}, "tool_use", TOKENS, TOKENS)

        return self._faults.call("service.ask", answer, no_answer=_unanswered)


def _unanswered() -> Never:
    raise Unanswered("no answer")
