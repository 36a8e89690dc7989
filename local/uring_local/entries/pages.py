"""Entries with pages: one key for all spellings of an address, and useless entries."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from uring.errors import FetchFailed
from uring.fetch.address import never_public
from uring.fetch.url import DEFAULT_PORTS, parse_url
from uring.reading.links import VOLATILE, canonical
from uring.sources.entry import E, Entry
from uring.sources.problems.findings import ConfigFinding

# A number of page 1; a CMS may have `?page=jobs`.
_FIRST: Final = frozenset({"", "0", "1"})
_SESSION_NAMES: Final = (
    "phpsessid jsessionid sessionid session_id sessid sid "
    "fbclid gclid utm_source utm_medium utm_campaign"
)
_SESSION: Final = frozenset(_SESSION_NAMES.split())

ListKey = tuple[object, ...]
"""Equal for two spellings of one list; for comparison only."""


def list_key(url: str, form: Mapping[str, object] | None = None) -> ListKey | None:
    """Return the key of a list; None for a malformed address.

    http and https give the same key, and so do addresses with and without the default port, a
    fragment, a closing slash, a session or the number of page 1. Parameters may come in any order,
    and in a form as well as in the address.
    """
    try:
        target = parse_url(url)
        parts = urlsplit(canonical(url, None, frozenset()))
    except FetchFailed:
        return None
    port = None if target.port == DEFAULT_PORTS[target.scheme] else target.port
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *_texts(form or {})]
    kept = sorted(pair for pair in pairs if not _is_noise(*pair))
    return target.host, port, unquote(parts.path).rstrip("/"), tuple(kept)


def key_of(source: Entry) -> ListKey | None:
    """Return the key of a source's list; None for a malformed address."""
    return list_key(source.url, form_of(source.request.model_dump()))


def form_of(request: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a request's form, and the values of its JSON body by their paths."""
    form = request.get("form")
    fields = dict(_leaves(request.get("body"), ""))
    return {**fields, **(form if isinstance(form, dict) else {})}


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for member in value:
            yield from _leaves(member, path)
    elif value is not None:
        yield path, value


def refused_pages(
    key: str, sources: Mapping[int, E], allowed_hosts: Collection[str]
) -> Iterator[ConfigFinding]:
    """Yield addresses that the worker's guard refuses at every check (S15)."""
    for index, source in sources.items():
        target = parse_url(source.url)
        reason = None if target.authority in allowed_hosts else never_public(target)
        if reason is not None:
            yield ConfigFinding(
                (key, index, "url"),
                f"a deployed worker refuses it: {reason.partition(';')[0]}",
                "watch the public address of the site; on a stack that allows private hosts, "
                f"--allow-host {target.authority}",
            )


def doubled_pages(key: str, sources: Mapping[int, E]) -> Iterator[ConfigFinding]:
    """Yield entries that read the same rows of the same list: each change is pushed twice."""
    first: dict[object, int] = {}
    for index, source in sources.items():
        known = first.setdefault((key_of(source), source.rows), index)
        if known != index:
            yield ConfigFinding(
                (key, index, "url"),
                f"{sources[known].id!r} watches this list already",
                "remove one of the two; to watch another list of the page, select other rows",
                (key, known),
            )


def _texts(form: Mapping[str, object]) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in form.items()]


def _is_noise(name: str, value: str) -> bool:
    lower = name.lower()
    return lower in _SESSION or (lower in VOLATILE and value in _FIRST)
