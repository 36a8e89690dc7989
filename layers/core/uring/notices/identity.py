"""Who a notice is: known by its id, confirmed by title, date and place. Pure.

unknown ids ─ titles and dates of known notices ─► renumbered: the history goes on
            ─ all at least as new as the newest known ─► a turnover: news
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
from uring.notices.noise.heard import masked, masked_content
from uring.notices.noise.memory import Streak, mark_of, marks_of, marks_of_content, same_notice
from uring.notices.state import NoticeState
from uring.reading.text import shorten
from uring.sources.guards import accept

_SHOWN: Final = 60
# The fewest notices for which a share is meaningful.
_SOME: Final = 5
_FEW: Final = 3
_ROTATING: Final = 3
_DAY: Final = timedelta(days=1)
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
        decided: the operator's decision was needed, and is used up.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    is_renumbered: bool = False
    old: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    decided: bool = False


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
        return Identity(decided=True)
    # The same notices as when the doubt began; what came since is news.
    there = frozenset(state.doubt.ids) if state.doubt and state.is_in_doubt else None
    before = frozenset(item.id for item in items if there is None or mark_of(item.id) in there)
    return Identity(old=before - frozenset(known), quiet=before & frozenset(known), decided=True)


def _identified(
    state: NoticeState,
    items: Sequence[NoticeItem],
    known: Collection[str],
    now: datetime,
    zone: str,
) -> Identity:
    _judge_reuse(state, items, known)
    unknown = [item for item in items if item.id not in known]
    if not unknown:
        return Identity()
    renamed = renamed_ids(state, items, known)
    left = [item for item in unknown if item.id not in renamed]
    almost_all = len(unknown) * 10 > len(items) * 9
    last = max((record.last_seen for record in state.known.values()), default="")
    before = [key for key, record in state.known.items() if record.last_seen == last]
    if renamed:
        _judge_rotation(state.streaks.get("id"), renamed, now)
        # Further pages were read in search of a known id: they hold older notices.
        if len(renamed) * 2 > min(len(unknown), len(before)) or not almost_all:
            return Identity(renamed, is_renumbered=almost_all)
    if len(before) < _SOME or not almost_all:
        return Identity(renamed)
    days = _days(state, before, zone)
    plain = [item for item in left if not item.is_pinned] or left
    if len({*days, *(item.date for item in plain)} - {None}) > 1 and days:
        older = [item for item in plain if item.date is None or item.date < max(days)]
        if len(older) * _SOME <= len(plain):
            return Identity(renamed, old=frozenset(item.id for item in older))
    elif _grown(before, [item.id for item in left]):
        return Identity(renamed)
    raise SuspectPage(
        "ids_gone",
        f"{len(unknown)} of {len(items)} ids are new, such as {unknown[0].id!r}; the last page "
        f"had {before[0]!r}; their titles are unknown too, and their dates are not newer: check "
        "that fields.id reads the id, then decide with `uring decide`",
    )


def renamed_ids(
    state: NoticeState, items: Sequence[NoticeItem], known: Collection[str]
) -> dict[str, str]:
    """Return by new id the old id of a notice with the same title and date.

    One or two such notices are deleted and posted again, which is news; empty for them.
    """
    unknown = [item for item in items if item.id not in known]
    shown = {item.id for item in items}
    gone: dict[str, list[str]] = defaultdict(list)
    contents = {
        each.id: marks_of_content(masked_content(each.content, state.noise)) for each in state.hot
    }
    for key, marks in {**state.page, **contents}.items():
        record = state.known.get(key)
        if key not in shown and record is not None and record.hash and state.is_own(record):
            gone[same_notice(marks)].append(key)
    came: dict[str, list[str]] = defaultdict(list)
    for item, marks in zip(unknown, map(marks_of, masked(unknown, state.noise)), strict=True):
        came[same_notice(marks)].append(item.id)
    pairs = {
        new: old
        for marks, ids in came.items()
        if len(ids) == len(gone[marks])
        for new, old in zip(ids, gone[marks], strict=True)
    }
    whole = len(pairs) > 1 and len(pairs) == len(items)
    return pairs if len(pairs) >= _FEW or whole else {}


def renumbered(streak: Streak | None, now: datetime) -> Streak:
    """Return the streak of renumberings after one more."""
    recent = streak is not None and now - parse_timestamp(streak.at) <= _DAY
    return Streak(times=streak.times + 1 if streak and recent else 1, at=timestamp(now))


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


def _days(state: NoticeState, before: Collection[str], zone: str) -> list[str]:
    """Return the dates of the last page's notices, without a few that lie ahead.

    The dates of events to come are no measure of age, unless most notices have such a one.
    """
    past: list[str] = []
    ahead: list[str] = []
    for item in state.hot:
        day = item.content.get("date")
        if day and item.id in before and not item.is_marked:
            seen = parse_timestamp(item.first_seen).astimezone(ZoneInfo(zone)).date()
            (past if day <= seen.isoformat() else ahead).append(day)
    return past if len(past) > len(ahead) else past + ahead


def _grown(before: Iterable[str], unknown_ids: Iterable[str]) -> bool:
    """Return whether all ids are numbers, and the unknown ones are above all earlier ones."""
    old, new = [*before], [*unknown_ids]
    if not all(key.isascii() and key.isdigit() for key in (*old, *new)):
        return False
    return bool(new) and min(map(int, new)) > max(map(int, old))


def _judge_reuse(state: NoticeState, items: Sequence[NoticeItem], known: Collection[str]) -> None:
    """Refuse display numbers as ids: they all move when one notice is added.

    Raises:
        SuspectPage: ``ids_reused``.
    """
    hot: Mapping[str, Mapping[str, str | None]] = {
        each.id: each.content for each in state.hot if each.id in known
    }
    owner = {content.get("title"): key for key, content in hot.items()}
    both = [item for item in items if item.id in hot]
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
