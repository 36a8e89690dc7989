"""The stories of regulations, and the deck of them that a month deals."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

from uring_local.sites.registry.model import Fate, Registry, Trouble

MONTH: Final = 30
# The first day is the baseline; the last days must still show the results of all stories.
_FIRST: Final = 2
_LAST: Final = 28
_TROUBLES_APART: Final = 4
_MOST_TRAP_DAYS: Final = 3


@dataclass(frozen=True)
class Step:
    """An operation of a story.

    Attributes:
        after: least and most number of days after the step before.
        fate: of the file that it brings.
        days: number of days that the fate lasts; 0 for ever.
    """

    operation: str
    after: tuple[int, int] = (0, 0)
    fate: Fate = "sound"
    days: int = 0

    def last_day(self, day: int) -> int:
        """Return the last day of the fate of a file that comes on a day; 0 for ever."""
        return day + self.days - 1 if self.days else 0


@dataclass(frozen=True)
class Story:
    """The story of a regulation.

    Attributes:
        room: number of days that a reader needs after the last step to notice it.
        is_calm: whether the list must be served on the day of each step and on the day after.
    """

    steps: tuple[Step, ...]
    room: int = 0
    is_calm: bool = False


_WEEKS: Final = (12, 16)

STORIES: Final[Mapping[str, Story]] = MappingProxyType(
    {
        "new": Story((Step("publish"),)),
        "revised": Story((Step("revise"),)),
        # Another fileNo, the same text.
        "uploaded_again": Story((Step("upload"),)),
        "renamed": Story((Step("rename"),)),
        "renamed_by_a_space": Story((Step("space"),)),
        "renamed_then_revised": Story((Step("rename"), Step("revise", (2, 5)))),
        # It looks the same as a deletion beside a new regulation.
        "renamed_and_uploaded": Story((Step("rename_and_upload"),), room=5),
        # The title says when it was revised, and the file is another.
        "renamed_by_a_mark": Story((Step("mark_title_and_revise"),)),
        # Another file whose articles have a mark of amendment, and the same words.
        "marked": Story((Step("mark"),)),
        "deleted": Story((Step("remove"),), room=5),
        "away": Story((Step("remove"), Step("restore", (1, 1))), is_calm=True),
        "returned": Story((Step("remove"), Step("restore", _WEEKS))),
        "returned_revised": Story((Step("remove"), Step("restore_revised", _WEEKS))),
        "relinked": Story((Step("relink"),), is_calm=True),
        "relinked_page": Story((Step("relink_page"),)),
        "error_page": Story((Step("revise", fate="error_page", days=1),), is_calm=True),
        "error_page_then_revised": Story(
            (Step("publish", fate="error_page", days=2), Step("revise", (4, 6))), is_calm=True
        ),
        "missing": Story((Step("revise", fate="missing", days=1),), is_calm=True),
        "busy": Story((Step("revise", fate="busy"),)),
        "encrypted": Story((Step("revise", fate="encrypted"),)),
        "scanned": Story((Step("publish", fate="scanned"),)),
        "scanned_then_deleted": Story(
            (Step("publish", fate="scanned"), Step("remove", (3, 6))), room=5
        ),
        "bomb": Story((Step("revise", fate="bomb"),)),
        # Stories that meet: a name that moves while a file cannot be read.
        "missing_then_renamed": Story(
            (Step("revise", fate="missing", days=1), Step("rename", (2, 4))), is_calm=True
        ),
        "encrypted_then_renamed": Story((Step("revise", fate="encrypted"), Step("rename", (2, 4)))),
        "missing_then_returned": Story(
            (
                Step("revise", fate="missing", days=1),
                Step("remove", (2, 4)),
                Step("restore", (10, 12)),
            ),
            is_calm=True,
        ),
        "away_and_renamed": Story((Step("remove"), Step("restore_renamed", (1, 1))), is_calm=True),
        # The other title is a new regulation: the old one was deleted.
        "returned_renamed": Story((Step("remove"), Step("restore_renamed", _WEEKS))),
        # Another file under the number of the one before.
        "replaced": Story((Step("publish"), Step("replace", (1, 4)))),
        "replaced_then_revised": Story(
            (Step("publish"), Step("replace", (1, 4)), Step("revise", (8, 10)))
        ),
        # Two regulations change names, with and without another file on the same day.
        "swapped": Story((Step("publish"), Step("twin", (1, 1)), Step("swap", (3, 5))), room=2),
        "swapped_and_replaced": Story(
            (Step("publish"), Step("twin", (1, 1)), Step("swap_and_revise", (3, 5))), room=2
        ),
    }
)


@dataclass(frozen=True)
class Dealt:
    """A step of a story in a month; ``number`` identifies the story within the month."""

    number: int
    story: str
    step: Step


@dataclass(frozen=True)
class Month:
    """The stories of a month, by day from 1.

    Attributes:
        steps: in the order in which they are applied.
        troubles: each replaces the list.
        traps: rows that a reader must not believe, or must not count twice.
    """

    steps: Mapping[int, tuple[Dealt, ...]]
    troubles: Mapping[int, Trouble]
    traps: Mapping[int, tuple[str, ...]]


def deal(random: Random, registry: Registry) -> Month:
    """Return a month's stories, troubles and traps."""
    troubles = _troubles(random, registry)
    steps: dict[int, list[Dealt]] = {}
    names = [name for name, times in registry.stories.items() for _ in range(times)]
    for number, name in enumerate(names):
        days = _days(random, STORIES[name], troubles)
        for day, step in zip(days, STORIES[name].steps, strict=True):
            steps.setdefault(day, []).append(Dealt(number, name, step))
    traps: dict[int, tuple[str, ...]] = {}
    for trap in registry.traps:
        first = random.randint(_FIRST, _LAST - _MOST_TRAP_DAYS)
        for day in range(first, first + random.randint(2, _MOST_TRAP_DAYS)):
            traps[day] = (*traps.get(day, ()), trap)
    return Month({day: tuple(dealt) for day, dealt in steps.items()}, troubles, traps)


def _troubles(random: Random, registry: Registry) -> dict[int, Trouble]:
    """Return the day of each trouble; at least two days with a list are between any two."""
    kinds = random.sample(registry.troubles, len(registry.troubles))
    slots = sorted(random.sample(range(1, _LAST // _TROUBLES_APART), len(kinds)))
    return {
        slot * _TROUBLES_APART + random.randint(0, 1): kind
        for slot, kind in zip(slots, kinds, strict=True)
    }


def _days(random: Random, story: Story, troubles: Mapping[int, Trouble]) -> list[int]:
    """Return the day of each step of a story."""
    while True:
        gaps = [random.randint(*step.after) for step in story.steps]
        days = [random.randint(_FIRST, _LAST - story.room - sum(gaps))]
        for gap in gaps[1:]:
            days.append(days[-1] + gap)
        if not story.is_calm or not any({day, day + 1} & troubles.keys() for day in days):
            return days
