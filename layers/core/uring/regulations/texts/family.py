"""The texts of regulations as the engine sees them: file ─► text ─► state ─► readers."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

from uring.changes.family import LogLine, Observed, Step
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import timestamp
from uring.contracts import Job
from uring.errors import SourceTrouble
from uring.extract.articles import articles
from uring.extract.differences import compare
from uring.extract.effective import NO_DATE, Effective, effective_of_change
from uring.extract.extraction import VERSION
from uring.objects import Objects
from uring.records.apply import PushPolicy, Seen, apply
from uring.records.archive import Archive
from uring.records.model import Observation
from uring.regulations.table import RegistryTable
from uring.regulations.texts.files import Bodies, TextProjections, difference_key, text_key
from uring.regulations.texts.ids import text_record
from uring.regulations.texts.job import FAMILY, ParseEntry
from uring.regulations.texts.read import ReadFile, TextReader, is_permanent
from uring.regulations.texts.recheck import (
    SILENTLY_REPLACED,
    doubted,
    failed,
    is_proven,
    refusal,
)
from uring.regulations.texts.state import FileValidators, TextState, TextVersion
from uring.regulations.values import PolicyRow, QueueEntry, RecheckEntry, RegulationFile
from uring.runtime.batches import Deferred
from uring.sources.requests import Requests

PAUSES_SECONDS: Final = (600, 3_600)
"""The pauses before the second try of a file, and before the third (R5)."""
POLICY: Final = PushPolicy(
    push=frozenset({"text_changed"}), names=MappingProxyType({"edited": "text_changed"})
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A regulation's text as its file has it now.

    Attributes:
        version: the file and its digests.
        text: Markdown.
        reader: the version of the extractor.
        changed: the number of articles that differ from the previous text.
        validators: of the file.
        effective: when this change comes into force, by its own supplement.
        is_recheck: whether the file was replaced under its own number.
    """

    version: TextVersion
    text: str
    reader: str
    changed: int
    validators: FileValidators
    effective: Effective = NO_DATE
    is_recheck: bool = False


