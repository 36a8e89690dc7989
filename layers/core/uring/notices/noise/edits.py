"""The edited notices of a page: what differs in them, and which numbers or times alone. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from uring.clock import parse_timestamp
from uring.notices.item import NoticeItem
from uring.notices.noise import parts
from uring.notices.noise.memory import (
    Noise,
    differing,
    marks_of,
    marks_of_content,
    masked_content,
    masked_item,
)
from uring.notices.state import NoticeState
from uring.records.model import Observation

MANY: Final = 3
"""The fewest notices that show together what one of them does not."""

_SHARING: Final = 4
_TEXTS: Final = frozenset({"title", "category"})
Content = Mapping[str, str | None]
Contents = Mapping[str, Content]
Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EditedNotice:
    """An edited notice.

    Attributes:
        item: as it is now.
        before: its old content, where it is published.
        old: the marks of the old content; empty if only its hash is known.
        now: its marks now.
        moving: the fields and forms in which alone it counts or tells the time, beside its link;
            empty for any other edit.
    """

    item: NoticeItem
    before: Content | None
    old: str
    now: str
    moving: frozenset[Part] = frozenset()

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


def is_edited(state: NoticeState, record: Observation) -> bool:
    """Return whether a known notice of the board has another hash."""
    known = state.known.get(record.id)
    if known is None or not known.hash or known.hash == record.hash:
        return False
    return state.is_own(known)


def edits_of(
    state: NoticeState,
    changed: Iterable[NoticeItem],
    noise: Sequence[Noise],
    hot: Contents,
    now: datetime,
    learned: frozenset[str] = frozenset(),
) -> tuple[list[EditedNotice], set[str]]:
    """Return the edited notices, and the ids of those in which noise alone differs.

    Of a notice that is not published the state has marks without the noise known so far. A field
    that was ``learned`` since does not count for it.
    """
    edits, held = [], set()
    for item in changed:
        content, since = hot.get(item.id), _written_at(state, item.id)
        if content is None:
            before, shown = state.page.get(item.id, ""), masked_item(item, state.noise)
        else:
            bare = () if _has_other_end(content, item, noise, since, now) else noise
            before = marks_of_content(masked_content(content, bare))
            shown = masked_item(item, bare)
        edit = EditedNotice(item, content, before, marks_of(shown))
        is_noise = edit.fields <= learned if content is None else bool(noise) and not edit.fields
        if before and is_noise and (noise or state.noise):
            held.add(item.id)
        elif content is None:
            edits.append(edit)
        else:
            moving = _moving(content, item, since, now)
            moving = moving - {each.names for each in noise} or moving
            edits.append(replace(edit, moving=moving))
    return edits, held


def _written_at(state: NoticeState, key: str) -> datetime:
    """Return when the published content of a notice was on its page."""
    past = state.past.get(key)
    return parse_timestamp(past.at if past else state.known[key].first_seen)


def _has_other_end(
    before: Content, item: NoticeItem, noise: Iterable[Noise], since: datetime, now: datetime
) -> bool:
    """Return whether a countdown that is noise ends on another day than it did."""
    return any(
        parts.is_moved(before.get(each.field) or "", text_of(item, each.field), since, now)
        for each in noise
        if parts.is_countdown(each.part)
    )


def _moving(before: Content, item: NoticeItem, since: datetime, now: datetime) -> frozenset[Part]:
    """Return the fields and forms in which alone a notice differs, beside its link."""
    names = differing(marks_of_content(before), marks_of(item)) - {"link"}
    forms = {
        name: parts.moving_forms(before.get(name) or "", text_of(item, name), since, now)
        for name in names
    }
    if not names <= _TEXTS or not all(forms.values()):
        return frozenset()
    return frozenset((name, form) for name, found in forms.items() for form in found)


def text_of(item: NoticeItem, name: str) -> str:
    """Return a field as a text, empty for None."""
    return getattr(item, name) or ""


def groups_of(edits: Iterable[EditedNotice]) -> dict[Part, list[EditedNotice]]:
    """Return the edits by the fields and forms in which alone they count or tell the time."""
    groups: dict[Part, list[EditedNotice]] = defaultdict(list)
    for edit in edits:
        for part in edit.moving:
            groups[part].append(edit)
    return groups


def common_parts(
    groups: Mapping[Part, list[EditedNotice]], items: Sequence[NoticeItem]
) -> set[Part]:
    """Return the fields and forms that tell the time, changed in three notices, or are in four."""

    def shown(name: str, form: str) -> int:
        return sum(parts.has_form(text_of(item, name), form) for item in items)

    return {
        part
        for part, group in groups.items()
        if not parts.is_said(part[1])
        and (parts.is_clock(part[1]) or len(group) >= MANY or shown(*part) >= _SHARING)
    }
