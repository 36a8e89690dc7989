"""Notices that come into sight because a list moved up: unknown, and no news."""

from collections.abc import Collection, Sequence

from uring.notices.item import NoticeItem


def moved_up(items: Sequence[NoticeItem], known: Collection[str]) -> frozenset[str]:
    """Return the unknown ids of notices that were there before the list was watched.

    A notice that is deleted, hidden or pinned makes room: the first of page 2 moves up. It stands
    below every known row of the normal list and is no newer than they are. An unknown notice among
    the pinned ones is an old one that was pinned if it is no newer than the oldest of them.

    Args:
        items: of all pages that were read, in the page's order.
        known: every id that the source ever showed.
    """
    normal = [item for item in items if not item.is_pinned]
    places = [place for place, item in enumerate(normal) if item.id in known]
    if not places:
        return frozenset()
    rows = [normal[place] for place in places]
    below = (item for item in normal[places[-1] + 1 :] if not _is_newer(item, rows))
    pinned = (item for item in items if item.is_pinned and item.id not in known)
    return frozenset(
        item.id for item in (*below, *(item for item in pinned if _is_oldest(item, rows)))
    )


def _is_newer(item: NoticeItem, rows: Sequence[NoticeItem]) -> bool:
    """Return whether a notice below all known ones came after them: a list with the newest last."""
    if numbers := _numbers(item, rows):
        return numbers[0] > max(numbers[1:])
    if dates := _dates(item, rows):
        is_ascending = dates[1] < dates[-1]
        return dates[0] > max(dates[1:]) or (is_ascending and dates[0] >= dates[-1])
    return False


def _is_oldest(item: NoticeItem, rows: Sequence[NoticeItem]) -> bool:
    if numbers := _numbers(item, rows):
        return numbers[0] < min(numbers[1:])
    if dates := _dates(item, rows):
        # All of one day say nothing.
        return dates[0] <= min(dates[1:]) < max(dates[1:])
    return False


def _numbers(item: NoticeItem, rows: Sequence[NoticeItem]) -> list[int]:
    """Return the ids as numbers, the notice's first; none unless all are numbers."""
    ids = [each.id for each in (item, *rows)]
    return [int(key) for key in ids] if all(key.isascii() and key.isdigit() for key in ids) else []


def _dates(item: NoticeItem, rows: Sequence[NoticeItem]) -> list[str]:
    """Return the dates, the notice's first; none unless it and another have one."""
    dates = [row.date for row in rows if row.date is not None]
    return [item.date, *dates] if item.date is not None and dates else []
