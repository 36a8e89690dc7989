"""The last good answer of each watched file, as small as a thousand domains need it. Pure.

Kept are validators and what a 304 stands for: of a robots.txt its bytes, of a sitemap its numbers,
of an index its children too. An answer that is too long for this is not kept: it is read whole.
A file is also read whole at each seventh look, for a server may wrongly say 304 for ever.
"""

import base64
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, cast, get_args

from pydantic import Field

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp
from uring.fetch.request import Validators
from uring.seeds.collect.sitemap import Kind, SitemapFile
from uring.seeds.known.files import KnownFile, KnownFiles
from uring.seeds.watch.watch import File

_KINDS: Final = frozenset(get_args(Kind))
_DAY: Final = timedelta(days=1)
_LOOKS: Final = 7
# The least number of looks after which a file is read whole: they are spread over the domains.
_FEWEST_LOOKS: Final = 4
# A server that knows dates alone may say 304 to a file that was put back with its old date.
_LOOKS_BY_DATE: Final = 2
# Of an answer that was not seen again.
_LONGEST: Final = timedelta(days=30)
# robots.txt and the sitemaps that a check reads.
_MOST_FILES: Final = 5
_MOST_LETTERS: Final = 3_000
_MOST_PACKED: Final = 1_024
_MOST_BYTES: Final = 16_384


def _short(default: Any) -> Any:
    """Return a field that is left out of the state where it has its default."""
    return Field(default=default, exclude_if=lambda value: value == default)


class KeptFile(StatePart):
    """The last good answer of one address.

    Attributes:
        url: the address that gave the validators, after redirects.
        at: when it was read whole.
        etag: as received.
        modified: Last-Modified as received.
        kind: of a sitemap; empty for a robots.txt.
        urls: the number of URLs of a sitemap.
        packed: the bytes of a robots.txt, or the children of an index by lines; zlib, Base64.
        digest: SHA-256 of a sitemap that is compared by its bytes.
        is_cut: a sitemap is truncated.
        is_false: see `KnownFile`.
    """

    url: str
    at: Timestamp
    etag: str | None = _short(None)
    modified: str | None = _short(None)
    kind: str = _short("")
    urls: int = _short(0)
    packed: str = _short("")
    digest: str = _short("")
    is_cut: bool = _short(default=False)
    is_false: bool = _short(default=False)

    @property
    def file(self) -> File:
        """The watched file that it belongs to."""
        return "sitemap" if self.kind else "robots"


def known_files(
    kept: Iterable[KeptFile], now: datetime, interval: timedelta, doubtful: Collection[File] = ()
) -> KnownFiles:
    """Return the files that a check's requests may be conditional on.

    Args:
        kept: of the domain.
        now: aware UTC.
        interval: between two checks.
        doubtful: the files whose change waits for its second look: they need an ETag. A file that
            was put back has its old date again, and a server may say 304 to any later one.
    """
    known = {}
    for each in kept:
        file = _known(each)
        if file is None:
            continue
        sent = file.validators
        if not _is_fresh(each, now, interval):
            sent = Validators()
        elif each.file in doubtful:
            sent = Validators(etag=each.etag)
        known[each.url] = replace(file, sent=sent)
    return KnownFiles(known)


def kept_files(
    known: KnownFiles, before: Iterable[KeptFile], now: datetime, *, by_bytes: bool
) -> tuple[KeptFile, ...]:
    """Return what is kept after a check.

    An answer that was not seen is the last good one: of a robots.txt that is missing today, too.

    Args:
        known: the files of the check.
        before: what was kept.
        now: aware UTC.
        by_bytes: True if sitemaps are compared by their bytes.
    """
    stored = {each.url: each for each in before}
    found = [*_found(known, stored, by_bytes=by_bytes)]
    urls = known.replaced | {each.url for each in found}
    found += [
        each
        for each in stored.values()
        if each.url not in urls and now - parse_timestamp(each.at) < _LONGEST
    ]
    kept, letters = list[KeptFile](), 0
    for each in found[:_MOST_FILES]:
        letters += len(each.model_dump_json())
        if letters > _MOST_LETTERS:
            break
        kept.append(each)
    return tuple(kept)


def drop_long(known: KnownFiles) -> None:
    """Drop what is too long to be kept: a round holds the files of a thousand domains."""
    for url, file in [*known.read.items()]:
        locs = file.sitemap.locs if file.sitemap else ()
        if len(file.body) + sum(map(len, locs)) > _MOST_BYTES:
            del known.read[url]


def _found(known: KnownFiles, stored: dict[str, KeptFile], *, by_bytes: bool) -> Iterator[KeptFile]:
    for url, file in known.read.items():
        each = stored[url] if url not in known.replaced else _kept(url, file, by_bytes=by_bytes)
        if each is not None:
            yield each


def _is_fresh(each: KeptFile, now: datetime, interval: timedelta) -> bool:
    spread = zlib.crc32(each.url.encode()) % (_LOOKS - _FEWEST_LOOKS + 1)
    looks = _FEWEST_LOOKS + spread if each.etag else _LOOKS_BY_DATE
    # Checks are not exactly an interval apart.
    most = max(looks * interval - interval / 2, _DAY - interval / 2)
    return timedelta() <= now - parse_timestamp(each.at) < most


def _kept(url: str, file: KnownFile, *, by_bytes: bool) -> KeptFile | None:
    """Return a file for the state; None if it is too long."""
    head = {"url": url, "at": file.read_at, "is_false": file.is_false}
    head |= {"etag": file.validators.etag, "modified": file.validators.last_modified}
    sitemap = file.sitemap
    if sitemap is None:
        packed = _packed(file.body)
        return None if packed is None else KeptFile(**head, packed=packed)
    if any("\n" in loc for loc in sitemap.locs):
        return None
    packed = _packed("\n".join(sitemap.locs).encode())
    if packed is None:
        return None
    return KeptFile(
        **head,
        kind=sitemap.kind or "",
        urls=sitemap.url_count,
        packed=packed,
        digest=sitemap.digest if by_bytes else "",
        is_cut=sitemap.truncated,
    )


def _known(each: KeptFile) -> KnownFile | None:
    """Return the file as it was read; None if a newer release wrote it."""
    validators = Validators(etag=each.etag, last_modified=each.modified)
    body = _unpacked(each.packed)
    if body is None or not (each.kind in _KINDS or not each.kind):
        return None
    if not each.kind:
        return KnownFile(validators, each.at, body, is_false=each.is_false)
    sitemap = SitemapFile(
        b"",
        kind=cast("Kind", each.kind),
        url_count=each.urls,
        locs=tuple(body.decode("utf-8", "replace").split("\n")) if body else (),
        truncated=each.is_cut,
        digest=each.digest,
    )
    return KnownFile(validators, each.at, sitemap=sitemap, is_false=each.is_false)


def _packed(content: bytes) -> str | None:
    """Return bytes for the state; None for too many."""
    if not content:
        return ""
    if len(content) > _MOST_BYTES:
        return None
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    return packed if len(packed) <= _MOST_PACKED else None


def _unpacked(packed: str) -> bytes | None:
    """Return the bytes; None for what this release did not write."""
    if not packed:
        return b""
    try:
        return zlib.decompressobj().decompress(base64.b64decode(packed, validate=True), _MOST_BYTES)
    except (ValueError, zlib.error):
        return None