class RegulationTexts:
    """The family of regulation texts; it implements `uring.changes.family.Family`.

    Safe to share between threads.

    Args:
        reader: fetches and reads files.
        objects: the bucket.
        table: the registries.
        pauses: seconds before the second try of a file, and before the third.
    """

    name = FAMILY
    heartbeat = timedelta(days=1)
    # A job is an entry of the queue, not a look at a source.
    eases_off = False
    # The requests, the extractor, and the commit.
    seconds: float = 230
    fields: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        reader: TextReader,
        objects: Objects,
        table: RegistryTable,
        *,
        backoff: Backoff,
        pauses: Sequence[int] = PAUSES_SECONDS,
    ) -> None:
        self._reader = reader
        self._objects = objects
        self._table = table
        self._backoff = backoff
        self._pauses = pauses
        self._bodies = Bodies(objects, f"state/{FAMILY}/bodies", backoff=backoff)
        self._archive = Archive(objects, backoff=backoff)

    def entry(self, job: Job) -> str:
        """See `Family.entry`."""
        return ParseEntry.of(job).file_no

    def first(self, job: Job, now: datetime) -> TextState:
        """See `Family.first`."""
        registry = ParseEntry.of(job).registry.id
        return TextState(source=job.source, registry=registry, health=Health(since=timestamp(now)))

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime) -> None:
        """See `Family.glance`. Never answers by a hint: a job has a queue entry to settle."""

    def observe(self, job: Job, state: TextState, now: datetime) -> Observed[Parsed]:
        """See `Family.observe`. A job without a queue entry or recheck is done already.

        Raises:
            Deferred: the file cannot be read now; the job comes again after a pause.
        """
        entry = ParseEntry.of(job)
        names = {"registry": entry.registry.id, "title": entry.title, "file_no": entry.file_no}
        waiting = self._table.waiting(entry.registry.id, entry.title)
        if waiting is None:
            asked = self._table.recheck(entry.registry.id, entry.title)
            if asked is None or not asked.is_same_file(entry):
                return Observed(fields=names)
            return self._again(entry, asked, state, now, names)
        if not waiting.is_same_file(entry):
            # The queue may have dropped the newer file's job as a repeat of this one.
            newer = self._table.entry(entry.registry.id, entry.title)
            if newer is None or not newer.is_same_file(waiting):
                return Observed(fields=names)
            entry = entry.model_copy(update=newer.model_dump(include={*PolicyRow.model_fields}))
        requests = self._reader.requests()
        try:
            found = self._reader.read(entry, requests, now)
        except SourceTrouble as trouble:
            lines = self._failed(waiting, entry.registry.id, trouble)
            return Observed(
                None, trouble if lines else None, requests.sent, fields=names, lines=lines
            )
        parsed = self._parsed(waiting, state, found, now)
        return Observed(parsed, None, requests.sent, fields=names)

    def step(
        self,
        job: Job,  # noqa: ARG002 - the observation has it all
        state: TextState,
        data: Parsed,
        now: datetime,
    ) -> Step[TextState]:
        """See `Family.step`. It always commits: the queue entry must go."""
        version, before = data.version, state.text
        # Another text without a changed word is stored in silence, like an equal one.
        is_other = before is not None and data.changed > 0
        revision = state.hot[0].revision + is_other if state.hot else 1
        difference = ""
        if before is not None and is_other:
            names = (before.file_no, version.file_no)
            difference = difference_key(state.registry, *names, state.source, revision)
        # The same file read by another extractor is not announced; another file always is. A
        # recheck has no other number: its words may differ by the extractor alone.
        is_same_file = before is not None and before.source_sha256 == version.source_sha256
        reread = (is_same_file or data.is_recheck) and state.reading != data.reader
        content = {
            "title": version.title,
            "fileNo": version.file_no,
            **({"fileRevision": version.file_revision} if version.file_revision else {}),
            **({"cause": SILENTLY_REPLACED} if data.is_recheck and not reread else {}),
            "articles_changed": str(data.changed),
            # A path from the root of the readers' host, like a link.
            "text": f"/{text_key(state.registry, version.file_no)}",
            "difference": f"/{difference}.html" if difference else None,
            "effective": data.effective.date,
            "effective_text": data.effective.text or None,
        }
        name, digest = text_record(state.source), version.text_sha256
        if before is not None and not is_other and name in state.known:
            digest = state.known[name].hash
        record = Observation(name, digest, content)
        applied = apply(state, Seen([record], reread=reread), POLICY, now)
        after = (applied.state if applied else state).replace(
            reading=data.reader,
            text=version,
            # Equal words keep the last difference, which belongs to an earlier file.
            before=before if is_other else None,
            difference=difference or state.difference,
            validators=data.validators,
            is_stored=False,
        )
        changed: Literal["changed", "unchanged"] = "changed" if after.outbox else "unchanged"
        return Step(
            after,
            "baseline" if state.baseline_at is None else changed,
            first=lambda: self._bodies.add(version.text_sha256, data.text),
            fields={"articles": version.articles, "articles_changed": data.changed},
        )

    def projections(self, job: Job) -> TextProjections:
        """See `Family.projections`."""
        return TextProjections(
            self._objects,
            self._bodies,
            self._archive,
            self._table,
            topic=ParseEntry.of(job).registry.topic,
            backoff=self._backoff,
        )

    def _failed(
        self, waiting: QueueEntry, registry: str, trouble: SourceTrouble
    ) -> tuple[LogLine, ...]:
        """Count the failed try; return the log line of a dead letter, no line if superseded.

        Raises:
            Deferred: there are tries left.
        """
        tried = self._table.failed(
            registry, waiting, str(trouble), is_permanent=is_permanent(trouble)
        )
        if tried == "queued":
            pause = self._pauses[min(waiting.retry_count, len(self._pauses) - 1)]
            raise Deferred(f"{registry}: {waiting.title}: {trouble}", seconds=pause)
        if tried == "superseded":
            return ()
        line = LogLine(
            "text_unreadable",
            {
                "registry": registry,
                "title": waiting.title,
                "file_no": waiting.file_no,
                "reason": trouble.reason,
                "detail": trouble.detail,
                "remedy": "`uring regulations dead-letters list` has it; retry sends it again",
            },
        )
        return (line,)

    def _again(
        self,
        entry: ParseEntry,
        asked: RecheckEntry,
        state: TextState,
        now: datetime,
        names: Mapping[str, str],
    ) -> Observed[Parsed]:
        """Ask for a file that was read. A failure is counted, never a dead letter.

        A file that was never read, such as a dead letter's, is read as for the first time.
        """
        requests, registry, known = self._reader.requests(), entry.registry.id, state.text
        is_read = known is not None and known.file.is_same_file(asked)
        try:
            if known is None or not is_read:
                first = self._parsed(asked, state, self._reader.read(entry, requests, now), now)
                return Observed(first, None, requests.sent, fields={**names, "recheck": "read"})
            # The release before kept no address but that after redirects.
            last = (
                state.validators if state.validators.url else FileValidators(url=known.source_url)
            )
            digest = known.source_sha256
            if state.reading != str(VERSION):
                # A change beside another reader's text would be stored in silence.
                last, digest = FileValidators(url=last.url), ""
            found = self._reader.read_again(entry, last, digest, requests, now)
        except SourceTrouble as trouble:
            after = failed(asked, str(trouble), now) if is_read else None
            return self._unseen(asked, after, registry, requests, names, str(trouble))
        if isinstance(found, FileValidators):
            self._table.rechecked(registry, asked, None)
            remembered = {} if found == state.validators else {"validators": found}
            names = {**names, "recheck": "unchanged"}
            return Observed(None, None, requests.sent, remembered=remembered, fields=names)
        parsed = self._parsed(asked, state, found, now)
        is_same = parsed.version.source_sha256 == known.source_sha256
        if parsed.changed and not is_same:
            lengths = len(self._bodies.get(known.text_sha256)), len(parsed.text)
            digest = parsed.version.text_sha256
            if why := refusal(known, parsed.version, lengths):
                return self._unseen(asked, failed(asked, why, now), registry, requests, names, why)
            if not is_proven(asked, digest, now):
                after = doubted(asked, digest, now)
                self._table.rechecked(registry, asked, after)
                names = {**names, "recheck": "unproven"}
                return Observed(None, None, requests.sent, fields=names)
        parsed = replace(parsed, is_recheck=not is_same)
        if is_same:
            result = "read"
        elif not parsed.changed:
            result = "same_words"
        else:
            # Beside another reader's text the words prove nothing: they are stored in silence.
            result = SILENTLY_REPLACED if state.reading == parsed.reader else "reread"
        names = {**names, "recheck": result}
        return Observed(parsed, None, requests.sent, fields=names)

    def _unseen(
        self,
        asked: RecheckEntry,
        after: RecheckEntry | None,
        registry: str,
        requests: Requests,
        names: Mapping[str, str],
        why: str,
    ) -> Observed[Parsed]:
        self._table.rechecked(registry, asked, after)
        line = LogLine("recheck_failed", {**names, "detail": why}, "event")
        fields = {**names, "recheck": "failed"}
        return Observed(None, None, requests.sent, fields=fields, lines=(line,))

    def _parsed(
        self, file: RegulationFile, state: TextState, found: ReadFile, now: datetime
    ) -> Parsed:
        extraction = found.extraction
        digest = hashlib.sha256(extraction.text.encode()).hexdigest()
        changed, effective = 0, NO_DATE
        if state.text is not None and state.text.text_sha256 != digest:
            before = self._bodies.get(state.text.text_sha256)
            changed = compare(before, extraction.text).changed
            effective = effective_of_change(before, extraction.text)
        version = TextVersion(
            file_no=file.file_no,
            file_revision=file.file_revision,
            title=file.title,
            source_url=found.url,
            source_sha256=extraction.source_sha256,
            text_sha256=digest,
            format=extraction.format,
            pages=extraction.pages,
            unreliable_pages=extraction.unreliable_pages,
            notes=extraction.notes,
            articles=sum(each.kind == "article" for each in articles(extraction.text)),
            read_at=timestamp(now),
        )
        return Parsed(
            version, extraction.text, str(extraction.version), changed, found.validators, effective
        )
