"""What `uring cost` multiplies is what the functions do today."""

from dataclasses import replace
from itertools import product
from typing import Any, Final

import pytest
from call_tally import invocation_bytes
from cost_bench import Bench
from cost_operations import count_all
from department_operations import WRITTEN, Departments, board, written_bytes
from fakes import RecordingTelemetry

from uring_local.cost import families
from uring_local.cost.bill import make_bill
from uring_local.cost.counts import INVOCATION_LINE_BYTES, Counted, read_operations
from uring_local.cost.deployment import deployment
from uring_local.cost.prices import UNITS
from uring_local.cost.usage import MONTH_SECONDS, Usage
from uring_local.cost.workload import Workload
from uring_local.template.families import FAMILIES

OPERATIONS: Final = read_operations()
EVERYTHING: Final = Workload(
    departments=10, domains=1_000, pages=10, translated=10**6, browsers=1_000
)
# Timestamps, names and texts make some bytes more or less.
TOLERANCE: Final = 0.1


@pytest.fixture(scope="module")
def counted() -> dict[str, Counted]:
    return count_all()


def test_each_operation_is_counted(counted: dict[str, Counted]) -> None:
    assert counted.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_calls_and_counts_what_the_table_says(
    counted: dict[str, Counted], name: str
) -> None:
    found, known = counted[name], OPERATIONS[name].counted
    assert (found.calls, found.metrics) == (known.calls, known.metrics)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_writes_as_many_bytes_as_the_table_says(
    counted: dict[str, Counted], name: str
) -> None:
    found, known = counted[name], OPERATIONS[name].counted
    assert found.line_bytes == pytest.approx(known.line_bytes, rel=TOLERANCE, abs=20)
    assert found.stored_bytes == pytest.approx(known.stored_bytes, rel=TOLERANCE)


@pytest.mark.parametrize("departments", [3, 12, 40])
def test_what_the_monitor_writes_for_all_grows_with_the_departments(departments: int) -> None:
    known = OPERATIONS["watch.written"].counted.stored_bytes
    # What the other families and the objects themselves take.
    rest = written_bytes(10) - 10 * known
    assert written_bytes(departments) - rest == pytest.approx(departments * known, rel=0.02)


def test_the_versions_that_the_monitor_writes_are_kept_by_a_rule_of_their_own() -> None:
    """1,438 bytes a source in each of 4,320 runs would be 62 GB for ten thousand sources."""
    usage = Usage(deployment(), Workload(departments=10_000, changes=0))
    families.use_stack(usage)
    assert 2 < usage.amounts["notices", "s3_gb_month"] < 4
    assert len({deployment().version_months(key) for key in WRITTEN}) == 1


def test_the_end_of_an_invocation_writes_as_many_bytes_as_the_table_says() -> None:
    telemetry = RecordingTelemetry()
    for metric in ("Checks", "ChecksHinted", "ChecksUnchanged"):
        telemetry.count(metric, 10)
    metrics = deployment().functions["NoticeWorker"].environment["METRICS"]
    size = invocation_bytes(telemetry, {}, metrics)
    assert size == pytest.approx(INVOCATION_LINE_BYTES, rel=TOLERANCE)


def test_a_quiet_day_of_a_department_is_played_as_it_is_billed() -> None:
    bench = Bench()
    world = Departments(bench)
    world.site = board(25)
    world.look(["cs"])
    for _ in range(2):
        world.watch()
    with bench.tally.counting():
        for _ in range(144):
            world.clock.advance(600)
            world.look(["cs"])
            world.watch()
    usage = Usage(deployment(FAMILIES), Workload(departments=1, changes=0))
    families.use_stack(usage)
    families.use_notices(usage)
    days = MONTH_SECONDS / 86_400
    own = [key for key in bench.tally.written if "/cs" in key]
    # No month ends on this day.
    index = OPERATIONS["watch.indexed"].counted.calls
    assert len(own) == (usage.amounts["notices", "s3_put"] - index["s3_put"]) / days
    reads = usage.amounts["notices", "s3_read"] + usage.amounts["stack", "s3_read"]
    reads -= index["s3_read"]
    # The orchestrator, who reads sources and hints once a tick, does not play.
    assert bench.tally.counts["s3_read"] == reads / days - 2 * 144


def test_a_counter_is_billed_where_the_template_makes_it_a_metric() -> None:
    """A department that is checked counts three things, and two are looked at."""
    usage = Usage(deployment(), Workload())
    usage.operate("notices", "notices.unchanged", 10**6)
    usage.count_metrics()
    assert {"Checks", "ChecksHinted", "ChecksUnchanged"} == {
        *OPERATIONS["notices.unchanged"].counted.metrics
    }
    assert usage.amounts["notices", "metric"] == 2


def test_each_operation_is_in_a_bill() -> None:
    used: set[str] = set()
    for work, evidence in product(("domains", "ranges"), ("objects", "segments", "none")):
        usage = Usage(deployment(FAMILIES, SeedWork=work, Evidence=evidence), EVERYTHING)
        operate = usage.operate

        def noting(
            family: str, name: str, times: float, _operate: Any = operate, **more: float
        ) -> None:
            used.add(name)
            _operate(family, name, times, **more)

        usage.operate = noting  # type: ignore[method-assign, assignment]
        for use in (families.use_stack, *families.USES.values()):
            use(usage)
    assert used == OPERATIONS.keys()


def test_the_functions_and_units_of_the_table_are_there() -> None:
    functions = deployment(FAMILIES).functions
    for operation in OPERATIONS.values():
        assert operation.function in functions
        assert operation.counted.calls.keys() <= UNITS.keys() | {"s3_delete"}
        assert operation.source


def test_a_read_of_every_check_would_be_seen_in_the_bill(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bill is for: it shows what a change of the functions costs."""
    before = make_bill(deployment(FAMILIES), EVERYTHING, "us-east-1")
    dearer = {
        name: replace(each, counted=replace(each.counted, calls={"s3_read": 1}))
        if name in ("notices.unchanged", "notices.other_bytes")
        else each
        for name, each in OPERATIONS.items()
    }
    monkeypatch.setattr("uring_local.cost.usage.read_operations", lambda: dearer)
    after = make_bill(deployment(FAMILIES), EVERYTHING, "us-east-1")
    assert after.families["notices"] > before.families["notices"]
    assert after.families["weather"] == before.families["weather"]
