"""The names of a notice that a message of another board about the same notice shares. Pure.

    p…  its page and its title: the same notice
    n…  its page alone, or its title and day at one university: most likely the same

Each worker sees one board, so each name comes from the notice alone. A device compares names.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from uring.records.model import Revision

_TAGS: Final = re.compile(r"\A(?:\s*[\[(\u3010<][^\])\u3011>]{0,20}[\])\u3011>])+")
_DIGITS: Final = re.compile(r"\d+")
_FEWEST_LETTERS: Final = 6
_LONGEST_TITLE: Final = 500
_LETTERS_OF_LINK: Final = 2_048
_ACADEMIC: Final = frozenset({"ac", "edu"})


def same_as(item: Revision, hot: Iterable[Revision], site: str) -> str:
    """Return the names of a notice, separated by spaces; empty where nothing identifies it.

    A link that other notices of the board share names no page, and a title that the board uses
    again and again, such as a weekly menu, names no notice. Numbers in titles do not count for
    that.

    Args:
        item: the notice.
        hot: the items of its board.
        site: the address of the board's site, for its university.
    """
    others = [other for other in hot if other.id != item.id]
    return " ".join([*_of_page(item, others), *_of_title(item, others, site)])


def _of_page(item: Revision, others: Iterable[Revision]) -> Iterator[str]:
    page = _page(item.content.get("link"))
    # A page of many notices, such as a portal's first one, has no number in its address.
    if not _DIGITS.search(page) or any(_page(each.content.get("link")) == page for each in others):
        return
    # One board may put its own tag before the title of another one.
    if title := _plain(_TAGS.sub("", _cut(item.content.get("title")), count=1)):
        yield f"p{_digest('page', page, title)}"
    yield f"n{_digest('page', page)}"


def _of_title(item: Revision, others: Iterable[Revision], site: str) -> Iterator[str]:
    university, day = _university(site), item.content.get("date")
    # A tag counts here: it may name the department.
    title = _plain(_cut(item.content.get("title")))
    bare = _DIGITS.sub("", title)
    if not university or not day or len(bare) < _FEWEST_LETTERS:
        return
    if any(_DIGITS.sub("", _plain(_cut(each.content.get("title")))) == bare for each in others):
        return
    yield f"n{_digest('title', university, title, day)}"


def _cut(title: str | None) -> str:
    return unicodedata.normalize("NFKC", (title or "")[:_LONGEST_TITLE])


def _plain(title: str) -> str:
    """Return the letters and digits of a title."""
    return "".join(char for char in title.casefold() if char.isalnum())


def _page(link: str | None) -> str:
    """Return an address without scheme, ``www.`` and order of its parameters; empty for none."""
    try:
        parts = urlsplit((link or "")[:_LETTERS_OF_LINK])
        host = _host(link)
    except ValueError:
        return ""
    query = "&".join(sorted(parts.query.split("&")))
    path = parts.path.rstrip("/")
    return f"{host}{path}?{query}#{parts.fragment}" if host and (path or query) else ""


def _host(link: str | None) -> str:
    return (urlsplit((link or "")[:_LETTERS_OF_LINK]).hostname or "").removeprefix("www.")


def _university(site: str) -> str:
    """Return the domain of a university: ``example.ac.kr``; of any other site its whole host."""
    try:
        host = _host(site)
    except ValueError:
        return ""
    labels = host.split(".")
    if labels[-1] == "edu":
        return ".".join(labels[-2:])
    if len(labels) > 2 and labels[-2] in _ACADEMIC:  # noqa: PLR2004 - name.ac.kr
        return ".".join(labels[-3:])
    return host


def _digest(*parts: str) -> str:
    text = "\n".join(parts).encode(errors="replace")
    return hashlib.blake2b(text, digest_size=8).hexdigest()
