"""Checks that refuse suspect pages (N17): late news is better than false news.

Nothing of a suspect page is stored or pushed. A bad page between two good ones leaves a trace only
in the source's health.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from uring.errors import SuspectPage
from uring.reading.mojibake import damaged
from uring.reading.text import markup_of, shorten
from uring.sources.entry import Entry, Expectations
from uring.sources.rows import Page

_SHOWN: Final = 60
# Below these counts a share proves nothing.
_SOME: Final = 5
_MANY: Final = 8
# The characters at both ends in which the html tags are searched.
_TAIL: Final = 2_000
_NO_ROWS: Final = {
    "html": "an error, login or challenge page, or a new layout; open the page and correct "
    "rows.select if the page has the list",
    "json": "the list is empty or missing; correct rows.select, the path to the list",
    "rss": "the feed is empty",
    "atom": "the feed is empty",
}

# Signs of a page without a list, in lower case. Searched only if no row was found: ordinary pages
# have a login form in their header.
_INSTEAD: Final = (
    (
        "challenge",
        (
            "challengeid",
            "cf-challenge",
            "cf_chl_",
            "just a moment",
            "checking your browser",
            "_incapsula_",
            "captcha",
            "자동등록방지",
            "비정상적인 접근",
        ),
        "a challenge page: the site blocks robots; ask its operator",
    ),
    (
        "login",
        ('type="password"', "type='password'", "type=password"),
        "a login page: the list is not public, or its session ended",
    ),
    (
        "maintenance",
        ("점검 중", "점검중", "시스템 점검", "서비스 점검", "under maintenance", "서비스 중단"),
        "a maintenance notice: it may pass by itself",
    ),
    (
        "script_rendered",
        (
            "<app-root",
            "ng-app",
            'id="app"',
            'id="root"',
            'id="__next"',
            'id="__nuxt"',
            "enable javascript",
        ),
        "an application page that scripts fill in: watch the JSON that they fetch",
    ),
)
_SURE: Final = frozenset({"challengeid", "cf-challenge", "cf_chl_", "just a moment", "_incapsula_"})
_SHORT_PAGE: Final = 1_500
_NO_LIST: Final = frozenset({"no_rows", "not_json", "not_feed"})


class Nouns(NamedTuple):
    """A family's words for its records and for their list: notices, a board."""

    records: str = "records"
    place: str = "list"


_NOUNS: Final = Nouns()


class Titled(Protocol):
    """A row of any family."""

    @property
    def title(self) -> str:
        """Clean text, never empty."""
        ...


def accept(nouns: Nouns) -> str:
    """Return the remedy for a suspect page that is right."""
    return f'if the {nouns.place} has really changed like that, raise "epoch" in the entry'


def diagnosed(trouble: SuspectPage, html: str) -> SuspectPage:
    """Return a more exact trouble for a page without a list, or ``trouble`` itself.

    A challenge, login, maintenance or script page is recognised by its signs.
    """
    if trouble.reason not in _NO_LIST:
        return trouble
    text = html.lower()
    markup = markup_of(text)
    is_short = _visible(markup) < _SHORT_PAGE
    for reason, signs, remedy in _INSTEAD:
        sign = next((sign for sign in signs if sign in (text if sign in _SURE else markup)), None)
        # Any long page may have a login form in its header, or a part that scripts fill in.
        if sign is not None and (is_short or sign in _SURE):
            return SuspectPage(reason, f"no list, and {sign!r} in the page: {remedy}")
    return trouble


def judge_empty(expect: Expectations, html: str) -> None:
    """Check a list that is empty and may be. Landmarks, if the entry has any, prove it.

    Raises:
        SuspectPage: the page is a challenge, login, maintenance or script page.
    """
    if expect.landmarks and all(mark in html for mark in expect.landmarks):
        return
    trouble = SuspectPage("no_rows", "")
    if (known := diagnosed(trouble, html)) is not trouble:
        raise SuspectPage(
            known.reason, f"{known.detail}; if the list is really empty, set expect.landmarks"
        )


def judge_rows(entry: Entry, page: Page[Any]) -> None:
    """Check the number of rows, and of readable ones.

    Raises:
        SuspectPage: ``no_rows`` or ``all_rows_bad``.
    """
    if not page.rows and entry.expect.min_rows:
        raise SuspectPage(
            "no_rows", f"nothing matches {entry.rows.select!r}: {_NO_ROWS[entry.kind]}"
        )
    if page.rows and not page.items:
        raise SuspectPage(
            "all_rows_bad", f"none of {len(page.rows)} rows could be read; {page.rows[0].reason}"
        )


def judge_page(
    expect: Expectations, text: str, items: Sequence[Titled], nouns: Nouns = _NOUNS
) -> None:
    """Check a page without comparing it to an earlier one.

    Raises:
        SuspectPage: ``landmark_missing``, ``too_few_rows``, ``same_titles`` or ``mojibake``.
    """
    missing = next((mark for mark in expect.landmarks if mark not in text), None)
    if missing is not None:
        raise SuspectPage(
            "landmark_missing",
            f"{missing!r} is not in the page: another page, or a new layout; "
            "correct expect.landmarks if the page has the list",
        )
    if len(items) < expect.min_rows:
        raise SuspectPage(
            "too_few_rows",
            f"{len(items)} {nouns.records}, at least {expect.min_rows} expected; "
            f"correct expect.min_rows if the {nouns.place} has so few",
        )
    _judge_titles(expect, [item.title for item in items])


def judge_length(before: int, now: int, text: str, nouns: Nouns = _NOUNS) -> None:
    """Compare the number of records with the last check's: a site may fail in mid-page.

    Raises:
        SuspectPage: ``too_few_rows``.
    """
    end = text[-_TAIL:].lower()
    is_cut = "<html" in text[:_TAIL].lower() and "</html" not in end
    if before >= _MANY and (now * 2 < before or (is_cut and now * 4 < before * 3)):
        cut = ", and the page is cut off" if is_cut else ""
        raise SuspectPage(
            "too_few_rows",
            f"{now} {nouns.records} where {before} were{cut}; {accept(nouns)}",
        )


def _visible(markup: str) -> int:
    """Return the rough number of visible characters of a page."""
    return sum(len(part.partition(">")[2].strip()) for part in markup.split("<"))


def _judge_titles(expect: Expectations, titles: Sequence[str]) -> None:
    counts = Counter(titles)
    title, times = counts.most_common(1)[0] if counts else ("", 0)
    alike = times * 2 > len(titles) or (len(titles) >= _MANY and len(counts) * 4 <= len(titles))
    if not expect.same_titles and len(titles) >= _SOME and alike:
        raise SuspectPage(
            "same_titles",
            f"{times} of {len(titles)} titles are {shorten(title, _SHOWN)!r}; correct "
            "fields.title, or allow it with expect.same_titles",
        )
    broken = [] if expect.damaged_titles else damaged(titles)
    if len(broken) > 1 and len(broken) * _SOME >= len(titles):
        raise SuspectPage(
            "mojibake",
            f"{len(broken)} of {len(titles)} titles are damaged text, such as "
            f"{shorten(broken[0], _SHOWN)!r}; the site mixes charsets; if that is permanent, set "
            "expect.damaged_titles",
        )
