"""A state that is put back, at random, among faults: each line once, no push twice, no news lost.

A sample; ``restored_plans.py --plans 500`` plays as many as one likes.
"""

from restored_plans import play
from verdict import UNEXPLAINED

PLANS = 150


def test_every_line_is_once_and_no_push_is_repeated_whatever_is_put_back() -> None:
    restores = 0
    for seed in range(PLANS):
        world, verdict = play(seed)
        restores += world.restores
        assert not verdict.wrong, f"--first {seed}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, f"--first {seed}"
        assert world.fcm.accepted, "nothing was pushed: nothing was tested"
    assert restores > PLANS


def test_a_state_that_is_put_back_says_so_and_pushes_only_what_came_since() -> None:
    said = [
        fields["reason"]
        for seed in range(5)
        for name, fields in play(seed)[0].telemetry.warnings
        if name == "put_back"
    ]
    assert said
    assert all("was put back" in reason for reason in said)
