"""The expected store once all jobs of a tick are done, by its rules (D2 to D6, D11).

    upload, remove ─► entries ─► analysis, if there was one before ─► issues
    job, janitor ────┘

It shares no code with the product. For a job it returns the expected end.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from uring_local.sites.office.actions import FIELDS, Edit, Kind, Remove, Submit, Upload
from uring_local.sites.office.papers import Mark, Version

Quotes = frozenset[tuple[str, Mark]]
"""The identity of an issue: the marks that it quotes, by source."""
DONE = "done"


@dataclass(frozen=True, slots=True)
class IssueState:
    """The expected state of an issue.

    Attributes:
        sources: that it quotes.
        sight: the texts of the analysis that found it last.
        is_touched: whether an edit was accepted: then it is a person's work.
    """

    words: str
    severity: str
    sources: frozenset[str]
    notes: str = ""
    state: str = "open"
    is_stale: bool = False
    sight: Mapping[str, Version] = field(default_factory=dict, hash=False)
    is_touched: bool = False

    def is_left_behind(self, texts: Mapping[str, Version], attachments: Iterable[str]) -> bool:
        """Return whether it goes, not found again, with a text that stood in its sight.

        Args:
            texts: of the analysis that did not find it; empty on a page without any text.
            attachments: all of that page, those without a text included.
        """
        there = {*attachments}
        if self.is_touched or not self.sight.keys() <= there:
            return not self.is_touched
        if not self.sources <= texts.keys():
            # A text that it quotes cannot be read for now: the issue was not looked for.
            return False
        changed = {
            name for name, version in texts.items() if self.sight.get(name, version) != version
        }
        return bool(changed) and changed != self.sources


@dataclass(slots=True)
class PageState:
    """The expected state of a page.

    Attributes:
        attachments: in the bucket, each with the number of its upload.
        entries: the version and upload behind each stored text.
        translations: the version behind each translation, by source and language.
        analysis: the texts behind the newest analysis; None without an analysis.
        strays: whether there are objects that are not attachments.
        gone_rounds: number of rounds of the janitor that found no object.
        is_touched: whether the worker wrote issues in this tick.
    """

    attachments: dict[str, tuple[Version, int]] = field(default_factory=dict)
    entries: dict[str, tuple[Version, int]] = field(default_factory=dict)
    translations: dict[tuple[str, str], Version] = field(default_factory=dict)
    analysis: dict[str, Version] | None = None
    issues: dict[Quotes, IssueState] = field(default_factory=dict)
    strays: bool = False
    gone_rounds: int = 0
    is_touched: bool = False

    @property
    def texts(self) -> dict[str, Version]:
        """The stored texts."""
        return {name: version for name, (version, _) in self.entries.items() if version.has_text}

    @property
    def is_pending(self) -> bool:
        """True when a change of the page waits for the janitor."""
        late = self.analysis is not None and self.analysis != self.texts
        return late or self.entries != self.attachments

    def find(self, words: str, sources: frozenset[str]) -> Quotes:
        """Return the identity of the issue with these words and sources.

        Raises:
            StopIteration: there is no such issue.
        """
        return next(
            quotes
            for quotes, issue in self.issues.items()
            if issue.words == words and issue.sources == sources
        )


class Ledger:
    """The expected state of all pages; not thread-safe."""

    def __init__(self) -> None:
        self.pages: dict[str, PageState] = {}
        self._uploads = 0

    def begin(self, *, is_janitors: bool) -> None:
        """Begin a tick, with or without a round of the janitor."""
        for page in self.pages.values():
            page.is_touched = False
            if is_janitors:
                self._sweep(page)

    def upload(self, action: Upload) -> None:
        """Take in an upload, and its event unless the event is lost."""
        page = self._page(action.page)
        self._uploads += 1
        page.attachments[action.source] = action.version, self._uploads
        page.gone_rounds = 0
        if action.events != "lost":
            self._refresh(page, action.source)

    def remove(self, action: Remove) -> None:
        """Take in a removal, and its event unless the event is lost."""
        page = self._page(action.page)
        del page.attachments[action.source]
        if action.events != "lost":
            self._refresh(page, action.source)

    def stray(self, page: str) -> None:
        """Take in an object that is not an attachment."""
        self._page(page).strays = True

    def submit(self, action: Submit) -> str:
        """Take in a job; return its expected end: `DONE`, or the name of its error."""
        page = self._page(action.page)
        match action.operation:
            case "clear":
                self._clear(page)
            case "policies":
                self._extract_all(page)
            case "issues":
                self._extract_all(page)
                if not page.texts:
                    return "NoText"
                self._analyse(page)
            case "policy":
                return self._policy(page, action.source, action.language)
        return DONE

    def edited(self, page: str, quotes: Quotes, kind: Kind, value: str) -> None:
        """Take in an accepted edit."""
        issues = self.pages[page].issues
        changed: dict[str, Any] = {FIELDS[kind]: value}
        issues[quotes] = replace(issues[quotes], is_touched=True, **changed)

    def assume(self, action: Edit) -> None:
        """Take in an edit as if its last value won; the script knows no answers."""
        page = self.pages[action.page]
        quotes = page.find(action.words, action.sources)
        self.edited(action.page, quotes, action.kind, action.values[-1])

    def _page(self, name: str) -> PageState:
        return self.pages.setdefault(name, PageState())

    def _policy(self, page: PageState, source: str, language: str) -> str:
        if source not in page.attachments:
            return "NoSuchAttachment"
        version, _ = page.entries[source] = page.attachments[source]
        if not language:
            return DONE
        if not version.has_text:
            return "NoText"
        page.translations[source, language] = version
        return DONE

    def _refresh(self, page: PageState, source: str) -> None:
        if source in page.attachments:
            page.entries[source] = page.attachments[source]
        else:
            self._forget(page, source)
        # Issues of changed texts are stale until they are found again: that makes two versions.
        page.is_touched |= page.analysis is not None and page.analysis != page.texts
        if page.analysis is not None and page.texts:
            self._analyse(page)
        elif page.analysis is not None:
            self._apply(page, {})

    def _extract_all(self, page: PageState) -> None:
        page.entries |= page.attachments
        for source in page.entries.keys() - page.attachments.keys():
            self._forget(page, source)

    def _forget(self, page: PageState, source: str) -> None:
        page.entries.pop(source, None)
        for key in [key for key in page.translations if key[0] == source]:
            del page.translations[key]

    def _analyse(self, page: PageState) -> None:
        if page.analysis != page.texts:
            # An analysis reads all attachments first.
            self._extract_all(page)
        page.analysis = page.texts
        self._apply(page, page.texts)

    def _apply(self, page: PageState, texts: dict[str, Version]) -> None:
        before, found = dict(page.issues), dict(found_in(texts))
        for quotes, issue in (found | page.issues).items():
            if quotes in found:
                page.issues[quotes] = replace(issue, is_stale=False, sight=texts)
            elif issue.is_left_behind(texts, page.attachments):
                del page.issues[quotes]
            else:
                # Only a change of what it quotes may have mended it.
                is_stale = any(texts.get(name) != issue.sight[name] for name in issue.sources)
                page.issues[quotes] = replace(issue, is_stale=is_stale)
        page.is_touched |= page.issues != before

    def _clear(self, page: PageState) -> None:
        page.entries.clear()
        page.translations.clear()
        page.issues.clear()
        page.analysis = None
        page.is_touched = True

    def _sweep(self, page: PageState) -> None:
        if not page.attachments and not page.strays:
            page.gone_rounds += 1
            return
        for source, stored in page.attachments.items():
            if page.entries.get(source) != stored:
                self._refresh(page, source)
        for source in page.entries.keys() - page.attachments.keys():
            self._refresh(page, source)
        if page.analysis is not None and page.analysis != page.texts and page.attachments:
            self._refresh(page, next(iter(page.attachments)))


def found_in(texts: dict[str, Version]) -> Iterator[tuple[Quotes, IssueState]]:
    """Yield the issues planted in texts; several texts with the same mark give one issue."""
    places: dict[Mark, set[str]] = {}
    for source, version in texts.items():
        for mark in version.marks:
            places.setdefault(mark, set()).add(source)
    for mark, sources in places.items():
        quotes = frozenset((source, mark) for source in sources)
        yield quotes, IssueState(mark.words, mark.severity, frozenset(sources))
