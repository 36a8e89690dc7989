"""Quiet edits: changes by the site's software, recorded but not pushed. Pure."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from uring.records.diff import Change
from uring.records.model import Revision

_SOME: Final = 5
_NONE: Final[Mapping[str, frozenset[str]]] = MappingProxyType({})
Content = Mapping[str, str | None]


class QuietEdits(NamedTuple):
    """Edits that are not pushed.

    Attributes:
        ids: of the edited records.
        rewritten: the fields that the site writes in another form from now on; or none.
    """

    ids: frozenset[str]
    rewritten: frozenset[str]


def quiet_edits(
    edits: Sequence[Change],
    hot: Sequence[Revision],
    known_on_page: int,
    differing: Mapping[str, frozenset[str]] = _NONE,
    *,
    alone: Collection[str],
    uniform: Collection[str],
    rewritten: Mapping[str, str],
) -> QuietEdits:
    """Return the edited records whose edit is not pushed.

    An edit of fields in ``alone`` only is quiet. If nearly all known records change in the same
    fields of ``uniform``, the site writes them in another form: its links have a new scheme, host
    or parameter, its dates are counted in another zone, its titles have a new prefix. A record
    that was not in the list then is compared without these fields when it comes back.

    Args:
        edits: of one check.
        hot: the items published before. A record that is not among them counts as quiet if the
            other edits are such a change of form.
        known_on_page: the number of known records on the page.
        differing: by id, the fields that differ, where that is known better than from ``hot``.
        alone: names of fields.
        uniform: names of fields.
        rewritten: by field name, since when the site writes the field in its present form.
    """
    contents: dict[str, Content] = {item.id: item.content for item in hot}
    edited = {
        change.id: differing[change.id]
        if change.id in differing
        else _differing(contents.get(change.id), change.observation.content)
        for change in edits
        if change.observation is not None
    }
    common = _common(edited, known_on_page, uniform)
    quiet = set()
    for change in edits:
        if change.id not in edited:
            continue
        other_form = common | _rewritten_since(change, rewritten)
        fields = edited[change.id]
        if fields <= other_form | frozenset(alone) and (fields or other_form):
            quiet.add(change.id)
    return QuietEdits(frozenset(quiet), common)


def _common(
    edited: Mapping[str, frozenset[str]], known_on_page: int, uniform: Collection[str]
) -> frozenset[str]:
    """Return the fields in which nearly all known records differ; empty without one."""
    told = [fields for fields in edited.values() if fields]
    if len(told) < _SOME or len(edited) * 5 < known_on_page * 4:
        return frozenset()
    return frozenset(
        name for name in uniform if sum(name in fields for fields in told) * 5 >= len(told) * 4
    )


def _rewritten_since(change: Change, rewritten: Mapping[str, str]) -> frozenset[str]:
    """Return the fields that the site writes in another form since the record was last seen."""
    if change.before is None:
        return frozenset()
    last_seen = change.before.last_seen
    return frozenset(name for name, at in rewritten.items() if last_seen < at)


def _differing(before: Content | None, now: Content) -> frozenset[str]:
    """Return the names of the fields that differ; empty if the earlier content is unknown."""
    if before is None:
        return frozenset()
    return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))
