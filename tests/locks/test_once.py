"""Get-or-compute: one leader, one result, failures that are shared and gone after seconds (D10)."""

from collections.abc import Callable, Sequence

import pytest
from hall import ROOT, Hall

from uring.errors import CorruptState, Unavailable, WriteConflict
from uring.locks import FoundValue, Lease, LeaseLost, LockTimeoutError, Once, WorkFailed
from uring.tables import NOTHING, Item, Part, Write

PATH = ("policies", "1", "en")
LEASE_AND_SKEW = 125


class Translation:
    """Work of a virtual minute, done by whoever leads."""

    def __init__(self, hall: Hall, *, seconds: float = 60) -> None:
        self.hall = hall
        self.seconds = seconds
        self.computed = 0
        self.original = 1
        self.failure: BaseException | None = None
        self.only_if: Item | None = None

    def read(self) -> FoundValue[str] | None:
        item = self.hall.get(ROOT, "translation")
        return item and FoundValue(str(item["text"]), item["of"] == self.original)

    def compute(self, lease: Lease) -> str:
        self.computed += 1
        text = f"text {self.computed}"
        for _ in range(10):
            self.hall.sleep(self.seconds / 10)
            # Its renewing thread runs in real time.
            lease.renew()
        if self.failure:
            raise self.failure
        return text

    def parts(self, value: str, lease: Lease) -> Sequence[Part]:
        item = {"text": value, "of": self.original, "fence": lease.fence}
        return [Write("translation", item, self.only_if)]


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.fixture
def work(hall: Hall) -> Translation:
    return Translation(hall)


Results = list[str | Exception]


def caller(
    hall: Hall,
    work: Translation,
    results: Results,
    *,
    at: float = 0,
    stale: bool = False,
    waits: float = 600,
) -> Callable[[], None]:
    def program() -> None:
        hall.sleep(at)
        try:
            once = Once(hall.locks(), hall)
            results.append(
                once.get_or_compute(ROOT, PATH, work, wait_seconds=waits, allow_stale=stale)
            )
        except Exception as error:  # noqa: BLE001 - results are compared
            results.append(error)

    return program


def test_a_hundred_callers_cause_one_computation_and_get_its_result(
    hall: Hall, work: Translation
) -> None:
    results: Results = []
    hall.run([caller(hall, work, results, at=number * 0.7) for number in range(100)])
    assert (work.computed, results) == (1, ["text 1"] * 100)
    assert hall.seconds < 75


def test_what_is_fresh_is_read_once_and_locks_nothing(hall: Hall, work: Translation) -> None:
    hall.table.transact(ROOT, [Write("translation", {"text": "there", "of": 1})])
    results: Results = []
    hall.run([caller(hall, work, results)])
    assert (results, work.computed) == (["there"], 0)
    assert hall.seconds < 0.01


def test_a_result_that_came_between_read_and_lock_is_not_computed_again(
    hall: Hall, work: Translation
) -> None:
    read = work.read

    def overtaken() -> FoundValue[str] | None:
        found = read()
        hall.table.transact(ROOT, [Write("translation", {"text": "theirs", "of": 1})])
        return found

    work.read = overtaken  # type: ignore[method-assign]
    results: Results = []
    hall.run([caller(hall, work, results)])
    assert (work.computed, results) == (0, ["theirs"])


def test_a_leader_that_is_killed_costs_a_second_computation_and_no_more(
    hall: Hall, work: Translation
) -> None:
    results: Results = []

    def killed() -> None:
        lease = hall.locks().attempt(ROOT, PATH)
        assert lease is not None
        work.computed += 1

    others = [caller(hall, work, results, at=1 + number * 0.1) for number in range(20)]
    hall.run([killed, *others])
    assert (work.computed, results) == (2, ["text 2"] * 20)
    assert LEASE_AND_SKEW < hall.seconds < LEASE_AND_SKEW + 60 + 10


def test_a_leader_that_was_paused_past_its_lease_publishes_nothing(
    hall: Hall, work: Translation
) -> None:
    """Another leads with a higher fence; the first one's text is never read."""
    paused = Translation(hall)

    def stop(_: Lease) -> str:
        hall.sleep(LEASE_AND_SKEW + 100)
        return "late"

    paused.compute = stop  # type: ignore[method-assign]
    late: Results = []
    results: Results = []
    hall.run([caller(hall, paused, late), caller(hall, work, results, at=1)])
    assert results == ["text 1"]
    assert isinstance(late[0], LeaseLost)
    item = hall.table.items[ROOT, "translation"]
    assert item["text"] == "text 1"


def test_a_failure_is_shared_by_all_who_wait_and_gone_after_seconds(
    hall: Hall, work: Translation
) -> None:
    work.failure = Unavailable("the translator is down")
    results: Results = []
    hall.run([caller(hall, work, results, at=number) for number in range(50)])
    assert work.computed == 1
    assert sum(isinstance(result, WorkFailed) for result in results) == 49
    assert "Unavailable: the translator is down" in str(results[-1])
    assert ("translation" in str(hall.table.items)) is False
    work.failure = None
    hall.run([caller(hall, work, results, at=2), caller(hall, work, results, at=6)])
    assert isinstance(results[-2], WorkFailed)
    assert results[-1] == "text 2"
    assert [key for _, key in hall.table.items if key.startswith("failed:")] == []


