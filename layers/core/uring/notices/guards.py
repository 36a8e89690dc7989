"""Guards of a page's ids, and of its titles beside the known ones (N17).

`uring.notices.identity` compares the ids with the known ones; the other guards of a page by itself
are in `uring.sources.guards`.
"""

from collections.abc import Sequence
from typing import Final

from uring.errors import SuspectPage
from uring.notices.item import NoticeItem
from uring.reading.mojibake import lost_its_letters
from uring.reading.text import shorten
from uring.records.model import RecordState
from uring.sources.entry import Expectations
from uring.sources.guards import Nouns
from uring.sources.rows import Row

NOUNS: Final = Nouns("notices", "board")

_SHOWN: Final = 60
# The fewest notices for which a share is meaningful.
_SOME: Final = 5
# One row may share an id with another notice.
_STRAY: Final = 1


def judge_ids(rows: Sequence[Row[NoticeItem]]) -> None:
    """Refuse a page on which one id stands for several notices.

    A pinned copy may have another title, and so may one stray row.

    Raises:
        SuspectPage: ``same_ids``.
    """
    titles: dict[str, str] = {}
    others: list[NoticeItem] = []
    for row in rows:
        item = row.item
        if item is None or item.is_pinned:
            continue
        if titles.setdefault(item.id, item.title) != item.title:
            others.append(item)
    if len(others) > _STRAY:
        item = others[0]
        readable = sum(row.item is not None for row in rows)
        raise SuspectPage(
            "same_ids",
            f"the id {item.id!r} stands for {shorten(titles[item.id], _SHOWN)!r} and for "
            f"{shorten(item.title, _SHOWN)!r}; {len(others)} of {readable} rows share an id with "
            "another notice, and would be lost: correct fields.id, so that it differs from notice "
            "to notice",
        )


def judge_letters(expect: Expectations, state: RecordState, items: Sequence[NoticeItem]) -> None:
    """Refuse a page on which many known titles lost their Korean or Chinese letters.

    Args:
        expect: the entry's expectations of its page.
        state: after a baseline, read by the same entry.
        items: of the page, or of all pages that were read.

    Raises:
        SuspectPage: ``mojibake``: at least two titles, and a fifth of the known ones.
    """
    if expect.damaged_titles:
        return
    titles = {each.id: each.content.get("title") or "" for each in state.hot}
    both = [item for item in items if item.id in titles]
    lost = [item for item in both if lost_its_letters(titles[item.id], item.title)]
    if len(lost) > 1 and len(lost) * _SOME >= len(both):
        raise SuspectPage(
            "mojibake",
            f"{len(lost)} of {len(both)} known titles lost their letters: "
            f"{shorten(titles[lost[0].id], _SHOWN)!r} is {shorten(lost[0].title, _SHOWN)!r} now; "
            "if that is right, set expect.damaged_titles",
        )
