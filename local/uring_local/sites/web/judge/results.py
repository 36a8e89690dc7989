"""Compares the stored objects and counts of a day's domains with the model; a sentence a fault.

It uses no code of the product: paths, keys and counts are written again from the document.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Final

from uring_local.sites.stage.compare import differing, unmatched
from uring_local.sites.web.dataset import COUNTRY, Dataset, RawFile
from uring_local.sites.web.expected import Found, find
from uring_local.sites.web.model import SLOW, Domain
from uring_local.sites.web.records import domain_id

METADATA: Final = "domain_metadata.json"
MARK: Final = f"{METADATA}.success"
ROBOTS: Final = "robots.txt"
SITEMAP: Final = "sitemap.xml"
HOMEPAGE: Final = "homepage.html"
HASHES: Final = "sitemap_urls.hashes"
_REDIRECT: Final = 3


@dataclass(frozen=True)
class Shown:
    """The stored rows and counts of one day's partition.

    Attributes:
        folders: the names of the objects in each domain's folder.
        metadata: of each domain with a metadata object.
        evidence: bodies by domain and name.
        file_marks: numbers of the raw files that are marked as done; a file that ends early is not.
        files: the table's entry of each raw file, by number.
        counts: sums over the domains.
    """

    folders: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    evidence: Mapping[tuple[str, str], bytes] = field(default_factory=dict)
    file_marks: AbstractSet[int] = frozenset()
    files: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


def faults(
    domains: Mapping[str, tuple[Domain, Found]], dataset: Dataset, shown: Shown
) -> Iterator[str]:
    """Yield the faults of a finished day's results and counts.

    Args:
        domains: of the dataset, by name, each with its expected findings.
        dataset: of the day.
        shown: the stored rows and counts.
    """
    sources = dataset.domains
    for name, (domain, found) in domains.items():
        yield from (f"{name}: {fault}" for fault in _faults_of(domain, found, dataset, shown))
        if source := shown.metadata.get(name, {}).get("source"):
            path, index = source.get("raw_file_path", ""), source.get("record_index")
            if sources[name].get(path) != index:
                yield f"{name}: source is record {index} of {path!r}, which is not about it"
    for name in sorted(shown.folders.keys() - domains.keys()):
        yield f"{name}: it has results, but is in no raw file"
    for file in dataset.files:
        yield from (f"raw_{file.number:04}.json: {fault}" for fault in _faults_of_file(file, shown))
    # A sum that nothing was added to has no entry.
    sums = _counts(domains, sources)
    counts = {**dict.fromkeys(sums, 0), **shown.counts}
    yield from (f"counters: {fault}" for fault in differing(sums, counts))


def unread(
    expected: Mapping[str, tuple[Domain, Found]],
    late: Collection[str],
    metadata: Mapping[str, Mapping[str, Any]],
) -> dict[str, tuple[Domain, Found]]:
    """Return a day's quick domains that were not read in time, each with its findings then.

    Args:
        expected: of the day, by name.
        late: domains whose collection was put off because an answer did not come in time.
        metadata: the stored ones, by name. After no answer at the last try nothing else is due.
            After an answer at the next place alone, what was not named in full is there.
    """
    found = {}
    for name, (domain, findings) in expected.items():
        document = metadata.get(name, {})
        robots, home = document.get("robots", {}), f"https://{name}"
        place = robots.get("url", "").removesuffix(f"/{ROBOTS}") or home
        if domain.robots in SLOW:
            continue
        if robots.get("reason") == "timeout":
            silent = replace(domain, robots="drip")
            found[name] = silent, find(silent)
        elif place != home:
            stored = [*robots.get("sitemap_urls", ()), document.get("sitemap", {}).get("url", "")]
            there = {url.replace(place, home, 1): url for url in stored}
            lines = tuple(there.get(url, url) for url in findings.lines)
            url = there.get(findings.sitemap_url, findings.sitemap_url)
            found[name] = domain, replace(findings, lines=lines, sitemap_url=url)
        elif name in late:
            found[name] = domain, findings
    return found


def _faults_of(domain: Domain, found: Found, dataset: Dataset, shown: Shown) -> Iterator[str]:
    """Yield the faults of a domain's objects."""
    name = domain.domain
    bodies = {ROBOTS: found.robots, SITEMAP: found.sitemap, HOMEPAGE: found.homepage}
    right = {file for file, body in bodies.items() if body is not None}
    # An empty robots.txt is not stored, and an unreachable domain has no mark.
    right -= set() if found.robots else {ROBOTS}
    right |= {METADATA, MARK} if found.is_reachable else {METADATA}
    # Of an index, several sitemaps or a large one; the model has their numbers, not their URLs.
    stored = set(shown.folders.get(name, ())) - ({HASHES} if found.sitemap_url else set())
    yield from unmatched("", sorted(right), sorted(stored))
    for file, sent in bodies.items():
        body = shown.evidence.get((name, file))
        if body is not None and body != sent:
            was = "none" if sent is None else f"{len(sent)} bytes"
            yield f"{file} has {len(body)} bytes, which differ from those sent ({was})"
    if name in shown.metadata:
        yield from _faults_of_metadata(domain, found, dataset.category, shown.metadata[name])


def _faults_of_metadata(
    domain: Domain, found: Found, category: str, document: Mapping[str, Any]
) -> Iterator[str]:
    right = {
        "domain_id": domain_id(domain),
        "registrable_domain": domain.domain,
        "country": COUNTRY.upper(),
        "category": category,
    }
    yield from differing(right, document)
    robots: dict[str, Any] = {
        "outcome": found.outcome,
        "exists": found.outcome == "ok",
        "content_length": len(found.robots or b""),
        "truncated": found.is_cut,
        "sitemap_urls": list(found.lines),
    }
    if found.status // 100 != _REDIRECT:
        robots["status_code"] = found.status
    yield from (f"robots: {fault}" for fault in differing(robots, document.get("robots", {})))
    sitemap: dict[str, Any] = {"exists": bool(found.sitemap_url)}
    if found.sitemap_url:
        sitemap |= {
            "url": found.sitemap_url,
            "status_code": 200,
            "url_count": found.urls,
            "content_length": len(found.sitemap or b""),
            "truncated": found.is_sitemap_cut,
            "kind": found.kind,
            "parse_mode": "recovered" if found.is_recovered else "strict",
        }
    yield from (f"sitemap: {fault}" for fault in differing(sitemap, document.get("sitemap", {})))


def _faults_of_file(file: RawFile, shown: Shown) -> Iterator[str]:
    right: dict[str, Any] = {"status": file.status}
    if file.status != "failed":
        right |= {
            "records": file.records,
            "domains": len(file.firsts),
            "duplicates": file.duplicates,
            "refused": file.refused,
        }
    is_marked = file.number in shown.file_marks
    if is_marked != (file.status == "done"):
        yield f".success {'exists' if is_marked else 'is missing'}"
    yield from differing(right, shown.files.get(file.number, {}))


def _counts(
    domains: Mapping[str, tuple[Domain, Found]], sources: Mapping[str, Mapping[str, int]]
) -> dict[str, int]:
    """Return the sums over all domains; each further message about a domain is a duplicate."""
    sums: Counter[str] = Counter()
    for name, (_, found) in domains.items():
        sums["collected" if found.is_reachable else "unreachable"] += 1
        sums[f"robots_{found.outcome}"] += 1
        sums["with_sitemap_lines"] += bool(found.lines)
        sums["with_sitemap"] += bool(found.sitemap_url)
        sums["urls"] += found.urls
        sums["duplicates"] += len(sources[name]) - 1
    return dict(sums)
