"""The size of a fleet: workers that a list of boards needs, and bounds that fit an account."""

import json
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, Final

import pytest
from botocore.exceptions import ClientError

from uring.changes.jobs import Planned
from uring.sources.rhythm import RHYTHMS, paced
from uring_local.cost.deployment import deployment
from uring_local.doctor.concurrency import Pool, fitting, pools
from uring_local.doctor.finding import Diagnosis
from uring_local.doctor.subject import Subject
from uring_local.doctor.workers import check_workers, needed
from uring_local.template.families import FAMILIES

NEW_ACCOUNT: Final = 10


@pytest.mark.parametrize(
    ("rhythm", "seconds", "workers"),
    [
        ("uniform", 1.5, 4),
        # Five end the tick in 580 s: the queue's alarm rings, and nothing is dropped yet.
        ("uniform", 2.9, 7),
        ("uniform", 5, 11),
        ("sooner", 1.5, 8),
        ("sooner", 5, 25),
        ("thrifty", 1.5, 3),
    ],
)
def test_ten_thousand_boards_need_workers_for_the_peak_of_their_rhythm(
    rhythm: str, seconds: float, workers: int
) -> None:
    assert needed(10_000, seconds, rhythm) == workers


def test_a_small_fleet_needs_lambda_s_least() -> None:
    assert needed(1, 1.5, "uniform") == 2


def test_notices_with_the_defaults_fit_a_new_account() -> None:
    found, others = pools(deployment())
    assert found == (
        Pool("NoticeWorker", "WorkerConcurrency", 5, 1),
        Pool("Notifier", "NotifierConcurrency", 3, 1),
    )
    # The orchestrator and the monitor.
    assert others + sum(pool.total for pool in found) == NEW_ACCOUNT


def test_documents_with_the_defaults_leave_the_notices_their_place() -> None:
    """They hold two invocations a job, and the notices' workers five of ten."""
    found, _ = pools(deployment(["documents"]))
    (documents,) = (pool for pool in found if pool.function == "DocumentWorker")
    assert documents == Pool("DocumentWorker", "DocumentConcurrency", 2, 2)
    (worker,) = (pool for pool in found if pool.function == "NoticeWorker")
    assert documents.total + worker.total < NEW_ACCOUNT


def test_every_queue_of_every_family_is_counted() -> None:
    every = deployment(FAMILIES)
    found, others = pools(every)
    polled = {name for name, function in every.functions.items() if function.sources}
    assert {pool.function for pool in found} == polled
    # Functions with a schedule, an upload or a request; the text extractor waits in its callers.
    assert others == len(every.functions) - len(polled) - 1


def test_what_is_proposed_is_within_the_limit_and_wastes_none_of_it() -> None:
    for families in ((), ("seeds",), ("documents",), tuple(FAMILIES)):
        some = deployment(families)
        found, others = pools(some)
        least = others + sum(pool.each * min(2, pool.most) for pool in found)
        total = others + sum(pool.total for pool in found)
        for limit in range(least, total + 20):
            shares = fitting(found, others, limit)
            used = others + sum(pool.each * shares.get(pool.parameter, pool.most) for pool in found)
            assert used <= limit
            # One is left where a job takes two.
            assert used >= min(limit - 1, total)
            assert all(2 <= shares[pool.parameter] <= pool.most for pool in found if pool.parameter)


def test_a_bound_that_is_not_a_parameter_is_lambda_s_least() -> None:
    """It cannot be lowered, so nobody misses a parameter for it."""
    fixed = {
        pool.function: pool.most for pool in pools(deployment(FAMILIES))[0] if not pool.parameter
    }
    assert fixed == {"WeatherWorker": 2, "RegulationWorker": 2, "RegulationParser": 2}


