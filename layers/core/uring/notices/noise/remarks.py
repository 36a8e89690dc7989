"""Sentences for the operators of a board whose checks succeed: its noise. Pure."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from uring.clock import parse_timestamp
from uring.notices.noise.memory import Noise, Past

_TOLD_FOR: Final = timedelta(days=7)


def remarks(
    noise: Iterable[Noise],
    past: Mapping[str, Past],
    rewritten: Mapping[str, str],
    checked_at: str | None,
) -> tuple[str, ...]:
    """Return a sentence for each kind of noise, with the key of the entry that ends it.

    Args:
        noise: the parts that are not compared.
        past: the earlier contents of edited notices.
        rewritten: by field, since when all notices have it in another form; a week long.
        checked_at: the last success; None before the first.
    """
    told = [_of_part(each) for each in noise]
    flapping = sum(each.returns > 1 for each in past.values())
    if flapping:
        told.append(
            f"{flapping} notices return to earlier contents; these edits are not pushed: the "
            "site's servers differ, or it guesses a language; try request.headers.Accept-Language"
        )
    at = rewritten.get("title")
    if at and checked_at and parse_timestamp(checked_at) - parse_timestamp(at) < _TOLD_FOR:
        told.append(
            f"nearly all titles changed at once, at {at}: recorded, not pushed; if they have an "
            "addition that does not belong to them, name it in fields.title.strip"
        )
    return tuple(told)


def _of_part(noise: Noise) -> str:
    if noise.field == "title":
        return (
            f"titles count: the number in {noise.part!r} differs from check to check "
            f"({noise.seen}) and is not compared; leave it out with fields.title.drop or "
            "fields.title.pattern"
        )
    return (
        f"links change at every check: {noise.part} ({noise.seen}) is not compared; name the "
        "parameters to keep in link_parameters, or build links with fields.link.template"
    )
