"""The operations of a month, by family; the costs of a stack at rest are the family ``stack``."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Final

from uring.notices.family import Notices
from uring.regulations.source import Registry
from uring.runtime.settings import hours
from uring.seeds.collect.limits import LIMITS
from uring.seeds.pace import (
    AT_ONCE,
    MOST_DOMAINS,
    RANGE_TRIES,
    REFILL,
    SOCKETS,
    TRIES,
    domains_a_batch,
    seconds_a_batch,
    seconds_of_ranges,
)
from uring.sources.rhythm import RHYTHMS
from uring.watch.memory import memory_key
from uring.weather.gateway.retry import RATE_LIMIT
from uring_local.cost.usage import MONTH_SECONDS, Usage
from uring_local.cost.waiting import waiting

# Lambda's receives wait twenty seconds; they ignore the queue's own attribute.
_IDLE_RECEIVES: Final = MONTH_SECONDS / 20
_MESSAGES_A_BATCH: Final = 10
# A list has a thousand objects a page, and a department has two objects: state and memory.
_OBJECTS_A_PAGE: Final = 1_000
_OBJECTS: Final = 2
# CPU of the orchestrator for an entry, with the call that sends ten; CPU of the monitor for an
# unchanged source. Both are measured by bench/scale.py.
_JOB_MILLISECONDS: Final = 0.32
_SOURCE_MILLISECONDS: Final = 0.32
_DAYS: Final = 30
_WEEK_DAYS: Final = 7
_HOUR_MINUTES: Final = 60
# The template's second schedule has 24 minutes of an hour.
_BUSY_TICKS: Final = 24
# The assumptions of each wait for a site.
_OF_SITES: Final = ("site_seconds", "site_spread")
# Reports of an airport in a day. Each is added to its file of the day. METAR comes each hour or
# half-hour, with some SPECI; TAF each six hours, with some amendments.
_REPORTS_A_DAY: Final = {"MetarMinutes": 26, "TafMinutes": 5, "WarningMinutes": 0}
# The extractor's CPU for a file, at most, as bench/extraction.py measures it.
_EXTRACT_MILLISECONDS: Final = 600


def use_stack(usage: Usage) -> None:
    """Add the costs of a stack at rest, and the monitor's look at every department."""
    deployment, work = usage.deployment, usage.workload
    usage.add("stack", "alarm", deployment.alarms)
    usage.add("stack", "dashboard", deployment.dashboards)
    usage.add("stack", "secret", deployment.secrets)
    receives = _IDLE_RECEIVES * work.pollers * deployment.queues_polled
    usage.add("stack", "sqs_idle", receives, "pollers")
    runs = MONTH_SECONDS / deployment.interval("Monitor")
    usage.operate("stack", "watch.run", runs)
    # From a few hundred departments on each run finds a change.
    usage.operate("stack", "watch.written", runs, is_stored=False)
    usage.store("notices", "watch.written", work.departments * runs, memory_key(Notices.name))
    usage.invoke("stack", "Monitor", runs)
    usage.start("stack", "Monitor", runs)
    pages = ceil(work.departments * _OBJECTS / _OBJECTS_A_PAGE) - 1
    usage.add("notices", "s3_list", pages * runs)
    usage.compute("notices", "Monitor", _SOURCE_MILLISECONDS * work.departments * runs)


def use_notices(usage: Usage) -> None:
    """Add the checks of departments, their changes and pushes, and the reads of their files."""
    deployment, work = usage.deployment, usage.workload
    interval = deployment.interval("NoticeOrchestrator")
    ticks, checks = ticks_and_checks(usage, interval)
    changed = work.departments * work.changes
    beats = work.departments * MONTH_SECONDS / max(interval, Notices.heartbeat.total_seconds())
    unchanged = max(0, checks - beats - changed)
    for name, times in (
        ("unchanged", unchanged * (1 - work.views)),
        ("other_bytes", unchanged * work.views),
        ("heartbeat", beats),
        ("changed", changed),
    ):
        usage.operate("notices", f"notices.{name}", times, side_by_side=work.batch)
    usage.assumed[deployment.gb_second] |= {"views", "tls_milliseconds"}
    usage.compute("notices", "NoticeWorker", work.tls_milliseconds * checks)
    usage.operate("notices", "watch.heartbeat", beats)
    usage.operate("notices", "watch.changed", changed)
    usage.operate("notices", "watch.indexed", work.departments)
    batches = ceil(checks / ticks / work.batch)
    seconds = waiting(work, work.batch)
    usage.invoke(
        "notices", "NoticeWorker", batches * ticks, seconds, "batch", "site_steady", *_OF_SITES
    )
    usage.start(
        "notices", "NoticeWorker", min(batches, deployment.concurrency("NoticeWorker")) * ticks
    )
    _use_tick(usage, ticks, checks)
    _use_pushes(usage, "notices", changed)
    usage.add("notices", "egress_gb", checks * work.check_kilobytes / 1e6, "check_kilobytes")
    if deployment.has_cdn:
        reads = work.departments * work.reads
        usage.add("notices", "cdn_request", reads, "reads")
        size = reads * work.read_kilobytes / 1e6
        usage.add("notices", "cdn_gb", size, "reads", "read_kilobytes")


