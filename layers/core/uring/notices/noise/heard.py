"""A board's own noise: what differs from check to check without being news. Pure.

    items ─ the parts learned as noise are not compared ─┐
          ─ contents that the notice had before ─────────┼─► records, quiet edits, next memory
          ─ titles that count, or changed alike ─────────┘

Numbers in titles and parts of links that change at check after check are learned and make no more
revisions (`Noise`). Until then such edits are recorded and not pushed.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from uring.clock import parse_timestamp, timestamp
from uring.notices.item import NoticeItem, observation
from uring.notices.noise import parts
from uring.notices.noise.memory import (
    MOST_NOISE,
    Noise,
    Past,
    Streak,
    differing,
    kept_streaks,
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
_SHARING: Final = 4
_LEARNED_AT: Final = 3
# In checks.
_SOON: Final = 6
_FLAPPING: Final = 2
_DAY: Final = timedelta(days=1)
# A list that changes daily may be asked a little early.
_SOME_DAYS: Final = timedelta(hours=20)
_WEEK: Final = timedelta(days=7)
_FORGOTTEN_AFTER: Final = timedelta(days=30)
_SHOWN: Final = 80
Contents = Mapping[str, Mapping[str, str | None]]


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
        is_content: whether all titles are other ones, and were so some days ago: a list of places
            whose content changes, such as menus.
    """

    records: list[Observation]
    memory: Callable[[Mapping[str, str]], dict[str, Any]]
    quiet: frozenset[str] = frozenset()
    differing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refuted: Mapping[str, str] = field(default_factory=dict)
    is_learned: bool = False
    is_content: bool = False


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
        """The titles before and now, if at most the link differs beside them; None otherwise."""
        if self.before is None or "title" not in self.fields or self.fields - {"title", "link"}:
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
        if each.field == "title":
            after["title"] = parts.without_form(value, each.part)
        elif each.field == "link":
            after["link"] = parts.without_link_part(value, each.part)
    return after


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
        item for item, record in zip(items, records, strict=True) if _is_edited(state, record)
    ]
    edits, held = _edits(state, changed, noise, hot)
    known = sum(item.id in state.known for item in items)
    learned, streaks = _learned(state, edits, items, known, now, check)
    if learned:
        noise = (*noise, *learned)[-MOST_NOISE:]
        edits, held = _edits(state, changed, noise, hot, frozenset(each.field for each in learned))
    to_and_fro = {edit.item.id for edit in edits if _goes_to_and_fro(state, edit, now)}
    if len(to_and_fro) == len(edits) and not _differs_otherwise(state, items):
        held |= to_and_fro
    edits = [edit for edit in edits if edit.item.id not in held]
    returned = {edit.item.id for edit in edits if _had_before(state, edit, now)}
    quiet = returned | _quiet(state, edits, items, known)
    if noise:
        # Of these only a hash is known, which the noise may have changed.
        quiet |= {edit.item.id for edit in edits if not edit.old}
    return Heard(
        [_held(record, state, hot) if record.id in held else record for record in records],
        lambda pushed: {
            "noise": noise,
            "streaks": streaks,
            "past": _past(state, edits, returned, pushed, now, _SOON * check),
            "page": rows_of(masked(items, noise)),
        },
        quiet=frozenset(quiet),
        differing={edit.item.id: edit.fields for edit in edits},
        refuted=_refuted(state, edits, returned, now),
        is_learned=noise != state.noise,
        is_content=_is_content(state, edits, known, now),
    )


def _refuted(
    state: NoticeState, edits: Iterable[_Edit], returned: Collection[str], now: datetime
) -> dict[str, str]:
    """Return by id the pushed edit that was undone within a day."""
    pasts = {edit.item.id: state.past[edit.item.id] for edit in edits if edit.item.id in returned}
    return {
        key: past.pushed
        for key, past in pasts.items()
        if past.pushed and now - parse_timestamp(past.at) < _DAY
    }


def _past(
    state: NoticeState,
    edits: Sequence[_Edit],
    returned: set[str],
    pushed: Mapping[str, str],
    now: datetime,
    soon: timedelta,
) -> dict[str, Past]:
    replaced = {edit.item.id: without_link(edit.old) for edit in edits if edit.fields - {"link"}}
    counting = {edit.item.id for edit in edits if edit.titles and parts.counting_form(*edit.titles)}
    past = {key: each for key, each in state.past.items() if _is_recent(each.at, now)}
    return remembered(past, replaced, returned, counting, pushed, now, soon)


def _is_edited(state: NoticeState, record: Observation) -> bool:
    """Return whether a known notice of the board has another hash."""
    known = state.known.get(record.id)
    if known is None or not known.hash or known.hash == record.hash:
        return False
    return state.is_own(known)


