"""Runs of the pages that a test here takes as they stand, with more ticks or with figures."""

import shlex
from typing import Final

FULL: Final = "uring run --ticks 4 --seed 7 --json"
NOTICES_WITH_FAULTS: Final = (
    "uring run --in-process --family notices --ticks 2 --seed 2 "
    "--fcm-fault 503:0.3 --fcm-fault drop:0.2"
)
REGULATIONS: Final = "uring run --family regulations --ticks 4"
RHYTHM: Final = "uring run --in-process --family notices --rhythm sooner --ticks 720"
SEEDS: Final = "uring run --family seeds --ticks 2"
WEATHER: Final = "uring run --family weather --ticks 48 --gateway-fault 0.1"
TAKEN: Final = frozenset({FULL, NOTICES_WITH_FAULTS, REGULATIONS, RHYTHM, SEEDS, WEATHER})


def arguments(line: str, ticks: int | None = None) -> list[str]:
    """Return the arguments of `uring`, with so many ticks in place of the page's."""
    given = shlex.split(line)[1:]
    if ticks is not None:
        given[given.index("--ticks") + 1] = str(ticks)
    return given
