"""Guards that compare a page with the board's known notices (N17).

The guards of a page by itself are in `uring.sources.guards`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from uring.errors import SuspectPage
from uring.notices.item import NoticeItem
from uring.reading.mojibake import lost_its_letters
from uring.reading.text import shorten
from uring.records.model import RecordState
from uring.sources.entry import Expectations
from uring.sources.guards import Nouns, accept

NOUNS: Final = Nouns("notices", "board")

_SHOWN: Final = 60
# The fewest notices for which a share is meaningful.
_SOME: Final = 5
_FEW: Final = 3
_ACCEPT: Final = accept(NOUNS)


def judge_change(
    expect: Expectations,
    state: RecordState,
    items: Sequence[NoticeItem],
    known: Collection[str],
) -> None:
    """Compare the notices of a page with the source's earlier ones.

    Args:
        expect: the entry's expectations of its page.
        state: after a baseline, read by the same entry.
        items: of the page, or of all pages that were read.
        known: all remembered ids of the source.

    Raises:
        SuspectPage: ``ids_gone``, ``mojibake`` or ``ids_reused``.
    """
    last = max((record.last_seen for record in state.known.values()), default="")
    before = [key for key, record in state.known.items() if record.last_seen == last]
    unknown_ids = [item.id for item in items if item.id not in known]
    almost_all = len(unknown_ids) * 10 > len(items) * 9
    if len(before) >= _SOME and almost_all and not _grown(before, unknown_ids):
        raise SuspectPage(
            "ids_gone",
            f"{len(unknown_ids)} of {len(items)} ids are new, such as {unknown_ids[0]!r}; "
            f"the last page had {before[0]!r}; check that fields.id reads the id; {_ACCEPT}",
        )
    if not expect.damaged_titles:
        _judge_letters(state, items)
    _judge_identity(state, items, known)


def _judge_letters(state: RecordState, items: Sequence[NoticeItem]) -> None:
    """Refuse a page on which many known titles lost their Korean or Chinese letters.

    Raises:
        SuspectPage: ``mojibake``: at least two titles, and a fifth of the known ones.
    """
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


def _grown(before: Sequence[str], unknown_ids: Sequence[str]) -> bool:
    """Return whether all ids are numbers, and the unknown ones are above all earlier ones."""
    numbers = [int(key) for key in (*before, *unknown_ids) if key.isascii() and key.isdigit()]
    if len(numbers) < len(before) + len(unknown_ids):
        return False
    return min(numbers[len(before) :]) > max(numbers[: len(before)])


def _judge_identity(
    state: RecordState, items: Sequence[NoticeItem], known: Collection[str]
) -> None:
    """Refuse display numbers as ids: they all move when one notice is added.

    Raises:
        SuspectPage: ``ids_reused``.
    """
    hot: Mapping[str, Mapping[str, str | None]] = {
        each.id: each.content for each in state.hot if each.id in known
    }
    owner = {content.get("title"): key for key, content in hot.items()}
    both = [item for item in items if item.id in hot]
    other = [item for item in both if item.title != hot[item.id].get("title")]
    moved = [item for item in other if owner.get(item.title, item.id) != item.id]
    replaced = [item for item in other if item.date != hot[item.id].get("date")]
    if len(moved) >= _FEW and len(moved) * 2 >= len(other):
        item, what = moved[0], f"the id {moved[0].id!r} had another title, which has another id"
    elif len(replaced) >= _FEW and len(replaced) * 2 > len(both):
        item, what = replaced[0], f"the id {replaced[0].id!r} had another title and date"
    else:
        return
    raise SuspectPage(
        "ids_reused",
        f"{what}; now it is {shorten(item.title, _SHOWN)!r}: fields.id may read the display "
        f"number; {_ACCEPT}",
    )
