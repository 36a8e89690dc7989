"""A board's own noise: what differs from check to check without being news. Pure.

    items ─ the parts learned as noise are not compared ─┐
          ─ contents that the notice had before ─────────┼─► records, quiet edits, next memory
          ─ titles that count, or changed alike ─────────┘

Numbers in titles and parts of links that change at check after check are learned and make no more
revisions (`Noise`). Until then such edits are recorded and not pushed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from uring.clock import parse_timestamp, timestamp
from uring.notices.item import NoticeItem, observation
from uring.notices.noise import parts
from uring.notices.noise.edits import (
    MANY,
    Contents,
    EditedNotice,
    Part,
    common_parts,
    edits_of,
    groups_of,
    is_edited,
    text_of,
)
from uring.notices.noise.memory import (
    MOST_NOISE,
    Noise,
    Past,
    Streak,
    kept_streaks,
    masked,
    remembered,
    rows_of,
    without_link,
)
from uring.notices.state import NoticeState
from uring.records.model import Observation

_SOME: Final = 5
_LEARNED_AT: Final = 3
# In edits of one notice in a row.
_OFTEN: Final = 2
_LONG: Final = 5
# In checks.
_SOON: Final = 6
# A list that changes daily may be asked a little early.
_SOME_DAYS: Final = timedelta(hours=20)
_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_FORGOTTEN_AFTER: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Heard:
    """A page without its noise.

    Attributes:
        records: for the engine. A held notice has its known hash and its published content, which
            may be a day behind its page.
        memory: returns the state's keys on noise after this check, all of them, by the event ids
            of its pushed edits; most checks write nothing and do not need them.
        quiet: the ids of edits that are not pushed.
        differing: by id of an edit, the fields that differ; empty where only its hash is known.
        refuted: by id, the event id of an edit that was pushed within the last day, and is undone.
        is_learned: whether other parts are noise after this check than before.
        waits: whether content of the page is not recorded yet.
        is_content: whether all titles are other ones, and were so some days ago: a list of places
            whose content changes, such as menus.
    """

    records: list[Observation]
    memory: Callable[[Mapping[str, str]], dict[str, Any]]
    quiet: frozenset[str] = frozenset()
    differing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refuted: Mapping[str, str] = field(default_factory=dict)
    is_learned: bool = False
    waits: bool = False
    is_content: bool = False


def hear(state: NoticeState, items: Sequence[NoticeItem], now: datetime, check: timedelta) -> Heard:
    """Separate the news of a page from its noise.

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
    records = [observation(item) for item in items]
    changed = [
        item for item, record in zip(items, records, strict=True) if is_edited(state, record)
    ]
    edits, held = edits_of(state, changed, noise, hot, now)
    known = sum(item.id in state.known for item in items)
    learned, streaks = _learned(state, edits, items, known, now, check)
    if learned:
        noise = (*noise, *learned)[-MOST_NOISE:]
        fields = frozenset(each.field for each in learned)
        edits, held = edits_of(state, changed, noise, hot, now, fields)
    to_and_fro = {edit.item.id for edit in edits if _goes_to_and_fro(state, edit, now)}
    waits = 0 < len(to_and_fro) == len(edits) and not _differs_otherwise(state, items)
    if waits:
        held |= to_and_fro
    edits = [edit for edit in edits if edit.item.id not in held]
    returned = {edit.item.id for edit in edits if _had_before(state, edit, now)}
    counting = _counting(state, edits, items, noise)
    quiet = returned | counting | _quiet(edits, known)
    if noise:
        # Of these only a hash is known, which the noise may have changed.
        quiet |= {edit.item.id for edit in edits if not edit.old}
    refuted = _refuted(state, edits, returned, counting, now)
    return Heard(
        [_held(record, state, hot) if record.id in held else record for record in records],
        lambda pushed: {
            "noise": noise,
            "streaks": streaks,
            # What is taken back is not taken back again.
            "past": _past(
                state, edits, returned, dict.fromkeys(refuted, "") | {**pushed}, now, _SOON * check
            ),
            "page": state.page if waits else rows_of(masked(items, noise)),
        },
        quiet=frozenset(quiet),
        differing={edit.item.id: edit.fields for edit in edits},
        refuted=refuted,
        is_learned=noise != state.noise,
        waits=waits,
        is_content=_is_content(state, edits, known, now),
    )


