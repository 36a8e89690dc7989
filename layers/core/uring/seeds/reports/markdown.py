"""A report for people: a table of sums, a table of partitions: pure."""

from collections.abc import Mapping
from typing import Final

from uring.seeds.reports.report import SeedReport, mean_milliseconds, success_ratio

_ROWS: Final = (
    ("domains collected", "collected"),
    ("domains that did not answer", "unreachable"),
    ("duplicates in other files", "duplicates"),
    ("with Sitemap lines", "with_sitemap_lines"),
    ("with a sitemap", "with_sitemap"),
    ("with feeds", "with_feeds"),
    ("URLs in sitemaps", "urls"),
)


def markdown(report: SeedReport) -> str:
    """Return a report as Markdown; the JSON beside it has every figure."""
    title = "Day" if report.kind == "daily" else "Week to"
    lines = [
        f"# Seed engine: {title.lower()} {report.day}",
        "",
        f"Made at {report.made_at}. New: the increase since {report.before or 'the beginning'}.",
        "",
        "| | new | in all |",
        "|---|---:|---:|",
        *(
            f"| {label} | {report.since.get(name, 0):,} | {report.totals.get(name, 0):,} |"
            for label, name in _ROWS
        ),
        f"| success ratio | {_ratio(report.since)} | {_ratio(report.totals)} |",
        f"| mean time a domain | {_seconds(report.since)} | {_seconds(report.totals)} |",
        "",
    ]
    if not report.partitions:
        return "\n".join([*lines, "No partition changed.", ""])
    lines += [
        "| partition | files | records | sent | collected | new | no answer | success |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for each in report.partitions:
        files = ", ".join(f"{count} {status}" for status, count in sorted(each.files.items()))
        lines.append(
            f"| {each.partition} | {files} | {each.records.get('records', 0):,} "
            f"| {each.records.get('domains', 0):,} | {each.counts.get('collected', 0):,} "
            f"| {each.since.get('collected', 0):,} | {each.counts.get('unreachable', 0):,} "
            f"| {_ratio(each.counts)} |"
        )
    return "\n".join([*lines, ""])


def _ratio(counts: Mapping[str, int]) -> str:
    ratio = success_ratio(counts)
    return "-" if ratio is None else f"{ratio:.1%}"


def _seconds(counts: Mapping[str, int]) -> str:
    mean = mean_milliseconds(counts)
    return "-" if mean is None else f"{mean / 1000:.1f} s"
