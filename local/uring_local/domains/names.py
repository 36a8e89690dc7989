"""URLs, normalised as the file worker does it, for people and for machines."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.errors import Permanent
from uring.fetch.url import one_line, shown_url
from uring.seeds.names import InvalidDomain, NormalizedDomain
from uring.seeds.normalize import PSL_VERSION, normalize_domain


@dataclass(frozen=True, slots=True)
class NamedDomain:
    """A URL as it was given, and its domain, or the error of a URL without a domain."""

    url: str
    domain: NormalizedDomain | None
    error: InvalidDomain | None = None


def normalize(url: str, country: str) -> NamedDomain:
    """Normalise a URL or a bare host; the result of an invalid one has its error.

    Raises:
        Permanent: the country is not two letters.
    """
    address = url if "://" in url else f"https://{url}"
    try:
        return NamedDomain(url, normalize_domain(address, country))
    except InvalidDomain as error:
        return NamedDomain(url, None, error)
    except ValueError as error:
        raise Permanent(f"--country: {error}") from error


def show_json(names: Sequence[NamedDomain]) -> None:
    """Print one line of JSON per URL."""
    for name in names:
        if name.domain is not None:
            document = asdict(name.domain) | {"psl_version": PSL_VERSION}
        elif name.error is not None:
            document = {"input_url": shown_url(name.url)}
            document |= {"reason": name.error.reason, "detail": name.error.detail}
        print(json.dumps(document, ensure_ascii=False))


def show_text(names: Sequence[NamedDomain]) -> None:
    """Print a table: URL, registrable domain, authority, id, or the reason for its absence."""
    table = Table(box=None, pad_edge=False)
    for column in ("url", "registrable domain", "authority", "domain id"):
        table.add_column(column, overflow="fold")
    for name in names:
        if name.domain is not None:
            domain = name.domain
            cells: tuple[str, ...] = (domain.registrable_domain, domain.authority, domain.domain_id)
        elif name.error is not None:
            cells = (f"[red]{name.error.reason}[/]", "", escape(one_line(name.error.detail)))
        table.add_row(escape(shown_url(name.url)), *cells)
    Console(highlight=False).print(table)
