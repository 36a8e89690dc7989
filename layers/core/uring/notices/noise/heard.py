"""A board's own noise: what differs from check to check without being news. Pure.

    items ─ the parts learned as noise are not compared ─┐
          ─ contents that the notice had before ─────────┼─► records, quiet edits, next memory
          ─ titles that count, or changed alike ─────────┘

A field that changes at check after check is learned and makes no more revisions (`Noise`). Until
then its edits are recorded and not pushed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from uring.clock import parse_timestamp, timestamp
from uring.notices.item import NoticeItem, observation
from uring.notices.noise import parts
from uring.notices.noise.memory import (
    Noise,
    Streak,
    differing,
    marks_of,
    marks_of_content,
    remembered,
    rows_of,
    without_link,
)
from uring.notices.state import NoticeState
from uring.reading.text import shorten
from uring.records.model import Observation

_SOME: Final = 5
_FEW: Final = 3
_LEARNED_AT: Final = 3
# In checks.
_SOON: Final = 6
_FLAPPING: Final = 2
_DAY: Final = timedelta(days=1)
_FORGOTTEN_AFTER: Final = timedelta(days=30)
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Heard:
    """A page without its noise.

    Attributes:
        records: for the engine; a held notice has its known hash.
        quiet: the ids of edits that are not pushed.
        differing: by id of an edit, the fields that differ; empty where only its hash is known.
        memory: the state's keys on noise after this check; all of them.
        is_learned: whether a part was learned in this check.
    """

    records: list[Observation]
    quiet: frozenset[str] = frozenset()
    differing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)
    is_learned: bool = False


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edited notice.

    Attributes:
        item: as it is now.
        before: its old content, where it is published.
        old: the marks of the old content; empty if only its hash is known.
        now: its marks now.
    """

    item: NoticeItem
    before: Mapping[str, str | None] | None
    old: str
    now: str

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields that differ; empty if the old content is unknown."""
        return differing(self.old, self.now) if self.old else frozenset()

    @property
    def titles(self) -> tuple[str, str] | None:
        """The titles before and now, if nothing else differs; None otherwise."""
        if self.before is None or self.fields != {"title"}:
            return None
        return self.before.get("title") or "", self.item.title


def masked(items: Iterable[NoticeItem], noise: Sequence[Noise]) -> list[NoticeItem]:
    """Return the notices without the parts that are noise."""
    return [_masked(item, noise) for item in items] if noise else [*items]


def masked_content(
    content: Mapping[str, str | None], noise: Sequence[Noise]
) -> Mapping[str, str | None]:
    """Return a notice's published fields without the parts that are noise."""
    after = dict(content)
    for each in noise:
        value = after.get(each.field) or ""
        mask = parts.without_title_part if each.field == "title" else parts.without_link_part
        after[each.field] = mask(value, each.part)
    return after


def hear(state: NoticeState, items: Sequence[NoticeItem], now: datetime, check: timedelta) -> Heard:
    """Tell the news of a page from its noise.

    Args:
        state: after a baseline, read by the same entry.
        items: of all pages read.
        now: the time of this check, aware UTC.
        check: the time between two checks.
    """
    noise = tuple(
        each for each in state.noise if now - parse_timestamp(each.since) < _FORGOTTEN_AFTER
    )
    hot = {each.id: each.content for each in state.hot}
    edits, held = _edits(state, items, noise, hot)
    known = sum(item.id in state.known for item in items)
    learned, streaks = _learned(state, edits, known, now, check)
    if learned:
        noise = (*noise, *learned)
        first = {edit.item.id: edit.fields for edit in edits}
        edits, held = _edits(state, items, noise, hot)
        # Of notices that are not published the marks alone are known, with the noise in them.
        noisy = frozenset(each.field for each in learned)
        held |= {
            key for key, fields in first.items() if key not in hot and fields and fields <= noisy
        }
    held |= {edit.item.id for edit in edits if _flaps(state, edit, now)}
    edits = [edit for edit in edits if edit.item.id not in held]
    returned = {edit.item.id for edit in edits if _had_before(state, edit)}
    replaced = {edit.item.id: without_link(edit.old) for edit in edits if edit.fields - {"link"}}
    past = {key: each for key, each in state.past.items() if _is_recent(each.at, now)}
    if noise:
        # Of these only a hash is known, which the noise may have changed.
        returned |= {edit.item.id for edit in edits if not edit.old}
    return Heard(
        [_held(item, state, hot) if item.id in held else observation(item) for item in items],
        frozenset(returned | _quiet(edits, items, known)),
        {edit.item.id: edit.fields for edit in edits},
        {
            "noise": noise,
            "streaks": streaks,
            "past": remembered(past, replaced, returned, now, _SOON * check),
            "page": rows_of(masked(items, noise)),
        },
        bool(learned) or noise != state.noise,
    )


def _edits(
    state: NoticeState,
    items: Iterable[NoticeItem],
    noise: Sequence[Noise],
    hot: Mapping[str, Mapping[str, str | None]],
) -> tuple[list[_Edit], set[str]]:
    """Return the edited notices, and the ids of those in which noise alone differs."""
    edits, held = [], set()
    for item in items:
        known = state.known.get(item.id)
        if known is None or not known.hash or known.hash == item.hash or not state.is_own(known):
            continue
        content = hot.get(item.id)
        before = _marks(state, item.id, content, noise)
        now = marks_of(_masked(item, noise))
        if noise and before == now:
            held.add(item.id)
        else:
            edits.append(_Edit(item, content, before, now))
    return edits, held


