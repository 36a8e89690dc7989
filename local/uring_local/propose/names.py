"""Names of a new entry: its id from the address, its name from the page's title."""

import re
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from uring.fetch.url import parse_url

_SUFFIXES: Final = frozenset(
    {"ac", "co", "com", "edu", "go", "kr", "net", "or", "org", "re", "www", "m", "cn", "jp", "tw"}
)
# Words of paths that name the program, not the board.
_PROGRAMS: Final = re.compile(
    r"bbs|board|boardlist|list|kr|ko|index|www|cms|common|gb|messageboard|page|site|user|sub|"
    r"\w*list|view|artcllist|articlelist|lstboard|selectbbsnttlist|rssbbsntt|rsslist|rss|feed|atom"
)
# Words that fit every board.
_ANY_BOARD: Final = re.compile(
    r"notices?|notification|announcements?|category|gongji|source|posts?"
)
_NOT_A_NAME: Final = re.compile(
    r"(?:공지\s?사항|공지|게시판\s?목록|게시판|게시글\s?목록|목록|notices?|board|rss|cms|"
    r"k2web wizard|home|홈|\d+\s*페이지|[-|>:·\s])+",
    re.IGNORECASE,
)
_LONGEST_ID: Final = 64
_LONGEST_NAME: Final = 80


def guess_id(url: str, taken: Collection[str]) -> str:
    """Return a free id: institution, department or board, with a number if necessary."""
    base = re.sub(r"[^a-z0-9_-]+", "_", "_".join(_words(url)).lower()).strip("_-")
    base = base[: _LONGEST_ID - 4].rstrip("_-") or "board"
    for candidate in (base, *(f"{base}_{number}" for number in range(2, 1000))):
        if candidate not in taken:
            return candidate
    raise ValueError(f"every id like {base} is taken")


def guess_name(title: str, url: str) -> str:
    """Return the title's own words, or the host without any."""
    parts = [part.strip() for part in re.split(r"\s[|>:·-]\s|[|>]", title)]
    names = [part for part in parts if part and not _NOT_A_NAME.fullmatch(part)]
    words = " ".join(reversed(names)) if names else ""
    words = re.sub(r"\s*(?:게시판\s?목록|\d+\s*페이지)", "", words).strip()
    return words[:_LONGEST_NAME] or (urlsplit(url).hostname or url)


def _words(url: str) -> Iterator[str]:
    """Return the words of the host, and if those name no department, one of the rest."""
    target = parse_url(url)
    if target.literal is not None:
        yield str(target.literal).replace(":", "_")
    labels = [label for label in target.host.split(".") if label not in _SUFFIXES]
    if target.literal is None:
        yield from reversed(labels or [target.host])
        if len(labels) > 1:
            return
    parts = urlsplit(url)
    for piece in parts.path.split("/"):
        word = unquote(piece).partition(".")[0].lower()
        if word and not word.isdigit() and not _says_nothing(word) and word not in labels:
            yield word
            return
    query = dict(parse_qsl(parts.query))
    for name in ("bo_table", "mid", "bodcode", "bbsNo", "bbsId", "forum", "boardSeq", "code"):
        if (value := query.get(name)) and not _says_nothing(value.lower()):
            yield value
            return


def _says_nothing(word: str) -> bool:
    return bool(_PROGRAMS.fullmatch(word) or _ANY_BOARD.fullmatch(word))