def test_a_failure_that_nobody_asks_about_expires_with_its_hour(
    hall: Hall, work: Translation
) -> None:
    work.failure = Unavailable("down")
    hall.run([caller(hall, work, [])])
    (failure,) = [item for (_, key), item in hall.table.items.items() if key.startswith("failed:")]
    assert failure["expires_at"] == int(str(failure["until_ms"])) // 1000 - 5 + 3600


def test_who_waited_is_told_of_the_failure_whatever_the_clocks_say(
    hall: Hall, work: Translation
) -> None:
    """Theirs is a minute ahead, so that the failure is long over for them."""
    work.failure = Unavailable("down")
    results: Results = []

    def ahead() -> None:
        hall.sleep(1)
        locks = hall.locks()
        now = locks.now_ms
        locks.now_ms = lambda: now() + 60_000  # type: ignore[method-assign]
        try:
            Once(locks, hall).get_or_compute(ROOT, PATH, work, wait_seconds=600)
        except WorkFailed as error:
            results.append(error)

    hall.run([caller(hall, work, results), ahead])
    assert work.computed == 1
    assert isinstance(results[1], WorkFailed)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (CorruptState("issue 3 has no title"), "CorruptState: issue 3 has no title"),
        (KeyError("token=secret"), "KeyError"),
        (Unavailable("x" * 10_000), "Unavailable: " + "x" * 1000),
    ],
)
def test_a_failure_shows_the_message_of_our_errors_alone(
    hall: Hall, work: Translation, error: Exception, message: str
) -> None:
    work.failure = error
    results: Results = []
    hall.run([caller(hall, work, results), caller(hall, work, results, at=1)])
    assert results[0] is error
    assert str(results[1]) == f"{ROOT}/policies/1/en: {message}"


@pytest.mark.parametrize(
    "failure",
    [
        {"until_ms": "soon", "fence": None},
        {"until_ms": 2**52, "fence": 1},
        {},
        {"until_ms": 0, "fence": "x"},
    ],
)
def test_a_failure_that_nobody_wrote_is_in_nobodys_way(
    hall: Hall, work: Translation, failure: dict[str, str | int | None]
) -> None:
    hall.table.transact(ROOT, [Write("failed:policies/1/en", failure)])
    results: Results = []
    hall.run([caller(hall, work, results)])
    assert results == ["text 1"]


def test_a_stale_value_is_served_while_another_works(hall: Hall, work: Translation) -> None:
    hall.table.transact(ROOT, [Write("translation", {"text": "old", "of": 0})])
    results: Results = []
    hall.run(
        [
            caller(hall, work, results),
            caller(hall, work, results, at=5, stale=True),
            caller(hall, work, results, at=5),
        ]
    )
    assert results[0] == "old"
    assert (work.computed, results[1:]) == (1, ["text 1", "text 1"])


def test_a_stale_value_is_served_after_a_failure(hall: Hall, work: Translation) -> None:
    hall.table.transact(ROOT, [Write("translation", {"text": "old", "of": 0})])
    work.failure = Unavailable("down")
    results: Results = []
    hall.run([caller(hall, work, results), caller(hall, work, results, at=61.5, stale=True)])
    assert results[1] == "old"
    assert work.computed == 1


def test_who_waits_gives_up_at_its_deadline_and_names_the_leader(
    hall: Hall, work: Translation
) -> None:
    results: Results = []
    hall.run([caller(hall, work, results), caller(hall, work, results, at=1, waits=10)])
    error = results[0]
    assert isinstance(error, LockTimeoutError)
    assert error.blocker is not None
    assert error.blocker.path == PATH
    assert results[1] == "text 1"


@pytest.mark.parametrize("fault", ["refused", "lost"])
def test_a_lost_answer_to_the_publication_computes_nothing_again(
    hall: Hall, work: Translation, fault: str
) -> None:
    faults = [fault]
    transact = hall.transact

    def flaky(partition: str, parts: Sequence[Part]) -> bool:
        is_struck = faults and any(part.key == "translation" for part in parts)
        if is_struck and faults.pop() == "refused":
            raise Unavailable("refused")
        done = transact(partition, parts)
        if is_struck:
            raise Unavailable("lost")
        return done

    hall.transact = flaky  # type: ignore[method-assign]
    work.only_if = NOTHING
    results: Results = []
    hall.run([caller(hall, work, results)])
    assert (work.computed, results) == (1, ["text 1"])


def test_a_condition_of_the_work_that_no_longer_holds_is_no_result(
    hall: Hall, work: Translation
) -> None:
    work.only_if = {"of": 7}
    results: Results = []
    hall.run([caller(hall, work, results)])
    assert isinstance(results[0], WriteConflict)
    assert (ROOT, "translation") not in hall.table.items
