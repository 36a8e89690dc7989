"""A list that was asked for twice: what differs by itself is kept out of the entry."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from uring.notices.noise.parts import PARAMETER, differing_parts, moving_forms
from uring.reading.text import shorten
from uring_local.add.propose import Proposal
from uring_local.entries.trial_read import FetchedPage, trial_read

_WITHOUT_TAIL: Final = r"^(.*?)\s*(?:[\[(]\s*\d[\d,]*\s*[\])])?$"
_SHOWN: Final = 60
# Of numbers only their text counts.
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


class _Listed(Protocol):
    id: str
    title: str
    link: str


def settled(proposal: Proposal, again: FetchedPage) -> Proposal:
    """Return the proposal after a second answer of its list, without what differed by itself.

    Parameters of links and numbers at the end of titles are kept out by the entry. Ids that differ,
    and parts of a link's path, are a doubt: a person has to look.
    """
    family = proposal.trial.family
    second = trial_read(family, family.model.model_validate(proposal.entry), again)
    before: Mapping[str, Any] = {item.id: item for item in _listed(proposal.trial.page.items)}
    after: Mapping[str, Any] = {item.id: item for item in _listed(second.page.items)}
    both = [(before[key], after[key]) for key in before.keys() & after.keys()]
    if before and after and not both:
        titles = {item.title for item in before.values()}
        if sum(item.title in titles for item in after.values()) * 2 > len(after):
            one, other = next(iter(before)), next(iter(after))
            return replace(
                proposal,
                doubt=f"the ids differ from request to request: {one!r} became {other!r}; look for "
                "an id that stays, such as a part of the link",
            )
    entry, reasons, doubt = _without_rotation(proposal.entry, both)
    entry, more = _without_counts(entry, both)
    if entry == proposal.entry:
        return replace(
            proposal, reasons=(*proposal.reasons, *reasons, *more), doubt=proposal.doubt or doubt
        )
    trial = trial_read(family, family.model.model_validate(entry), again)
    return Proposal(entry, (*proposal.reasons, *reasons, *more), trial, proposal.doubt or doubt)


def _listed(items: Sequence[Any]) -> list[_Listed]:
    """Return the items of a family whose records have an id, a title and a link."""
    return [item for item in items if all(hasattr(item, name) for name in ("id", "title", "link"))]


def _without_rotation(
    entry: dict[str, Any], both: Sequence[tuple[_Listed, _Listed]]
) -> tuple[dict[str, Any], list[str], str | None]:
    """Keep the parameters of links that stay; return the doubt about a path that does not."""
    pairs = [(one.link, other.link) for one, other in both if one.link != other.link]
    if len(pairs) * 2 < len(both) or not pairs:
        return entry, [], None
    parts = differing_parts(pairs)
    seen = f"{shorten(pairs[0][0], _SHOWN)} and {shorten(pairs[0][1], _SHOWN)}"
    names = [part.removeprefix(PARAMETER) for part in parts if part.startswith(PARAMETER)]
    if len(names) < len(parts) or not parts:
        return (
            entry,
            [],
            (
                f"links differ from request to request, such as {seen}: build them with "
                "fields.link.template, or --link"
            ),
        )
    queries = [urlsplit(other.link).query.split("&") for _, other in both]
    kept = dict.fromkeys(
        name
        for query in queries
        for name in (pair.partition("=")[0] for pair in query)
        if name and name not in names
    )
    why = f"{', '.join(names)} in the links differ from request to request: links keep the others"
    return {**entry, "link_parameters": list(kept)}, [why], None


def _without_counts(
    entry: dict[str, Any], both: Sequence[tuple[_Listed, _Listed]]
) -> tuple[dict[str, Any], list[str]]:
    """Cut numbers at the end of titles that differ; note other titles that do."""
    changed = [(one.title, other.title) for one, other in both if one.title != other.title]
    if not changed:
        return entry, []
    seen = f"{shorten(changed[0][0], _SHOWN)!r} and {shorten(changed[0][1], _SHOWN)!r}"
    title = entry.get("fields", {}).get("title")
    rule = {"select": title} if isinstance(title, str) else title
    if not all(map(_ends_with_count, changed)) or not rule or "pattern" in rule:
        return entry, [
            (
                f"titles differ from request to request, such as {seen}: leave out what moves with "
                "fields.title.drop or fields.title.pattern"
            )
        ]
    fields = {**entry["fields"], "title": {**rule, "pattern": _WITHOUT_TAIL}}
    why = f"titles end with a number that counts, such as {seen}: the pattern leaves it out"
    return {**entry, "fields": fields}, [why]


def _ends_with_count(pair: tuple[str, str]) -> bool:
    """Return whether two titles differ in a number in brackets at their end alone."""
    forms = moving_forms(*pair, _NOW, _NOW)
    form = next(iter(forms)) if len(forms) == 1 else ""
    return form[:1] in "[(" and form[1:2] == "#" and pair[1].endswith(form[2:])
