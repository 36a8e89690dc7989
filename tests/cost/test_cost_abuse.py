"""`uring cost --abuse`: a day of each flood, and the ceiling that holds it."""

import json
from dataclasses import replace

import pytest

from uring_local.cli import main
from uring_local.cost.abuse import Flood, price_floods
from uring_local.cost.deployment import Deployment, deployment
from uring_local.cost.workload import DEFAULT
from uring_local.template.families import FAMILIES


@pytest.fixture(scope="module")
def deployed() -> Deployment:
    return deployment(FAMILIES)


def floods(deployed: Deployment, rate: float = 1_000) -> list[Flood]:
    return price_floods(deployed, DEFAULT, "us-east-1", rate)


def of(found: list[Flood], ceiling: str) -> Flood:
    (flood, *_) = [each for each in found if each.ceiling.startswith(ceiling)]
    return flood


def test_a_thousand_small_reads_a_second_are_priced_by_hand(deployed: Deployment) -> None:
    requests = 1_000 * 86_400
    by_hand = requests / 10_000 * 0.012 + requests * 4_000 / 1e9 * 0.12
    assert of(floods(deployed), "CdnPlan").dollars == pytest.approx(by_hand)


def test_a_flood_of_ten_times_as_many_requests_costs_ten_times_as_much(
    deployed: Deployment,
) -> None:
    few, many = floods(deployed, 100), floods(deployed, 1_000)
    for less, more in zip(few[:3], many[:3], strict=True):
        assert more.dollars == pytest.approx(10 * less.dollars)


def test_no_ceiling_makes_a_day_dearer(deployed: Deployment) -> None:
    for rate in (0.5, 100, 1_000):
        for flood in floods(deployed, rate):
            assert 0 <= flood.held <= flood.dollars


def test_the_throttle_bounds_a_day_of_subscriptions_whatever_the_flood(
    deployed: Deployment,
) -> None:
    held = {round(of(floods(deployed, rate), "2 requests").held, 6) for rate in (2, 100, 10**6)}
    assert len(held) == 1
    assert held.pop() < 1.5


def test_documents_and_domains_are_held_at_their_parameters() -> None:
    given = deployment(FAMILIES, DocumentStackDollars="7", SeedDailyDomains="500000")
    usual = of(floods(deployment(FAMILIES)), "SeedDailyDomains")
    assert of(floods(given), "DocumentStackDollars=7").held == 7
    half = of(floods(given), "SeedDailyDomains=500000")
    assert half.held == pytest.approx(usual.held / 2)
    none = of(floods(deployment(FAMILIES, SeedDailyDomains="0")), "SeedDailyDomains")
    assert none.held == none.dollars


def test_slow_sites_bound_a_day_of_domains_by_themselves(deployed: Deployment) -> None:
    slow = replace(DEFAULT, domain_seconds=100)
    flood = of(price_floods(deployed, slow, "us-east-1", 1), "SeedDailyDomains")
    assert flood.held == flood.dollars


def test_a_program_gets_the_same(deployed: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--abuse", "--flood", "50", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["requests_a_second"] == 50
    assert [each["dollars"] for each in document["floods"]] == [
        flood.dollars for flood in floods(deployed, 50)
    ]
