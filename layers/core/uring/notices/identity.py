"""Who a notice is: known by its id, confirmed by title, date and place. Pure.

unknown ids ─ titles and dates of notices that the page lost ─► renumbered: the history goes on
            ─ dates as new as the newest known, and as our last look ─► a turnover: news
            ─ no dates, and higher numbers ─► news
            ─ else, where almost all are unknown ─► suspect ``ids_gone``; the operator decides
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from uring.clock import parse_timestamp, timestamp
from uring.errors import SuspectPage
from uring.notices.guards import NOUNS
from uring.notices.item import NoticeItem
from uring.notices.noise.memory import (
    Streak,
    is_doubted,
    kept_streaks,
    marks_of,
    marks_of_content,
    masked,
    masked_content,
    same_notice,
)
from uring.notices.state import NoticeState
from uring.reading.text import shorten
from uring.sources.guards import accept

_SHOWN: Final = 60
# The fewest notices for which a share is meaningful.
_SOME: Final = 5
_FEW: Final = 3
_ROTATING: Final = 3
_DAY: Final = timedelta(days=1)
_NO_DATE: Final = "...."
_ACCEPT: Final = accept(NOUNS)


@dataclass(frozen=True, slots=True)
class Identity:
    """The notices of a page beside the known ones.

    Attributes:
        renamed: by new id, the old id of the same notice.
        is_renumbered: almost all ids are new: an id that the page does not show names another
            notice from now on.
        old: unknown ids that are not pushed.
        quiet: known ids whose edit is not pushed.
        posted_again: the marks of notices that one or two new ids repeat.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    is_renumbered: bool = False
    old: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    posted_again: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Matches:
    """Unknown ids with titles and dates of known notices.

    Attributes:
        renamed: by new id, the old id that the page lost.
        copies: new ids of notices that the page shows under a known id, too.
        rest: further new ids with the title and date of a renamed notice.
        posted_again: the marks of the notices behind one or two new ids, which are news.
    """

    renamed: dict[str, str]
    copies: frozenset[str] = frozenset()
    rest: frozenset[str] = frozenset()
    posted_again: frozenset[str] = frozenset()


def identify(
    state: NoticeState,
    items: Sequence[NoticeItem],
    known: Collection[str],
    now: datetime,
    zone: str,
) -> Identity:
    """Compare the notices of a page with the board's known ones.

    Args:
        state: after a baseline, read by the same entry.
        items: of the page, or of all pages that were read.
        known: all remembered ids of the board.
        now: the time of this check, aware UTC.
        zone: of the board's dates.

    Raises:
        SuspectPage: ``ids_gone`` or ``ids_reused``, unless the operator decided.
    """
    try:
        return _identified(state, items, known, now, zone)
    except SuspectPage:
        if not state.decision:
            raise
    if state.decision == "new":
        return Identity()
    # The same notices as when the doubt began; what came since is news.
    doubt = state.doubt if state.is_in_doubt else None
    before = {item.id for item in items if doubt is None or is_doubted(doubt, item)}
    return Identity(old=frozenset(before - {*known}), quiet=frozenset(before & {*known}))


def renamed_ids(
    state: NoticeState, items: Sequence[NoticeItem], known: Collection[str], now: datetime
) -> dict[str, str]:
    """Return by new id the old id of a notice with the same title and date.

    The page lost the old id since the last commit, or within a day. One or two such notices are
    deleted and posted again, which is news: they count only if they were posted again within the
    last day, too.
    Notices without dates count only if nearly the whole list is such: titles recur.
    """
    return _matches(state, items, known, now).renamed


def renumbered(streak: Streak | None, now: datetime) -> Streak:
    """Return the streak of renumberings after one more."""
    recent = streak is not None and now - parse_timestamp(streak.at) <= _DAY
    return Streak(times=streak.times + 1 if streak and recent else 1, at=timestamp(now))


def _identified(
    state: NoticeState,
    items: Sequence[NoticeItem],
    known: Collection[str],
    now: datetime,
    zone: str,
) -> Identity:
    _judge_reuse(state, items, known)
    unknown = [item for item in items if _is_unknown(state, item.id, known)]
    if not unknown:
        return Identity()
    found = _matches(state, items, known, now)
    renamed, settled = found.renamed, found.copies | found.rest
    left = [item for item in unknown if item.id not in renamed and item.id not in settled]
    last = max((record.last_seen for record in state.known.values()), default="")
    before = [key for key, record in state.known.items() if record.last_seen == last]
    plain = [item for item in items if not item.is_pinned] or items
    strange = sum(_is_unknown(state, item.id, known) for item in plain)
    almost_all = strange * 10 > len(plain) * 9
    identity = Identity(
        renamed, almost_all and bool(renamed), settled, posted_again=found.posted_again
    )
    # Further pages were read in search of a known id: they hold older notices.
    if renamed and len(renamed) * 2 > min(len(unknown), len(before)):
        if almost_all:
            _judge_rotation(state.streaks.get("id"), renamed, now)
        return identity
    if len(before) < _SOME or not almost_all or not left:
        return identity
    older = _older(state, left, before, zone)
    if older is None:
        raise _gone(state, unknown, items, before)
    return Identity(renamed, False, settled | older, posted_again=found.posted_again)


