"""Decoding: the bytes of a page become its text.

    pinned by the entry → byte-order mark → proof of UTF-8 → that of the last good read
      → Content-Type → <meta> → UTF-8 → CP949, and of East Asian ones the reading that makes sense

A declared charset is a hint: servers send one default charset for all their boards. A declared
charset that does not decode strictly gives way to the next candidate that does. So one page reads
the same in UTF-8 and in CP949, declared rightly, wrongly or not at all (N20).

Three rules of order need a reason:

- Bytes that are valid UTF-8 and hold a character of three bytes or more are UTF-8 under any
  declaration: Korean text in CP949 is never that by accident, while UTF-8 can pass for CP949.
- "iso-8859-1" and its kin accept nearly every byte and are servers' defaults, so they are believed
  only after every other candidate has failed.
- GB18030, Big5, Shift_JIS and EUC-JP pass for CP949, and CP949 for them. So a candidate whose
  letters are rare ones gives way to a reading with common letters (`uring.fetch.languages`). Where
  no reading has them the page is refused: wrong titles would be pushed.

Nothing else is normalised here: NUL and other control characters, line ends and Unicode forms
stay as the page has them; the parser deals with them.
"""

import re
from dataclasses import dataclass
from typing import Final

from uring.errors import SuspectPage
from uring.fetch.languages import EAST_ASIAN, FEW, NO_SENSE, best_reading, sense_of

# The table is the allow-list: all other labels are unknown. `codecs.lookup` is never called: it
# imports modules by name, remembers every name, and knows codecs that are not text encodings (zip,
# hex) or that hide markup (utf-7).
#
# A superset stands for its subset where the web does the same (encoding.spec.whatwg.org,
# section 4.2): pages that call themselves EUC-KR use the 8,822 syllables that only CP949 has,
# and "iso-8859-1" means windows-1252.
_LABELS_OF: Final = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8",
    "utf-16": "utf-16 utf16 unicode ucs-2 iso-10646-ucs-2",
    "utf-16-le": "utf-16le utf-16-le",
    "utf-16-be": "utf-16be utf-16-be",
    "cp949": (
        "cp949 ms949 uhc windows-949 x-windows-949 euc-kr euckr cseuckr korean iso-ir-149"
        " ks-c-5601 ks-c-5601-1987 ks-c-5601-1989 ksc5601 ksc-5601 ksc-5601-1987 csksc56011987"
        " ks-x-1001 ksx1001"
    ),
    "johab": "johab cp1361 ms1361",
    "gb18030": "gb18030 gbk x-gbk cp936 ms936 gb2312 gb-2312 gb-2312-80 euc-cn chinese",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 cp950",
    "cp932": "shift-jis shiftjis sjis x-sjis ms932 cp932 windows-31j ms-kanji",
    "euc-jp": "euc-jp eucjp x-euc-jp",
    "koi8-r": "koi8-r koi8 koi",
    "koi8-u": "koi8-u koi8-ru",
    "cp874": "cp874 windows-874 tis-620 iso-8859-11",
    "cp1252": (
        "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 latin1 latin-1 l1 ascii"
        " us-ascii ansi-x3.4-1968 iso-ir-100"
    ),
    "cp1254": "windows-1254 cp1254 iso-8859-9 iso8859-9 latin5",
    **{f"cp{page}": f"windows-{page} cp{page} x-cp{page}" for page in (1250, 1251, 1253)},
    **{f"cp{page}": f"windows-{page} cp{page} x-cp{page}" for page in (1255, 1256, 1257, 1258)},
    **{
        f"iso8859-{part}": f"iso-8859-{part} iso8859-{part} iso8859{part}"
        for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)
    },
}
_CODEC_OF: Final = {
    label: codec for codec, labels in _LABELS_OF.items() for label in labels.split()
}
_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WEAK: Final = "cp1252"
_REMEDY: Final = 'set "encoding" in the entry to the charset of the page'
_HEAD_BYTES: Final = 4096
_MIN_LOST: Final = 5
_SAMPLE_BYTES: Final = 256
# RFC 3629, section 3: the bytes of a letter beyond ASCII.
_LONGEST_LETTER: Final = 4
_FIRST_OF_MANY: Final = 0xC0
_FOLLOWING: Final = 0x80

