"""The ring of a source's last checks: what it says, what it costs, what it survives."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from fakes import Notice, page_of
from fakes.worlds import NoticeWorld
from hypothesis import given
from hypothesis import strategies as st

from uring.changes.health import is_paused, waits
from uring.changes.history.beats import MOST_BEATS, Beat, beats_of, with_beat
from uring.changes.state import Health
from uring.errors import FetchFailed

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
STATE = "state/notices/cs.json"
DOWN = FetchFailed("timeout", "no answer")


def ring_of(count: int) -> str:
    """A ring after so many failed checks, one an hour."""
    ring = ""
    for number in range(count):
        at = NOW + timedelta(hours=number)
        ring = with_beat(ring, Beat(at, "suspect", 12_345, 300, 0, "challenge"))
    return ring


def beats(world: NoticeWorld) -> list[Beat]:
    return beats_of(world.state.health.beats)


def started() -> NoticeWorld:
    world = NoticeWorld()
    world.show(Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    return world


@given(
    st.lists(
        st.builds(
            Beat,
            st.integers(40_000_000, 7_000_000_000).map(lambda at: datetime.fromtimestamp(at, UTC)),
            st.sampled_from(["baseline", "changed", "unchanged", "failed", "suspect"]),
            st.integers(0, 999_999_999),
            st.none() | st.integers(0, 9_999_999),
            st.integers(0, 9_999),
            st.sampled_from(["", "timeout", "no_rows"]),
        ),
        max_size=120,
    )
)
def test_a_ring_returns_its_last_beats_as_they_were(added: list[Beat]) -> None:
    ring = ""
    for beat in added:
        ring = with_beat(ring, beat)
    assert beats_of(ring) == added[-MOST_BEATS:]


def test_it_is_compact_and_never_longer() -> None:
    assert ring_of(96).count(";") == 95
    assert len(ring_of(500)) == len(ring_of(96)) < 4_096


@given(st.text(alphabet="0123456789,;ucfsz{}\n가-", max_size=300))
def test_any_text_is_a_ring_and_takes_one_more_beat(text: str) -> None:
    beat = Beat(NOW, "unchanged", 1, 2)
    assert beats_of(with_beat(text, beat))[-1] == beat
    assert len(beats_of(text)) <= MOST_BEATS


@pytest.mark.parametrize("at", [1, 5, 12, 30])
def test_a_ring_that_was_cut_loses_the_beat_at_the_cut_alone(at: int) -> None:
    ring, whole = ring_of(10), beats_of(ring_of(10))
    assert beats_of(ring[at:]) == whole[1:]
    assert beats_of(ring[:-at])[:9] == whole[:9]


@pytest.mark.parametrize("later", [None, 7, {"version": 2}, [[1, 2]], "2|other"])
def test_a_ring_of_another_release_is_begun_again_and_breaks_no_state(later: object) -> None:
    world = started()
    document = json.loads(world.bucket.bodies()[STATE])
    document["health"]["beats"] = later
    world.bucket.plant(STATE, json.dumps(document).encode())
    assert beats(world) == []
    world.site = DOWN
    assert world.check().outcome == "failed"
    assert [beat.reason for beat in beats(world)] == ["timeout"]


def test_a_release_without_rings_keeps_what_it_does_not_know() -> None:
    """Health keeps unknown keys, so the release before writes the ring back as it is."""
    document = {"since": "2026-03-02T01:00:00Z", "beats_of_a_later_release": "x"}
    assert Health.model_validate(document).model_dump()["beats_of_a_later_release"] == "x"
    assert "beats" not in Health(since="2026-03-02T01:00:00Z").model_dump()


def test_an_unchanged_check_writes_no_beat_and_nothing_else() -> None:
    world = started()
    writes = world.bucket.writes
    for _ in range(5):
        world.clock.advance(600)
        assert world.check().outcome == "unchanged"
    assert world.bucket.writes == writes
    assert [beat.outcome for beat in beats(world)] == ["baseline"]


def test_a_failure_and_a_change_have_one_each_within_the_write_of_today() -> None:
    world = started()
    writes = world.bucket.writes
    world.clock.advance(600)
    world.site = DOWN
    world.check()
    assert world.bucket.writes - writes == 1
    world.clock.advance(600)
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    assert [(beat.outcome, beat.reason, beat.rows, beat.changes) for beat in beats(world)] == [
        ("baseline", "", 2, 0),
        ("failed", "timeout", None, 0),
        ("changed", "", 3, 1),
    ]


def test_it_says_how_long_the_site_took() -> None:
    world = started()
    world.clock.advance(600)
    answer = world.fetcher.fetch

    def slow(request: object) -> object:
        world.clock.advance(1.5)
        return answer(request)  # type: ignore[arg-type]

    world.fetcher.fetch = slow  # type: ignore[method-assign, assignment]
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    assert beats(world)[-1].milliseconds == 1_500


def test_a_clock_that_goes_back_leaves_beats_in_the_order_of_the_checks() -> None:
    ring = with_beat(with_beat("", Beat(NOW, "changed")), Beat(NOW - timedelta(hours=2), "failed"))
    assert [beat.outcome for beat in beats_of(ring)] == ["changed", "failed"]
    assert with_beat("", Beat(datetime(1960, 1, 1, tzinfo=UTC), "failed")).startswith("0000000000,")
    assert Beat.of(NOW, "failed", -3.0, {}, (), DOWN).milliseconds == 0


def test_a_check_that_is_delivered_twice_leaves_one_beat_of_a_change() -> None:
    world = started()
    world.clock.advance(600)
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    world.check()
    assert [beat.outcome for beat in beats(world)] == ["baseline", "changed"]


class TestPause:
    def paused(self, until: str) -> NoticeWorld:
        world = started()
        state = world.state
        health = state.health.model_copy(update={"paused_until": until})
        world.bucket.plant(STATE, state.replace(health=health).to_json())
        return world

    def test_a_paused_source_is_not_asked_and_nothing_is_written(self) -> None:
        world = self.paused("2026-03-03T00:00:00Z")
        asked, writes = len(world.fetcher.requests), world.bucket.writes
        world.site = page_of([Notice("9", "아홉")])
        world.clock.advance(600)
        assert world.check().outcome == "waiting"
        assert (len(world.fetcher.requests), world.bucket.writes) == (asked, writes)

    def test_after_it_the_source_is_asked_and_the_pause_is_forgotten_by_the_next_write(
        self,
    ) -> None:
        world = self.paused("2026-03-03T00:00:00Z")
        world.clock.advance(days=2)
        world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
        assert world.check().outcome == "changed"
        assert world.state.health.paused_until is None

    def test_a_corrected_entry_does_not_end_it(self) -> None:
        health = Health(since="2026-03-02T00:00:00Z", paused_until="2026-03-03T00:00:00Z")
        assert waits(health, "another entry", NOW)
        assert not is_paused(health, NOW + timedelta(days=1))
