"""The seeded script: the changes of every board on every tick.

Random numbers are drawn per (seed, tick, department), so a department's story does not depend on
how many others there are, and replaying ticks 1..k always gives the same boards.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Final

from uring_local.sites.campus.model import Board, Department, Notice, calm
from uring_local.sites.campus.words import MARKERS, new_title

_BACKLOG: Final = 25
_SHARE: Final = 0.25
_MOST_PINS: Final = 16
# A date without a year is at most three months after the first sight of its notice.
_MOST_DAYS_AGO: Final = 272
_DAYS_AHEAD: Final = (*[0] * 17, 1, 2, 80)
_OPERATIONS: Final = {
    "publish": 40,
    "edit": 30,
    "pin": 9,
    "unpin": 7,
    "edit_and_flip": 3,
    "remove": 8,
    "restore": 3,
}


def baseline(seed: int, department: Department, opened: date, *, repeats_pinned: bool) -> Board:
    """Return the board of tick 1: a full page 1, older notices behind it, some of all pinned.

    Without years some dates lie ahead, and its old pins are as old as its dates can say.
    """
    random = Random(f"{seed}/baseline/{department.id}")
    board = Board(department, repeats_pinned)
    day = opened - timedelta(days=2 * (department.rows + _BACKLOG))
    for _ in range(department.rows + _BACKLOG + department.pins):
        _publish(board, random, tick=0, day=day)
        day = min(day + timedelta(days=random.randint(0, 3)), opened)
    live = board.live()
    # Most pins are old; two are recent, and boards that repeat pinned rows show those twice.
    recent = random.sample(live[2:12], 2)
    old = random.sample(live[department.rows :], department.pins - len(recent))
    board.pinned = {notice.id for notice in recent + old}
    if department.lacks_years:
        board.earliest = opened - timedelta(days=_MOST_DAYS_AGO)
        days = {notice.id: board.earliest + timedelta(days=at) for at, notice in enumerate(old)}
        days |= {each.id: opened + timedelta(days=1 + at) for at, each in enumerate(live[3:6])}
        board.notices |= {key: replace(board.notices[key], date=day) for key, day in days.items()}
    return board


def play(
    seed: int, tick: int, boards: list[Board], troubled: Collection[str], today: date
) -> set[str]:
    """Move the boards from tick - 1 to ``tick``; return the ids of the changed departments.

    Half of the time the departments in trouble change too, so that changes pile up.
    """
    if tick <= 1 or calm(tick):
        return set()
    random = Random(f"{seed}/{tick}")
    share = round(len(boards) * _SHARE) + random.choice((-1, 0, 0, 1))
    touched = random.sample(boards, max(1, share))
    if random.random() < 0.5:  # noqa: PLR2004
        touched += [b for b in boards if b.department.id in troubled and b not in touched]
    for board in touched:
        _change(board, Random(f"{seed}/{tick}/{board.department.id}"), tick, today)
    return {board.department.id for board in touched}


def publish_page(board: Board, seed: int, tick: int, day: date) -> None:
    """Publish as many notices as page 1 shows, with ids far ahead; its few pins are taken away."""
    random = Random(f"{seed}/turnover/{tick}/{board.department.id}")
    if len(board.pinned) < board.department.rows:
        board.pinned = set()
    for _ in range(board.department.rows):
        _publish(board, random, tick, day, ahead=random.randint(900, 1_000))


def _change(board: Board, random: Random, tick: int, today: date) -> None:
    """Do one to three operations, none on a notice that this tick has changed already."""
    busy: set[str] = set()
    for _ in range(random.choice((1, 1, 2, 2, 3))):
        operation = random.choices(list(_OPERATIONS), list(_OPERATIONS.values()))[0]
        busy.add(_apply(board, operation, random, (tick, today), busy))


def _apply(
    board: Board, operation: str, random: Random, now: tuple[int, date], busy: set[str]
) -> str:
    """Do an operation and return the notice's id; an impossible one becomes a publication."""
    tick, today = now
    page = board.page(tick, tick)
    normal = [n for n in page.normal if n.id not in busy and n.id not in board.pinned]
    pinned = [n for n in page.pinned if n.id not in busy]
    removed = sorted(board.removed - busy)
    if operation == "edit":
        notice = random.choice([*normal, *pinned])
        board.notices[notice.id] = _edited(board.notices[notice.id], board, random)
    elif operation == "pin" and len(board.pinned) < _MOST_PINS:
        # Sometimes pin an old notice that is no longer on page 1.
        older = [n for n in board.live()[len(page.normal) :] if n.id not in board.pinned | busy]
        notice = random.choice(older if older and random.random() < 0.25 else normal)  # noqa: PLR2004
        board.pinned.add(notice.id)
    elif operation == "unpin" and pinned:
        notice = random.choice(pinned)
        board.pinned.discard(notice.id)
    elif operation == "edit_and_flip" and len(board.pinned) < _MOST_PINS:
        notice = random.choice([*normal, *pinned])
        board.notices[notice.id] = _edited(board.notices[notice.id], board, random)
        board.pinned ^= {notice.id}
    elif operation == "remove":
        notice = random.choice(normal)
        board.removed.add(notice.id)
    elif operation == "restore" and removed:
        notice = board.notices[random.choice(removed)]
        board.removed.discard(notice.id)
    else:
        ahead = random.choice(_DAYS_AHEAD) if board.department.lacks_years else 0
        notice = _publish(board, random, tick, today + timedelta(days=ahead))
    return notice.id


def _publish(board: Board, random: Random, tick: int, day: date, ahead: int = 0) -> Notice:
    department = board.department
    last = next(reversed(board.notices.values())).number if board.notices else department.first_id
    number = last + ahead + random.randint(1, 4)
    notice = Notice(
        id=department.id_of(number),
        number=number,
        base_title=new_title(random, board.titles),
        date=day,
        category=random.choice(department.categories) if department.categories else "",
        published=tick,
    )
    board.notices[notice.id] = notice
    return notice


def _edited(notice: Notice, board: Board, random: Random) -> Notice:
    """Return a notice with another title, date or category; the new value always differs."""
    department = board.department
    what = random.choices(("title", "date", "category"), (6, 2, 2 if department.categories else 0))
    if what == ["date"]:
        by = timedelta(days=random.choice((-2, -1, 1, 2)))
        return replace(
            notice, date=notice.date + (by if notice.date + by >= board.earliest else -by)
        )
    if what == ["category"]:
        others = [c for c in department.categories if c != notice.category]
        return replace(notice, category=random.choice(others))
    return replace(notice, marker=random.choice([m for m in MARKERS if m != notice.marker]))
