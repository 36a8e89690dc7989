"""The authority of a suffix, a guess by convention: a record's own word counts more."""

from collections.abc import Mapping
from typing import Final

from uring.seeds.names.model import Authority

_TLDS: Final[Mapping[str, Authority]] = {
    "gov": "gov",
    "mil": "gov",
    "edu": "edu",
    "org": "org",
    "ngo": "org",
    "ong": "org",
    "int": "org",
    "com": "com",
    "biz": "com",
}
# Words before a country's TLD, wherever they stand: `nsw.edu.au`, `k12.ca.us`.
_WORDS: Final[Mapping[str, Authority]] = {
    "gov": "gov",
    "govt": "gov",
    "gouv": "gov",
    "gob": "gov",
    "gub": "gov",
    "mil": "gov",
    "edu": "edu",
    "sch": "edu",
    "school": "edu",
    "k12": "edu",
    "org": "org",
    "com": "com",
    "ltd": "com",
    "plc": "com",
}
# Shorter ones count right before the TLD alone: elsewhere they are places.
_SHORT: Final[Mapping[str, Authority]] = {
    "go": "gov",
    "gv": "gov",
    "gc": "gov",
    "ac": "edu",
    "or": "org",
    "co": "com",
}
# `co.us` is Colorado, `go.it` is Gorizia.
_PLACES: Final = frozenset({"it", "us"})
# Schools of all kinds in Korea (es, ms, hs, kg, sc) and its institutes of research, which are
# foundations more often than schools (re); municipalities, schools and societies of Japan.
_OF_COUNTRY: Final[Mapping[str, Mapping[str, Authority]]] = {
    "kr": {"es": "edu", "ms": "edu", "hs": "edu", "kg": "edu", "sc": "edu", "re": "org"},
    "jp": {"lg": "gov", "ed": "edu", "gr": "org"},
}


def detect_authority(registrable_domain: str) -> Authority:
    """Return who is behind a domain, by its suffix: ``gov.sg``, ``go.kr``, ``ac.uk``, ``com``.

    Military counts as ``gov``; what no rule names is ``other``.
    """
    *words, tld = registrable_domain.split(".")[1:] or [""]
    if words and tld not in _PLACES:
        second = words[-1]
        named = _OF_COUNTRY.get(tld, {}).get(second) or _SHORT.get(second)
        if named:
            return named
    for word in reversed(words):
        if word in _WORDS:
            return _WORDS[word]
    return _TLDS.get(tld, "other")