_HEADER_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META: Final = re.compile(rb"<meta[\s/][^>]{0,500}", re.IGNORECASE)
_META_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(
    rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{1,40})"
)
# Written as its complement: the ranges above take a hundredth of a start to compile.
_THREE_BYTES_OR_MORE: Final = re.compile("[^\0-\u07ff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's text, without byte-order mark, and the Python codec that read it."""

    text: str
    encoding: str


def decode_html(
    body: bytes, content_type: str | None, pinned: str | None = None, known: str = ""
) -> Decoded:
    """Decode a page; the order of the candidates is in the module's docstring.

    Args:
        body: the inflated body.
        content_type: the Content-Type header as received, if any.
        pinned: the charset label of the config entry; it overrules the page's own declarations.
        known: the codec of the last good read; empty or an unknown one does not count.

    Raises:
        SuspectPage: ``unreadable_text``. Many letters are rare ones in every reading. Or with the
            best candidate five or more characters are U+FFFD, and they are over 1 % of all
            characters or over 20 % of those beyond ASCII (a page is mostly markup, so the second
            share shows a wrong charset).
    """
    if pinned is not None:
        return _decode_pinned(body, pinned)
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _believed(body.decode(codec, "replace"), codec, [codec])
    header = _header_codec(content_type)
    if header is not None and header.startswith("utf-16"):
        # Every second byte of UTF-16 markup is NUL; without one the label is a mistake.
        if b"\0" in body[:256]:
            return _believed(body.decode(header, "replace"), header, [header])
        header = None
    utf8 = _strict(body, "utf-8")
    if utf8 is not None and (body.isascii() or _THREE_BYTES_OR_MORE.search(utf8)):
        return _believed(utf8, "utf-8", ["utf-8"])
    declared = [codec for codec in (header, _inner_codec(body)) if codec is not None]
    last = [known] if known in _LABELS_OF else []
    before = last if known in EAST_ASIAN else []
    return _choose(body, [*before, *declared, *last])


def decode_plain(body: bytes, declared: str | None = None) -> Decoded:
    """Decode a file that names no charset of its own in markup: robots.txt, sitemaps.

    The order is: byte-order mark, the NULs of UTF-16, proof of UTF-8, the declared charset, and
    Latin-1, which reads everything. An incomplete last letter of UTF-8 is left out.

    Args:
        body: the bytes.
        declared: a charset label from the file's format, such as that of an XML declaration.
    """
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Decoded(body.decode(codec, "replace").removeprefix("\ufeff"), codec)
    head = body[:_SAMPLE_BYTES]
    for codec, letters, nuls in (("utf-16-le", 0, 1), ("utf-16-be", 1, 0)):
        # Markup and addresses are ASCII, so that nearly every second byte is NUL.
        if head[nuls::2].count(0) * 2 > len(head[nuls::2]) and 0 not in head[letters::2]:
            return Decoded(body.decode(codec, "replace"), codec)
    codec = codec_for(declared or "") or ""
    for candidate in ("utf-8", codec if not codec.startswith("utf-16") else ""):
        text = _strict(_whole_letters(body), candidate) if candidate else None
        if text is not None:
            return Decoded(text, candidate)
    return Decoded(body.decode("latin-1"), "latin-1")


def _whole_letters(body: bytes) -> bytes:
    """Return UTF-8 bytes without an incomplete last letter."""
    for length in range(1, min(_LONGEST_LETTER, len(body)) + 1):
        byte = body[-length]
        if byte >= _FIRST_OF_MANY:
            return body if length >= _letter_bytes(byte) else body[:-length]
        if byte < _FOLLOWING:
            break
    return body


def _letter_bytes(first: int) -> int:
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4  # noqa: PLR2004 - RFC 3629, section 3


def _choose(body: bytes, named: list[str]) -> Decoded:
    tried = list(dict.fromkeys([*named, "utf-8", "cp949"]))
    text, codec = _first_reading(body, [codec for codec in tried if codec != _WEAK])
    lost = text.count("\ufffd")
    is_lost = lost > 0 and lost * 5 > _beyond_ascii(text)
    if codec == "utf-8" and not is_lost:
        return _believed(text, codec, tried)
    sense = sense_of(text, codec) if codec in EAST_ASIAN else NO_SENSE
    if sense.is_clear or (codec in named and codec in EAST_ASIAN and sense.letters < FEW):
        return _believed(text, codec, tried)
    other, other_codec, other_sense = best_reading(body)
    if sense.is_beaten_by(other_sense):
        return _believed(other, other_codec, [*tried, other_codec])
    if _WEAK in tried and is_lost:
        return _believed(body.decode(_WEAK, "replace"), _WEAK, tried)
    if sense.is_poor:
        raise SuspectPage(
            "unreadable_text",
            f"as {codec} most letters are rare ones: the page is probably in another charset "
            f"(tried {', '.join(dict.fromkeys([*tried, *EAST_ASIAN]))}); {_REMEDY}",
        )
    return _believed(text, codec, tried)


def _first_reading(body: bytes, codecs: list[str]) -> tuple[str, str]:
    """Return text and codec of the first strict reading, or that with the fewest lost letters."""
    for codec in codecs:
        text = _strict(body, codec)
        if text is not None:
            return text, codec
    readings = [(body.decode(codec, "replace"), codec) for codec in codecs]
    return min(readings, key=lambda reading: reading[0].count("\ufffd"))


def _decode_pinned(body: bytes, pinned: str) -> Decoded:
    codec = codec_for(pinned)
    if codec is None:
        raise SuspectPage(
            "unreadable_text",
            f'"encoding": {pinned[:40]!r} in the entry is not a known charset;'
            ' use for example "utf-8" or "euc-kr"',
        )
    return _believed(body.decode(codec, "replace"), codec, [codec])


def _believed(text: str, codec: str, tried: list[str]) -> Decoded:
    lost = text.count("\ufffd")
    if lost >= _MIN_LOST and (lost * 100 > len(text) or lost * 5 > _beyond_ascii(text)):
        raise SuspectPage(
            "unreadable_text",
            f"{lost} of {len(text)} characters cannot be read as {codec}"
            f" (tried {', '.join(tried)}); {_REMEDY}",
        )
    return Decoded(text.removeprefix("\ufeff"), codec)


def _strict(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except UnicodeDecodeError:
        return None


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _header_codec(content_type: str | None) -> str | None:
    found = _HEADER_CHARSET.search(content_type or "")
    return codec_for(found[1]) if found else None


def _inner_codec(body: bytes) -> str | None:
    """Return the codec named by the XML declaration or a ``<meta>`` at the head of the page.

    None where neither names a known charset. The label could be read, so the page is not in
    UTF-16: such a label means UTF-8 (HTML, 13.2.3.2).
    """
    head = _COMMENT.sub(b"", body[:_HEAD_BYTES])
    labels = [found[1] for found in [_XML_ENCODING.match(head)] if found]
    for tag in _META.finditer(head):
        labels += _META_CHARSET.findall(tag[0])
    for label in labels:
        codec = codec_for(label.decode("ascii"))
        if codec is not None:
            return "utf-8" if codec.startswith("utf-16") else codec
    return None


def codec_for(label: str) -> str | None:
    """Return the Python codec for a charset label in any case; None for an unknown label."""
    return _CODEC_OF.get(label.strip(" \t\r\n\f\"'").lower().replace("_", "-"))
