"""Findings of an analysis, and the form that a model fills in to report them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final, overload

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from uring.documents.store.issues import IssueReference, Severity
from uring.documents.work.plain import plain
from uring.language import Tool

MOST_FINDINGS: Final = 50
MOST_REFERENCES: Final = 10
_TITLE: Final = 200
_DESCRIPTION: Final = 4_000
_QUOTE: Final = 1_000


class Finding(BaseModel):
    """An issue in the policies, with at least one place that shows it.

    Attributes:
        title: plain text, one line.
        description: plain text.
        found_with: the policies of the request in which the model reported it.
        model: the model.
        prompt: hash of its instructions and its form.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str
    description: str
    severity: Severity
    references: tuple[IssueReference, ...]
    found_with: tuple[str, ...] = ()
    model: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Analysis(Sequence[Finding]):
    """The findings of an analysis.

    Attributes:
        findings: in the order of the policies.
        dropped_findings: the number of findings without a quote that is in the texts.
        dropped_references: the number of quotes that are not in the named text, or too long.
        cost_micros: cost of this analysis; kept answers cost nothing.
        failed: the reason by source, of policies on which the model did not fill in the form.
        kept: the policies of requests that were not made: an answer to each was kept.
    """

    findings: tuple[Finding, ...]
    dropped_findings: int = 0
    dropped_references: int = 0
    cost_micros: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | Sequence[Finding]:
        return self.findings[index]

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)


def _line(value: Any) -> Any:
    """Return a text as one plain line; anything else as it is."""
    # Twice: words of two lines may become an address of one line.
    return plain(" ".join(plain(value).split())) if isinstance(value, str) else value


def _text(value: Any) -> Any:
    """Return a text as plain text; anything else as it is."""
    return plain(value) if isinstance(value, str) else value


class Quote(BaseModel):
    """A place, as a model names it: the number of a document, and words that stand in it."""

    model_config = ConfigDict(extra="forbid")

    document: int = Field(description="number of the document")
    quote: str = Field(
        min_length=1, max_length=_QUOTE, description="copied from the document, letter by letter"
    )


class Issue(BaseModel):
    """An issue, as a model reports it."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, BeforeValidator(_line)] = Field(min_length=1, max_length=_TITLE)
    description: Annotated[str, BeforeValidator(_text)] = Field(
        min_length=1, max_length=_DESCRIPTION
    )
    severity: Severity
    references: list[Quote] = Field(min_length=1, max_length=MOST_REFERENCES)


class Report(BaseModel):
    """All that a model has to say."""

    model_config = ConfigDict(extra="forbid")

    findings: list[Issue] = Field(max_length=MOST_FINDINGS)


@cache
def report_tool() -> Tool:
    """Return the form that a model must fill in, its schema without references."""
    schema = Report.model_json_schema()
    return Tool(
        "report_findings",
        "Report every issue that was found in the documents; an empty list where there is none.",
        _inlined(schema, schema.get("$defs", {})),
    )


def _inlined(part: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with its definitions in place; not every model reads ``$ref``."""
    if isinstance(part, list):
        return [_inlined(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    # A field may be called title; the title of a schema is a text.
    return {
        key: _inlined(value, definitions)
        for key, value in part.items()
        if key != "$defs" and not (key == "title" and isinstance(value, str))
    }
