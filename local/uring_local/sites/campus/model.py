"""What a department's board holds and shows. Plain data: no HTML, no clock, no server."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

CALM_EVERY: Final = 4


def calm(tick: int) -> bool:
    """Return whether nothing changes or misbehaves on this tick: every fourth one."""
    return tick > 0 and tick % CALM_EVERY == 0


@dataclass(frozen=True)
class Department:
    """One board of the site.

    Args:
        id: also the FCM topic and the folder of the published data.
        site: the department's first path segment.
        style: name of the board software, a key of ``boards.STYLES``.
        rows: how many normal rows page 1 shows.
        pins: how many rows are pinned at the beginning.
        categories: empty where the board shows none.
        first_id: the id of the oldest notice, as a number.
        hex_ids: ids are written as eight hexadecimal digits.
        variant: what the style's flavours tell apart.
    """

    id: str
    name: str
    site: str
    style: str
    rows: int
    pins: int
    first_id: int
    categories: tuple[str, ...] = ()
    hex_ids: bool = False
    variant: str = ""


@dataclass(frozen=True)
class Redesign:
    """A department's change of board software; its entry follows on tick ``known_from``."""

    before: Department
    after: Department
    known_from: int


@dataclass(frozen=True)
class Notice:
    """One notice. ``marker`` is the edited part of its title; ``number`` orders the board."""

    id: str
    number: int
    base_title: str
    date: date
    category: str
    published: int
    marker: str = ""

    @property
    def title(self) -> str:
        """The title as shown, single spaces only."""
        return self.base_title + self.marker


@dataclass(frozen=True)
class Page:
    """Page 1 of a board in one state: pinned rows on top, then the normal list.

    ``behind`` are the ids on the pages that follow.
    """

    pinned: tuple[Notice, ...]
    normal: tuple[Notice, ...]
    total: int
    tick: int
    changed: int
    behind: frozenset[str] = frozenset()

    def rows(self) -> Iterator[tuple[Notice, bool]]:
        """Yield every row from top to bottom, with whether it stands among the pinned ones."""
        yield from ((notice, True) for notice in self.pinned)
        yield from ((notice, False) for notice in self.normal)


@dataclass
class Board:
    """A department's notices, oldest first, and which of them are pinned or removed.

    Args:
        repeats_pinned: pinned notices keep their place in the normal list too.
    """

    department: Department
    repeats_pinned: bool
    notices: dict[str, Notice] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)

    def live(self) -> list[Notice]:
        """Return everything that is not removed, newest first."""
        return [n for n in reversed(self.notices.values()) if n.id not in self.removed]

    def page(self, tick: int, changed: int) -> Page:
        """Return page 1 as it stands; ``changed`` is the last tick on which it was touched."""
        live = self.live()
        normal = [n for n in live if self.repeats_pinned or n.id not in self.pinned]
        rows = self.department.rows
        return Page(
            pinned=tuple(n for n in live if n.id in self.pinned),
            normal=tuple(normal[:rows]),
            total=len(normal),
            tick=tick,
            changed=changed,
            behind=frozenset(n.id for n in normal[rows:]),
        )
