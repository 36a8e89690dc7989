"""Attachments of a page and their texts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from uring.clock import timestamp
from uring.documents.api.answers import ListRow, cut, etag_for, first_of, name_in, sent, unchanged
from uring.documents.api.fields import (
    After,
    Characters,
    IfNoneMatch,
    LanguageQuery,
    Limit,
    Offset,
    PagePath,
    SourcePath,
)
from uring.documents.api.models import Extracted, LeftOut, PolicyItem, PolicyList, PolicyText
from uring.documents.names import Attachment, attachments, source_problem
from uring.documents.store.policies import PolicyEntry, PolicyStore
from uring.errors import Unavailable
from uring.objects import Bucket, Listed, ObjectHead
from uring.runtime.document import ProblemDetails
from uring.runtime.http import Answer, Problem
from uring.runtime.routes import Route, RouteResponse

_PATH: Final = "/api/v1/pages/<page>/policies"
_MOST_TRIES: Final = 3
# The most objects that one request looks at: five requests to S3.
_MOST_LOOKED_AT: Final = 5_000
_MOST_LEFT_OUT: Final = 20
_MOST_NAME: Final = 200


class PolicyRoutes:
    """The operations on policies; they only read."""

    def __init__(self, store: PolicyStore, bucket: Bucket) -> None:
        self._store = store
        self._bucket = bucket

    def routes(self) -> list[Route]:
        """Return the operations."""
        text = RouteResponse(
            "the text, or the reason for a missing text", PolicyText, {"ETag": "of this part"}
        )
        return [
            Route(
                "GET",
                _PATH,
                self.list_policies,
                {200: RouteResponse("found", PolicyList)},
                "policies",
            ),
            Route(
                "GET",
                f"{_PATH}/<source>",
                self.get_policy,
                {
                    200: text,
                    304: RouteResponse(
                        "the caller has it already", headers={"ETag": "of this part"}
                    ),
                    404: RouteResponse("there is no text yet: submit a job", ProblemDetails),
                },
                "policies",
            ),
        ]

    def list_policies(self, page: PagePath, limit: Limit = 50, after: After = "") -> Answer:
        """List the attachments of a page, with their texts and translations.

        An object with a name that is not valid for an attachment is left out, and told. A part may
        be empty and have a `next`: the list ends where `next` is null.
        """
        behind = name_in(after, attachments(page))
        entries: dict[str, list[PolicyEntry | None]] = {}
        for source, entry in self._store.each(page, behind):
            entries.setdefault(source, []).append(entry)
        left_out: list[LeftOut] = []
        part = first_of(
            self._rows(page, behind, entries, left_out), limit, most_looked_at=_MOST_LOOKED_AT
        )
        return sent(
            PolicyList(
                policies=part.items, left_out=left_out, unreadable=part.unreadable, next=part.next
            )
        )

    def get_policy(
        self,
        page: PagePath,
        source: SourcePath,
        language: LanguageQuery = "",
        offset: Offset = 0,
        limit: Characters = 50_000,
        if_none_match: IfNoneMatch = "",
    ) -> Answer:
        """Return the text of a policy, or a part of it, in its own language or a translation.

        If the attachment has changed since, `is_current` is false. A part with many bytes is
        shorter than `limit`: the text continues at `next_offset`.
        """
        for _ in range(_MOST_TRIES):
            entry = self._store.get(page, source, language)
            if entry is None:
                break
            is_current = self._is_current(entry)
            etag = etag_for(entry.model_dump(mode="json"), is_current, offset, limit)
            if (same := unchanged(if_none_match, etag)) is not None:
                return same
            try:
                text = self._store.text(entry) if entry.has_text else ""
            except Unavailable:
                if self._store.get(page, source, language) == entry:
                    raise
                # Replaced between the two reads.
                continue
            piece = cut(text, offset, limit)
            return sent(PolicyText.of(entry, piece, offset, is_current=is_current), etag=etag)
        else:
            raise Unavailable(f"{page}: {source}: it was replaced during every try")
        detail = (
            "there is no such text yet: submit a job with the operation `policy`, see POST jobs"
        )
        raise Problem(404, "Not Found", detail)

    def _rows(
        self,
        page: str,
        behind: str,
        entries: Mapping[str, Sequence[PolicyEntry | None]],
        left_out: list[LeftOut],
    ) -> Iterator[ListRow[PolicyItem]]:
        """Yield the objects of a page by name; tell the first few that are not attachments."""
        folder = attachments(page)
        for listed in self._bucket.list(folder, f"{folder}{behind}"):
            name = listed.key.removeprefix(folder)
            reason = source_problem(name)
            if reason:
                # The folder's own mark, made by S3's console, is nobody's upload.
                if name and len(left_out) < _MOST_LEFT_OUT:
                    short = ascii(name)[1:-1][:_MOST_NAME]
                    left_out.append(LeftOut(name=short, reason=reason))
                yield ListRow(name, None)
                continue
            found = entries.get(name, ())
            readable = [entry for entry in found if entry is not None]
            yield ListRow(name, _item(listed, name, readable), len(readable) < len(found))

    def _is_current(self, entry: PolicyEntry) -> bool:
        head = self._bucket.head(Attachment(entry.page, entry.source).key)
        original = self._store.get(entry.page, entry.source) if entry.language else entry
        return _is_current(entry, original, head)


def _item(listed: Listed, source: str, entries: list[PolicyEntry]) -> PolicyItem:
    original = next((entry for entry in entries if not entry.language), None)
    texts = [_extracted(entry, _is_current(entry, original, listed)) for entry in entries]
    return PolicyItem(
        source=source,
        modified=timestamp(listed.modified) if listed.modified else None,
        original=next((text for text in texts if not text.language), None),
        translations=[text for text in texts if text.language],
    )


def _is_current(
    entry: PolicyEntry, original: PolicyEntry | None, attachment: ObjectHead | Listed | None
) -> bool:
    if original is None or attachment is None or not original.is_of(attachment):
        return False
    return not entry.language or entry.is_translation_of(original)


def _extracted(entry: PolicyEntry, is_current: bool) -> Extracted:  # noqa: FBT001
    values = entry.model_dump(include=set(Extracted.model_fields))
    return Extracted.model_validate({**values, "is_current": is_current})