def _is_unknown(state: NoticeState, key: str, known: Collection[str]) -> bool:
    """Return whether an id names no notice: it was never seen, or was given up for another."""
    record = state.known.get(key)
    return key not in known or (record is not None and not record.hash)


def _is_held(state: NoticeState, key: str) -> bool:
    """Return whether an id names a notice of the present board."""
    record = state.known.get(key)
    return record is not None and bool(record.hash) and state.is_own(record)


def _matches(
    state: NoticeState, items: Sequence[NoticeItem], known: Collection[str], now: datetime
) -> _Matches:
    shown = {item.id for item in items}
    hot = {
        each.id: marks_of_content(masked_content(each.content, state.noise)) for each in state.hot
    }
    page = state.page or hot
    lost: dict[str, list[str]] = defaultdict(list)
    kept: set[str] = set()
    hidden = {key: hot[key] for key in _hidden(state, items, now)}
    for key, marks in {**page, **hidden}.items():
        if not _is_held(state, key):
            continue
        if key in shown:
            kept.add(same_notice(marks))
        else:
            lost[same_notice(marks)].append(key)
    came: dict[str, list[NoticeItem]] = defaultdict(list)
    for item, bare in zip(items, masked(items, state.noise), strict=True):
        if _is_unknown(state, item.id, known):
            came[same_notice(marks_of(bare))].append(item)
    pairs = {
        item.id: old
        for marks, these in came.items()
        for item, old in zip(these, lost[marks], strict=False)
    }
    copies = {
        item.id for marks in came.keys() & kept for item in came[marks] if item.id not in pairs
    }
    pinned = {item.id for item in items if item.is_pinned}
    copies = copies if len(copies) >= _FEW else copies & pinned
    marks_by_id = {item.id: marks for marks, these in came.items() for item in these}
    if len(pairs) < _FEW and not (len(pairs) > 1 and len(pairs) == len(items)):
        seen = kept_streaks(state.streaks, now, _DAY)
        recent = {key: old for key, old in pairs.items() if f"again {marks_by_id[key]}" in seen}
        posted = frozenset(marks_by_id[key] for key in pairs)
        return _Matches(recent, frozenset(copies), posted_again=posted)
    if not _is_evident(state, items, pairs, marks_by_id):
        return _Matches({}, frozenset(copies))
    # Notices that came back to the page since the last commit are renumbered with the others.
    away = {
        same_notice(marks): key
        for key, marks in hot.items()
        if key not in page and key not in shown and _is_held(state, key)
    }
    for key in marks_by_id.keys() - pairs.keys():
        if (old := away.pop(marks_by_id[key], None)) is not None:
            pairs[key] = old
    marks_of_pairs = {marks_by_id[key] for key in pairs}
    rest = {item.id for marks in marks_of_pairs for item in came[marks] if item.id not in pairs}
    return _Matches(pairs, frozenset(copies), frozenset(rest))


def _hidden(state: NoticeState, items: Sequence[NoticeItem], now: datetime) -> list[str]:
    """Return the published ids that a list showed within the last day, and should still show.

    They are newer than its oldest notice, so that they did not slide off it.
    """
    shown, since = {item.id for item in items}, timestamp(now - _DAY)
    oldest = min((item.date for item in items if item.date and not item.is_pinned), default="")
    return [
        item.id
        for item in state.hot
        if item.id not in shown
        and item.id not in state.page
        and _is_held(state, item.id)
        and state.known[item.id].last_seen >= since
        and oldest
        and (item.content.get("date") or "") > oldest
    ]


def _is_evident(
    state: NoticeState,
    items: Sequence[NoticeItem],
    pairs: Mapping[str, str],
    marks: Mapping[str, str],
) -> bool:
    """Return whether pairs of new and old ids are a renumbering, and no recurring titles.

    With dates, they keep their place among the notices whose ids stay. Without, they are nearly
    the whole list, and at least five different titles.
    """
    dated = sum(not marks[key].endswith(_NO_DATE) for key in pairs)
    before = [*state.page]
    if dated * 2 <= len(pairs):
        titles = {marks[key] for key in pairs}
        return len(titles) >= _SOME and len(pairs) * _SOME >= len(before) * (_SOME - 1)
    if not before:
        return True
    now = [item.id for item in items]
    stay = {*now} & {*before}
    if not stay:
        return True

    def above(ids: Sequence[str], key: str) -> int:
        return sum(each in stay for each in ids[: ids.index(key)])

    placed = {new: old for new, old in pairs.items() if old in state.page}
    same = sum(above(now, new) == above(before, old) for new, old in placed.items())
    return same * 2 > len(placed) or not placed