def _refuted(
    state: NoticeState,
    edits: Iterable[EditedNotice],
    returned: Collection[str],
    counting: Collection[str],
    now: datetime,
) -> dict[str, str]:
    """Return by id the pushed edit of the last day that was undone, or that only counted."""
    pasts = {edit.item.id: state.past.get(edit.item.id) for edit in edits}
    return {
        key: past.pushed
        for key, past in pasts.items()
        if past is not None
        and (key in returned or (key in counting and past.counts))
        and past.pushed
        and now - parse_timestamp(past.at) < _DAY
    }


def _past(
    state: NoticeState,
    edits: Sequence[EditedNotice],
    returned: set[str],
    pushed: Mapping[str, str],
    now: datetime,
    soon: timedelta,
) -> dict[str, Past]:
    replaced = {edit.item.id: without_link(edit.old) for edit in edits if edit.fields - {"link"}}
    counting = {edit.item.id for edit in edits if edit.moving}
    past = {
        key: each.model_copy(update={"pushed": pushed[key]}) if key in pushed else each
        for key, each in state.past.items()
        if _is_recent(each.at, now)
    }
    return remembered(past, replaced, returned, counting, pushed, now, soon)


def _learned(
    state: NoticeState,
    edits: Sequence[EditedNotice],
    items: Sequence[NoticeItem],
    known: int,
    now: datetime,
    check: timedelta,
) -> tuple[tuple[Noise, ...], dict[str, Streak]]:
    """Return the parts that are noise by now, and the kinds of change that go on."""
    stamp = timestamp(now)
    streaks = kept_streaks(state.streaks, now, _WEEK)
    learned: list[Noise] = []
    # A notice that was away when the site changed the form of its links follows it once.
    since = state.rewritten.get("link", "")
    linked = [
        edit
        for edit in edits
        if "link" in edit.fields and state.known[edit.item.id].last_seen >= since
    ]
    if len(linked) > 1 and len(linked) * 4 >= known:
        # Tokens rotate at checks in a row; a new form of all links comes once.
        before = streaks.get("link")
        in_a_row = before and now - parse_timestamp(before.at) <= _SOON * check
        times = before.times + 1 if before and in_a_row else 1
        streaks["link"] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT:
            learned += _of_links(linked, stamp)
    groups = groups_of(edits)
    common = common_parts(groups, items)
    for part in sorted(groups.keys() - {each.names for each in state.noise}):
        key = " ".join(part)
        times = streaks[key].times + 1 if key in streaks else 1
        streaks[key] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT and _is_noise(state, part, groups[part], is_common=part in common):
            learned.append(_of_texts(groups[part][0], part, stamp))
    for each in learned:
        streaks.pop("link" if each.field == "link" else " ".join(each.names), None)
    return tuple(learned), kept_streaks(streaks, now, _WEEK)


def _is_noise(
    state: NoticeState, part: Part, group: Sequence[EditedNotice], *, is_common: bool
) -> bool:
    """Return whether a number or time counts often enough not to be compared.

    The number that one notice has alone, or that people edit, must have counted for longer.
    """
    counts = [_counts(state, edit) for edit in group]
    if not any(parts.has_form(text_of(edit.item, part[0]), part[1]) for edit in group):
        # Dates are compared in any case.
        return False
    if is_common:
        return max(counts) > 0 or parts.is_certain(part[1])
    least = MANY if parts.is_said(part[1]) else 1
    is_long = sum(count >= _LONG for count in counts) >= least
    return is_long and len(state.noise) < MOST_NOISE


def _of_texts(edit: EditedNotice, part: Part, stamp: str) -> Noise:
    name, form = part
    before = edit.before or {}
    return Noise.of(name, form, (before.get(name) or "", text_of(edit.item, name)), stamp)


