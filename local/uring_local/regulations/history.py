"""`uring regulations history`: earlier revisions of regulations, by the portal's own lists.

    registry's page ─► list of revisions ─► each text, the oldest first ─► differences, lines

Nothing of a stack is read or written, and nothing is pushed.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from uring.clock import system_clock, timestamp
from uring.errors import SourceTrouble, UringError
from uring.extract.articles import articles
from uring.extract.extract import extract
from uring.extract.spelling import title_letters
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.fetch.url import parse_url
from uring.regulations.history import PastRevision, history_address, read_history
from uring.regulations.page import VISIT_SECONDS, read_registry
from uring.regulations.source import History, Registry
from uring.regulations.texts.job import ParseEntry
from uring.regulations.texts.read import Extract, ReadFile, TextReader
from uring.regulations.texts.state import TextVersion
from uring.regulations.values import PolicyRow
from uring.sources.requests import Requests, ask_page
from uring_local.entries.files import open_config
from uring_local.entries.registries import REGISTRY_ENTRIES
from uring_local.regulations.paced import PacedSite
from uring_local.regulations.past_texts import (
    MOST_TRIES,
    KnownHistory,
    KnownRevision,
    PastTexts,
)
from uring_local.words import counted, printable

# After one of these the site is left alone: it refuses, or says nothing of what it allows.
_REFUSALS: Final = frozenset({"forbidden", "robots_unreachable"})


class NoHistory(UringError):
    """The entry has no list of revisions, or the registry has no such regulation."""


@dataclass
class Filled:
    """What a run came to.

    Attributes:
        regulations: that were looked at.
        fetched: texts that were read and stored.
        known: texts that were there already.
        failed: lists and texts that could not be read.
        left: why the run ended before all was asked; empty if it did not.
    """

    regulations: int = 0
    fetched: int = 0
    known: int = 0
    failed: int = 0
    left: str = ""

    @property
    def well(self) -> bool:
        """True if every listed revision is there."""
        return not self.failed and not self.left

    def sentence(self) -> str:
        """Return the run in one line."""
        parts = [
            counted(self.regulations, "regulation"),
            f"{counted(self.fetched, 'text')} fetched",
            f"{self.known} known",
            f"{self.failed} failed",
        ]
        return ", ".join(parts) + (f"; {self.left}" if self.left else "")


class _Ended(Exception):
    """The run ends here; the message says why."""


class Backfill:
    """One run over a registry's earlier revisions.

    Args:
        registry: the entry.
        site: asks the site, slowly.
        extract: reads files.
        folder: of all registries' texts.
        most: pages and texts that are asked for in this run, at most.
        clock: returns the time, aware UTC.
        tell: shows a line.
    """

    def __init__(
        self,
        registry: Registry,
        site: PacedSite,
        extract: Extract,
        folder: Path,
        *,
        most: int,
        clock: Callable[[], datetime],
        tell: Callable[[str], None],
    ) -> None:
        if registry.history is None:
            raise NoHistory(f"{registry.id} has no list of revisions: write history into its entry")
        self._registry = registry
        self._rules: History = registry.history
        self._site = site
        self._reader = TextReader(site, extract)
        self._texts = PastTexts(folder / registry.id, registry.id)
        self._left = most
        self._most = most
        self._clock = clock
        self._tell = tell
        self._filled = Filled()

    def run(self, title: str | None) -> Filled:
        """Fetch what is missing of one regulation, None for all.

        Raises:
            NoHistory: the registry has no such regulation.
            SourceTrouble: the registry's own page cannot be read.
        """
        text, url = self._page(self._registry)
        policies = read_registry(self._registry, text, url).policies
        if title is not None:
            letters = title_letters(title)
            policies = tuple(each for each in policies if title_letters(each.title) == letters)
            if not policies:
                raise NoHistory(f"{self._registry.id} lists no regulation {title!r}")
        try:
            for policy in policies:
                self._regulation(policy)
                self._filled.regulations += 1
        except _Ended as ended:
            self._filled.left = str(ended)
        return self._filled

    def _regulation(self, policy: PolicyRow) -> None:
        history = self._texts.history(policy.file_no)
        if (
            history is None
            or history.newest != policy.file_revision
            or 0 < history.tries < MOST_TRIES
        ):
            listed = self._listed(policy, history)
            if listed is None:
                return
            history = listed
        before = self._filled.fetched
        try:
            for each in history.in_time:
                self._revision(policy, history, each)
        finally:
            # Also if the run ends here; after a kill the next run does it.
            self._texts.derive(history, again=self._filled.fetched > before)

    def _listed(self, policy: PolicyRow, known: KnownHistory | None) -> KnownHistory | None:
        """Ask for the list of a regulation's revisions, and store it; None if it is unreadable.

        What was listed before stays: a list may be short for a day, or hold its newest revisions.
        """
        url = history_address(self._registry, self._rules, policy.file_no)
        try:
            text, final = self._page(self._at(url))
            found = read_history(self._registry, self._rules, policy.file_no, text, final)
        except SourceTrouble as trouble:
            self._trouble(policy.title, "its list", trouble)
            return None
        is_listed = bool(found)
        if not is_listed and known is not None and known.is_listed:
            self._filled.failed += 1
            self._tell(f"{printable(policy.title)}: its list has no revision: the known ones stay")
            return known
        if not is_listed:
            self._tell(
                f"{printable(policy.title)}: its list has no revision: only today's is taken"
            )
        # The newest may stand outside of the list.
        if policy.file_revision not in {each.revision for each in found}:
            found = (PastRevision(policy.file_revision, "", policy.download_url), *found)
        before = known.revisions if known else []
        tries = {each.revision: each for each in before}
        history = KnownHistory(
            title=policy.title,
            file_no=policy.file_no,
            newest=policy.file_revision,
            tries=0 if is_listed else (known.tries if known else 0) + 1,
            revisions=[
                KnownRevision(
                    revision=each.revision,
                    date=each.date,
                    url=each.url,
                    tries=tries[each.revision].tries if each.revision in tries else 0,
                )
                for each in found
            ],
        ).with_known(before)
        self._texts.put_history(history)
        return history

    def _revision(self, policy: PolicyRow, history: KnownHistory, each: KnownRevision) -> None:
        """Fetch a text that is not there."""
        if self._texts.text(policy.file_no, each.revision) is not None:
            self._filled.known += 1
            return
        if each.tries >= MOST_TRIES:
            self._filled.failed += 1
            return
        self._spend()
        row = policy.model_dump() | {
            "file_revision": each.revision,
            "preview_url": each.url,
            "download_url": each.url,
        }
        entry = ParseEntry(registry=self._registry, **row)
        try:
            found = self._reader.read(entry, self._reader.requests(), self._clock())
        except SourceTrouble as trouble:
            each.tries, each.reason = each.tries + 1, str(trouble)
            self._texts.put_history(history)
            self._trouble(policy.title, each.revision, trouble)
            return
        self._texts.put_text(self._version(entry, found), found.extraction.text, each.date)
        self._filled.fetched += 1
        self._tell(f"{printable(policy.title)}: {each.revision} {each.date}".rstrip())

    def _version(self, entry: ParseEntry, found: ReadFile) -> TextVersion:
        extraction = found.extraction
        return TextVersion(
            file_no=entry.file_no,
            file_revision=entry.file_revision,
            title=entry.title,
            source_url=found.url,
            source_sha256=extraction.source_sha256,
            text_sha256=hashlib.sha256(extraction.text.encode()).hexdigest(),
            format=extraction.format,
            pages=extraction.pages,
            unreliable_pages=extraction.unreliable_pages,
            notes=extraction.notes,
            articles=sum(each.kind == "article" for each in articles(extraction.text)),
            read_at=timestamp(self._clock()),
        )

    def _page(self, entry: Registry) -> tuple[str, str]:
        self._spend()
        requests = Requests(self._site, time.monotonic, VISIT_SECONDS)
        _, response, text = ask_page(entry, None, requests, self._clock())
        return text, response.url

    def _at(self, url: str) -> Registry:
        """Return the entry at another address, which is asked without the list's form."""
        request = self._registry.request.model_copy(
            update={"method": "GET", "form": {}, "body": None}
        )
        return self._registry.model_copy(update={"url": url, "request": request})

    def _spend(self) -> None:
        """Wait until the site may be asked again.

        Raises:
            _Ended: enough was asked in this run.
        """
        if not self._left:
            raise _Ended(f"{counted(self._most, 'request')} made: run it again for the rest")
        self._left -= 1
        self._site.rest()

    def _trouble(self, title: str, what: str, trouble: SourceTrouble) -> None:
        self._filled.failed += 1
        self._tell(f"{printable(title)}: {what}: {printable(str(trouble))}")
        if trouble.reason in _REFUSALS:
            raise _Ended(f"the site refuses ({trouble.reason}): run it again later")