def _older(
    state: NoticeState, left: Sequence[NoticeItem], before: Collection[str], zone: str
) -> frozenset[str] | None:
    """Return the ids of a turnover that are older than it; None without proof.

    Dates prove it if they are as new as the newest known one, and as our last look at the board:
    an older notice would have been there. Where no date differs from the others, numbers do.
    """
    titles = {each.content.get("title") for each in state.hot if each.id in before}
    plain = [item for item in left if not item.is_pinned] or left
    if sum(item.title in titles for item in plain) * 2 >= len(plain):
        # Known titles under other ids and days: neither the same nor new.
        return None
    days = _days(state, before, zone)
    dated = [item for item in plain if item.date]
    dates_tell = len({*days, *(item.date for item in dated)}) > 1 and bool(days)
    if not dates_tell:
        return frozenset() if _grown(before, [item.id for item in left]) else None
    since = max(days)
    if state.health.succeeded_at is not None:
        looked = parse_timestamp(state.health.succeeded_at) - _DAY
        since = max(since, looked.astimezone(ZoneInfo(zone)).date().isoformat())
    older = [item.id for item in left if item.date and item.date < since]
    fresh = [item for item in dated if item.date and item.date >= since]
    return frozenset(older) if len(fresh) * _SOME >= len(dated) * (_SOME - 1) else None


def _days(state: NoticeState, before: Collection[str], zone: str) -> list[str]:
    """Return the published dates of the last page's notices, without a few that lie ahead.

    The dates of events to come are no measure of age, unless most notices have such a one.
    """
    past: list[str] = []
    ahead: list[str] = []
    shown = [item for item in state.hot if item.id in before]
    for item in [each for each in shown if not each.is_marked] or shown:
        if day := item.content.get("date"):
            seen = parse_timestamp(item.first_seen).astimezone(ZoneInfo(zone)).date()
            (past if day <= seen.isoformat() else ahead).append(day)
    return past if len(past) > len(ahead) else past + ahead


def _grown(before: Iterable[str], unknown_ids: Iterable[str]) -> bool:
    """Return whether all ids are numbers, and the unknown ones are above all earlier ones."""
    old, new = [*before], [*unknown_ids]
    if not all(key.isascii() and key.isdigit() for key in (*old, *new)):
        return False
    return bool(new) and min(map(int, new)) > max(map(int, old))


def _gone(
    state: NoticeState,
    unknown: Sequence[NoticeItem],
    items: Sequence[NoticeItem],
    before: Sequence[str],
) -> SuspectPage:
    return SuspectPage(
        "ids_gone",
        f"{len(unknown)} of {len(items)} ids are new, such as {unknown[0].id!r}; the last page "
        f"had {before[0]!r}; titles and dates do not show whether these are the known notices or "
        f"new ones: check that fields.id reads the id, then `uring decide {state.source} same` or "
        "`new`",
    )


def _judge_rotation(streak: Streak | None, renamed: Mapping[str, str], now: datetime) -> None:
    """Refuse ids that are new at check after check.

    Raises:
        SuspectPage: ``ids_gone``.
    """
    if streak is None or streak.times < _ROTATING or now - parse_timestamp(streak.at) > _DAY:
        return
    new, old = next(iter(renamed.items()))
    raise SuspectPage(
        "ids_gone",
        f"the ids change from check to check: {old!r} is {new!r} now, with the same title and "
        "date; correct fields.id, so that it reads what stays, such as the link",
    )


def _judge_reuse(state: NoticeState, items: Sequence[NoticeItem], known: Collection[str]) -> None:
    """Refuse ids that name other notices than before, such as the numbers that a list shows.

    Either several titles moved to other known ids, or most ids have another title and date.

    Raises:
        SuspectPage: ``ids_reused``.
    """
    hot: Mapping[str, Mapping[str, str | None]] = {
        each.id: masked_content(each.content, state.noise) if state.noise else each.content
        for each in state.hot
        if each.id in known
    }
    owner = {content.get("title"): key for key, content in hot.items()}
    both = [item for item in masked(items, state.noise) if item.id in hot]
    other = [item for item in both if item.title != hot[item.id].get("title")]
    moved = [item for item in other if owner.get(item.title, item.id) != item.id]
    replaced = [item for item in other if item.date != hot[item.id].get("date")]
    if len(moved) >= _FEW and len(moved) * 2 >= len(other):
        item, what = moved[0], f"the id {moved[0].id!r} had another title, which has another id"
    elif len(replaced) >= _FEW and len(replaced) * 2 > len(both):
        item, what = replaced[0], f"the id {replaced[0].id!r} had another title and date"
    else:
        return
    raise SuspectPage(
        "ids_reused",
        f"{what}; now it is {shorten(item.title, _SHOWN)!r}: fields.id may read the display "
        f"number; {_ACCEPT}",
    )
