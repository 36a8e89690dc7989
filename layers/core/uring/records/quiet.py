"""Edits that are the site's doing and no news: recorded, and pushed to nobody. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from uring.records.diff import Change
from uring.records.model import Revision

_SOME: Final = 5
Content = Mapping[str, str | None]


def quiet_edits(
    edits: Sequence[Change],
    hot: Sequence[Revision],
    known_on_page: int,
    *,
    alone: Collection[str],
    uniform: Collection[str],
) -> frozenset[str]:
    """Return the ids of edited records whose edit is no news.

    An edit of the fields in ``alone`` and no other is none. Where nearly all known records change
    in one and the same field of ``uniform``, the site writes that field in another way: its links
    have a new scheme, host or parameter, its dates are counted in another zone.

    Args:
        edits: of one check.
        hot: what readers saw before; an edit of what is not in it is judged by its fellows.
        known_on_page: how many of the records on the page were known.
        alone: names of fields.
        uniform: names of fields.
    """
    contents: dict[str, Content] = {item.id: item.content for item in hot}
    edited = {
        change.id: _differing(contents.get(change.id), change.observation.content)
        for change in edits
        if change.observation is not None
    }
    quiet = {key for key, fields in edited.items() if fields and fields <= frozenset(alone)}
    ((common, times),) = Counter(fields for fields in edited.values() if fields).most_common(1) or [
        (frozenset[str](), 0)
    ]
    nearly_all = times >= _SOME and len(edited) * 5 >= known_on_page * 4
    if nearly_all and len(common) == 1 and common <= frozenset(uniform):
        quiet |= {key for key, fields in edited.items() if fields in (common, frozenset())}
    return frozenset(quiet)


def _differing(before: Content | None, now: Content) -> frozenset[str]:
    """Return the names of the fields that differ; none where nobody knows what was before."""
    if before is None:
        return frozenset()
    return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))
