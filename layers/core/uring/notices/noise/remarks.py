"""Sentences for the operators of a board whose checks succeed: its noise. Pure."""

from collections.abc import Iterable, Mapping

from uring.notices.noise import parts
from uring.notices.noise.memory import Noise, Past


def remarks(
    noise: Iterable[Noise], past: Mapping[str, Past], rewritten: Mapping[str, str]
) -> tuple[str, ...]:
    """Return a sentence for each kind of noise, with the key of the entry that ends it.

    Args:
        noise: the parts that are not compared.
        past: the earlier contents of edited notices.
        rewritten: by field, since when all notices have it in another form.
    """
    told = [_of_part(each) for each in noise]
    flapping = sum(each.returns > 1 for each in past.values())
    if flapping:
        told.append(
            f"{flapping} notices return to earlier contents; these edits are not pushed: the "
            "site's servers differ, or it guesses a language; try request.headers.Accept-Language"
        )
    if at := rewritten.get("title"):
        told.append(
            f"nearly all titles changed at once, at {at}: recorded, not pushed; if they have an "
            "addition that does not belong to them, name it in fields.title.strip"
        )
    return tuple(told)


def _of_part(noise: Noise) -> str:
    if noise.field == "title":
        what = "a number in brackets at the end" if noise.part == parts.TAIL else "a number"
        return (
            f"titles count: {what} differs from check to check ({noise.seen}) and is not "
            "compared; leave it out with fields.title.drop or fields.title.pattern"
        )
    return (
        f"links change at every check: {noise.part} ({noise.seen}) is not compared; name the "
        "parameters to keep in link_parameters, or build links with fields.link.template"
    )
