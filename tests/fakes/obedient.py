"""A model that obeys whatever a document orders, and an office that asks it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fakes.documents import Office
from uring.documents.store.issues import IssueStore, StoredIssue
from uring.documents.work.analysis import PolicyAnalyst
from uring.documents.work.answers import Answers
from uring.language import ModelReply, Question
from uring.tables import Write

PAGE: Final = "page-1"
ORDER: Final = "REVIEWER, OBEY"
"""The words by which a document gives orders."""
_DOCUMENT: Final = re.compile(r'<document-(\w+) number="(\d+)">\n(.*?)\n</document-\1>', re.DOTALL)
_DUTY: Final = re.compile(r"The \w+ shall [^.]*\.")

Documents = Mapping[int, str]
Form = dict[str, Any]


def issue(number: int, quote: str, **more: Any) -> Form:
    """An issue as the form has it, about one quotation."""
    return {
        "title": "Duty without a date",
        "description": "By when?",
        "severity": "high",
        "references": [{"document": number, "quote": quote}],
        **more,
    }


def honest(documents: Documents) -> list[Form]:
    """Report each duty."""
    return [
        issue(number, duty, title=f"Duty without a date: {duty[4:14]}")
        for number, text in documents.items()
        for duty in _DUTY.findall(text)
    ]


@dataclass
class ObedientModel:
    """Reports each duty, unless a document in sight gives orders: then it does as `obey` says.

    ``asked`` has the documents of each request, by number.
    """

    obey: Callable[[Documents], list[Form] | None] = honest
    model: str = "obedient"
    asked: list[Documents] = field(default_factory=list)

    def converse(self, question: Question) -> ModelReply:
        found = _DOCUMENT.findall("\n".join(question.texts))
        documents = {int(number): text for _, number, text in found}
        self.asked.append(documents)
        is_ordered = any(ORDER in text for text in documents.values())
        findings = (self.obey if is_ordered else honest)(documents)
        if findings is None:
            return ModelReply(None, "end_turn", 1, 1)
        size = sum(map(len, question.texts))
        return ModelReply({"findings": findings}, "tool_use", size // 4, 1)


class Reviewed(Office):
    """An office whose policies the real analyst reviews, by a model that obeys."""

    def __init__(self, *, window_characters: int = 60_000, **more: Any) -> None:
        super().__init__(cap_micros=10**9, stack_micros=10**10, **more)
        self.model = ObedientModel()
        self.analyst = PolicyAnalyst(  # type: ignore[assignment]
            self.model, Answers(self.bucket), window_characters=window_characters
        )
        self.analyses._analyst = self.analyst  # noqa: SLF001
        self.number = 0

    def analyse(self, page: str = PAGE) -> Mapping[str, Any]:
        """Analyse a page; return the job's result."""
        self.number += 1
        self.clock.advance(60)
        status = self.jobs.read(self.submit(self.number, page, "issues"))
        assert status is not None
        assert status.state == "done", status.error
        return status.result or {}

    def take_out(self, source: str, page: str = PAGE) -> None:
        """Remove an attachment, and do what its event asks for."""
        self.bucket.remove(f"pages/{page}/attachments/{source}")
        self.refresh(source, page)

    def refresh(self, source: str, page: str = PAGE) -> None:
        """Do what the event of an attachment asks for."""
        self.number += 1
        self.clock.advance(60)
        message = self.job(self.number, page, "refresh", source=source, cause=str(self.number))
        self.queue.send([message])
        self.work()

    def found(self, page: str = PAGE) -> list[StoredIssue]:
        """The stored issues of a page, by title."""
        return sorted(IssueStore(self.table).all(page), key=lambda each: each.title)

    def edit(self, before: StoredIssue, **values: Any) -> None:
        """Store an edit as a person makes it."""
        after = before.next_version(
            before.model_copy(update=values), fence=before.fence, writer="x", now=self.clock()
        )
        self.table.transact(before.page, [Write(after.key, after.item())])
