"""`uring domains`: for whoever wonders about a domain of a list.

The library and rich are imported where they are needed: the other commands, and `--help`, do
without them.
"""

from uring_local.options import Json


def normalize_urls(urls: list[str], /, *, country: str = "SG", as_json: Json = False) -> bool:
    """Show the registrable domain, authority and id of URLs, as the file worker tells them.

    A bare host is read as one of https. Exit code 1 if any has no registrable domain.

    Args:
        urls: of http or https, or bare hosts.
        country: two letters, for the ids.
        as_json: print one JSON object per URL and line.
    """
    from uring_local.domains.names import normalize, show_json, show_text

    names = [normalize(url, country) for url in urls]
    (show_json if as_json else show_text)(names)
    return all(name.domain is not None for name in names)
