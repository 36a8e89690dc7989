"""Links of notices: resolved, then canonical, so that one notice has one address (N20)."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote, unquote_plus, urljoin

from uring.errors import FetchFailed
from uring.fetch.url import parse_url, shown_url
from uring.reading.text import shorten

LINK_LIMIT: Final = 1_024
"""The longest link in characters; a longer one would not fit into a push with its title."""

_VOLATILE_NAMES: Final = (
    "page paged pageindex pageno page_no pagenum pagenumber page_num pageidx curpage cpage "
    "currentpage current_page nowpage offset phpsessid jsessionid sessionid session_id sessid sid "
    "fbclid gclid utm_source utm_medium utm_campaign"
)
VOLATILE: Final = frozenset(_VOLATILE_NAMES.split())
"""Query parameters of a list page or a session, not of a notice; lower case."""

_SESSION: Final = re.compile(r";jsessionid=[^/?#;&]*", re.IGNORECASE)
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_REMEDY: Final = "build the link with fields.link.template"
_KEPT: Final = (
    f'{_REMEDY}, or set "fragment": true in fields.link if the part after # opens the notice'
)
# RFC 3986, 3.5, and what is encoded already.
_IN_FRAGMENT: Final = "/?:@!$&'()*+,;=-._~%"
_QUOTED: Final = r"'[^']*+'|\"[^\"]*+\""
_CALL: Final = re.compile(rf"[\w$]\s*+\(((?:{_QUOTED}|[^'\"()])*+)\)")
_ARGUMENT: Final = re.compile(rf"(?:{_QUOTED}|[^'\",])++")
_DOTS: Final = (".", "..")
_PLACEHOLDER: Final = re.compile(r"\{(id|value)\}")
# A link that can be appended to its base unchanged: a path from the root, a name in the same folder
# or neither, then a query; no characters that parsing or normalising would change. Group 1 is the
# path, group 2 the query.
_PLAIN: Final = re.compile(r"(/?\w[\w.~%,+/-]*|/|(?=\?))(?:\?([\w.~%,+/:&=-]+))?", re.ASCII)
# Longer links take the general path, which checks all limits.
_PLAIN_LIMIT: Final = 1_500


@dataclass(frozen=True, slots=True)
class _Base:
    """The canonical addresses to append plain links to: of the root, the folder and the page."""

    root: str
    folder: str
    page: str


class LinkRefused(ValueError):
    """A link without a usable address. Its message has the link and the remedy."""


def resolve(
    href: str,
    base: str,
    page_link: str,
    keep: Collection[str] | None,
    volatile: Collection[str] = VOLATILE,
    *,
    fragment: bool = False,
) -> str:
    """Return the canonical address of ``href``.

    Args:
        href: as in the page, entities decoded.
        base: the base of relative links, see `base_of`.
        page_link: the page's own canonical address; a link back to it is refused.
        keep: the query parameters to keep, by name; None keeps all but ``volatile``.
        volatile: names in lower case.
        fragment: True keeps the part after ``#``, in one spelling; an empty one is removed.

    Raises:
        LinkRefused: empty, ``#``, ``javascript:``, not http(s), too long, or the list itself.
    """
    own = _fragment(href) if fragment else ""
    link = _joined(href, base, keep, volatile)
    if link is None:
        link = _resolved(href, base, keep, volatile, is_kept=bool(own))
    if link == page_link and not own:
        remedy = _REMEDY if fragment or not _fragment(href) else _KEPT
        raise LinkRefused(f"{shown_url(href)!r} leads back to the list; {remedy}")
    link += own
    if len(link) > LINK_LIMIT:
        raise LinkRefused(
            f"the link is longer than {LINK_LIMIT} characters; name the parameters to keep "
            "in link_parameters"
        )
    return link


def _fragment(href: str) -> str:
    """Return the part of an address from ``#`` on, percent-encoded; empty without letters."""
    text = href.partition("#")[2].strip()
    return f"#{quote(text, safe=_IN_FRAGMENT)}" if text.strip("!/") else ""


def _resolved(
    href: str,
    base: str,
    keep: Collection[str] | None,
    volatile: Collection[str],
    *,
    is_kept: bool = False,
) -> str:
    if not href or (href.startswith("#") and not is_kept):
        remedy = _KEPT if _fragment(href) else _REMEDY
        raise LinkRefused(f"{shorten(href, 80)!r} is not an address; {remedy}")
    scheme = _SCHEME.match(href)
    if scheme and scheme[1].lower() not in ("http", "https"):
        raise LinkRefused(f"{shown_url(href)!r} is not an address; {_REMEDY}")
    try:
        return canonical(urljoin(base, href), keep, volatile)
    except FetchFailed as error:
        raise LinkRefused(f"{error.detail}; {_REMEDY}") from error
    except ValueError as error:
        raise LinkRefused(f"{shown_url(href)!r} is not an address; {_REMEDY}") from error