def _edits(
    state: NoticeState,
    changed: Iterable[NoticeItem],
    noise: Sequence[Noise],
    hot: Contents,
    learned: frozenset[str] = frozenset(),
) -> tuple[list[_Edit], set[str]]:
    """Return the edited notices, and the ids of those in which noise alone differs.

    Of a notice that is not published the state has marks without the noise known so far. A field
    that was ``learned`` since does not count for it.
    """
    edits, held = [], set()
    for item in changed:
        content = hot.get(item.id)
        if content is None:
            before, shown = state.page.get(item.id, ""), _masked(item, state.noise)
        else:
            before = marks_of_content(masked_content(content, noise))
            shown = _masked(item, noise)
        edit = _Edit(item, content, before, marks_of(shown))
        is_noise = edit.fields <= learned if content is None else bool(noise) and not edit.fields
        if before and is_noise and (noise or state.noise):
            held.add(item.id)
        else:
            edits.append(edit)
    return edits, held


def _masked(item: NoticeItem, noise: Sequence[Noise]) -> NoticeItem:
    for each in noise:
        if each.field == "title":
            item = replace(item, title=parts.without_form(item.title, each.part))
        elif each.field == "link":
            item = replace(item, link=parts.without_link_part(item.link, each.part))
    return item


def _learned(
    state: NoticeState,
    edits: Sequence[_Edit],
    items: Sequence[NoticeItem],
    known: int,
    now: datetime,
    check: timedelta,
) -> tuple[tuple[Noise, ...], dict[str, Streak]]:
    """Return the parts that are noise by now, and the kinds of change that go on."""
    stamp = timestamp(now)
    streaks = kept_streaks(state.streaks, now, _WEEK)
    learned: list[Noise] = []
    linked = [edit for edit in edits if "link" in edit.fields]
    if len(linked) > 1 and len(linked) * 4 >= known:
        # Tokens rotate at checks in a row; a new form of all links comes once.
        before = streaks.get("link")
        in_a_row = before and now - parse_timestamp(before.at) <= _SOON * check
        times = before.times + 1 if before and in_a_row else 1
        streaks["link"] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT:
            learned += _of_links(linked, stamp)
    for form, group in _counters(edits, items).items():
        key = f"title {form}"
        times = streaks[key].times + 1 if key in streaks else 1
        streaks[key] = Streak(times=times, at=stamp)
        if times >= _LEARNED_AT:
            old, new = group[0].titles or ("", "")
            seen = f"{shorten(old, _SHOWN)} → {shorten(new, _SHOWN)}"
            learned.append(Noise(field="title", part=form, seen=seen, since=stamp))
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


def _counters(edits: Iterable[_Edit], items: Sequence[NoticeItem]) -> dict[str, list[_Edit]]:
    """Return the edits of titles in which only a counter differs, by its form.

    A number is a counter if three titles changed in it at once, or four titles show its form.
    """
    groups: dict[str, list[_Edit]] = defaultdict(list)
    for edit in edits:
        form = parts.counting_form(*edit.titles) if edit.titles else None
        if form is not None:
            groups[form].append(edit)
    return {
        form: group
        for form, group in groups.items()
        if len(group) >= _FEW or sum(parts.has_form(item.title, form) for item in items) >= _SHARING
    }


def _quiet(
    state: NoticeState, edits: Sequence[_Edit], items: Sequence[NoticeItem], known: int
) -> set[str]:
    """Return the ids whose titles count, lost a badge, were cut, or changed alike with others."""
    titled = [(edit.item.id, *edit.titles) for edit in edits if edit.titles]
    quiet = {
        key
        for key, old, new in titled
        if parts.lost_a_badge(old, new)
        or parts.is_cut(old, new)
        or parts.is_cut(new, old)
        or _counts_often(state, key, old, new)
    }
    quiet |= {edit.item.id for group in _counters(edits, items).values() for edit in group}
    same = parts.alike({key: (old, new) for key, old, new in titled})
    if (len(same) >= _SOME and len(same) * 3 >= known * 2) or _FEW <= len(same) == known:
        quiet |= same
    return quiet


def _counts_often(state: NoticeState, key: str, old: str, new: str) -> bool:
    """Return whether the same title counted twice before."""
    past = state.past.get(key)
    return past is not None and past.counts > 1 and parts.counting_form(old, new) is not None


def _is_content(state: NoticeState, edits: Sequence[_Edit], known: int, now: datetime) -> bool:
    """Return whether nearly all titles are other ones, not for the first time in weeks."""
    titled = {edit.item.id: edit.titles for edit in edits if edit.titles}
    at = state.rewritten.get("title")
    if at is None or len(titled) < _SOME or len(titled) * 5 < known * 4:
        return False
    age = now - parse_timestamp(at)
    return _SOME_DAYS < age < _FORGOTTEN_AFTER and len(parts.alike(titled)) * 2 < len(titled)


def _had_before(state: NoticeState, edit: _Edit, now: datetime) -> bool:
    past = state.past.get(edit.item.id)
    if past is None or edit.fields == {"link"} or not _is_recent(past.at, now):
        return False
    return without_link(edit.now) in past.contents


def _goes_to_and_fro(state: NoticeState, edit: _Edit, now: datetime) -> bool:
    """Return whether a notice returned often to contents that it had.

    Alone, that is recorded once a day.
    """
    past = state.past.get(edit.item.id)
    if past is None or past.returns < _FLAPPING or not edit.old:
        return False
    return _had_before(state, edit, now) and now - parse_timestamp(past.at) < _DAY


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
