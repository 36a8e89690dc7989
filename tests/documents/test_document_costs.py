"""What pages may spend: never more than the cap, never less on the account than was spent."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fakes.clock import VirtualClock
from fakes.tables import MemoryTable

from uring.documents.costs import CapReached, DailyBudget
from uring.errors import WriteConflict
from uring.tables import Item, Write

PAGE = "page-1"


def account(table: MemoryTable) -> list[Item]:
    return [item for _, item in table.query(PAGE, "cost:")]


def test_a_call_is_not_made_where_its_estimate_would_pass_the_cap() -> None:
    table, clock, noted = MemoryTable(), VirtualClock(), list[int]()
    spend = DailyBudget(table, cap_micros=100, clock=clock).spend(PAGE, noted.append)
    spend.reserve(60)
    with pytest.raises(CapReached, match=f"{PAGE}: .*DocumentDailyDollars"):
        spend.reserve(41)
    spend.settle(60, 20)
    spend.reserve(80)
    assert (spend.spent, noted) == (20, [20])
    assert [item["micros"] for item in account(table)] == [100]


def test_a_day_and_a_page_have_accounts_of_their_own_that_expire() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = DailyBudget(table, cap_micros=100, clock=clock)
    budget.add(PAGE, 100)
    budget.add("page-12", 100)
    clock.advance(days=1)
    budget.add(PAGE, 100)
    assert len(account(table)) == 2
    soonest = min(int(str(item["expires_at"])) for item in account(table))
    assert soonest == int((clock() + timedelta(days=7)).timestamp())


def test_a_call_over_midnight_is_settled_where_it_was_reserved() -> None:
    table, clock = MemoryTable(), VirtualClock()
    spend = DailyBudget(table, cap_micros=100, clock=clock).spend(PAGE, lambda _: None)
    spend.reserve(90)
    clock.advance(days=1)
    spend.settle(90, 10)
    assert [item["micros"] for item in account(table)] == [10]


def test_what_a_death_left_reserved_stays_on_the_account() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = DailyBudget(table, cap_micros=100, clock=clock)
    budget.spend(PAGE, lambda _: None).reserve(90)
    with pytest.raises(CapReached):
        budget.spend(PAGE, lambda _: None).reserve(20)


def test_threads_that_reserve_at_once_never_pass_the_cap_together() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = DailyBudget(table, cap_micros=50, clock=clock)

    def reserve(_: int) -> bool:
        try:
            budget.add(PAGE, 10)
        except (CapReached, WriteConflict):
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        granted = [*pool.map(reserve, range(40))]
    (item,) = account(table)
    assert item["micros"] == 10 * sum(granted) <= 50


def test_one_that_is_overtaken_again_and_again_gives_up_and_reserves_nothing() -> None:
    class Contended(MemoryTable):
        def get(self, partition: str, key: str) -> Item | None:
            found = super().get(partition, key)
            micros = 0 if found is None else int(str(found["micros"]))
            self.transact(partition, [Write(key, {"micros": micros + 1})])
            return found

    table = Contended()
    budget = DailyBudget(table, cap_micros=50, clock=VirtualClock())
    with pytest.raises(WriteConflict):
        budget.add(PAGE, 10)
    assert [item["micros"] for item in account(table)] == [8]


def test_an_account_that_somebody_spoilt_counts_as_empty_and_keeps_what_is_not_known() -> None:
    table, clock = MemoryTable(), VirtualClock()
    key = f"cost:{clock():%Y-%m-%d}"
    table.transact(PAGE, [Write(key, {"micros": "a lot", "later": "x"})])
    DailyBudget(table, cap_micros=50, clock=clock).add(PAGE, 10)
    (item,) = account(table)
    assert (item["micros"], item["later"]) == (10, "x")
