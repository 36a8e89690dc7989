"""A notice that was away while its board wrote all in another way is no news by that (N5)."""

from dataclasses import replace

from fakes import ENTRY, Notice, page_of
from fakes.worlds import NoticeWorld

PAGE = [Notice(str(number), f"글 {number}", date="") for number in range(15, 0, -1)]


class Board:
    """Its rows with a link and dates of the moment; the world of the worker that watches it."""

    def __init__(self) -> None:
        self.world = NoticeWorld()
        self.link, self.day = "http://cs.example.ac.kr/view?no=", "2026-03-01"

    def pushed(self, *notices: Notice, **entry: object) -> list[tuple[str, str]]:
        """Ids and kinds of what a check pushes."""
        rows = [replace(notice, date=notice.date or self.day) for notice in notices]
        self.world.site = page_of(rows).replace("view?no=", self.link)
        self.world.clock.advance(600)
        return [(each.id, each.kind) for each in self.world.check(**entry).events if each.push]


def away() -> Board:
    """A board that hid its second notice, and has counted dates in another zone since."""
    board = Board()
    board.pushed(*PAGE)
    board.pushed(PAGE[0], *PAGE[2:])
    board.day = "2026-02-28"
    assert board.pushed(PAGE[0], *PAGE[2:]) == []
    return board


def test_shown_again_it_is_recorded_and_not_pushed() -> None:
    board = away()
    assert board.pushed(*PAGE) == []
    assert board.world.state.known["14"].revision == 2


def test_its_new_title_is_news() -> None:
    board = away()
    edited = replace(PAGE[1], title="글 14, 고침")
    assert board.pushed(PAGE[0], edited, *PAGE[2:]) == [("14", "edited")]


def test_once_it_was_shown_again_each_edit_is_news() -> None:
    board = away()
    board.pushed(*PAGE)
    edited = replace(PAGE[1], date="2026-02-20")
    assert board.pushed(PAGE[0], edited, *PAGE[2:]) == [("14", "edited")]


def test_links_and_dates_may_both_be_rewritten() -> None:
    board = away()
    board.link = "https://cs.example.ac.kr/view?no="
    assert board.pushed(PAGE[0], *PAGE[2:]) == []
    assert board.pushed(*PAGE) == []


def test_one_that_came_back_unchanged_after_the_entry_was_edited_is_news_when_it_is_edited() -> (
    None
):
    """Its hash was made by the rules before, and holds under these."""
    board = Board()
    fields = {**ENTRY["fields"], "title": {"select": "td.subject a", "strip": ["!"]}}
    board.pushed(*PAGE)
    board.pushed(PAGE[0], *PAGE[2:])
    board.pushed(PAGE[0], *PAGE[2:], fields=fields)
    assert board.pushed(*PAGE, fields=fields) == []
    edited = replace(PAGE[1], title="글 14, 고침")
    assert board.pushed(PAGE[0], edited, *PAGE[2:], fields=fields) == [("14", "edited")]