def _marks(
    state: NoticeState,
    notice_id: str,
    content: Mapping[str, str | None] | None,
    noise: Sequence[Noise],
) -> str:
    """Return the marks of a known notice; empty if only its hash is known."""
    if content is not None:
        return marks_of_content(masked_content(content, noise))
    return state.page.get(notice_id, "") if noise == state.noise else ""


def _masked(item: NoticeItem, noise: Sequence[Noise]) -> NoticeItem:
    for each in noise:
        if each.field == "title":
            item = replace(item, title=parts.without_title_part(item.title, each.part))
        else:
            item = replace(item, link=parts.without_link_part(item.link, each.part))
    return item


def _learned(
    state: NoticeState, edits: Sequence[_Edit], known: int, now: datetime, check: timedelta
) -> tuple[tuple[Noise, ...], dict[str, Streak]]:
    """Return the parts that are noise by now, and the kinds of change that go on."""
    stamp = timestamp(now)
    streaks = {key: each for key, each in state.streaks.items() if _within(each, now, _DAY)}
    learned: list[Noise] = []
    linked = [edit for edit in edits if edit.fields == {"link"}]
    if len(linked) >= _FEW and len(linked) * 2 >= known:
        # Tokens rotate at checks in a row; a new form of all links comes once.
        before = streaks.get("link")
        in_a_row = before and _within(before, now, 2 * check + timedelta(minutes=5))
        times = before.times + 1 if before and in_a_row else 1
        streaks["link"] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT:
            learned += _of_links(linked, stamp)
    for part, group in _counting(edits).items():
        if len(group) < _FEW and part != parts.TAIL:
            continue
        key = f"title {part}"
        times = streaks[key].times + 1 if key in streaks else 1
        streaks[key] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT:
            old, new = group[0].titles or ("", "")
            seen = f"{shorten(old, _SHOWN)} → {shorten(new, _SHOWN)}"
            learned.append(Noise(field="title", part=part, seen=seen, since=stamp))
    for each in learned:
        streaks.pop("link" if each.field == "link" else f"title {each.part}", None)
    return tuple(learned), streaks


def _of_links(linked: Sequence[_Edit], stamp: str) -> list[Noise]:
    pairs = [
        (edit.before.get("link") or "", edit.item.link)
        for edit in linked
        if edit.before is not None
    ]
    return [
        Noise(
            field="link",
            part=part,
            seen=f"{shorten(values[0], _SHOWN)} → {shorten(values[1], _SHOWN)}",
            since=stamp,
        )
        for part, values in parts.differing_parts(pairs).items()
    ]


def _counting(edits: Iterable[_Edit]) -> dict[str, list[_Edit]]:
    """Return by counting part the edits of titles in which only that part differs."""
    groups: dict[str, list[_Edit]] = defaultdict(list)
    for edit in edits:
        part = parts.counting_part(*edit.titles) if edit.titles else None
        if part is not None:
            groups[part].append(edit)
    return groups


def _quiet(edits: Sequence[_Edit], items: Sequence[NoticeItem], known: int) -> set[str]:
    """Return the ids whose titles count, lost a badge, or changed alike with many others."""
    quiet = {edit.item.id for edit in edits if edit.titles and parts.lost_a_badge(*edit.titles)}
    with_tail = sum(parts.has_tail(item.title) for item in items)
    for part, group in _counting(edits).items():
        if len(group) >= _FEW or (part == parts.TAIL and with_tail > _FEW):
            quiet |= {edit.item.id for edit in group}
    same = parts.alike({edit.item.id: edit.titles for edit in edits if edit.titles})
    if len(same) >= _SOME and len(same) * 2 >= known:
        quiet |= same
    return quiet


def _had_before(state: NoticeState, edit: _Edit) -> bool:
    past = state.past.get(edit.item.id)
    if past is None or edit.fields == {"link"}:
        return False
    return without_link(edit.now) in past.contents


def _flaps(state: NoticeState, edit: _Edit, now: datetime) -> bool:
    """Return whether a notice goes to and fro between contents; once a day it is recorded."""
    past = state.past.get(edit.item.id)
    if past is None or past.returns < _FLAPPING or not edit.old or not _had_before(state, edit):
        return False
    return now - parse_timestamp(past.at) < _DAY


def _held(
    item: NoticeItem, state: NoticeState, hot: Mapping[str, Mapping[str, str | None]]
) -> Observation:
    """Return the notice as it is known: no change, apart from its pin."""
    known = state.known[item.id]
    now = observation(item)
    return Observation(item.id, known.hash, hot.get(item.id, now.content), now.is_marked)


def _is_recent(at: str, now: datetime) -> bool:
    return now - parse_timestamp(at) < _FORGOTTEN_AFTER


def _within(streak: Streak, now: datetime, span: timedelta) -> bool:
    return now - parse_timestamp(streak.at) <= span
