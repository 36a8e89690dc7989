"""Further pages of a list (N21)."""

from urllib.parse import quote_plus, unquote_plus

from uring.notices.source import Source


def page_of(source: Source, number: int) -> Source:
    """Return the entry that asks for this page, counted from 1. Page 1 is the entry itself.

    The paging parameter is replaced where the address has it, else added; a POST has it in its
    form.

    Raises:
        ValueError: a page above 1, and the entry has no ``paging``.
    """
    if number == 1:
        return source
    paging = source.paging
    if paging is None:
        raise ValueError(f"{source.id} has no paging")
    value = str(paging.first + (number - 1) * paging.step)
    if source.request.method == "POST":
        form = {**source.request.form, paging.parameter: value}
        request = source.request.model_copy(update={"form": form})
        return source.model_copy(update={"request": request})
    url = _with_parameter(source.url, paging.parameter, value)
    return source.model_copy(update={"url": url})


def _with_parameter(url: str, name: str, value: str) -> str:
    address, _, _ = url.partition("#")
    resource, _, query = address.partition("?")
    own = f"{quote_plus(name)}={value}"
    pairs = [pair for pair in query.split("&") if pair]
    at = [unquote_plus(pair.partition("=")[0]) == name for pair in pairs]
    if any(at):
        pairs = [own if mine else pair for pair, mine in zip(pairs, at, strict=True)]
    else:
        pairs.append(own)
    return f"{resource}?{'&'.join(pairs)}"