class Cloud:
    """The services that the check asks, of a stack with some boards."""

    region_name = "us-east-1"

    def __init__(self, boards: int, **parameters: str) -> None:
        self.parameters = {"FcmCredentialsSecret": "fcm/account"} | parameters
        self.sums: dict[str, list[float]] = {}
        self.is_denied = False
        self.asked: list[dict[str, Any]] = []
        site = "https://lantern.example.ac.kr/bbs/lantern/{}/artclList.do"
        self.sitemap = json.dumps(
            {
                "sources": [
                    {"id": f"b{n}", "name": "B", "url": site.format(n), "preset": "k2web"}
                    for n in range(boards)
                ]
            }
        ).encode()

    @property
    def meta(self) -> Any:
        return self

    def client(self, service: str, **_: Any) -> Any:
        assert service in {"cloudformation", "cloudwatch", "s3"}
        return self

    def describe_stacks(self, **_: Any) -> Any:
        parameters = [
            {"ParameterKey": key, "ParameterValue": value} for key, value in self.parameters.items()
        ]
        outputs = [{"OutputKey": "BucketName", "OutputValue": "bucket"}]
        return {"Stacks": [{"Parameters": parameters, "Outputs": outputs}]}

    def get_paginator(self, _: str) -> Any:
        return self

    def paginate(self, **_: Any) -> Any:
        worker = {
            "LogicalResourceId": "NoticeWorker",
            "PhysicalResourceId": "made-up-notice-worker",
            "ResourceType": "AWS::Lambda::Function",
        }
        return [{"StackResourceSummaries": [worker]}]

    def get_object(self, **_: Any) -> Any:
        return {"Body": BytesIO(self.sitemap), "ETag": '"1"', "ContentLength": len(self.sitemap)}

    def get_metric_data(self, **request: Any) -> Any:
        if self.is_denied:
            raise ClientError({"Error": {"Code": "AccessDenied"}}, "GetMetricData")
        self.asked.append(request)
        results = [{"Id": name, "Values": values} for name, values in self.sums.items()]
        return {"MetricDataResults": results}

    def examined(self) -> Diagnosis:
        (finding,) = check_workers(Subject("made-up", self))
        return finding


def test_seconds_are_those_of_a_check_that_was_made() -> None:
    """Dropped jobs take no time and are not work: a fleet that drops would look quick."""
    cloud = Cloud(40, WorkerConcurrency="2")
    cloud.sums = {"milliseconds": [9e6, 1.8e7], "checks": [400.0, 500.0]}
    finding = cloud.examined()
    assert finding.status == "failed"
    assert (
        "40 boards at 300.0 s a batch (measured in the last day) need 3 workers" in finding.detail
    )
    assert "WorkerConcurrency is 2" in finding.detail
    assert "deploy with WorkerConcurrency=3" in finding.remedy
    (asked,) = cloud.asked
    metrics = [each["MetricStat"]["Metric"] for each in asked["MetricDataQueries"]]
    assert [(each["Namespace"], each["MetricName"]) for each in metrics] == [
        ("AWS/Lambda", "Duration"),
        ("uRing/made-up", "Checks"),
    ]
    assert asked["EndTime"] - asked["StartTime"] == timedelta(days=1)


@pytest.mark.parametrize("is_denied", [False, True])
def test_a_stack_without_a_measured_day_is_examined_with_a_named_assumption(
    is_denied: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    cloud = Cloud(40)
    cloud.is_denied = is_denied
    finding = cloud.examined()
    assert finding.status == "ok"
    assert "40 boards at 1.5 s a batch (assumed: no day of checks yet) need 2" in finding.detail


def test_the_price_is_of_the_time_and_not_of_the_number() -> None:
    """Forty boards, 4,320 checks a month each, ten in 1.5 s of 192 MB: six cents."""
    few, many = Cloud(40), Cloud(40, WorkerConcurrency="50")
    for cloud in (few, many):
        assert "their time is $0.06 a month" in cloud.examined().detail


def test_the_rhythm_is_the_stack_s() -> None:
    cloud = Cloud(40, Rhythm="sooner")
    cloud.sums = {"milliseconds": [1e6], "checks": [100.0]}
    finding = cloud.examined()
    assert "at 100.0 s a batch" in finding.detail
    assert "need 3 workers with Rhythm=sooner" in finding.detail


def test_a_list_that_cannot_be_read_is_told_by_another_check() -> None:
    cloud = Cloud(1)
    cloud.sitemap = b"[]"
    assert cloud.examined().status == "off"


@pytest.mark.parametrize(
    ("name", "share", "tick_minutes"), [("sooner", 0.58, 2), ("thrifty", 0.24, 2)]
)
def test_the_busiest_tick_of_a_rhythm_has_no_larger_share(
    name: str, share: float, tick_minutes: int
) -> None:
    """A Monday in Korea by the ticks of BusyHours: small fleets are less even than large ones."""
    cadence = paced(RHYTHMS[name].week, "Asia/Seoul")
    boards = [Planned(f"board{number}", 10, {}, cadence) for number in range(1_000)]
    monday = datetime(2026, 11, 23, 0, 1, tzinfo=UTC)
    due = [
        sum(board.due(monday + timedelta(minutes=at), tick_minutes) is not None for board in boards)
        for at in range(0, 540, tick_minutes)
    ]
    assert needed(10_000, 120, name) == share * 1_000
    assert 0.8 * share <= max(due) / len(boards) <= share
