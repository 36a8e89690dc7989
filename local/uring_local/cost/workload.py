"""A month's work: the watched sources, and the assumptions that only operation can confirm."""

from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Group, Parameter
from cyclopts.validators import Number

from uring.seeds.pace import DOMAIN_SECONDS, SLOWEST_SECONDS
from uring_local.options import RhythmName

_ASSUMED: Final = Group("Assumptions")

Count = Annotated[int, Parameter(validator=Number(gte=0, lte=10**12))]
Amount = Annotated[float, Parameter(group=_ASSUMED, validator=Number(gte=0, lte=10**9))]
Share = Annotated[float, Parameter(group=_ASSUMED, validator=Number(gte=0, lte=1))]
Spread = Annotated[float, Parameter(group=_ASSUMED, validator=Number(gte=0, lte=3))]
Batch = Annotated[float, Parameter(group=_ASSUMED, validator=Number(gte=1, lte=10))]


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A month of 30 days.

    Args:
        departments: boards of notices, each checked every ten minutes, or by the rhythm.
        rhythm: of the checks: uniform, sooner or thrifty.
        changes: new and edited notices of a department.
        registries: registries of regulations.
        rules: regulations of a registry; the file of each is asked for again in 14 days.
        domains: domains that are collected.
        container_hours: of containers of the domain worker, on Fargate Spot. Nothing is taken off
            the function for them.
        pages: pages of documents.
        translated: characters that are translated.
        browsers: with subscriptions to topics.
        batch: jobs in a batch of a FIFO queue.
        pollers: of a queue, each with receives of twenty seconds.
        site_seconds: until one site has answered: the median.
        site_spread: of such times, over all sites and checks: sigma of a lognormal.
        site_steady: of that spread is the site's own: the correlation of two of its checks.
        call_seconds: until AWS has answered a call.
        views: share of the unchanged checks that read other bytes, such as view counters.
        tls_milliseconds: CPU of TLS for a new connection, which the benchmark does not measure.
        check_kilobytes: sent to a site in a check.
        cold: share of cold starts, among the invocations that could start cold.
        reads: of a department's files, by readers.
        read_kilobytes: of such a read.
        weather_changes: share of the weather's runs that find a change.
        revised: files of a registry that are new or revised.
        domain_seconds: until a domain is collected, its waits included.
        slowest_seconds: until the slowest of an invocation's last domains is.
        analyses: of a page of documents.
        analysis_tokens: that the model reads in an analysis; it writes a tenth of that.
        job_characters: of a translation job.
        job_seconds: of a job of documents, mostly waiting for Translate and the model.
        page_reads: of a page's documents, through the HTTP API.
        choices: requests for topics of a browser.
    """

    departments: Annotated[int, Parameter(validator=Number(gte=1, lte=1_000_000))] = 1_000
    rhythm: RhythmName = "uniform"
    changes: Count = 15
    registries: Count = 2
    rules: Count = 200
    domains: Count = 0
    container_hours: Count = 0
    pages: Count = 0
    translated: Count = 0
    browsers: Count = 0
    batch: Batch = 10
    pollers: Amount = 5
    site_seconds: Amount = 0.3
    site_spread: Spread = 0.7
    site_steady: Share = 0.8
    call_seconds: Amount = 0.015
    views: Share = 0.8
    tls_milliseconds: Amount = 2
    check_kilobytes: Amount = 2.2
    cold: Share = 0.25
    reads: Amount = 1_000
    read_kilobytes: Amount = 4
    weather_changes: Share = 0.5
    revised: Amount = 10
    domain_seconds: Amount = DOMAIN_SECONDS
    slowest_seconds: Amount = SLOWEST_SECONDS
    analyses: Amount = 1
    analysis_tokens: Amount = 20_000
    job_characters: Annotated[float, Parameter(group=_ASSUMED, validator=Number(gte=1))] = 30_000
    job_seconds: Amount = 20
    page_reads: Amount = 100
    choices: Amount = 2


DEFAULT: Final = Workload()
