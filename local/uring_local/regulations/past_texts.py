"""The folder of a registry's earlier texts. It is all that a next run knows.

    history/{fileNo}.json    the portal's list of revisions, and the tries of each text
    texts/{fileNo}@{revision}.md
    differences/{fileNo}@{revision}-{revision}.json, .html
    archive/{fileNo}.jsonl   a line for each revision

Each file is written whole. The last two are made from the first two, so a killed run loses nothing.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.extract.effective import effective_of, effective_of_change
from uring.regulations.revision import REVISION_LIMIT, revision_of
from uring.regulations.texts.files import difference_files, text_file
from uring.regulations.texts.state import TextVersion

MOST_TRIES: Final = 3
"""Of a text, one a run; then it is given up."""

_NAME_BYTES: Final = 60
_FILE: Final = re.compile(r"---\n(.*?)^---\n\n", re.DOTALL | re.MULTILINE)


class KnownRevision(BaseModel):
    """A revision of the portal's list.

    Attributes:
        revision: its date, number or word.
        date: ISO 8601; empty where the portal gives none.
        url: of its file.
        tries: how often its file could not be read.
        reason: of the last failure; empty without one.
    """

    model_config = ConfigDict(extra="ignore")

    revision: str
    date: str = ""
    url: str
    tries: int = 0
    reason: str = ""


class KnownHistory(BaseModel):
    """A portal's list of a regulation's revisions.

    Attributes:
        title: of the regulation today.
        file_no: of the regulation.
        newest: the revision of the registry's page when the list was read.
        tries: how often the list had no revision.
        revisions: the newest first.
    """

    model_config = ConfigDict(extra="ignore")

    title: str
    file_no: str
    newest: str
    tries: int = 0
    revisions: list[KnownRevision]

    @property
    def is_listed(self) -> bool:
        """True if the portal listed a revision."""
        return not self.tries

    @property
    def in_time(self) -> Sequence[KnownRevision]:
        """The revisions, the oldest first: by date where each has one, else by the portal.

        Today's comes last without a date: it may stand outside of the list.
        """
        oldest_first = [*reversed(self.revisions)]
        undated = [each for each in oldest_first if not each.date]
        if any(each.revision != self.newest for each in undated):
            return oldest_first
        dated = (each for each in oldest_first if each.date)
        return [*sorted(dated, key=lambda each: each.date), *undated]

    def with_known(self, known: Sequence[KnownRevision]) -> Self:
        """Return this list with the known revisions that it lacks, each behind its newer one.

        Args:
            known: of an earlier list, the newest first.
        """
        merged = [*self.revisions]
        names = [each.revision for each in merged]
        # What was the newest stands before what it stood before.
        at = next((names.index(it.revision) for it in known if it.revision in names), len(names))
        for each in known:
            if each.revision in names:
                at = names.index(each.revision) + 1
            else:
                merged.insert(at, each)
                names.insert(at, each.revision)
                at += 1
        return self.model_copy(update={"revisions": merged})


class PastTexts:
    """The folder of one registry.

    Args:
        folder: is made on the first write.
        registry: its id, for the lines of the archive.
    """

    def __init__(self, folder: Path, registry: str) -> None:
        self._folder = folder
        self._registry = registry

    def history(self, file_no: str) -> KnownHistory | None:
        """Return a list as it was stored; None for a missing or damaged one."""
        try:
            known = KnownHistory.model_validate_json(self._list(file_no).read_bytes())
        except (OSError, ValidationError):
            return None
        # They are parts of paths, and the folder may come from others.
        is_sound = known.file_no == file_no and all(
            revision_of(each.revision) == each.revision and len(each.revision) <= REVISION_LIMIT
            for each in known.revisions
        )
        return known if is_sound else None

    def put_history(self, history: KnownHistory) -> None:
        """Store a list in place of the known one."""
        _write(self._list(history.file_no), history.model_dump_json(indent=1).encode())

    def text(self, file_no: str, revision: str) -> tuple[TextVersion, str] | None:
        """Return a stored text; None for a missing or damaged one."""
        try:
            body = self._text(file_no, revision).read_text("utf-8")
            found = _FILE.match(body)
            return (_version(found[1]), body[found.end() :]) if found else None
        except (OSError, ValueError, KeyError):
            return None

    def put_text(self, version: TextVersion, text: str, day: str) -> None:
        """Store a text. A stored one is not replaced: call it for a missing or damaged one.

        Args:
            version: of the text.
            text: Markdown.
            day: of the revision; empty without one.
        """
        body = text_file(version, text, None, backfilled=True, date=day or None)
        _write(self._text(version.file_no, version.file_revision), body)

    def derive(self, history: KnownHistory, *, again: bool) -> None:
        """Make the differences of neighbours that are both stored, then the lines of all texts.

        Args:
            history: the list.
            again: also if each stored text has its line.
        """
        number = history.file_no
        known = {each.revision: self.text(number, each.revision) for each in history.in_time}
        there = [revision for revision, text in known.items() if text is not None]
        if there and (again or self._told(number) != there):
            lines = self._lines(history, known)
            body = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
            _write(self._lines_of(number), body.encode())

    def _told(self, file_no: str) -> list[str]:
        """Return the revisions that have their lines, the oldest first; empty for damaged lines."""
        try:
            body = self._lines_of(file_no).read_text("utf-8")
            return [json.loads(line)["fileRevision"] for line in body.splitlines()]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def _lines(
        self, history: KnownHistory, known: Mapping[str, tuple[TextVersion, str] | None]
    ) -> Iterator[dict[str, Any]]:
        number, revisions = history.file_no, history.in_time
        before = {now.revision: then.revision for then, now in pairwise(revisions)}
        for each in revisions:
            now = known[each.revision]
            if now is None:
                continue
            earlier = before.get(each.revision)
            then = known[earlier] if earlier is not None else None
            changed, effective, name = None, effective_of(now[1]), None
            if then is not None:
                pair = f"{_named(then[0].file_revision)}-{_named(each.revision)}"
                name = f"differences/{number}@{pair}"
                effective = effective_of_change(then[1], now[1])
                changed = self._differ(name, then, now)
                name = f"{name}.html" if changed else None
            yield {
                "event_id": f"backfilled/{self._registry}/{number}/{each.revision}",
                "kind": "new" if earlier is None else "text_changed",
                "detected_at": now[0].read_at,
                "push": False,
                "backfilled": True,
                "date": each.date or None,
                "title": history.title,
                "fileNo": number,
                "fileRevision": each.revision,
                "articles_changed": None if changed is None else str(changed),
                "text": f"texts/{number}@{_named(each.revision)}.md",
                "difference": name,
                "effective": effective.date,
                "effective_text": effective.text or None,
            }

    def _differ(
        self, name: str, then: tuple[TextVersion, str], now: tuple[TextVersion, str]
    ) -> int:
        """Store a difference, if there is any; return the number of changed articles."""
        changed, document, page = difference_files(then[0], now[0], then[1], now[1])
        if changed:
            _write(self._folder / f"{name}.json", document)
            _write(self._folder / f"{name}.html", page)
        return changed

    def _list(self, file_no: str) -> Path:
        return self._folder / "history" / f"{file_no}.json"

    def _text(self, file_no: str, revision: str) -> Path:
        return self._folder / "texts" / f"{file_no}@{_named(revision)}.md"

    def _lines_of(self, file_no: str) -> Path:
        return self._folder / "archive" / f"{file_no}.jsonl"


def _named(revision: str) -> str:
    """Return a revision as part of a file's name; a long word would be longer than a name may."""
    if len(revision.encode()) <= _NAME_BYTES:
        return revision
    return hashlib.sha256(revision.encode()).hexdigest()[:24]


def _version(head: str) -> TextVersion:
    values = dict(line.split(": ", 1) for line in head.splitlines())
    read = {name: json.loads(value) for name, value in values.items()}
    return TextVersion(
        file_no=read["fileNo"],
        file_revision=read["fileRevision"],
        title=read["title"],
        source_url=read["sourceUrl"],
        source_sha256=read["sourceSha256"],
        text_sha256=read["textSha256"],
        format=read["format"],
        read_at=read["readAt"],
    )


def _write(path: Path, body: bytes) -> None:
    """Write a file whole: a reader, or a run after a kill, sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(body)
    os.replace(draft, path)  # noqa: PTH105 - the atomic one
