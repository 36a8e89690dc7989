"""Random plans in which a department's state is put back to older versions, or removed.

A plan is a seed: pages, faults, days without ticks and months' ends, and which version comes back
when, as its bytes or by `uring state repair`, or that the state is removed.

    PYTHONPATH=tests .venv/bin/python tests/faults/restored_plans.py --plans 500
"""

import argparse
import json
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Final

from cloud import MOST_EXTRA_TICKS
from enumeration import small_limits
from fakes import Notice
from fakes.objects import Written
from faulty import KINDS
from scenarios import HOT_ITEMS, board
from verdict import UNEXPLAINED, Verdict, archived, judge_restored
from world import Board, Scenario, Seen, World

from uring.changes.register import StateRegister, StateVersion
from uring.errors import FetchFailed
from uring.notices.state import NoticeState
from uring.objects import Stored
from uring_local.operate.past_state import document

KEY: Final = "state/notices/cs.json"
SEEN: Final = "state/notices/cs.seen.json"
ROUNDS: Final = 9
_FAULTS: Final = sorted({kind for kinds in KINDS.values() for kind in kinds})
_MINUTES: Final = (1, 1, 1, 1, 1, 60, 1_440, 6_000, 23_000)


class RestoredWorld(World):
    """A department whose state is put back.

    Attributes:
        restores: how often a version was put back.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        begins = datetime(2026, 3, 31, self._chance.choice((12, 23)), 5, tzinfo=UTC)
        is_hinted = self._chance.random() < 0.5
        scenario = Scenario(
            f"restored {seed}", (), begins=begins, hinted=is_hinted, views=is_hinted
        )
        super().__init__(scenario)
        self.restores = 0
        self._shown: list[Notice] = list(board("3", "2", "1"))
        self._published = len(self._shown)
        self._trouble: Seen | None = None

    def page(self) -> Seen:
        return self._trouble or self.last_page()

    def last_page(self) -> Board:
        return tuple(self._shown)

    def run(self) -> None:
        """Play the plan; in the end the site has a new notice, and all is quiet."""
        chance = self._chance
        self.round()
        for number in range(ROUNDS):
            self._edit()
            self._trouble = FetchFailed("timeout", "slow") if chance.random() < 0.1 else None
            if chance.random() < 0.3:
                ahead = chance.randrange(12)
                self.faults.plan[len(self.faults.calls) + ahead] = chance.choice(_FAULTS)
            if number and (chance.random() < 0.35 or number == ROUNDS - 1):
                self._put_back()
            self.clock.advance(minutes=chance.choice(_MINUTES))
            self.round()
        self._trouble = None
        self._publish()
        for _ in range(MOST_EXTRA_TICKS):
            self.clock.advance(minutes=4)
            if self.round():
                break

    def _publish(self) -> None:
        self._published += 1
        self._shown[:0] = board(str(self._published))

    def _edit(self) -> None:
        chance, shown = self._chance, self._shown
        for _ in range(chance.randrange(3)):
            self._publish()
        if chance.random() < 0.6:
            place = chance.randrange(len(shown))
            old = shown[place]
            # A number would be a counter.
            word = chr(ord("가") + self._published)
            shown[place] = Notice(id=old.id, title=f"{old.title} {word}")
        if chance.random() < 0.3:
            place = chance.randrange(len(shown))
            old = shown[place]
            shown[place] = Notice(id=old.id, title=old.title, is_pinned=not old.is_pinned)
        if len(shown) > 6:
            del shown[-1]

    def _put_back(self) -> None:
        """Put back any version or remove the state, no check being under way."""
        self.clock.advance(minutes=1)
        version = self._chance.choice(self._versions())
        if self._chance.random() < 0.25:
            for key in (KEY, SEEN):
                self.objects.remove(key)
        elif self._chance.random() < 0.7:
            self.objects.restore(KEY, Stored(version.body, version.etag))
        else:
            self._repair(version.body)
        self.restores += 1

    def _versions(self) -> list[Written]:
        """Return all versions, without those whose outbox an earlier putting back gave up."""
        held = {line["event_id"] for line in archived(self, Verdict())}
        return [
            version
            for version in self.objects.versions[KEY]
            if not self.restores
            or {event["event_id"] for event in json.loads(version.body)["outbox"]} <= held
        ]

    def _repair(self, body: bytes) -> None:
        """Do as `uring_local.operate.past_state.put_back`."""
        state = NoticeState.from_json(body, key=KEY, source="cs")
        now = self.objects.get(KEY)
        seen = [document(each).get("seq", 0) for each in (now, self.objects.get(_LATEST))]
        register = StateRegister(
            self.objects, "notices", NoticeState, clock=self.clock, backoff=self.backoff
        )
        before = StateVersion(state.replace(seq=max(state.seq, *seen)), now.etag if now else None)
        register.write(before, state)


_LATEST: Final = "data/cs/latest.json"


def play(seed: int) -> tuple[RestoredWorld, Verdict]:
    """Play one plan to its end."""
    world = RestoredWorld(seed)
    world.run()
    return world, judge_restored(world, hot_items=HOT_ITEMS)


def _finding(seed: int) -> tuple[int, int, int, str]:
    world, verdict = play(seed)
    wrong = str(verdict) or ("doubled without a cause" if UNEXPLAINED in verdict.doubled else "")
    return seed, world.restores, len(world.fcm.accepted), wrong


def main() -> int:
    """Play the plans; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.plans)
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs, initializer=partial(small_limits)) as pool:
        for seed, restores, pushes, wrong in pool.map(_finding, seeds, chunksize=10):
            total.update(plans=1, restores=restores, pushes=pushes, wrong=bool(wrong))
            if wrong:
                sys.stdout.write(f"--first {seed} --plans 1: {wrong}\n")
    told = ", ".join(f"{number} {name}" for name, number in total.items())
    sys.stdout.write(f"{told}\n")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