def ticks_and_checks(usage: Usage, interval: int) -> tuple[float, float]:
    """Return a month's ticks, and its checks of all departments."""
    work, week = usage.workload, RHYTHMS[usage.workload.rhythm].week
    ticks = MONTH_SECONDS / interval
    if work.rhythm == "uniform":
        return ticks, work.departments * ticks
    busy = len(hours(usage.deployment.text("BusyHours")))
    checks = work.departments * sum(_HOUR_MINUTES / each for each in week) * _DAYS / _WEEK_DAYS
    return ticks + _DAYS * busy * _BUSY_TICKS, checks


def _use_tick(usage: Usage, ticks: float, checks: float) -> None:
    work = usage.workload
    sends = ceil(checks / ticks / _MESSAGES_A_BATCH)
    # The sources and their hints, and the listing of the states.
    usage.add("notices", "s3_read", 2 * ticks)
    usage.add("notices", "s3_list", ceil(work.departments * _OBJECTS / _OBJECTS_A_PAGE) * ticks)
    usage.add("notices", "sqs_request", sends * ticks)
    usage.invoke("notices", "NoticeOrchestrator", ticks, sends * work.call_seconds, "call_seconds")
    usage.start("notices", "NoticeOrchestrator", ticks)
    usage.compute("notices", "NoticeOrchestrator", _JOB_MILLISECONDS * checks)


def _use_pushes(usage: Usage, family: str, pushes: float) -> None:
    """Add pushes, one for each invocation: most changes come alone."""
    usage.operate(family, "push", pushes)
    usage.invoke(family, "Notifier", pushes, waiting(usage.workload), *_OF_SITES)
    usage.start(family, "Notifier", pushes, secrets=1)


def use_weather(usage: Usage) -> None:
    """Add the runs of the products."""
    deployment, work = usage.deployment, usage.workload
    ticks = MONTH_SECONDS / deployment.interval("WeatherOrchestrator")
    usage.invoke("weather", "WeatherOrchestrator", ticks, work.call_seconds)
    usage.start("weather", "WeatherOrchestrator", ticks)
    for parameter, reports in _REPORTS_A_DAY.items():
        runs = MONTH_SECONDS / 60 / deployment.number(parameter)
        changed = runs * work.weather_changes
        usage.operate("weather", "weather.changed", changed)
        usage.operate("weather", "weather.unchanged", runs - changed)
        of_a_month = MONTH_SECONDS / 86_400 * deployment.airports * reports
        usage.operate("weather", "weather.day", of_a_month)
        usage.operate("weather", "watch.heartbeat", runs)
        usage.add("weather", "sqs_request", runs)
        # One response has the warnings of all airports.
        requests = 1 if parameter == "WarningMinutes" else deployment.airports
        seconds = requests * (waiting(work) + RATE_LIMIT.spacing_seconds)
        usage.invoke("weather", "WeatherWorker", runs, seconds, "weather_changes", *_OF_SITES)
        usage.start("weather", "WeatherWorker", runs, secrets=1)


def use_regulations(usage: Usage) -> None:
    """Add the daily syncs of registries, and their files: changed ones, and a nightly share."""
    work = usage.workload
    if not work.registries:
        return
    revised = work.registries * work.revised
    usage.invoke("regulations", "RegulationOrchestrator", _DAYS)
    usage.operate("regulations", "regulations.unchanged", work.registries * _DAYS)
    usage.invoke("regulations", "RegulationWorker", work.registries * _DAYS, waiting(work))
    usage.operate("regulations", "regulations.changed", revised)
    usage.operate("regulations", "regulations.text", revised)
    usage.invoke("regulations", "RegulationParser", revised, waiting(work), "revised")
    _extract(usage, "regulations", revised)
    _use_pushes(usage, "regulations", revised)
    again = work.registries * work.rules * _DAYS / Registry.model_fields["recheck_days"].default
    usage.operate("regulations", "regulations.recheck", again)
    usage.invoke("regulations", "RegulationParser", again, 2 * waiting(work), "rules", *_OF_SITES)
    # The registry's run writes the entry, in a transaction, and sends ten jobs at once.
    usage.add("regulations", "table_write", 2 * again, "rules")
    usage.add("regulations", "sqs_request", again / _MESSAGES_A_BATCH, "rules")


def _extract(usage: Usage, family: str, files: float) -> None:
    usage.invoke(family, "TextExtractor", files)
    usage.compute(family, "TextExtractor", _EXTRACT_MILLISECONDS * files)


