"""A model's report, compared with the texts: a quotation that is not in them is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from uring.documents.store.issues import IssueReference
from uring.documents.work.findings import Finding, Quote, Report
from uring.documents.work.quotes import QuotableText
from uring.documents.work.windows import Section

MOST_QUOTED: Final = 2_000
"""The most characters of a quotation as it stands in the text: white space may be long there."""


@dataclass(slots=True)
class Verification:
    """Findings with quotations from the texts, and counts of dropped ones.

    Attributes:
        texts: the policies' texts, by source.
        model: the model that reports.
        prompt: hash of its instructions and its form.
    """

    texts: Mapping[str, str]
    model: str = ""
    prompt: str = ""
    quotable: dict[str, QuotableText] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    dropped_findings: int = 0
    dropped_references: int = 0

    def add(self, report: Report, sections: Sequence[Section]) -> None:
        """Add the findings of a report on these sections; drop those without a valid quotation."""
        found_with = tuple(dict.fromkeys(section.source for section in sections))
        for issue in report.findings:
            found = [self._reference(quote, sections) for quote in issue.references]
            references = dict.fromkeys(each for each in found if each is not None)
            self.dropped_references += found.count(None)
            if not references:
                self.dropped_findings += 1
                continue
            self.findings.append(
                Finding(
                    title=issue.title,
                    description=issue.description,
                    severity=issue.severity,
                    references=tuple(references),
                    found_with=found_with,
                    model=self.model,
                    prompt=self.prompt,
                )
            )

    def _reference(self, quote: Quote, sections: Sequence[Section]) -> IssueReference | None:
        if not 1 <= quote.document <= len(sections):
            return None
        section = sections[quote.document - 1]
        source, text = section.source, self.texts[section.source]
        if source not in self.quotable:
            self.quotable[source] = QuotableText(text)
        place = self.quotable[source].find(quote.quote, (section.start, section.end))
        if place is None or place[1] - place[0] > MOST_QUOTED:
            return None
        start, end = place
        return IssueReference(source=source, start=start, end=end, quote=text[start:end])
