"""Site edits, ticks, faults, late and repeated deliveries, in any order that Hypothesis finds."""

from datetime import timedelta
from typing import Any

from fakes import Notice
from faulty import KINDS
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from scenarios import HOT_ITEMS, board
from verdict import UNEXPLAINED, judge
from world import Board, Scenario, Seen, World

from uring.errors import FetchFailed, SuspectPage

KNOWN = board("3", "2", "1")
MOST_ROUNDS_TO_QUIET = 12
FAULTS = sorted({kind for kinds in KINDS.values() for kind in kinds})
TROUBLES = (FetchFailed("timeout", "no answer"), SuspectPage("no_rows", "a login page"))


class Site(World):
    """A world whose page is edited by hand."""

    def __init__(self) -> None:
        super().__init__(Scenario("by hand", pages=()))
        self.shown: list[Notice] = list(KNOWN)
        self.trouble: Seen | None = None

    def page(self) -> Seen:
        return self.trouble or self.last_page()

    def last_page(self) -> Board:
        return tuple(self.shown)


class Engine(RuleBasedStateMachine):
    """Whatever happens, in the end every promise holds."""

    def __init__(self) -> None:
        super().__init__()
        self.world = Site()
        self.published = len(KNOWN)

    @initialize()
    def baseline(self) -> None:
        self.world.tick()
        self.world.poll()

    @rule(how_many=st.integers(1, 12))
    def publish(self, how_many: int) -> None:
        for _ in range(how_many):
            self.published += 1
            self.world.shown[:0] = board(str(self.published))

    @precondition(lambda self: self.world.shown)
    @rule(place=st.integers(0, 99), title=st.text("가나다라ABC019", min_size=1, max_size=9))
    def edit(self, place: int, title: str) -> None:
        self._change(place, title=title)

    @precondition(lambda self: self.world.shown)
    @rule(place=st.integers(0, 99))
    def pin_or_unpin(self, place: int) -> None:
        shown = self.world.shown
        self._change(place, is_pinned=not shown[place % len(shown)].is_pinned)

    @precondition(lambda self: len(self.world.shown) > 1)
    @rule(place=st.integers(0, 99))
    def scroll_off(self, place: int) -> None:
        del self.world.shown[place % len(self.world.shown)]

    @rule(number=st.integers(1, 20))
    def come_back(self, number: int) -> None:
        if number <= self.published and all(n.id != str(number) for n in self.world.shown):
            self.world.shown += board(str(number))

    @rule(trouble=st.sampled_from([None, *TROUBLES]))
    def site_breaks_or_recovers(self, trouble: Any) -> None:
        self.world.trouble = trouble

    @rule(ahead=st.integers(0, 25), kind=st.sampled_from(FAULTS))
    def fault_ahead(self, ahead: int, kind: str) -> None:
        faults = self.world.faults
        faults.plan[len(faults.calls) + ahead] = kind

    @rule()
    def tick(self) -> None:
        self.world.tick()

    @rule()
    def work(self) -> None:
        self.world.poll()

    @rule()
    def push(self) -> None:
        self.world.push()

    @rule(minutes=st.sampled_from([1, 5, 6, 7, 31, 600, 4 * 24 * 60]))
    def time_passes(self, minutes: int) -> None:
        self.world.clock.now += timedelta(minutes=minutes)

    @precondition(lambda self: self.world.notify.accepted)
    @rule(place=st.integers(0, 99))
    def deliver_again(self, place: int) -> None:
        """A change that the worker sent twice, more than five minutes apart."""
        accepted = self.world.notify.accepted
        _, message = accepted[place % len(accepted)]
        self.world.notify.send(message.group, message.dedup_id, message.body)

    def teardown(self) -> None:
        self.world.trouble = None
        for _ in range(MOST_ROUNDS_TO_QUIET):
            self.world.clock.advance(minutes=4)
            if self.world.round():
                break
        verdict = judge(self.world, hot_items=HOT_ITEMS)
        assert not verdict.wrong, str(verdict)
        assert UNEXPLAINED not in verdict.doubled

    def _change(self, place: int, **fields: Any) -> None:
        shown = self.world.shown
        old = shown[place % len(shown)]
        values = {"id": old.id, "title": old.title, "is_pinned": old.is_pinned, "date": old.date}
        shown[place % len(shown)] = Notice(**values | fields)


TestEngine = Engine.TestCase
TestEngine.settings = settings(
    max_examples=200,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
