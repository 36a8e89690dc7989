"""What pages may spend: never more than the cap, never less on the account than was spent."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fakes.clock import VirtualClock
from fakes.documents import PIECE_MICROS, Office
from fakes.tables import MemoryTable

from uring.documents.costs import CapReached, DailyBudget, StackCapReached
from uring.documents.names import SYSTEM
from uring.errors import WriteConflict
from uring.tables import Item, Part, Write

PAGE = "page-1"


def budget_of(
    table: MemoryTable, clock: VirtualClock, *, page: int, stack: int = 1_000
) -> DailyBudget:
    return DailyBudget(table, cap_micros=page, stack_micros=stack, clock=clock)


def of_all(table: MemoryTable) -> list[Item]:
    return [item for _, item in table.query(SYSTEM, "cost:")]


def account(table: MemoryTable) -> list[Item]:
    return [item for _, item in table.query(PAGE, "cost:")]


def test_a_call_is_not_made_where_its_estimate_would_pass_the_cap() -> None:
    table, clock, noted = MemoryTable(), VirtualClock(), list[int]()
    spend = budget_of(table, clock, page=100).spend(PAGE, noted.append)
    spend.reserve(60)
    with pytest.raises(CapReached, match=f"{PAGE}: .*DocumentDailyDollars"):
        spend.reserve(41)
    spend.settle(60, 20)
    spend.reserve(80)
    assert (spend.spent, noted) == (20, [20])
    assert [item["micros"] for item in account(table)] == [100]


def test_a_day_and_a_page_have_accounts_of_their_own_that_expire() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = budget_of(table, clock, page=100)
    budget.add(PAGE, 100)
    budget.add("page-12", 100)
    clock.advance(days=1)
    budget.add(PAGE, 100)
    assert len(account(table)) == 2
    soonest = min(int(str(item["expires_at"])) for item in account(table))
    assert soonest == int((clock() + timedelta(days=7)).timestamp())


def test_a_call_over_midnight_is_settled_where_it_was_reserved() -> None:
    table, clock = MemoryTable(), VirtualClock()
    spend = budget_of(table, clock, page=100).spend(PAGE, lambda _: None)
    spend.reserve(90)
    clock.advance(days=1)
    spend.settle(90, 10)
    assert [item["micros"] for item in account(table)] == [10]


def test_what_a_death_left_reserved_stays_on_the_account() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = budget_of(table, clock, page=100)
    budget.spend(PAGE, lambda _: None).reserve(90)
    with pytest.raises(CapReached):
        budget.spend(PAGE, lambda _: None).reserve(20)


def test_threads_that_reserve_at_once_never_pass_the_cap_together() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = budget_of(table, clock, page=50)

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
    budget = budget_of(table, VirtualClock(), page=50)
    with pytest.raises(WriteConflict):
        budget.add(PAGE, 10)
    assert [item["micros"] for item in account(table)] == [8]


def test_an_account_that_somebody_spoilt_counts_as_empty_and_keeps_what_is_not_known() -> None:
    table, clock = MemoryTable(), VirtualClock()
    key = f"cost:{clock():%Y-%m-%d}"
    table.transact(PAGE, [Write(key, {"micros": "a lot", "later": "x"})])
    budget_of(table, clock, page=50).add(PAGE, 10)
    (item,) = account(table)
    assert (item["micros"], item["later"]) == (10, "x")


def test_all_pages_together_never_pass_the_ceiling_of_the_stack() -> None:
    table, clock = MemoryTable(), VirtualClock()
    budget = budget_of(table, clock, page=100, stack=150)
    budget.add("a", 100)
    with pytest.raises(StackCapReached, match=r"b: all pages .*DocumentStackDollars"):
        budget.add("b", 51)
    assert [*table.query("b", "cost:")] == []
    budget.add("b", 50)
    assert [item["micros"] for item in of_all(table)] == [150]
    clock.advance(days=1)
    budget.add("b", 100)
    soonest = min(int(str(item["expires_at"])) for item in of_all(table))
    assert soonest == int((clock() + timedelta(days=7)).timestamp())


def test_the_ceiling_of_a_page_is_told_from_that_of_the_stack() -> None:
    budget = budget_of(MemoryTable(), VirtualClock(), page=10, stack=5)
    with pytest.raises(CapReached) as page:
        budget.add(PAGE, 11)
    with pytest.raises(CapReached) as stack:
        budget.add(PAGE, 6)
    assert (type(page.value), type(stack.value)) == (CapReached, StackCapReached)


def test_both_accounts_are_settled() -> None:
    table, clock = MemoryTable(), VirtualClock()
    spend = budget_of(table, clock, page=100, stack=100).spend(PAGE, lambda _: None)
    spend.reserve(90)
    clock.advance(days=1)
    spend.settle(90, 10)
    assert [item["micros"] for item in (*account(table), *of_all(table))] == [10, 10]


def test_pages_that_reserve_at_once_fill_the_stack_to_the_last_micro_and_no_further() -> None:
    """Additions of other pages break no condition: each reservation that fits is granted."""
    table, clock = MemoryTable(), VirtualClock()
    budget = budget_of(table, clock, page=10, stack=205)

    def reserve(number: int) -> bool:
        try:
            budget.add(f"page-{number}", 10)
        except StackCapReached:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        granted = [*pool.map(reserve, range(100))]
    (item,) = of_all(table)
    assert (item["micros"], sum(granted)) == (200, 20)


def test_a_page_that_reserves_between_read_and_write_leaves_no_room_beyond_the_ceiling() -> None:
    class Overtaken(MemoryTable):
        other = ""

        def transact(self, partition: str, parts: Sequence[Part]) -> bool:
            page, self.other = self.other, ""
            if page:
                budget.add(page, 10)
            return super().transact(partition, parts)

    table, clock = Overtaken(), VirtualClock()
    budget = budget_of(table, clock, page=10, stack=35)
    table.other = "before the first of the day"
    budget.add("a", 10)
    assert [item["micros"] for item in of_all(table)] == [20]
    table.other = "before the last that fits"
    with pytest.raises(StackCapReached):
        budget.add("b", 10)
    assert [item["micros"] for item in of_all(table)] == [30]


def test_an_account_of_the_stack_that_somebody_spoilt_counts_as_empty() -> None:
    table, clock = MemoryTable(), VirtualClock()
    table.transact(SYSTEM, [Write(f"cost:{clock():%Y-%m-%d}", {"micros": "a lot", "later": "x"})])
    budget_of(table, clock, page=50).add(PAGE, 10)
    (item,) = of_all(table)
    assert (item["micros"], item["later"]) == (10, "x")


@pytest.mark.parametrize(
    "job", [{"operation": "policy", "source": "a", "language": "en"}, {"operation": "issues"}]
)
def test_a_worker_that_stalls_behind_its_reservation_pays_nothing_that_another_has_paid(
    job: dict[str, str],
) -> None:
    office = Office()
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "policy", source="a")
    reserve = office.budget.add

    def stall(page: str, micros: int) -> str:
        key = reserve(page, micros)
        office.budget.add = reserve  # type: ignore[method-assign]
        office.clock.advance(126)
        office.submit(2, PAGE, **job)
        return key

    office.budget.add = stall  # type: ignore[method-assign]
    office.jobs.submit(office.job(3, PAGE, **job))
    assert len(office.work()) == 1
    assert len(office.translator.calls) + len(office.analyst.calls) == 1
    assert [item["micros"] for item in (*of_all(office.table), *account(office.table))] == [
        PIECE_MICROS
    ] * 2
