"""The pages of a registry's site: the list, the pages that replace it, the viewer of a file."""

from html import escape
from typing import Final

from uring_local.sites.registry.model import Page, Registry, Row
from uring_local.sites.registry.words import CHAPTERS, PARTS

_PER_PART: Final = len(CHAPTERS) // len(PARTS)

_FRAME: Final = """<!doctype html>
<html lang="ko">
<head><meta charset="utf-8"><title>{name}</title></head>
<body>
<div id="header"><a href="/">{name}</a> <form action="/search.do"><input name="word"></form></div>
<div id="contents"><div class="rules_wrap">
{body}
</div></div>
<div id="footer">{name} 기획과</div>
</body>
</html>
"""
# It replaces a file, with status 200.
ERROR: Final = "<h3>오류 안내</h3><p>요청하신 파일을 처리하는 중 오류가 발생했습니다.</p>"
LOGIN: Final = (
    '<h3>로그인</h3><form method="post" action="/login.do"><input name="id">'
    '<input type="password" name="word"></form><p>로그인이 필요한 서비스입니다.</p>'
)


def preview_link(row: Row) -> str:
    """Return the reference to a row's preview, relative to the list."""
    return f"./previewMenuCntFile.do?key={row.key}&fileNo={row.file_no}"


def download_link(row: Row) -> str:
    """Return the reference to a row's file, from the root."""
    return f"/downloadContentsFile.do?key={row.key}&fileNo={row.file_no}"


def list_page(registry: Registry, page: Page) -> str:
    """Return the list as HTML: a heading for each part, a table for each chapter.

    The ``&`` in links is not escaped, as on real sites.
    """
    body = []
    for chapter, name in enumerate(CHAPTERS):
        if chapter % _PER_PART == 0:
            part = chapter // _PER_PART
            body.append(f"<h4>제 {part + 1}편 {PARTS[part]}</h4>")
        of_chapter = [_row(row) for row in page.served if row.chapter == chapter]
        body.append(
            '<table class="table">\n<thead><tr>'
            f'<th scope="col">제 {chapter + 1}장 {name}</th>'
            '<th scope="col">미리보기</th><th scope="col">내려받기</th></tr></thead>\n'
            f"<tbody>\n{''.join(of_chapter)}</tbody>\n</table>"
        )
    return framed(registry, "\r\n".join(body))


def viewer_page(registry: Registry, file_no: str) -> str:
    """Return the preview page of a file that browsers cannot show: a frame for a script."""
    return framed(
        registry,
        f'<iframe id="innerWrap" src="/viewer/{file_no}/"></iframe><div id="content_body"></div>'
        '<script src="/viewer.js"></script>',
    )


def _row(row: Row) -> str:
    label = escape(row.label or row.title)
    links = (
        f'<td><a href="{preview_link(row)}" target="_blank" title="{label} 미리보기(새창)">'
        "미리보기</a></td>\n"
        f'<td><a href="{download_link(row)}" title="{label} 내려받기">내려받기</a></td>'
    )
    text = f'<tr>\n<td><p class="text_left">{escape(row.title)}</p></td>\n{links}\n</tr>'
    return f"<!--{text}-->\n" if row.is_comment else f"{text}\n"


def framed(registry: Registry, body: str) -> str:
    """Return a whole page with a body."""
    return _FRAME.format(name=escape(registry.name), body=body)
