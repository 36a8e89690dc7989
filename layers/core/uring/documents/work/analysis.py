"""Issues in policies, found by a model, each with quotations from the texts.

    policies ─► windows ─► question ─► model ─► schema? ─ no ─► again, with why ─► halves
                                                   └─ yes ─► quotations found? ─► findings

A policy is data. It is sent between marks that do not occur in it. The model's only tool is the
form. A report is accepted only if it has the schema, a quotation only if it is in the texts. A
window without a valid report is asked about again in halves, so that one policy does not cost the
others' issues.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

from pydantic import ValidationError

from uring.characters import clean
from uring.documents.work.answers import Answers
from uring.documents.work.findings import Analysis, Issue, Quote, Report, report_tool
from uring.documents.work.ports import GoOn, Spend
from uring.documents.work.spending import Prices, charged
from uring.documents.work.verification import Verification
from uring.documents.work.windows import Section, windows
from uring.errors import Permanent
from uring.language import Converses, ModelReply, Question

_SERVICE: Final = "converse"
_TRIES: Final = 2
# Kept in place of an answer where the model filled in the form on the window's halves alone.
_HALVED: Final = "halved"
_PROBLEMS: Final = 10
# If there is no report after this number of failures, the model is the cause, not a policy.
_MOST_FAILURES: Final = 10
_REASON: Final = 200


class AnalysisFailed(Permanent):
    """Raised when a model does not fill in the form, twice; the message names the last error."""


@dataclass(slots=True)
class _Progress:
    """An analysis so far."""

    verified: Verification
    failed: dict[str, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    reports: int = 0
    failures: int = 0
    error: AnalysisFailed | None = None
    cost_micros: int = 0


@cache
def prompt() -> str:
    """Return the instructions for the model."""
    return files(__package__).joinpath("prompt.md").read_text("utf-8")


@cache
def prompt_version() -> str:
    """Return the hash of the instructions and the form."""
    tool = report_tool()
    whole = json.dumps([prompt(), tool.name, tool.description, tool.schema], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


class PolicyAnalyst:
    """Looks for issues in policies with a model.

    Args:
        model: the model.
        answers: kept answers.
        prices: prices of the model.
        window_characters: the most characters of policies in one request.
        most_tokens: the most tokens of one answer.
    """

    def __init__(
        self,
        model: Converses,
        answers: Answers,
        *,
        prices: Prices | None = None,
        window_characters: int = 60_000,
        most_tokens: int = 8_192,
    ) -> None:
        self._model = model
        self._answers = answers
        self._prices = prices or Prices()
        self._window_characters = window_characters
        self._most_tokens = most_tokens

    @property
    def version(self) -> str:
        """All that an analysis depends on besides the policies: prompt, model, limits."""
        return (
            f"{prompt_version()};{self._model.model};{self._window_characters};{self._most_tokens}"
        )

    def analyse(
        self,
        texts: Mapping[str, str],
        *,
        untrusted: Collection[str] = (),
        spend: Spend,
        go_on: GoOn,
    ) -> Analysis:
        """Return the issues in policies; answers to earlier tries are not paid for again.

        Args:
            texts: the policies' texts in Markdown, by source.
            untrusted: the sources that the model sees alone.
            spend: the account that pays.
            go_on: called before each request and at the end, with the number of windows done.

        Raises:
            AnalysisFailed: the model does not fill in the form on any of the policies.
            CapReached: the daily budget is spent; the answers so far are kept.
            Unavailable, Misconfigured, RequestRefused: see `uring.language`.
        """
        parts = list(windows(texts, self._window_characters, untrusted))
        so_far = _Progress(Verification(texts, self._model.model, prompt_version()))
        for done, sections in enumerate(parts):
            go_on(done, len(parts))
            self._review(sections, so_far, spend, partial(go_on, done, len(parts)))
        if so_far.error is not None and not so_far.reports:
            raise so_far.error
        go_on(len(parts), len(parts))
        verified = so_far.verified
        return Analysis(
            tuple(verified.findings),
            verified.dropped_findings,
            verified.dropped_references,
            so_far.cost_micros,
            so_far.failed,
            tuple(sorted(so_far.kept)),
        )

    def _review(
        self,
        sections: Sequence[Section],
        so_far: _Progress,
        spend: Spend,
        go_on: Callable[[], None],
    ) -> None:
        """Add the report on a window; without a valid one, those on its halves."""
        try:
            report, is_kept = self._report(sections, so_far, spend, go_on)
        except AnalysisFailed as error:
            so_far.failures += 1
            so_far.error = error
            if not so_far.reports and so_far.failures == _MOST_FAILURES:
                raise
            if len(sections) == 1:
                source = sections[0].source
                so_far.failed[source] = f"{source}: {error}"[:_REASON]
                return
            before = so_far.reports
            middle = len(sections) // 2
            for half in (sections[:middle], sections[middle:]):
                go_on()
                self._review(half, so_far, spend, go_on)
            if so_far.reports > before:
                # The next analysis goes straight to the halves, whose answers are kept.
                request = self._request(self._question(sections, ""))
                self._answers.keep(_SERVICE, request, {_HALVED: True})
        else:
            so_far.reports += 1
            if is_kept:
                so_far.kept |= {section.source for section in sections}
            so_far.verified.add(report, sections)

    def _report(
        self,
        sections: Sequence[Section],
        so_far: _Progress,
        spend: Spend,
        go_on: Callable[[], None],
    ) -> tuple[Report, bool]:
        """Return the report, and whether its answer was kept before."""
        # A report of the second try is kept under the first request: it is of these policies too.
        request = self._request(self._question(sections, ""))
        kept = self._answers.find(_SERVICE, request) or {}
        if kept.get(_HALVED) is True and len(sections) > 1:
            raise AnalysisFailed(f"{self._model.model}: it filled in the form on the halves alone")
        report, problem = _validated(kept.get("input"), "tool_use")
        if report is not None:
            return report, True
        problem = ""
        for attempt in range(_TRIES):
            if attempt:
                go_on()
            reply = self._ask(self._question(sections, problem), request, spend)
            so_far.cost_micros += self._cost(reply)
            report, problem = _validated(reply.input, reply.stopped)
            if report is not None:
                return report, False
        raise AnalysisFailed(
            f"{self._model.model}: its answer does not fill in the form, {_TRIES} times; the last "
            f"time {problem}; submit the job again, or set another model"
        )

    def _question(self, sections: Sequence[Section], problem: str) -> Question:
        texts = [_documents(sections)]
        if problem:
            texts.append(
                f"Your last answer was not accepted: {problem}. Use the tool as its form says."
            )
        return Question(prompt(), tuple(texts), report_tool(), self._most_tokens)

    def _ask(self, question: Question, request: Mapping[str, Any], spend: Spend) -> ModelReply:
        """Return one request's reply; a valid one is kept."""
        return charged(
            spend,
            self._most(question),
            lambda: self._model.converse(question),
            cost=self._cost,
            keep=lambda new: self._keep(request, new),
        )

    def _request(self, question: Question) -> Mapping[str, Any]:
        return {
            "model": self._model.model,
            "prompt": prompt_version(),
            "texts": question.texts,
            "most_tokens": question.most_tokens,
        }

    def _keep(self, request: Mapping[str, Any], reply: ModelReply) -> None:
        # An invalid report is not kept: it would be as invalid the next time.
        if _validated(reply.input, reply.stopped)[0] is not None:
            self._answers.keep(_SERVICE, request, {"input": reply.input})

    def _most(self, question: Question) -> int:
        """Return the micros that a request may cost: no tokenizer gives more tokens than bytes."""
        parts = (question.system, json.dumps(question.tool.schema), *question.texts)
        size = sum(len(part.encode("utf-8", "surrogatepass")) for part in parts)
        return self._prices.conversation(size + 1_000, question.most_tokens)

    def _cost(self, reply: ModelReply) -> int:
        return self._prices.conversation(reply.input_tokens, reply.output_tokens)


