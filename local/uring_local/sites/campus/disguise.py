"""Lists that look healthy and are not, or look broken and are not."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from uring_local.loopback import Answer
from uring_local.sites.campus.boards.style import Style
from uring_local.sites.campus.model import Notice, Page
from uring_local.sites.campus.watched import written

_HANGUL: Final = re.compile("[가-힣]")


def disguised(page: Page, kind: str, style: Style, nonce: int) -> Page:
    """Return a page as changed by a kind of trouble; unchanged for kinds that leave rows alone."""
    change = _CHANGES.get(kind)
    return change(page, style, nonce) if change else page


def cut(body: str, nonce: int) -> str:
    """Return a page cut off in the middle of a row, in the first half of the list."""
    head, mark, rest = body.partition("<tbody>")
    rows = rest.split("<tr")
    kept = 1 + nonce % (len(rows) // 2)
    return head + mark + "<tr".join(rows[: kept + 1]) + "<tr" + rows[kept + 1][: nonce % 60]


def challenge_page() -> str:
    """Return the page of a guard against robots, which sites send with status 200."""
    return (
        "<!DOCTYPE html><html><head><title>잠시만 기다려 주세요</title></head><body><script>"
        'var challengeId = "c0ffee"; setTimeout(function () { location.reload(); }, 3000);'
        "</script></body></html>"
    )


def recoded(body: str, style: Style, nonce: int) -> Answer:
    """Return a page in the other charset, declared rightly, not at all, or wrongly."""
    encoding = "utf-8" if style.encoding == "cp949" else "cp949"
    declared = {"utf-8": "utf-8", "cp949": "euc-kr"}
    wrong = declared["cp949" if encoding == "utf-8" else "utf-8"]
    content_type = (
        f"text/html; charset={declared[encoding]}",
        "text/html",
        f"text/html; charset={wrong}",
    )[nonce % 3]
    payload = body.encode(encoding, "xmlcharrefreplace")
    return Answer(200, payload, {"Content-Type": content_type})


def _first_rows(page: Page, most: int) -> Page:
    """Return a page with its first rows only, so that it shows at most `most` notices."""
    kept: set[str] = set()
    pinned: list[Notice] = []
    normal: list[Notice] = []
    for notice, is_pinned in page.rows():
        if notice.id not in kept and len(kept) == most:
            break
        kept.add(notice.id)
        (pinned if is_pinned else normal).append(notice)
    return replace(page, pinned=tuple(pinned), normal=tuple(normal))


def _damaged(notice: Notice, style: Style) -> Notice:
    if style.encoding == "utf-8":
        title = notice.title.encode().decode("cp1252", "replace")
    else:
        title = _HANGUL.sub("?", notice.title)
    return replace(notice, base_title=title, marker="")


def _shuffled(page: Page, _: Style, nonce: int) -> Page:
    random = Random(nonce)
    return replace(
        page,
        pinned=tuple(random.sample(page.pinned, len(page.pinned))),
        normal=tuple(random.sample(page.normal, len(page.normal))),
    )


def _in_a_wrong_charset(page: Page, style: Style, _: int) -> Page:
    return replace(
        page,
        pinned=tuple(_damaged(notice, style) for notice in page.pinned),
        normal=tuple(_damaged(notice, style) for notice in page.normal),
    )


def _with_one_id(page: Page, _style: Style, _nonce: int) -> Page:
    key = page.normal[0].id
    return replace(page, normal=tuple(replace(notice, id=key) for notice in page.normal))


_CHANGES: Mapping[str, Callable[[Page, Style, int], Page]] = {
    "empty": lambda page, *_: replace(page, pinned=(), normal=()),
    "short": lambda page, *_: replace(page, pinned=page.pinned[:1], normal=page.normal[:1]),
    "half": lambda page, *_: _first_rows(page, len(written(page)) // 3),
    "shuffled": _shuffled,
    "damaged": _in_a_wrong_charset,
    "shared": _with_one_id,
}
