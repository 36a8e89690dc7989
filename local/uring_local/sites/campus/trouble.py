"""The misbehaviour of departments, by tick."""

from dataclasses import dataclass
from random import Random
from typing import Final, Literal, get_args

from uring_local.sites.campus.model import calm

Kind = Literal[
    "500",
    "slow",
    "empty",
    "login",
    "late",
    "challenge",
    "damaged",
    "short",
    "shuffled",
    "recoded",
    "half",
    "cut",
    "shared",
]
KINDS: tuple[str, ...] = get_args(Kind)
_SCRIPTED: tuple[Kind, ...] = ("500", "empty", "login", "late")
_LATE_SECONDS: Final = 1.0
_FIRST_TICK: Final = 3
_SPARED: Final = 0.5
_HARMLESS: Final = frozenset({"late", "shuffled", "recoded"})


@dataclass(frozen=True)
class Trouble:
    """The trouble of a department on a tick.

    These kinds hide its state: ``500``, ``slow`` (drips for ``seconds``, then cuts), and with
    status 200 ``empty`` (a list without rows), ``login``, ``challenge``, ``damaged`` (titles in a
    wrong charset), ``short`` (two rows), ``half`` (a third of the rows), ``cut`` (the page ends in
    the middle of a row) and ``shared`` (all rows have one id). With these its state is visible:
    ``late`` (after ``seconds``), ``shuffled`` (in another order) and ``recoded`` (in another
    charset, declared rightly, wrongly or not at all).
    """

    kind: Kind
    seconds: float = 0.0

    @property
    def hides(self) -> bool:
        """True when the list cannot be observed."""
        return self.kind not in _HARMLESS


def scripted(seed: int, tick: int, departments: list[str]) -> dict[str, Trouble]:
    """Return the script's trouble on a tick: one department at most, never the same twice in a row.

    A calm tick has none, and the tick before it has a late answer at worst. Otherwise the recovery,
    or the changes that piled up, would fall on the calm tick.
    """
    if tick < _FIRST_TICK or calm(tick):
        return {}
    turns = sorted(departments)
    Random(f"{seed}/turns").shuffle(turns)
    random = Random(f"{seed}/trouble/{tick}")
    kind = random.choice(_SCRIPTED)
    if calm(tick + 1):
        if random.random() < _SPARED:
            return {}
        kind = "late"
    return {turns[tick % len(turns)]: Trouble(kind, _LATE_SECONDS if kind == "late" else 0.0)}