def _documents(sections: Sequence[Section]) -> str:
    """Return the policies between marks, numbered from 1."""
    texts = [clean(section.text) for section in sections]
    key = _key(texts)
    return "\n".join(
        f'<document-{key} number="{number}">\n{text}\n</document-{key}>'
        for number, text in enumerate(texts, 1)
    )


def _key(texts: Sequence[str]) -> str:
    """Return a word that no text contains; it is the same for the same texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\xff")
    key = digest.hexdigest()[:20]
    while any(key in text for text in texts):
        digest.update(b"again")
        key = digest.hexdigest()[:20]
    return key


def _validated(said: Any, stopped: str) -> tuple[Report | None, str]:
    """Return a report, or None and the problem in words for the model."""
    if said is None:
        return None, f"there is no use of the tool (it ended with {stopped})"
    if stopped != "tool_use":
        return None, f"it ended with {stopped}; report fewer issues, more briefly"
    try:
        return Report.model_validate(said), ""
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        told = [f"{_path(problem['loc'])}: {problem['msg']}" for problem in problems[:_PROBLEMS]]
        return None, "; ".join(told)


def _path(location: Sequence[int | str]) -> str:
    """Return a path in the form; a key that the model invented is ``?``."""
    known = {*Report.model_fields, *Issue.model_fields, *Quote.model_fields}
    parts = [str(part) if isinstance(part, int) or part in known else "?" for part in location]
    return ".".join(parts) or "the form"
