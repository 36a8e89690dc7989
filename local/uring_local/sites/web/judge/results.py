"""Compares what is stored of a day's domains and counted of it with the model; a sentence a fault.

Nothing here is the product's code: paths, keys and counts are the document's, written once more.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final

from uring_local.sites.web.dataset import COUNTRY, Dataset
from uring_local.sites.web.expected import Found
from uring_local.sites.web.model import Domain
from uring_local.sites.web.records import domain_id

METADATA: Final = "domain_metadata.json"
MARK: Final = f"{METADATA}.success"
ROBOTS: Final = "robots.txt"
SITEMAP: Final = "sitemap.xml"
HOMEPAGE: Final = "homepage.html"
_REDIRECT: Final = 3
_LONGEST: Final = 120


@dataclass(frozen=True)
class Shown:
    """The stored rows and counts of one day's partition.

    Attributes:
        folders: the names of the objects in each domain's folder.
        metadata: of each domain that has any.
        evidence: bodies by domain and name; those that were read.
        file_marks: raw files that are marked as done, by number.
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
    """Yield everything that is not as it should be once a day is done.

    Args:
        domains: those of the dataset and what there is to find at each, by name.
        dataset: of the day.
        shown: all of it.
    """
    sources = dataset.domains
    for name, (domain, found) in domains.items():
        folder = shown.folders.get(name, frozenset())
        yield from _faults_of_folder(name, found, folder)
        if name in shown.metadata:
            document = shown.metadata[name]
            yield from _faults_of_metadata(domain, found, dataset.category, document)
            yield from _faults_of_source(name, sources[name], document.get("source") or {})
        yield from _faults_of_evidence(name, found, shown)
    for name in sorted(shown.folders.keys() - domains.keys()):
        yield f"{name}: there are results of it, and it is in no raw file"
    yield from _faults_of_files(dataset, shown)
    # A sum that nothing was added to is not there.
    sums = _counts(domains, sources)
    yield from _differing("counters", sums, {**dict.fromkeys(sums, 0), **shown.counts})


def _faults_of_folder(name: str, found: Found, folder: AbstractSet[str]) -> Iterator[str]:
    right = {METADATA}
    if found.is_reachable:
        right |= {MARK}
    # Of an empty one there is nothing to keep.
    if found.robots:
        right |= {ROBOTS}
    if found.sitemap is not None:
        right |= {SITEMAP}
    if found.homepage is not None:
        right |= {HOMEPAGE}
    for missing in sorted(right - folder):
        yield f"{name}: {missing} is missing"
    for extra in sorted(folder - right):
        yield f"{name}: {extra} is there, and should not be"


def _faults_of_metadata(
    domain: Domain, found: Found, category: str, document: Mapping[str, Any]
) -> Iterator[str]:
    right = {
        "domain_id": domain_id(domain),
        "registrable_domain": domain.domain,
        "country": COUNTRY.upper(),
        "category": category,
    }
    yield from _differing(domain.domain, right, document)
    robots: dict[str, Any] = {
        "outcome": found.outcome,
        "exists": found.outcome == "ok",
        "content_length": len(found.robots or b""),
        "truncated": found.is_cut,
        "sitemap_urls": list(found.lines),
    }
    if found.status // 100 != _REDIRECT:
        robots["status_code"] = found.status
    yield from _differing(f"{domain.domain}: robots", robots, document.get("robots", {}))
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
    yield from _differing(f"{domain.domain}: sitemap", sitemap, document.get("sitemap", {}))


def _faults_of_source(
    name: str, sources: Mapping[str, int], source: Mapping[str, Any]
) -> Iterator[str]:
    path, index = source.get("raw_file_path", ""), source.get("record_index")
    if sources.get(path) != index:
        yield f"{name}: source is record {index} of {path!r}, which is not about it"


def _faults_of_evidence(name: str, found: Found, shown: Shown) -> Iterator[str]:
    for file, right in (
        (ROBOTS, found.robots),
        (SITEMAP, found.sitemap),
        (HOMEPAGE, found.homepage),
    ):
        body = shown.evidence.get((name, file))
        if body is not None and body != right:
            was = "none" if right is None else f"{len(right)} bytes"
            yield f"{name}: {file} has {len(body)} bytes that are not those it sent ({was})"


def _faults_of_files(dataset: Dataset, shown: Shown) -> Iterator[str]:
    for file in dataset.files:
        name = f"raw_{file.number:04}.json"
        if (file.number in shown.file_marks) != (file.status != "failed"):
            yield f"{name}: .success is {'there' if file.number in shown.file_marks else 'missing'}"
        right: dict[str, Any] = {"status": file.status}
        if file.status != "failed":
            right |= {
                "records": file.records,
                "domains": len(file.firsts),
                "duplicates": file.duplicates,
                "refused": file.refused,
            }
        yield from _differing(name, right, shown.files.get(file.number, {}))


def _counts(
    domains: Mapping[str, tuple[Domain, Found]], sources: Mapping[str, Mapping[str, int]]
) -> dict[str, int]:
    """Return the sums over all domains; all messages about one but the first are duplicates."""
    sums: Counter[str] = Counter()
    for name, (_, found) in domains.items():
        sums["collected" if found.is_reachable else "unreachable"] += 1
        sums[f"robots_{found.outcome}"] += 1
        sums["with_sitemap_lines"] += bool(found.lines)
        sums["with_sitemap"] += bool(found.sitemap_url)
        sums["urls"] += found.urls
        sums["duplicates"] += len(sources[name]) - 1
    return dict(sums)


def _differing(name: str, right: Mapping[str, Any], shown: Mapping[str, Any]) -> Iterator[str]:
    for key, value in right.items():
        if shown.get(key) != value:
            yield f"{name}: {key} is {_short(shown.get(key))}, not {_short(value)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
