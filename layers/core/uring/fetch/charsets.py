"""Charset labels of the web and the Python codecs that read them.

The table is the allow-list: all other labels are unknown. ``codecs.lookup`` is never called,
because it imports modules by name, remembers every name, and knows codecs that are not text
encodings (``zip``, ``hex``) or that hide markup (``utf-7``).
"""

from typing import Final

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


def codec_for(label: str) -> str | None:
    """Return the Python codec for a charset label in any case; None for an unknown label."""
    return _CODEC_OF.get(label.strip(" \t\r\n\f\"'").lower().replace("_", "-"))
