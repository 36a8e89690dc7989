"""Notice boards made from a seed: the same bytes on every machine.

A board has 25 rows and 34 to 61 KB of HTML, most of it navigation, as boards have. Next to the
markup stand the two ways to read it: a sitemap entry for uRing and a job for urlwatch. Both look
at the same rows and leave the view counter out.
"""

import random
from collections.abc import Iterator
from typing import Any

ROWS = 25
SMALLEST, LARGEST = 34_000, 61_000
_SEED = "uring-bench"
_SUBJECTS = ["수강신청", "장학금", "졸업논문", "교환학생", "현장실습", "도서관", "기숙사", "채용"]
_MATTERS = ["일정 안내", "대상자 모집", "결과 발표", "변경 공지", "설명회 개최", "제출 서류 안내"]
_GROUPS = ["학사", "장학", "취업", "행사", "일반"]


def page(number: int, *, posts: int = 0, views: int = 0, size: int | None = None) -> bytes:
    """A board's list page in UTF-8.

    Args:
        number: of the board.
        posts: notices published since the first time.
        views: added to every view counter.
        size: in bytes; by default it varies with the board.
    """
    size = size or random.Random(f"{_SEED}:{number}").randint(SMALLEST, LARGEST)
    newest = 1_000 + number + posts
    rows = "\n".join(_row(number, newest - place, views) for place in range(ROWS))
    head = (
        '<!doctype html>\n<html lang="ko"><head><meta charset="utf-8">'
        f"<title>공지사항 {number}</title></head>\n<body><nav><ul>\n"
    )
    tail = (
        '</ul></nav>\n<main><h1>공지사항</h1><table class="board"><thead><tr><th>번호</th>'
        "<th>분류</th><th>제목</th><th>작성일</th><th>조회</th></tr></thead>\n<tbody>\n"
        f"{rows}\n</tbody></table></main></body></html>\n"
    )
    start, end = head.encode(), tail.encode()
    return start + b"".join(_menu(number, size - len(start) - len(end))) + end


def filled(number: int, inner: bytes, size: int) -> bytes:
    """Return a page in UTF-8 around a list, of so many bytes."""
    start = b'<!doctype html>\n<html lang="ko"><head><meta charset="utf-8"></head>\n<body><ul>\n'
    end = b"</ul>\n" + inner + b"</body></html>\n"
    return start + b"".join(_menu(number, size - len(start) - len(end))) + end


def source_id(number: int) -> str:
    """The board's id."""
    return f"board-{number:04}"


def entry(number: int, host: str, scheme: str = "http") -> dict[str, Any]:
    """The board's entry in uRing's sitemap."""
    link = "td.subject a"
    return {
        "id": source_id(number),
        "name": f"Board {number}",
        "url": f"{scheme}://{host}/boards/{number}",
        "rows": {"select": "table.board tbody tr"},
        "fields": {
            "id": {"select": link, "attribute": "href", "parameter": "no"},
            "title": {"select": link, "drop": ["span.new"]},
            "date": {"select": "td.date", "formats": ["%Y.%m.%d"]},
            "category": {"select": "td.group"},
            "link": {"select": link},
        },
        "pinned": [{"select": "tr.pinned"}],
    }


def urlwatch_job(number: int, url: str) -> str:
    """The board's job in urlwatch's YAML."""
    return (
        f"name: Board {number}\n"
        f"url: {url}\n"
        "filter:\n"
        "  - css:\n"
        "      selector: table.board tbody tr\n"
        "      exclude: td.views\n"
        "  - html2text\n"
    )


def _row(board: int, notice: int, views: int) -> str:
    dice = random.Random(f"{_SEED}:{board}:{notice}")
    title = f"{dice.randint(2024, 2026)}학년도 {dice.choice(_SUBJECTS)} {dice.choice(_MATTERS)}"
    badge = ' <span class="new">새글</span>' if dice.random() < 0.1 else ""  # noqa: PLR2004
    pinned = ' class="pinned"' if dice.random() < 0.1 else ""  # noqa: PLR2004
    return (
        f'<tr{pinned}>\n<td class="no">{notice}</td>\n'
        f'<td class="group">{dice.choice(_GROUPS)}</td>\n'
        f'<td class="subject"><a href="/boards/{board}/view?no={notice}&amp;page=1">'
        f"{title} ({notice}){badge}</a></td>\n"
        f'<td class="date">2026.{dice.randint(1, 12):02}.{dice.randint(1, 28):02}</td>\n'
        f'<td class="views">{dice.randint(3, 900) + views}</td>\n</tr>'
    )


def _menu(board: int, size: int) -> Iterator[bytes]:
    """Links to other pages, as many as fit, and a comment that fills the rest."""
    dice = random.Random(f"{_SEED}:{board}:menu")
    place = 0
    while True:
        place += 1
        name = f"{dice.choice(_SUBJECTS)} {dice.choice(_MATTERS)}"
        line = (
            f'\t\t\t\t<li class="menu-item depth-{dice.randint(1, 3)}">\n\t\t\t\t\t'
            f'<a href="/campus/office/{board}/menu/{place}.do" title="{name}" target="_self">\n'
            f'\t\t\t\t\t\t<span class="label">{name}</span>\n\t\t\t\t\t</a>\n\t\t\t\t</li>\n'
        ).encode()
        if len(line) + len(b"<!---->") > size:
            yield b"<!--" + b"." * max(size - len(b"<!---->"), 0) + b"-->"
            return
        size -= len(line)
        yield line