def canonical(url: str, keep: Collection[str] | None, volatile: Collection[str] = VOLATILE) -> str:
    """Return the one spelling of an absolute address.

    It has no fragment, session id, default port or dropped parameter (see `resolve`). Parameters
    keep the page's order.

    Raises:
        FetchFailed: ``bad_address``.
    """
    resource, _, query = _SESSION.sub("", parse_url(url).url).partition("?")
    return _with_query(resource, query, keep, volatile)


def base_of(href: str, url: str) -> str:
    """Return the base of relative links on a page at ``url`` with this ``<base href>``.

    A base that is not an http(s) address is ignored, as browsers do, and ``url`` returned.
    """
    try:
        return parse_url(urljoin(url, href)).url
    except (FetchFailed, ValueError):
        return url


def fill(template: str, notice_id: str, value: str) -> str:
    """Put ``{id}`` and ``{value}``, percent-encoded, into a template.

    Raises:
        LinkRefused: a value is ``.`` or ``..``, which no encoding keeps from being folded.
    """
    values = {"id": notice_id, "value": value}

    def put(match: re.Match[str]) -> str:
        text = values[match[1]]
        if text in _DOTS:
            raise LinkRefused(f"{text!r} for {match[0]} would change the path; correct the rule")
        return quote(text, safe="")

    return _PLACEHOLDER.sub(put, template)


def query_parameter(address: str, name: str) -> str | None:
    """Return the first value of a query parameter, decoded; None if it is missing.

    Names compare exactly. The address may be relative or damaged: only the part after the first
    ``?`` counts.
    """
    query = address.partition("?")[2].partition("#")[0]
    for pair in query.replace(";", "&").split("&"):
        key, _, value = pair.partition("=")
        if _unquoted(key) == name:
            return _unquoted(value)
    return None


def path_segment(address: str, number: int) -> str | None:
    """Return the n-th part of an address's path, decoded; None if it is missing.

    ``number`` counts from 1, or from the end with -1. Addresses such as ``mailto:`` have none.
    """
    path = re.split("[?#]", address, maxsplit=1)[0]
    scheme = _SCHEME.match(path)
    if scheme and not path.startswith("//", scheme.end()):
        return None
    host, mark, rest = path.partition("//")
    if mark and (not host or scheme):
        path = rest.partition("/")[2]
    parts = [unquote(part) for part in path.split("/") if part]
    index = number - 1 if number > 0 else number
    return parts[index] if -len(parts) <= index < len(parts) else None


def call_argument(code: str, number: int) -> str | None:
    """Return the n-th argument, from 1, of the first call with at least n; None without one.

    Quotes are removed. Only calls with plain arguments count: ``return view('cse', 775);``.
    """
    for call in _CALL.finditer(code):
        arguments = _ARGUMENT.findall(call[1])
        if number <= len(arguments):
            return str(arguments[number - 1]).strip().strip("'\"")
    return None


def _joined(
    href: str, base: str, keep: Collection[str] | None, volatile: Collection[str]
) -> str | None:
    """Return the canonical address of a plain link; None for all others."""
    start = _base(base)
    if start is None or len(href) > _PLAIN_LIMIT:
        return None
    if href.startswith(start.root):
        href = href[len(start.root) :]
        if href[:1] != "/":
            return None
    elif href.startswith("./"):
        href = href[2:]
        if not href[:1].isalnum():
            return None
    plain = _PLAIN.fullmatch(href)
    if plain is None or "//" in href or "/." in href:
        return None
    path, query = plain.groups()
    if not path:
        resource = start.page
    elif path[0] == "/":
        resource = start.root + path
    else:
        resource = start.folder + path
    return _with_query(resource, query, keep, volatile) if query else resource


@lru_cache(maxsize=256)
def _base(url: str) -> _Base | None:
    if len(url) > _PLAIN_LIMIT:
        return None
    try:
        root, folder, page = (canonical(urljoin(url, to), None, ()) for to in ("/x", "x", "?x"))
    except (FetchFailed, ValueError):
        return None
    return _Base(root.removesuffix("/x"), folder.removesuffix("x"), page.removesuffix("?x"))


def _with_query(
    resource: str, query: str, keep: Collection[str] | None, volatile: Collection[str]
) -> str:
    pairs = [pair for pair in query.split("&") if pair]
    if "%" in query or "+" in query:
        pairs = [pair for pair in pairs if _stays(pair, keep, volatile)]
    elif keep is None:
        pairs = [pair for pair in pairs if pair.partition("=")[0].lower() not in volatile]
    else:
        pairs = [pair for pair in pairs if pair.partition("=")[0] in keep]
    return f"{resource}?{'&'.join(pairs)}" if pairs else resource


def _stays(pair: str, keep: Collection[str] | None, volatile: Collection[str]) -> bool:
    name = _unquoted(pair.partition("=")[0])
    return name.lower() not in volatile if keep is None else name in keep


def _unquoted(text: str) -> str:
    return unquote_plus(text) if "%" in text or "+" in text else text
