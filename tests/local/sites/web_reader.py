"""A seed engine without faults: what it would store and count, and how it would ask."""

from collections import Counter
from collections.abc import Mapping

from uring_local.sites.web.dataset import Dataset, RawFile, dataset
from uring_local.sites.web.expected import Found, find, may_be_asked
from uring_local.sites.web.journal import Asked, WebJournal
from uring_local.sites.web.judge.results import HOMEPAGE, MARK, METADATA, ROBOTS, SITEMAP, Shown
from uring_local.sites.web.model import Domain, Web
from uring_local.sites.web.records import domain_id

Expected = Mapping[str, tuple[Domain, Found]]


def expected_of(web: Web, day: int) -> tuple[Dataset, Expected]:
    """Return a day's dataset and what there is to find at each of its domains."""
    files = dataset(web, day)
    domains = [web.domain(web.numbers[name], day) for name in files.domains]
    return files, {domain.domain: (domain, find(domain)) for domain in domains}


def shown_of(files: Dataset, expected: Expected) -> Shown:
    """Return what a collector without faults leaves behind, in containers that can be spoilt."""
    sources = files.domains
    evidence = {
        (name, file): body
        for name, (_, found) in expected.items()
        for file, body in (
            (ROBOTS, found.robots),
            (SITEMAP, found.sitemap),
            (HOMEPAGE, found.homepage),
        )
        if body
    }
    folders = {
        name: {METADATA, *([MARK] * found.is_reachable), *(f for n, f in evidence if n == name)}
        for name, (_, found) in expected.items()
    }
    metadata = {
        name: _metadata(domain, found, files, sources[name])
        for name, (domain, found) in expected.items()
    }
    return Shown(
        folders,
        metadata,
        evidence,
        {file.number for file in files.files if file.status == "done"},
        {file.number: _entry(file) for file in files.files},
        _counts(expected, sources),
    )


def journal_of(expected: Expected, day: int) -> WebJournal:
    """Return how an engine without faults asks: robots.txt, then a sitemap where it may."""
    journal = WebJournal()
    journal.begin(())
    for name, (domain, _) in expected.items():
        paths = ["/robots.txt"] * (2 if domain.robots == "flaky" else 1)
        if may_be_asked(domain):
            paths.append("/sitemap.xml")
        for path in paths:
            journal.ask(Asked(day, name, name, path, 1))
    return journal


def letters_of(files: Dataset) -> dict[str, int]:
    """Return how many messages there are about each domain."""
    return {name: len(sources) for name, sources in files.domains.items()}


def _metadata(
    domain: Domain, found: Found, files: Dataset, sources: Mapping[str, int]
) -> dict[str, object]:
    path, index = next(iter(sources.items()))
    return {
        "domain_id": domain_id(domain),
        "registrable_domain": domain.domain,
        "country": "SG",
        "category": "news",
        "collected_at": f"{files.date}T16:00:00Z",
        "robots": {
            "outcome": found.outcome,
            "status_code": found.status,
            "exists": found.outcome == "ok",
            "content_length": len(found.robots or b""),
            "truncated": found.is_cut,
            "sitemap_urls": list(found.lines),
        },
        "sitemap": {
            "exists": bool(found.sitemap_url),
            "url": found.sitemap_url,
            "status_code": 200,
            "url_count": found.urls,
            "content_length": len(found.sitemap or b""),
            "truncated": found.is_sitemap_cut,
            "kind": found.kind,
            "parse_mode": "recovered" if found.is_recovered else "strict",
        },
        "source": {"raw_file_path": path, "record_index": index},
    }


def _entry(file: RawFile) -> dict[str, object]:
    return {
        "status": file.status,
        "records": file.records,
        "domains": len(file.firsts),
        "duplicates": file.duplicates,
        "refused": file.refused,
    }


def _counts(expected: Expected, sources: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, (_, found) in expected.items():
        counts["collected" if found.is_reachable else "unreachable"] += 1
        counts[f"robots_{found.outcome}"] += 1
        counts["with_sitemap_lines"] += bool(found.lines)
        counts["with_sitemap"] += bool(found.sitemap_url)
        counts["urls"] += found.urls
        counts["duplicates"] += (len(sources[name]) - 1) if found.is_reachable else 0
    return counts
