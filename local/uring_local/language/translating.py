"""The responses of the stand-in for Amazon Translate.

A mark of the language follows each word, ``학칙⟨en⟩ 제⟨en⟩1조⟨en⟩``; white space, digits and signs
stay. So a judge recognises a translation, and removes the marks to get the original.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from uring.language import LANGUAGES
from uring_local.language.wire import ServiceRefused

MOST_BYTES: Final = 10_000
AUTO: Final = "auto"
_WORD: Final = re.compile(r"[^\W\d_]+")
_MARK: Final = re.compile(r"⟨[A-Za-z-]{2,5}⟩")
_SCRIPTS: Final = (
    ("ko", re.compile("[\u1100-\u11ff\uac00-\ud7a3]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("en", re.compile("[A-Za-z]")),
)
_MEMBERS: Final = {
    "Text",
    "SourceLanguageCode",
    "TargetLanguageCode",
    "TerminologyNames",
    "Settings",
}


def translated(text: str, target: str) -> str:
    """Return the stand-in's translation of a text."""
    return _WORD.sub(lambda word: f"{word[0]}⟨{target}⟩", text)


def untranslated(text: str) -> str:
    """Return a translation without its marks: the original, if that had no marks."""
    return _MARK.sub("", text)


def mangled(text: str) -> str:
    """Return a damaged translation: in one line, with other brackets."""
    return text.replace("\n", " ").replace("⟦", "[").replace("⟧", "]")


def detected(text: str) -> str:
    """Return the language of a text by its most frequent script; empty without a known letter."""
    counts = {code: len(script.findall(text)) for code, script in _SCRIPTS}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] else ""


def read_translation(
    document: Mapping[str, Any], terminologies: Collection[str]
) -> tuple[str, str, str]:
    """Return the text, its language and the target of a request; ``auto`` is detected.

    Raises:
        Refused: with Amazon Translate's error for the malformed request.
    """
    if unknown := sorted(document.keys() - _MEMBERS):
        raise _invalid(f"unknown members {', '.join(unknown)}")
    text, source, target = (
        document.get(name) for name in ("Text", "SourceLanguageCode", "TargetLanguageCode")
    )
    if not (isinstance(text, str) and isinstance(source, str) and isinstance(target, str)):
        raise _invalid("Text, SourceLanguageCode and TargetLanguageCode must be texts")
    if not text:
        raise _invalid("Text is empty")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise ServiceRefused(
            400,
            "TextSizeLimitExceededException",
            f"Input text size exceeds limit. Max length of request text allowed is {MOST_BYTES} "
            f"bytes while in this request the text size is {size} bytes",
        )
    for name in document.get("TerminologyNames") or ():
        if name not in terminologies:
            raise ServiceRefused(400, "ResourceNotFoundException", f"no terminology {name!r}")
    if source == AUTO:
        source = detected(text)
        if not source:
            raise ServiceRefused(
                400,
                "DetectedLanguageLowConfidenceException",
                "the language was not detected with confidence",
                DetectedLanguageCode="en",
            )
    if not {source, target} <= LANGUAGES:
        raise ServiceRefused(
            400,
            "UnsupportedLanguagePairException",
            f"Unsupported language pair: {source} to {target}.",
            SourceLanguageCode=source,
            TargetLanguageCode=target,
        )
    return text, source, target


def _invalid(message: str) -> ServiceRefused:
    return ServiceRefused(400, "InvalidRequestException", message)
