"""The readers' view of a regulation's text: Markdown, its difference, a line of the archive.

    bodies (by hash, never changed) ─► texts/{fileNo}.md ─► differences/… ─► archive ─► queue entry

Each is made from the state and the bodies alone, so it can be repeated until all are written.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from uring import media
from uring.changes.restore import restored
from uring.changes.retry import Backoff, rewrite
from uring.contracts import ChangePublished
from uring.errors import CorruptState
from uring.extract.differences import compare
from uring.extract.effective import effective_of, effective_of_change
from uring.extract.page.difference_html import difference_html
from uring.objects import Objects
from uring.records.archive import Archive
from uring.records.model import Event, Revision
from uring.regulations.registration import NAME
from uring.regulations.table import RegistryTable
from uring.regulations.texts.state import TextState, TextVersion

_CACHED: Final = "public, max-age=300"
_SEQ: Final = re.compile(rb"^seq: ([0-9]+)$", re.MULTILINE)
# The head of a text has one line for each key.
_HEAD_BYTES: Final = 20_000


class Bodies:
    """Large texts below one folder, stored under their hash, which the state names; written once.

    Args:
        folder: the prefix of their keys, without a slash at the end.
    """

    def __init__(self, objects: Objects, folder: str, *, backoff: Backoff) -> None:
        self._objects = objects
        self._folder = folder
        self._backoff = backoff

    def add(self, digest: str, text: str) -> None:
        """Store a text under its hash; does nothing if it is stored already.

        Call it before a state that names the hash is committed.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        body = text.encode()
        rewrite(
            self._objects,
            self._key(digest),
            lambda there: None if there is not None else body,
            backoff=self._backoff,
            content_type=media.TEXT,
            likely_absent=True,
        )

    def get(self, digest: str) -> str:
        """Return a text; a deleted one is stored again from its last version.

        Raises:
            CorruptState: the object is missing, and so are its versions.
        """
        key = self._key(digest)
        stored = self._objects.get(key)
        body = stored.body if stored else restored(self._objects, key, bytes, media.TEXT)
        if body is None:
            raise CorruptState(f"{key} is missing, but a state names it; restore its last version")
        return body.decode()

    def _key(self, digest: str) -> str:
        return f"{self._folder}/{digest}.md"


class TextProjections:
    """The projections of one regulation's text; they implement `uring.changes.outbox.Projections`.

    Args:
        topic: of the registry.
    """

    def __init__(
        self,
        objects: Objects,
        bodies: Bodies,
        archive: Archive,
        table: RegistryTable,
        *,
        topic: str,
        backoff: Backoff,
    ) -> None:
        self._objects = objects
        self._bodies = bodies
        self._archive = archive
        self._table = table
        self._topic = topic
        self._backoff = backoff

    def write(self, state: TextState) -> None:
        """See `Projections.write`. The queue entry goes last: until then the file is read again."""
        now = state.text
        if now is None:
            return
        text = self._bodies.get(now.text_sha256)
        self._put_text(state, text)
        if state.before is not None and state.difference:
            before = self._bodies.get(state.before.text_sha256)
            _, document, page = difference_files(state.before, now, before, text)
            self._put(f"{state.difference}.json", document, media.JSON)
            self._put(f"{state.difference}.html", page, media.HTML)
        if state.outbox:
            self._archive.add(state.registry, state.outbox, fields)
        self._table.done(state.registry, now.file)

    def recovered(self, state: TextState) -> None:
        """See `Projections.recovered`. Nothing that is published shows a text's last change."""

    def is_known(self, source: str) -> bool:  # noqa: ARG002 - nothing that is published has its name
        """See `Projections.is_known`. Only the versions of its state show it."""
        return True

    def rebuilt(self, first: TextState) -> TextState:
        """See `Projections.rebuilt`. Without a version its file is read for the first time."""
        return first

    def message(self, state: TextState, event: Event) -> ChangePublished:
        """See `Projections.message`. The source is the registry, whose topic people follow."""
        return ChangePublished(
            event_id=event.event_id,
            family=NAME,
            source=state.registry,
            topic=self._topic,
            kind=event.kind,
            id=event.id,
            revision=event.revision,
            detected_at=event.detected_at,
            content=dict(event.content),
            urgency="normal",
        )

    def _put_text(self, state: TextState, text: str) -> None:
        now = state.text
        if now is None:
            return
        difference = f"/{state.difference}.json" if state.difference else None
        body = text_file(now, text, difference, seq=state.seq)

        def revise(there: bytes | None) -> bytes | None:
            return None if there is not None and _seq(there) >= state.seq else body

        self._rewrite(text_key(state.registry, now.file_no), revise, media.TEXT)

    def _put(self, key: str, body: bytes, content_type: str) -> None:
        self._rewrite(key, lambda there: None if there == body else body, content_type)

    def _rewrite(self, key: str, revise: Any, content_type: str) -> None:
        rewrite(
            self._objects,
            key,
            revise,
            backoff=self._backoff,
            content_type=content_type,
            cache_control=_CACHED,
        )


