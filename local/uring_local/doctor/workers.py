"""The size of the fleet: how many notice workers end the busiest tick in time, at what price."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from math import ceil
from types import MappingProxyType
from typing import Any, Final

from uring.aws.errors import translated
from uring.errors import ConfigInvalid, UringError
from uring_local.cost.families import ticks_and_checks
from uring_local.cost.prices import DOLLARS
from uring_local.cost.usage import Usage
from uring_local.cost.workload import Workload
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.lists import sitemap_files
from uring_local.doctor.subject import Subject
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.words import counted

ASSUMED_SECONDS: Final = 1.5
"""Seconds of ten checks in a stack that has not run for a day."""

# By rhythm: the share of the boards that are due in the busiest tick, and the seconds that the tick
# may take. Uniform ends before the queue's alarm rings, a rhythm before the next tick.
_PEAKS: Final[Mapping[str, tuple[float, int]]] = MappingProxyType(
    {"uniform": (1, 480), "sooner": (0.58, 120), "thrifty": (0.24, 120)}
)
_BATCH: Final = 10
_FEWEST: Final = 2
_LOOK_BACK: Final = timedelta(days=1)
_HOUR_SECONDS: Final = 3_600
_DEFAULT_REGION: Final = "us-east-1"


def needed(departments: int, seconds: float, rhythm: str) -> int:
    """Return the number of workers that end the busiest tick in time.

    Args:
        departments: boards of notices.
        seconds: of a batch of ten checks.
        rhythm: of the checks: uniform, sooner or thrifty.
    """
    share, time = _PEAKS.get(rhythm, _PEAKS["uniform"])
    return max(_FEWEST, ceil(ceil(departments * share / _BATCH) * seconds / time))


def check_workers(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding: the stack must have the notice workers that its list of boards needs."""
    departments = _departments(subject)
    if not departments:
        yield off("workers", "there is no readable list of boards to count")
        return
    measured = _measured(subject)
    seconds = measured or ASSUMED_SECONDS
    rhythm = subject.deployment.text("Rhythm")
    has, wanted = (
        int(subject.deployment.number("WorkerConcurrency")),
        needed(departments, seconds, rhythm),
    )
    source = "measured in the last day" if measured else "assumed: no day of checks yet"
    dollars = _dollars(subject, departments, seconds)
    detail = (
        f"{counted(departments, 'board')} at {seconds:.1f} s a batch ({source}) need {wanted:,} "
        f"workers with Rhythm={rhythm}, WorkerConcurrency is {has:,}; their time is "
        f"${dollars:,.2f} a month"
    )
    if wanted <= has:
        yield ok("workers", detail)
    else:
        yield failed(
            "workers",
            detail,
            f"deploy with WorkerConcurrency={wanted}: checks are dropped otherwise. AWS bills the "
            "time, not the number",
        )


def _departments(subject: Subject) -> int:
    try:
        return sum(
            len(NOTICE_ENTRIES.load(body, shard=shard).sources)
            for shard, _, body in sitemap_files(subject)
            if body is not None
        )
    except ConfigInvalid:
        # Reported by `check_lists`.
        return 0


def _measured(subject: Subject) -> float | None:
    """Return the seconds of ten checks in the last day by CloudWatch; None if it has none.

    Dropped jobs are not checks, so a fleet that drops most of its jobs does not look quick. Where
    batches are smaller than ten the seconds are too many; a fleet without room has full ones.
    """
    function = subject.physical("AWS::Lambda::Function").get("NoticeWorker")
    if not function:
        return None
    own = {"Name": "service", "Value": "notice_worker"}
    queries = [
        _sum("milliseconds", "AWS/Lambda", "Duration", {"Name": "FunctionName", "Value": function}),
        _sum("checks", f"uRing/{subject.stack}", "Checks", own),
    ]
    end = subject.clock()
    try:
        with translated("cloudwatch:GetMetricData"):
            answer = subject.client("cloudwatch").get_metric_data(
                MetricDataQueries=queries, StartTime=end - _LOOK_BACK, EndTime=end
            )
    except UringError:
        return None
    sums = {each["Id"]: sum(each["Values"]) for each in answer["MetricDataResults"]}
    if not sums.get("milliseconds") or not sums.get("checks"):
        return None
    return float(sums["milliseconds"] / 1e3 / sums["checks"] * _BATCH)


def _sum(name: str, namespace: str, metric: str, dimension: Mapping[str, str]) -> dict[str, Any]:
    found = {"Namespace": namespace, "MetricName": metric, "Dimensions": [dimension]}
    return {"Id": name, "MetricStat": {"Metric": found, "Period": _HOUR_SECONDS, "Stat": "Sum"}}


def _dollars(subject: Subject, departments: int, seconds: float) -> float:
    """Return the month's price of the worker's time."""
    deployment = subject.deployment
    work = Workload(departments=departments, rhythm=deployment.text("Rhythm"))  # type: ignore[arg-type]
    _, checks = ticks_and_checks(Usage(deployment, work), deployment.interval("NoticeOrchestrator"))
    region = subject.client("cloudwatch").meta.region_name
    price = DOLLARS.get(region, DOLLARS[_DEFAULT_REGION])[deployment.gb_second]
    gigabytes = deployment.functions["NoticeWorker"].memory_megabytes / 1_024
    return checks / _BATCH * seconds * gigabytes * price