def fill(
    config: Path,
    registry_id: str,
    title: str | None,
    out: Path,
    *,
    most: int,
    pause: float,
    contact: str,
    quiet: bool,
) -> Filled:
    """Fetch what a folder lacks of a registry's earlier texts; print a line for each.

    Args:
        config: the list of registries.
        registry_id: the entry.
        title: of the regulation; None takes all.
        out: the folder.
        most: pages and texts that are asked for, at most.
        pause: seconds between two requests.
        contact: for the site's operator; empty for none.
        quiet: print nothing.

    Raises:
        NotFound: no such file or entry.
        NoHistory: as `Backfill`.
        SourceTrouble: the registry's own page cannot be read.
    """
    registry = open_config(config, REGISTRY_ENTRIES).entry(registry_id)
    # The user may ask any site of an entry, on a private host too.
    own = parse_url(registry.url).authority
    fetcher = Fetcher(user_agent=user_agent(contact), allowed_private_hosts=[own])
    return Backfill(
        registry,
        PacedSite(fetcher, pause),
        lambda body, formats: extract(body, formats=formats),
        out,
        most=most,
        clock=system_clock,
        tell=(lambda _: None) if quiet else print,
    ).run(title)


def show_text(filled: Filled) -> None:
    """Print one line."""
    print(filled.sentence())


def show_json(filled: Filled) -> None:
    """Print one JSON object."""
    print(json.dumps(asdict(filled), ensure_ascii=False))