def text_file(
    version: TextVersion, text: str, difference: str | None, **more: str | int | bool | None
) -> bytes:
    """Return a text as readers get it: a head of one JSON value a line, then Markdown.

    Args:
        version: of the text.
        text: Markdown.
        difference: the address of its difference; None without one.
        more: further values of the head, by key.
    """
    effective = effective_of(text)
    head = {
        "title": version.title,
        "fileNo": version.file_no,
        **({"fileRevision": version.file_revision} if version.file_revision else {}),
        **more,
        "sourceUrl": version.source_url,
        "sourceSha256": version.source_sha256,
        "textSha256": version.text_sha256,
        "format": version.format,
        "pages": version.pages,
        "articles": version.articles,
        "unreliablePages": version.unreliable_pages,
        "notes": version.notes,
        "readAt": version.read_at,
        "effective": effective.date,
        "effectiveText": effective.text or None,
        "difference": difference,
    }
    lines = (f"{name}: {_dumped(value).decode()}\n" for name, value in head.items())
    return f"---\n{''.join(lines)}---\n\n{text}".encode()


def difference_files(
    before: TextVersion, now: TextVersion, before_text: str, text: str
) -> tuple[int, bytes, bytes]:
    """Return how many articles of a regulation differ, and the difference as JSON and as a page."""
    difference = compare(before_text, text)
    effective = effective_of_change(before_text, text)
    document = {
        "title": now.title,
        "previousFileNo": before.file_no,
        "fileNo": now.file_no,
        "effective": effective.date,
        "effectiveText": effective.text or None,
        **_revisions(before, now),
        **difference.model_dump(),
    }
    heading = f"{now.title}: {' → '.join(_names(before, now))}"
    page = difference_html(difference, heading, effective).encode()
    return difference.changed, _dumped(document), page


def text_key(registry: str, file_no: str) -> str:
    """Return the object key of a text."""
    return f"data/{registry}/texts/{file_no}.md"


def difference_key(registry: str, before: str, now: str, text: str, revision: int) -> str:
    """Return the object key of a difference, without its ending.

    Two regulations may share a file: the start of the text's id keeps their differences apart.
    """
    return f"data/{registry}/differences/{before}-{now}.{text[:8]}.{revision}"


def _revisions(before: TextVersion, now: TextVersion) -> dict[str, str]:
    names = {"previousFileRevision": before.file_revision, "fileRevision": now.file_revision}
    return {name: revision for name, revision in names.items() if revision}


def _names(before: TextVersion, now: TextVersion) -> tuple[str, str]:
    """Return names for two files: their numbers, or else revisions, or else days of reading."""
    for names in (
        (before.file_no, now.file_no),
        (before.file_revision, now.file_revision),
    ):
        if names[0] != names[1] and all(names):
            return names
    return before.read_at[:10], now.read_at[:10]


def fields(revision: Revision) -> Mapping[str, str | None]:
    """Return the readers' view of a text's change."""
    return revision.content


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _seq(body: bytes) -> int:
    """Return the ``seq`` in the head of a published text; -1, older than any, without it."""
    found = _SEQ.search(body, 0, _HEAD_BYTES)
    return int(found[1]) if found else -1
