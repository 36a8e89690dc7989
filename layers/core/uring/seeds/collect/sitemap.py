"""Parses the bytes of a file as a sitemap: pure, never raises.

    gzip off ─► text ─► XML by expat ─┬─► counts
                                      └─► malformed: its <loc> are searched one by one

The root element decides, not a name or type: pages mention the namespace, and sites send their home
page with 200 for missing files.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Final, Literal

from uring.fetch.decode import decode_plain
from uring.seeds.collect.gunzip import gunzip
from uring.seeds.collect.sitemap_xml import (
    LONGEST_LOC,
    MOST_LOCS,
    ROOTS,
    Counts,
    Fault,
    count_xml,
)

Kind = Literal["urlset", "sitemapindex", "rss", "feed", "text"]
ParseMode = Literal["strict", "recovered"]
Reason = Literal["", "empty", "malformed", "doctype", "limit", "html", "not_a_sitemap", "repeated"]

Each = Callable[[str], object]
"""Called with the URL of each page."""

_SPACE: Final = " \t\r\n\ufeff"
_UTF_8: Final = frozenset(("utf-8", "utf8", "us-ascii"))
_BYTES_BEFORE: Final = b" \t\r\n\xef\xbb\xbf"
_MARKUP: Final = re.compile(rb"(?:\xef\xbb\xbf)?+\s*+<(?!!DOCTYPE)[^\0]", re.IGNORECASE)
_DECLARED: Final = re.compile(
    rb"\s*+<\?xml[^>]{0,200}?encoding\s*+=\s*+[\"']([A-Za-z0-9_.:-]{1,40})"
)
_NAME: Final = r"[A-Za-z_][\w.-]{0,60}"
_TAG: Final = re.compile(rf"<((?:{_NAME}:)?)({_NAME})")
# Warnings of the site's own software precede many a sitemap.
_JUNK_CHARACTERS: Final = 4_096
_MOST_PROLOG: Final = 1_000
_ROOT: Final = re.compile(rf"<((?:{_NAME}:)?)(urlset|sitemapindex)[\s/>]")
_CDATA: Final = r"(?:<!\[CDATA\[)?+"
# At the end of the text it is cut.
_LOC_TEXT: Final = rf"\s*+{_CDATA}\s*+([^<]{{1,{LONGEST_LOC + 4}}}+)(?!\Z)"
_ADDRESS: Final = re.compile(
    r"(?:https?:/)?/[^<>\"]*\Z|[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}/[^<>\"]*\Z", re.IGNORECASE
)
_URL_LINE: Final = re.compile(r"^[ \t]*+(https?://\S++)[ \t]*+$", re.IGNORECASE | re.MULTILINE)
# Remarks may precede it.
_FIRST_URL: Final = re.compile(
    r"(?:[ \t]*+(?:#[^\n]*+)?+\n)*+[ \t]*+(https?://\S++)[ \t]*+$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class SitemapFile:
    """A file, parsed as a sitemap.

    Attributes:
        content: without gzip; its beginning if truncated.
        kind: None if it is not a sitemap.
        url_count: for an index the number of its children.
        locs: the children of an index, in their order, at most 50,000.
        refused: the number of empty or too long ``loc``.
        contents: see `Counts`; empty for a recovered file.
        newest: the latest ``lastmod`` as written.
        parse_mode: ``recovered`` if the XML has an error and ``<loc>`` were searched.
        truncated: True if the count covers the beginning only: bytes are missing, or the root
            element has no end.
        encoding: the codec that decoded it.
        layers: the number of gzip layers.
        digest: SHA-256 of ``content``, in hexadecimal; empty until it is needed.
        reason: why it is not a sitemap, was recovered or cut short; empty if flawless.
        detail: more on the reason.
    """

    content: bytes
    kind: Kind | None = None
    url_count: int = 0
    locs: tuple[str, ...] = ()
    refused: int = 0
    contents: Mapping[str, int] = field(default_factory=dict)
    newest: str = ""
    parse_mode: ParseMode = "strict"
    truncated: bool = False
    encoding: str = ""
    layers: int = 0
    digest: str = ""
    reason: Reason = ""
    detail: str = ""


def read_sitemap(
    body: bytes, *, truncated: bool, max_bytes: int, each: Each | None = None
) -> SitemapFile:
    """Parse a file; a broken one has a reason.

    Args:
        body: as received.
        truncated: True if more bytes would have followed.
        max_bytes: of the inflated file; the rest is ignored.
        each: called with the URL of each page, of a broken file more than once; not for feeds.
    """
    unpacked = gunzip(body, max_bytes)
    content = unpacked.content[:max_bytes]
    truncated = truncated or unpacked.truncated or len(unpacked.content) > max_bytes
    file = SitemapFile(content, truncated=truncated, layers=unpacked.layers)
    found = _DECLARED.match(content[:512])
    declared = found[1].decode("ascii").lower() if found else "utf-8"
    if declared in _UTF_8 and _MARKUP.match(content[:512]):
        # Expat parses UTF-8 bytes directly: as text a single emoji would take four times the
        # memory.
        counts = count_xml(content.lstrip(_BYTES_BEFORE), truncated=truncated, each=each)
        if counts.kind is not None and counts.fault in ("", "limit"):
            return _counted(replace(file, encoding="utf-8"), counts)
    return _read_text(file, declared, each)


def _read_text(file: SitemapFile, declared: str, each: Each | None) -> SitemapFile:
    decoded = decode_plain(file.content, declared)
    file = replace(file, encoding=decoded.encoding)
    text = decoded.text.strip(_SPACE)
    if not text:
        return replace(file, reason="empty")
    if text[:14].lower() == "<!doctype html":
        return replace(file, reason="html")
    if not text.startswith("<"):
        return _without_markup(file, text, each)
    counts = count_xml(text.encode("utf-8", "replace"), truncated=file.truncated, each=each)
    if counts.fault == "not_a_sitemap" and (found := _ROOT.search(text[:_JUNK_CHARACTERS])):
        return _behind_junk(file, text, found, each)
    if counts.kind is None or counts.fault in ("malformed", "doctype"):
        return _recovered(file, text, *_root(text), counts, each)
    return _counted(file, counts)


def _counted(file: SitemapFile, counts: Counts) -> SitemapFile:
    # A limit ends the count like the end of the bytes.
    return replace(
        file,
        kind=counts.kind,
        url_count=counts.count,
        locs=tuple(counts.locs),
        refused=counts.refused,
        contents=dict(counts.contents),
        newest=counts.newest,
        truncated=file.truncated or counts.fault == "limit",
        reason=counts.fault,
        detail=counts.detail,
    )


def _without_markup(file: SitemapFile, text: str, each: Each | None) -> SitemapFile:
    """Parse one URL per line, or XML after other text."""
    text = text.replace("\r", "\n")
    first = _FIRST_URL.match(text)
    if first and len(first[1]) <= LONGEST_LOC:
        urls = [found[1] for found in _URL_LINE.finditer(text)]
        good = [url for url in urls if len(url) <= LONGEST_LOC]
        if each is not None:
            for url in good:
                each(url)
        refused = len(urls) - len(good)
        return replace(file, kind="text", url_count=len(good), refused=refused)
    found = _ROOT.search(text[:_JUNK_CHARACTERS])
    return _behind_junk(file, text, found, each) if found else replace(file, reason="not_a_sitemap")


def _behind_junk(
    file: SitemapFile, text: str, root: re.Match[str], each: Each | None
) -> SitemapFile:
    counts = Counts(fault="malformed", detail="text precedes the root element")
    return _recovered(file, text[root.start() :], root[1], root[2], counts, each)


def _recovered(
    file: SitemapFile, text: str, prefix: str, name: str, counts: Counts, each: Each | None
) -> SitemapFile:
    """Search the URLs one by one in the whole text. Entities are not expanded."""
    kind = ROOTS.get(name)
    if kind is None or counts.fault == "limit":
        fault: Fault = "html" if name.lower() == "html" else counts.fault
        if fault in ("", "malformed", "doctype"):
            fault = "not_a_sitemap"
        return replace(file, reason=fault, detail=counts.detail)
    file = replace(
        file,
        kind=kind,
        parse_mode="recovered",
        reason=counts.fault,
        detail=counts.detail,
        truncated=file.truncated or not re.search(rf"</{re.escape(prefix + name)}\s*>", text),
    )
    if kind in ("rss", "feed"):
        items = re.compile(
            rf"<(?:{re.escape(prefix)})?{'item' if kind == 'rss' else 'entry'}[\s/>]"
        )
        return replace(file, url_count=sum(1 for _ in items.finditer(text)))
    loc = re.compile(rf"<{re.escape(prefix)}loc(?:\s[^<>]{{0,200}}+)?>{_LOC_TEXT}")
    locs: list[str] = []
    count = refused = 0
    for found in loc.finditer(text):
        value = unescape(found[1].partition("]]>")[0]).strip()
        if not _ADDRESS.match(value) or len(value) > LONGEST_LOC:
            refused += 1
            continue
        count += 1
        if kind == "urlset":
            if each is not None:
                each(value)
        elif len(locs) < MOST_LOCS:
            locs.append(value)
    return replace(file, url_count=count, locs=tuple(locs), refused=refused)


def _root(text: str) -> tuple[str, str]:
    """Return prefix (with its colon) and local name of the first element, or empty texts."""
    at = 0
    for _ in range(_MOST_PROLOG):
        at = text.find("<", at)
        if at < 0:
            break
        if found := _TAG.match(text, at):
            return found[1], found[2]
        at = _behind(text, at)
    return "", ""


def _behind(text: str, at: int) -> int:
    """Return the end of the instruction, comment or declaration that begins at ``at``."""
    if text.startswith("<?", at):
        end = text.find("?>", at)
    elif text.startswith("<!--", at):
        end = text.find("-->", at)
    elif text.startswith("<!", at):
        end = text.find(">", at)
        subset = text.find("[", at, max(end, at))
        end = text.find("]", subset) if subset >= 0 else end
    else:
        end = at + 1
    return end if end >= 0 else len(text)
