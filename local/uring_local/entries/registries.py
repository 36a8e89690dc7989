"""The regulations' family for the commands: registries and their tables."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from bs4 import BeautifulSoup
from rich.text import Text

from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import system_clock, timestamp
from uring.contracts import Job
from uring.errors import SourceTrouble, SuspectPage
from uring.records.model import Event, Revision
from uring.regulations.family import Regulations, fields
from uring.regulations.page import NOUNS, RegistryVisitor, rows_of
from uring.regulations.registration import NAME, WHAT
from uring.regulations.source import DAY_MINUTES, Registry
from uring.regulations.state import RegistryState
from uring.regulations.values import PolicyRow
from uring.sources.problems.findings import ConfigFinding
from uring.sources.rows import Page, Row
from uring_local.entries.family import Comparison, FileFamily
from uring_local.entries.saved import SavedSite
from uring_local.project import REGISTRIES
from uring_local.propose.files import guess_files
from uring_local.propose.guess import Guess
from uring_local.propose.rows import Rows
from uring_local.regulations.revisions import revision_rule

_DAY: Final = timedelta(days=1)


class RegistryEntries(FileFamily[Registry, PolicyRow]):
    """Implements `FileFamily`."""

    name = NAME
    what = WHAT
    path = REGISTRIES
    title = "The registries of uRing"
    interval = {"const": DAY_MINUTES}  # noqa: RUF012 - read alone
    noun = "regulation"
    nouns = NOUNS
    columns = ("fileNo", "", "regulation")
    fields = ("title", "file_no", "revision", "preview", "download")
    compared = ("title", "fileNo", "fileRevision", "previewUrl", "downloadUrl")
    model = Registry

    def read(self, source: Registry, text: str, url: str, today: date) -> Page[PolicyRow]:  # noqa: ARG002 - no row has a date
        """See `FileFamily.read`."""
        return rows_of(source, text, url)

    def cells(self, item: PolicyRow, row: Row[PolicyRow]) -> Sequence[str | Text]:
        """See `FileFamily.cells`."""
        regulation = Text(item.title)
        regulation.append(f"\n{item.preview_url}\n{item.download_url}", style="dim")
        note = f"as row {row.duplicate_of}" if row.duplicate_of else ""
        number = "\n".join(filter(None, [item.file_no, item.file_revision]))
        return Text(number), note, regulation

    def document(self, item: PolicyRow) -> dict[str, Any]:
        """See `FileFamily.document`."""
        return item.item()

    def compare(self, source: Registry, before: bytes, after: bytes) -> Comparison:
        """See `FileFamily.compare`. The second page is read twice, to prove a deletion (R8)."""
        now = datetime.now(UTC)
        first = RegistryState(source=source.id, health=Health(since=timestamp(now)))
        state, _ = _step(source, first, before, now)
        records = {record.id: record for record in state.hot}
        events: tuple[Event, ...] = ()
        try:
            for day in (1, 2):
                state, found = _step(source, state, after, now + day * _DAY)
                events += found
        except SourceTrouble as trouble:
            return Comparison(records, (), trouble)
        return Comparison(records, events, None)

    def content(self, record: Revision) -> dict[str, Any]:
        """See `FileFamily.content`."""
        return dict(fields(record))

    def vain(
        self, sources: Mapping[int, Registry], allowed_hosts: Collection[str]
    ) -> Iterator[ConfigFinding]:
        """See `FileFamily.vain`. Nothing else can be seen without the page."""
        yield from super().vain(sources, allowed_hosts)
        for index, source in sources.items():
            if not source.recheck_days and source.fields.revision is None:
                yield ConfigFinding(
                    (self.key, index, "recheck_days"),
                    "is 0 without fields.revision: a text that changes under its number is never "
                    "noticed",
                    "leave it out, or name the field that changes with each revision",
                )

    def advise(
        self, source: Registry, rows: Rows, page: Page[PolicyRow], today: date
    ) -> Iterator[str]:
        """See `FileFamily.advise`."""
        del today
        if source.fields.revision is not None:
            return
        number = source.fields.file_no.model_dump(exclude_defaults=True)
        revision = revision_rule(rows.elements, number, [item.file_no for item in page.items])
        if revision is not None:
            rule = json.dumps(revision, ensure_ascii=False)
            yield (
                "file_no: its numbers may last while a revision changes beside them; write "
                f'"revision": {rule} into fields'
            )

    def guess(self, page: BeautifulSoup, url: str, today: date) -> Guess:  # noqa: ARG002 - no row has a date
        """See `FileFamily.guess`."""
        return guess_files(page)


REGISTRY_ENTRIES: Final = RegistryEntries()


def _job(source: Registry, now: datetime) -> Job:
    request = source.request.model_copy(update={"honour_robots": False})
    entry = source.model_copy(update={"request": request})
    return Job(
        family=NAME,
        source=source.id,
        scheduled_at=timestamp(now),
        interval_minutes=DAY_MINUTES,
        entry=entry.model_dump(mode="json", exclude_unset=True),
    )


def _step(
    source: Registry, state: RegistryState, body: bytes, now: datetime
) -> tuple[RegistryState, tuple[Event, ...]]:
    # These ports are not called: nothing is projected or sent, and no record is evicted.
    unused: Any = None
    family = Regulations(
        RegistryVisitor(SavedSite(body)),
        unused,
        unused,
        unused,
        clock=system_clock,
        backoff=Backoff(),
    )
    job = _job(source, now)
    observed = family.observe(job, state, now)
    if observed.trouble is not None or observed.data is None:
        raise observed.trouble or SuspectPage("no_rows", "nothing was read")
    after = family.step(job, state, observed.data, now).state or state
    return after.replace(outbox=()), tuple(reversed(after.outbox))