def _of_links(linked: Sequence[EditedNotice], stamp: str) -> list[Noise]:
    before = [(edit.before, edit.item.link) for edit in linked]
    pairs = [(content.get("link") or "", link) for content, link in before if content is not None]
    parts_seen = parts.differing_parts(pairs)
    return [Noise.of("link", part, values, stamp) for part, values in parts_seen.items()]


def _quiet(edits: Sequence[EditedNotice], known: int) -> set[str]:
    """Return the ids whose titles lost a badge, were cut, or changed alike with others."""
    titled = [(edit.item.id, *edit.titles) for edit in edits if edit.titles]
    quiet = {
        key
        for key, old, new in titled
        if parts.lost_a_badge(old, new) or parts.is_cut(old, new) or parts.is_cut(new, old)
    }
    same = parts.alike({key: (old, new) for key, old, new in titled})
    if (len(same) >= _SOME and len(same) * 3 >= known * 2) or MANY <= len(same) == known:
        quiet |= same
    return quiet


def _counting(
    state: NoticeState,
    edits: Sequence[EditedNotice],
    items: Sequence[NoticeItem],
    noise: Iterable[Noise],
) -> set[str]:
    """Return the ids whose texts count or tell the time alone."""
    common = {part for part in common_parts(groups_of(edits), items) if parts.is_certain(part[1])}
    common |= {each.names for each in noise}
    return {
        edit.item.id
        for edit in edits
        if edit.moving and (edit.moving <= common or _counts_often(state, edit))
    }


def _counts(state: NoticeState, edit: EditedNotice) -> int:
    past = state.past.get(edit.item.id)
    return past.counts if past else 0


def _counts_often(state: NoticeState, edit: EditedNotice) -> bool:
    """Return whether the same notice counted before, and the board in the same forms."""
    least = _LONG if any(parts.is_said(form) for _, form in edit.moving) else _OFTEN
    streaks = [state.streaks.get(" ".join(part)) for part in edit.moving]
    is_same = all(streak and streak.times >= least for streak in streaks)
    return is_same and _counts(state, edit) >= least


def _is_content(
    state: NoticeState, edits: Sequence[EditedNotice], known: int, now: datetime
) -> bool:
    """Return whether nearly all titles are other ones, not for the first time in weeks."""
    titled = {edit.item.id: edit.titles for edit in edits if edit.titles}
    at = state.rewritten.get("title")
    if at is None or len(titled) < _SOME or len(titled) * 5 < known * 4:
        return False
    age = now - parse_timestamp(at)
    return _SOME_DAYS < age < _FORGOTTEN_AFTER and len(parts.alike(titled)) * 2 < len(titled)


def _had_before(state: NoticeState, edit: EditedNotice, now: datetime) -> bool:
    past = state.past.get(edit.item.id)
    if past is None or edit.fields == {"link"} or not _is_recent(past.at, now):
        return False
    return without_link(edit.now) in past.contents


def _goes_to_and_fro(state: NoticeState, edit: EditedNotice, now: datetime) -> bool:
    """Return whether a notice returned often to contents that it had, and lately.

    Alone, that is recorded after a pause.
    """
    past = state.past.get(edit.item.id)
    if past is None or not edit.old:
        return False
    return _had_before(state, edit, now) and now - parse_timestamp(past.at) < past.pause


def _differs_otherwise(state: NoticeState, items: Iterable[NoticeItem]) -> bool:
    """Return whether the page has unknown ids or other pins: then it is recorded in any case."""
    for item in items:
        known = state.known.get(item.id)
        if known is None or known.is_marked != item.is_pinned:
            return True
    return False


def _held(record: Observation, state: NoticeState, hot: Contents) -> Observation:
    """Return the notice as it is known: no change, apart from its pin."""
    known = state.known[record.id]
    content = hot.get(record.id, record.content)
    return Observation(record.id, known.hash, content, record.is_marked)


def _is_recent(at: str, now: datetime) -> bool:
    return now - parse_timestamp(at) < _FORGOTTEN_AFTER
