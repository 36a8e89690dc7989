"""Which pages are not believed (N17): better no news for a while than false news.

A page is judged by itself (`judge_page`), then beside what the source showed before
(`judge_change`). Nothing of a suspect page is stored or pushed, so a bad page between two good ones
leaves no trace but in the source's health.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from uring.errors import SuspectPage
from uring.notices.item import NoticeItem
from uring.notices.policy import Expectations
from uring.reading.markup import markup_of
from uring.reading.mojibake import is_mojibake, lost_its_letters
from uring.reading.text import shorten
from uring.records.model import RecordState

_SHOWN: Final = 60
# From here on a share means something.
_SOME: Final = 5
_MANY: Final = 8
_FEW: Final = 3
# Where a page says that it begins or ends.
_TAIL: Final = 2_000
_ACCEPT: Final = 'if the board has really changed like that, raise "epoch" in the entry'

# What stands in a page instead of a list, in lower case. Looked for only where no row was found:
# ordinary pages have a login form in their header.
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
        "a challenge page: the site takes us for a robot it does not want; ask its operator",
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
        "the shell of an application, which scripts fill in: watch the JSON that they fetch",
    ),
)
_SURE: Final = frozenset({"challengeid", "cf-challenge", "cf_chl_", "just a moment", "_incapsula_"})
_SHORT_PAGE: Final = 1_500
_NO_LIST: Final = frozenset({"no_rows", "not_json", "not_feed"})


def diagnosed(trouble: SuspectPage, html: str) -> SuspectPage:
    """Return a page without a list, by what stands there instead, if that is known."""
    if trouble.reason not in _NO_LIST:
        return trouble
    text = html.lower()
    markup = markup_of(text)
    is_short = _visible(markup) < _SHORT_PAGE
    for reason, signs, remedy in _INSTEAD:
        sign = next((sign for sign in signs if sign in (text if sign in _SURE else markup)), None)
        # Any page may have a login form in its header, or a part that scripts fill in.
        if sign is not None and (is_short or sign in _SURE):
            return SuspectPage(reason, f"no list, and {sign!r} in the page: {remedy}")
    return trouble


def judge_empty(expect: Expectations, html: str) -> None:
    """Judge a list that may be empty and is. Its landmarks, where they are named, prove it.

    Raises:
        SuspectPage: by what stands there instead of a list.
    """
    if expect.landmarks and all(mark in html for mark in expect.landmarks):
        return
    trouble = SuspectPage("no_rows", "")
    if (known := diagnosed(trouble, html)) is not trouble:
        raise SuspectPage(
            known.reason, f"{known.detail}; if the list is there and empty, name expect.landmarks"
        )


def judge_page(expect: Expectations, text: str, items: Sequence[NoticeItem]) -> None:
    """Judge a page by itself.

    Raises:
        SuspectPage: ``landmark_missing``, ``too_few_rows``, ``same_titles`` or ``mojibake``.
    """
    missing = next((mark for mark in expect.landmarks if mark not in text), None)
    if missing is not None:
        raise SuspectPage(
            "landmark_missing",
            f"{missing!r} is nowhere in the page: another page, or a new layout; "
            "correct expect.landmarks if the list is there",
        )
    if len(items) < expect.min_rows:
        raise SuspectPage(
            "too_few_rows",
            f"{len(items)} notices, at least {expect.min_rows} expected; "
            "correct expect.min_rows if the board has so few",
        )
    _judge_titles(expect, [item.title for item in items])


def judge_length(before: int, now: int, text: str) -> None:
    """Judge the number of notices on page 1 beside the last time's: a site may die in mid-page.

    Raises:
        SuspectPage: ``too_few_rows``.
    """
    end = text[-_TAIL:].lower()
    is_cut = "<html" in text[:_TAIL].lower() and "</html" not in end
    if before >= _MANY and (now * 2 < before or (is_cut and now * 4 < before * 3)):
        cut = ", and the page ends before its end" if is_cut else ""
        raise SuspectPage("too_few_rows", f"{now} notices where {before} were{cut}; {_ACCEPT}")


def judge_change(
    expect: Expectations,
    state: RecordState,
    items: Sequence[NoticeItem],
    known: Collection[str],
) -> None:
    """Judge what a page shows beside what the source showed before.

    Args:
        expect: what the entry says of its page.
        state: after a baseline, read by the same entry.
        items: of the page, or of all pages that were read.
        known: the ids that the source ever showed, as far as they are remembered.

    Raises:
        SuspectPage: ``ids_gone``, ``mojibake`` or ``ids_reused``.
    """
    last = max((record.last_seen for record in state.known.values()), default="")
    before = [key for key, record in state.known.items() if record.last_seen == last]
    unknown_ids = [item.id for item in items if item.id not in known]
    almost_all = len(unknown_ids) * 10 > len(items) * 9
    if len(before) >= _SOME and almost_all and not _grown(before, unknown_ids):
        raise SuspectPage(
            "ids_gone",
            f"{len(unknown_ids)} of {len(items)} ids were never seen, such as {unknown_ids[0]!r}; "
            f"before there was {before[0]!r}; see whether fields.id still reads the id; {_ACCEPT}",
        )
    if not expect.damaged_titles:
        _judge_letters(state, items)
    _judge_identity(state, items, known)


def _judge_letters(state: RecordState, items: Sequence[NoticeItem]) -> None:
    """Judge titles that were Korean or Chinese and are something else now."""
    titles = {each.id: each.content.get("title") or "" for each in state.hot}
    both = [item for item in items if item.id in titles]
    lost = [item for item in both if lost_its_letters(titles[item.id], item.title)]
    if len(lost) > 1 and len(lost) * _SOME >= len(both):
        raise SuspectPage(
            "mojibake",
            f"{len(lost)} of {len(both)} known titles lost their letters: "
            f"{shorten(titles[lost[0].id], _SHOWN)!r} is {shorten(lost[0].title, _SHOWN)!r} now; "
            "if it stays so, set expect.damaged_titles",
        )


def _visible(markup: str) -> int:
    """Return roughly how many characters of a page people see."""
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
    broken = [] if expect.damaged_titles else [title for title in titles if is_mojibake(title)]
    if len(broken) > 1 and len(broken) * _SOME >= len(titles):
        raise SuspectPage(
            "mojibake",
            f"{len(broken)} of {len(titles)} titles are damaged text, such as "
            f"{shorten(broken[0], _SHOWN)!r}; the site mixes charsets; if it stays so, set "
            "expect.damaged_titles",
        )


def _grown(before: Sequence[str], unknown_ids: Sequence[str]) -> bool:
    """Return whether the unknown ids simply come after all others: numbers that count up."""
    numbers = [int(key) for key in (*before, *unknown_ids) if key.isascii() and key.isdigit()]
    if len(numbers) < len(before) + len(unknown_ids):
        return False
    return min(numbers[len(before) :]) > max(numbers[: len(before)])


def _judge_identity(
    state: RecordState, items: Sequence[NoticeItem], known: Collection[str]
) -> None:
    """One id, another notice: numbers of display, which all move when one notice is added."""
    hot: Mapping[str, Mapping[str, str | None]] = {
        each.id: each.content for each in state.hot if each.id in known
    }
    owner = {content.get("title"): key for key, content in hot.items()}
    both = [item for item in items if item.id in hot]
    other = [item for item in both if item.title != hot[item.id].get("title")]
    moved = [item for item in other if owner.get(item.title, item.id) != item.id]
    replaced = [item for item in other if item.date != hot[item.id].get("date")]
    if len(moved) >= _FEW and len(moved) * 2 >= len(other):
        item, what = moved[0], f"the id {moved[0].id!r} had another title, which moved"
    elif len(replaced) >= _FEW and len(replaced) * 2 > len(both):
        item, what = replaced[0], f"the id {replaced[0].id!r} had another title and date"
    else:
        return
    raise SuspectPage(
        "ids_reused",
        f"{what}; now it is {shorten(item.title, _SHOWN)!r}: fields.id may read the display "
        f"number; {_ACCEPT}",
    )
