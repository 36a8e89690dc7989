"""The URLs of a domain's sitemaps by hashes, and the texts of new ones: small for any site. Pure.

sitemap_urls.hashes     64 bits a URL, in order
new_urls.jsonl.gz       a line about the difference, and a line for each URL
"""

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from typing import Final

from pydantic import BaseModel, ConfigDict

from uring.clock import Timestamp

MOST_URLS: Final = 50_000
"""The most URLs of a domain that are compared."""
_MOST_BYTES: Final = 8_000_000
# Of each letter of a text that is not ASCII, at most.
_WIDTH: Final = 4
_BYTES: Final = 8
_MOST_READ: Final = 64_000_000


@dataclass(slots=True)
class SitemapUrls:
    """The URLs of all sitemaps of one collection.

    Attributes:
        earlier: the hashes of the collection before; None if there was none.
        hashes: of the URLs, at most `MOST_URLS`.
        new: by hash, the texts of the URLs that the collection before lacks; 8 MB at most.
        is_cut: there were more URLs, or more new ones.
    """

    earlier: AbstractSet[int] | None = None
    hashes: set[int] = field(default_factory=set)
    new: dict[int, str] = field(default_factory=dict)
    is_cut: bool = False
    _size: int = 0

    def add(self, url: str) -> None:
        """Add a URL; a repeated one counts once."""
        key = hash_of(url)
        if key in self.hashes:
            return
        if len(self.hashes) >= MOST_URLS:
            self.is_cut = True
            return
        self.hashes.add(key)
        if self.earlier is None or key in self.earlier:
            return
        self._size += len(url) * (1 if url.isascii() else _WIDTH)
        if self._size > _MOST_BYTES:
            self.is_cut = True
        else:
            self.new[key] = url


class NewUrls(BaseModel):
    """The difference of a collection from the one before.

    Attributes:
        url_count: the number of new URLs.
        is_complete: True if both collections have all URLs of the domain, and the file each new
            one.
        since: when the collection before was made.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    url_count: int
    is_complete: bool
    since: Timestamp


def hash_of(url: str) -> int:
    """Return 64 bits of a URL as it is written."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=_BYTES).digest())


def pack_hashes(hashes: Iterable[int]) -> bytes:
    """Return hashes as bytes, in order."""
    return b"".join(key.to_bytes(_BYTES) for key in sorted(hashes))


def unpack_hashes(content: bytes) -> set[int]:
    """Return the hashes of `pack_hashes`; a rest of a hash is ignored."""
    ends = range(_BYTES, min(len(content), MOST_URLS * _BYTES) + 1, _BYTES)
    return {int.from_bytes(content[end - _BYTES : end]) for end in ends}


def write_new_urls(head: NewUrls, domain: str, epoch: str, urls: Iterable[str]) -> bytes:
    """Return the file: a line about the difference, then ``{"url": …}`` for each URL; gzip."""
    about = {"registrable_domain": domain, "epoch": epoch, **head.model_dump(mode="json")}
    content = io.BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as file:
        for line in chain([about], ({"url": url} for url in urls)):
            file.write(json.dumps(line).encode() + b"\n")
    return content.getvalue()


def read_new_urls(content: bytes) -> tuple[str, list[str]]:
    """Return the epoch of a file and its URLs; nothing of a file that cannot be read."""
    try:
        text = zlib.decompressobj(31).decompress(content, _MOST_READ)
        lines: Iterator[dict[str, object]] = map(json.loads, io.BytesIO(text))
        epoch = str(next(lines, {})["epoch"])
        return epoch, [str(line["url"]) for line in lines]
    except (ValueError, KeyError, TypeError, zlib.error):
        return "", []
