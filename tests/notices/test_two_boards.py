"""One notice on two boards: both messages share a name, whatever each worker knows."""

from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld

from uring.push.payload import compose

OLD = [Notice("2", "지난 공지"), Notice("1", "처음 공지")]
NEWS = Notice("3", "국가장학금 2차 신청 안내", date="2026-03-02")
SHARED = "https://www.nurisol.ac.kr/view.do?no={id}"
OWN = "https://{board}.nurisol.ac.kr/view.do?no={{id}}"


def told(link: str, news: Notice, **entry: object) -> dict[str, str]:
    """Return what devices get when a board shows news for the first time."""
    world = NoticeWorld(VirtualClock())
    fields = {
        "id": {"attribute": "data-no"},
        "title": "td.subject a",
        "date": "td.date",
        "link": {"template": link},
    }
    whole = {"fields": fields, **entry}
    world.show(*OLD)
    world.check(**whole)
    world.clock.advance(600)
    world.show(news, *OLD)
    world.check(**whole)
    return compose(world.messages()[-1]).data


def names(link: str, news: Notice, board: str) -> set[str]:
    entry = {"base_url": f"https://{board}.nurisol.ac.kr/", "topic": board}
    return set(told(link, news, **entry)["same_as"].split())


def test_a_page_that_two_boards_list_has_one_name() -> None:
    shared = names(SHARED, NEWS, "cse") & names(SHARED, NEWS, "math")
    assert any(name.startswith("p") for name in shared)


def test_copies_on_two_boards_share_the_name_of_title_and_day() -> None:
    cse, math = (names(OWN.format(board=board), NEWS, board) for board in ("cse", "math"))
    assert {name[0] for name in cse & math} == {"n"}


def test_two_notices_share_none() -> None:
    other = Notice("4", "수강 정정 기간 안내", date="2026-03-02")
    assert not names(SHARED, NEWS, "cse") & names(SHARED, other, "math")


def test_a_digest_has_no_name() -> None:
    world = NoticeWorld(VirtualClock())
    world.check()
    world.clock.advance(600)
    world.show(*(Notice(str(each), f"새 공지 {each}") for each in range(9, 0, -1)))
    world.check(changes={"digest_over": 3})
    data = compose(world.messages()[-1]).data
    assert data["kind"] == "digest"
    assert "same_as" not in data
