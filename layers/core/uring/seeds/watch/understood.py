"""Files as understood, in a form that can be compared: their bases. Pure.

A basis is a short text. Two that are the same mean the same to a crawler, whatever the bytes:

    robots.txt   {rules and delay}.{places of its Sitemap lines}
    sitemaps     {places, format}:{URLs of the first},{of all},{number of places}
    bytes        {digest}

Numbers are alike until they halve or double. A number that is not known is ``-``.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from uring.fetch.robots import PRODUCT, read_robots
from uring.seeds.collect.site import place
from uring.sources.entry import digest

ABSENT: Final = "absent"
"""The hash and the basis of an absent file."""
NOTHING: Final = ""
"""The basis of a file of which only a hash of an earlier release is known."""

# This difference means nothing, whatever share of a sitemap it is.
_FEW: Final = 10
_UNKNOWN: Final = "-"
# All of ASCII: only other characters are escaped.
_ASCII: Final = "".join(map(chr, range(128)))
_ESCAPE: Final = re.compile("%([0-9A-Fa-f]{2})")
# RFC 3986, section 2.3: escaped or not, they are the same.
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")
_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_DIGITS: Final = re.compile(r"\d+")
_SQUEEZED: Final = re.compile(r"#(?:[-_.]?#)+")
_LONGEST_PLACE: Final = 300
# A word with digits in two places, such as a3f8c2, is a version.
_FEWEST_RUNS: Final = 2


def robots_basis(body: bytes, sitemaps: Iterable[str]) -> tuple[str, bool]:
    """Return the basis of a robots.txt, and whether it has a rule for us or a Sitemap line.

    Rules count as a set, for the group that applies to us; their order, comments, blanks, escapes
    and encodings do not.

    Args:
        body: as read.
        sitemaps: the absolute URLs of its Sitemap lines.
    """
    file = read_robots(body)
    groups: dict[str, set[tuple[str, str]]] = {}
    agents: list[str] = []
    is_naming = False
    for line in file.rules.splitlines():
        name, _, value = line.partition(":")
        if name == "User-agent":
            agents = [*agents, value.strip()] if is_naming else [value.strip()]
            groups.setdefault(value.strip(), set())
        elif path := _path(value):
            for agent in agents:
                groups[agent].add((name, path))
        is_naming = name == "User-agent"
    rules = groups.get(PRODUCT.lower(), groups.get("*", set()))
    if not any(name == "disallow" for name, _ in rules):
        # Rules that allow everything change nothing.
        rules = set()
    places = _places(sitemaps)
    return f"{digest([sorted(rules), file.crawl_delay])}.{digest(places)}", bool(rules or places)


def sitemap_basis(places: Iterable[str], kind: str | None, urls: int, all_urls: int | None) -> str:
    """Return the basis of a domain's sitemaps.

    Args:
        places: the addresses of its sitemaps.
        kind: of the first.
        urls: of the first; of an index the number of its children.
        all_urls: of all that were read; None if some failed today.
    """
    addresses = [*places]
    numbers = (urls, _UNKNOWN if all_urls is None else all_urls, len(addresses))
    return f"{digest([_places(addresses), kind])}:{','.join(map(str, numbers))}"


def bytes_basis(sha256: str) -> str:
    """Return the basis of a file, by the digest of all its bytes in hexadecimal."""
    return sha256[:32]


def is_same(one: str, other: str) -> bool:
    """Return True if two bases mean the same; `NOTHING` is the same as no other."""
    if NOTHING in (one, other):
        return False
    (digest_, numbers), (other_digest, other_numbers) = _parts(one), _parts(other)
    if digest_ != other_digest or len(numbers) != len(other_numbers):
        return False
    return all(map(_is_alike, numbers, other_numbers))


def has_other_rules(one: str, other: str) -> bool:
    """Return True if two bases of robots.txt differ by more than their Sitemap lines."""
    return one.partition(".")[0] != other.partition(".")[0]


def has_fewer_urls(seen: str, before: str) -> bool:
    """Return True if sitemaps differ only by numbers, and have less than before, but some."""
    (digest_, numbers), (other_digest, other_numbers) = _parts(seen), _parts(before)
    pairs = [
        (number, was)
        for number, was in zip(numbers, other_numbers, strict=False)
        if number is not None and was is not None and not _is_alike(number, was)
    ]
    return digest_ == other_digest and all(0 < number < was for number, was in pairs)


def completed(basis: str, seen: str) -> str:
    """Return a basis with the numbers that it lacks and the same one has."""
    if _UNKNOWN not in basis:
        return basis
    own, other = basis.split(","), seen.split(",")
    return ",".join(new if old == _UNKNOWN else old for old, new in zip(own, other, strict=True))


def alike(one: int, other: int) -> bool:
    """Return True if two numbers of URLs differ by few, or by less than half, and none is 0."""
    less, more = sorted((one, other))
    return more - less <= max(_FEW, more // 2) and (less > 0 or more == 0)


def squeezed(url: str) -> str:
    """Return an address without scheme, ``www.``, query, and with ``#`` for dates and versions."""
    text = place(url)[:_LONGEST_PLACE]
    text = re.split(r"[?#;]", text, maxsplit=1)[0]
    return _SQUEEZED.sub("#", _WORD.sub(lambda word: _squeeze(word[0]), text))


def _squeeze(word: str) -> str:
    runs = len(_DIGITS.findall(word))
    return "#" if runs >= _FEWEST_RUNS else _DIGITS.sub("#", word)


def _places(urls: Iterable[str]) -> list[str]:
    """Return the squeezed addresses in order, each once; ``+`` marks one of several."""
    counts = Counter(map(squeezed, urls))
    return sorted(f"{name}+" if count > 1 else name for name, count in counts.items())


def _path(value: str) -> str:
    """Return a rule's path in one spelling (RFC 9309, section 2.2.2); empty for no path."""
    escaped = quote(value.strip(), safe=_ASCII)

    def spell(found: re.Match[str]) -> str:
        letter = chr(int(found[1], 16))
        return letter if _UNRESERVED.fullmatch(letter) else found[0].upper()

    return _ESCAPE.sub(spell, escaped)


def _parts(basis: str) -> tuple[str, list[int | None]]:
    name, _, numbers = basis.partition(":")
    return name, [_number(text) for text in numbers.split(",") if numbers]


def _number(text: str) -> int | None:
    # Stored text: a number is short, or it was not written by us.
    return int(text) if re.fullmatch("[0-9]{1,12}", text) else None


def _is_alike(one: int | None, other: int | None) -> bool:
    return one is None or other is None or alike(one, other)