def use_seeds(usage: Usage) -> None:
    """Add the collection of the month's domains."""
    work = usage.workload
    processors, gigabytes = usage.deployment.container_size
    usage.add("seeds", "spot_cpu_hour", work.container_hours * processors)
    usage.add("seeds", "spot_gb_hour", work.container_hours * gigabytes)
    usage.add("seeds", "address_hour", work.container_hours)
    if not work.domains:
        return
    ways = {"domains": _by_domains, "ranges": _by_ranges}
    evidence = usage.deployment.text("Evidence")
    ways[usage.deployment.text("SeedWork")](usage, "" if evidence == "objects" else f"_{evidence}")
    usage.add("seeds", "egress_gb", work.domains * 5 * work.check_kilobytes / 1e6)


def _by_domains(usage: Usage, evidence: str) -> None:
    """Add messages of one domain: an invocation refills its batch, and waits for the last ones."""
    work = usage.workload
    usage.operate("seeds", "seeds.file", work.domains / 1_000)
    batches = work.domains / _MESSAGES_A_BATCH
    # What a domain stores is stored while others are collected.
    usage.operate("seeds", f"seeds.domains{evidence}", batches, side_by_side=AT_ONCE)
    tried = work.domains * TRIES
    batches = tried / domains_a_batch(work.domain_seconds)
    assumed = ("domain_seconds", "slowest_seconds")
    usage.invoke("seeds", "DomainWorker", batches, seconds_a_batch(work.slowest_seconds), *assumed)
    usage.add("seeds", "sqs_request", tried / REFILL + tried / _MESSAGES_A_BATCH)


def _by_ranges(usage: Usage, evidence: str) -> None:
    """Add messages of a range: a batch of ten has its sockets full until the last domains."""
    work = usage.workload
    ranges = work.domains / MOST_DOMAINS
    batches = ranges / _MESSAGES_A_BATCH
    usage.operate("seeds", "seeds.file_ranges", work.domains / 1_000)
    # What a range stores is stored while others are collected.
    usage.operate("seeds", f"seeds.range{evidence}", ranges, side_by_side=SOCKETS)
    seconds = seconds_of_ranges(work.domain_seconds)
    usage.invoke("seeds", "DomainWorker", batches, seconds, "domain_seconds")
    # Each range has some silent domains, whose later tries are deferred and made.
    again = (RANGE_TRIES - 1) * batches
    usage.invoke("seeds", "DomainWorker", again, LIMITS.seconds, "domain_seconds")
    usage.invoke("seeds", "DomainWorker", again)
    usage.add("seeds", "sqs_request", again)


def use_documents(usage: Usage) -> None:
    """Add the pages' texts, translations and analyses, their reads and the daily sweep."""
    work = usage.workload
    if not work.pages + work.translated:
        return
    jobs, analyses = work.translated / work.job_characters, work.pages * work.analyses
    for name, times in (("extract", work.pages), ("translate", jobs), ("analyse", analyses)):
        usage.operate("documents", f"documents.{name}", times)
        usage.add("documents", "sqs_request", times)
        usage.invoke("documents", "DocumentWorker", times, work.job_seconds, "job_seconds")
    _extract(usage, "documents", work.pages)
    usage.operate("documents", "documents.sweep", work.pages * _DAYS)
    usage.invoke("documents", "DocumentJanitor", _DAYS)
    reads = work.pages * work.page_reads
    usage.operate("documents", "documents.read", reads)
    usage.invoke("documents", "DocumentApi", reads, 0, "page_reads")
    usage.start("documents", "DocumentApi", reads)
    usage.add("documents", "api_request", reads, "page_reads")
    usage.add("documents", "translate_character", work.translated)
    tokens = analyses * work.analysis_tokens
    usage.add("documents", "bedrock_input", tokens, "analyses", "analysis_tokens")
    usage.add("documents", "bedrock_output", tokens / 10, "analyses", "analysis_tokens")


def use_subscriptions(usage: Usage) -> None:
    """Add the requests of browsers for topics."""
    work = usage.workload
    if not work.browsers:
        return
    requests = work.browsers * work.choices
    usage.operate("subscriptions", "subscriptions.change", requests)
    usage.invoke("subscriptions", "SubscriptionApi", requests, waiting(work), "choices", *_OF_SITES)
    usage.start("subscriptions", "SubscriptionApi", requests, secrets=1)
    for unit in ("api_request", "cdn_request"):
        usage.add("subscriptions", unit, requests, "choices")


USES: Final[Mapping[str, Callable[[Usage], None]]] = {
    "notices": use_notices,
    "weather": use_weather,
    "regulations": use_regulations,
    "seeds": use_seeds,
    "documents": use_documents,
    "subscriptions": use_subscriptions,
}
"""By family, the function that adds its use of a month; a family without work adds nothing."""
