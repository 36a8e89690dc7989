"""A department's board and its notices, shown or not. Plain data: no HTML, no clock, no server."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

CALM_EVERY: Final = 4


def calm(tick: int) -> bool:
    """Return whether a tick is calm: on every fourth one nothing changes or misbehaves."""
    return tick > 0 and tick % CALM_EVERY == 0


@dataclass(frozen=True)
class Department:
    """A department and its board.

    Args:
        id: also the FCM topic and the folder of the published data.
        site: the department's first path segment.
        style: name of the board system, a key of ``boards.STYLES``.
        rows: number of normal rows on page 1.
        pins: number of pinned rows at the beginning.
        categories: empty where the board shows none.
        first_id: the id of the oldest notice, as a number.
        hex_ids: whether ids are written as eight hexadecimal digits.
        variant: name of the style's variant; empty for the default.
        paged: whether its entry reads further pages.
        dates: the board's date format, as in ``strftime``; empty for the style's own. Of two with
            ``|`` between them the second is for the days of the current year.
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
    paged: bool = False
    dates: str = ""

    def id_of(self, number: int) -> str:
        """Return a notice's id in the board's notation."""
        return f"{number:08x}" if self.hex_ids else str(number)

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of its dates; empty for the style's own."""
        return tuple(filter(None, self.dates.split("|")))

    @property
    def lacks_years(self) -> bool:
        """Whether it shows dates without their year."""
        return any("%Y" not in each for each in self.formats)


@dataclass(frozen=True)
class Redesign:
    """A department's change of board system; its entry follows on tick ``known_from``.

    Args:
        moved: whether ids are counted again, so that a known id may be another notice's.
    """

    before: Department
    after: Department
    known_from: int
    moved: bool = False


@dataclass(frozen=True)
class Look:
    """The style of a board's links and dates, common to all its rows.

    Args:
        scheme: of absolute links; with an empty scheme and host, links keep the board's form.
        host: of absolute links.
        parameter: a constant parameter in every link.
        shift: days added to every date, as by another time zone.
        prefix: in front of every title.
        counts_until: before this tick every title ends with a number that grows.
        rotates_until: before this tick every link has a token that is another one on each tick.
    """

    scheme: str = ""
    host: str = ""
    parameter: str = ""
    shift: int = 0
    prefix: str = ""
    counts_until: int = 0
    rotates_until: int = 0


@dataclass(frozen=True)
class Notice:
    """A notice. ``marker`` is the edited part of its title; ``number`` orders the board."""

    id: str
    number: int
    base_title: str
    date: date
    category: str
    published: int
    marker: str = ""

    @property
    def title(self) -> str:
        """The shown title, with single spaces only."""
        return self.base_title + self.marker


@dataclass(frozen=True)
class Page:
    """Page 1 of a board in one state: pinned rows on top, then the normal list.

    Args:
        later: the normal rows of the pages that follow.
        hidden: ids of rows whose content is hidden; they keep their place.
        look: of links and dates.
        links: the common part of all links, as its entry reads them.
        shows_parameters: whether its entry reads further parameters of links.
        day: the current one.
    """

    pinned: tuple[Notice, ...]
    normal: tuple[Notice, ...]
    total: int
    tick: int
    changed: int
    later: tuple[Notice, ...] = ()
    hidden: frozenset[str] = frozenset()
    look: Look = Look()
    links: str = ""
    shows_parameters: bool = False
    day: date = date.min

    @property
    def is_counting(self) -> bool:
        """Whether the titles end with a number that grows."""
        return self.tick < self.look.counts_until

    @property
    def is_rotating(self) -> bool:
        """Whether the links have a token of this tick."""
        return self.tick < self.look.rotates_until

    @property
    def token(self) -> str:
        """The token in all links; empty without one."""
        return f"{self.tick * 7919:x}" if self.is_rotating else ""

    def title(self, notice: Notice) -> str:
        """Return a notice's title in the style of the page."""
        count = f" [{notice.number % 50 + self.tick}]" if self.is_counting else ""
        return f"{self.look.prefix}{notice.title}{count}"

    @property
    def behind(self) -> frozenset[str]:
        """The ids on the pages that follow."""
        return frozenset(notice.id for notice in self.later)

    def rows(self) -> Iterator[tuple[Notice, bool]]:
        """Yield every row from top to bottom; the flag is true among the pinned rows."""
        yield from ((notice, True) for notice in self.pinned)
        yield from ((notice, False) for notice in self.normal)


@dataclass
class Board:
    """A department's notices, oldest first, and which of them are pinned or removed.

    Args:
        repeats_pinned: pinned notices keep their place in the normal list too.
        earliest: the first day whose year its dates can show.
    """

    department: Department
    repeats_pinned: bool
    notices: dict[str, Notice] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)
    hidden: dict[str, int] = field(default_factory=dict)
    look: Look = Look()
    earliest: date = date.min

    def live(self) -> list[Notice]:
        """Return the notices that are not removed, the newest first."""
        return [n for n in reversed(self.notices.values()) if n.id not in self.removed]

    def page(self, tick: int, changed: int) -> Page:
        """Return page 1 in its current state; ``changed`` is the tick of its last change."""
        live = [self._dated(notice) for notice in self.live()]
        normal = [n for n in live if self.repeats_pinned or n.id not in self.pinned]
        rows = self.department.rows
        return Page(
            pinned=tuple(n for n in live if n.id in self.pinned),
            normal=tuple(normal[:rows]),
            total=len(normal),
            tick=tick,
            changed=changed,
            later=tuple(normal[rows:]),
            hidden=frozenset(key for key, until in self.hidden.items() if tick < until),
            look=self.look,
        )

    def forget_removed(self) -> None:
        """Forget removed notices, so that they cannot come back."""
        self.notices = {n.id: n for n in self.notices.values() if n.id not in self.removed}
        self.removed = set()

    def renumber(self, back: int) -> None:
        """Count ids again, as another system does; removed notices are forgotten.

        So are those of the earliest month: nobody sees their year on a board that is new.

        Args:
            back: the newest notice gets the id of the notice this number of places before it.
        """
        since = self.earliest + timedelta(days=30)
        live = [n for n in self.notices.values() if n.id not in self.removed and n.date >= since]
        used = [n.number for n in self.notices.values()]
        first = used[0]
        numbers = [*range(first - len(used) - back, first), *used[: len(used) - back]][-len(live) :]
        ids: dict[str, str] = {}
        notices: dict[str, Notice] = {}
        for notice, number in zip(live, numbers, strict=True):
            key = ids[notice.id] = self.department.id_of(number)
            notices[key] = replace(notice, id=key, number=number)
        self.notices, self.removed = notices, set()
        self.pinned = {ids[key] for key in self.pinned if key in ids}
        self.hidden = {ids[key]: until for key, until in self.hidden.items() if key in ids}

    def renew_ids(self, notices: Collection[str], ahead: int) -> dict[str, str]:
        """Give notices ids that no notice had; return the new ids by the old ones.

        Removed notices are forgotten: if they came back, they would look new.
        """
        self.forget_removed()
        ids: dict[str, str] = {}
        after: dict[str, Notice] = {}
        for key, notice in self.notices.items():
            number = notice.number + ahead if key in notices else notice.number
            new = self.department.id_of(number)
            after[new] = replace(notice, id=new, number=number)
            if new != key:
                ids[key] = new
        self.notices = after
        self.pinned = {ids.get(key, key) for key in self.pinned}
        return ids

    def _dated(self, notice: Notice) -> Notice:
        shift = self.look.shift
        return replace(notice, date=notice.date + timedelta(days=shift)) if shift else notice
